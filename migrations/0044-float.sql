-- Float: what lies at each supplier, by our books and by its own. Programs before this one would count sales
-- without their costs: they stop.

-- What people recorded: money sent to a supplier, and corrections. Rows are added and never changed.
create table float_entries (
  supplier_id bigint not null,
  -- From 1 without gaps.
  number bigint not null check (number > 0),
  kind text not null check (kind in ('top_up', 'correction')),
  amount bigint not null check (amount between -9007199254740991 and 9007199254740991 and amount <> 0),
  -- Of the transfer; empty where there is none.
  reference text not null,
  reason text not null,
  author text not null,
  at bigint not null,
  primary key (supplier_id, number),
  check (kind = 'correction' or amount > 0)
);
-- for sqlite
create trigger float_entries_not_changed before update on float_entries begin select raise(abort, 'float_entries is append-only'); end;
-- for sqlite
create trigger float_entries_not_deleted before delete on float_entries begin select raise(abort, 'float_entries is append-only'); end;
-- for postgres
create trigger float_entries_append_only before update or delete or truncate on float_entries execute function refuse_change();

-- The costs of captures and reversals, added up with the sales and by their cursors: by hours since
-- 1970-01-01 UTC, and in all as the hour 0. Costs began with the migration before: older postings have none.
create table supplier_costs (
  supplier_id bigint not null,
  hour bigint not null check (hour >= 0),
  cost bigint not null,
  -- How many captures cost more than they charged.
  losses bigint not null check (losses >= 0),
  primary key (supplier_id, hour)
);

-- What each supplier says of its own book. `asked_at` keeps other instances from asking too.
create table supplier_balances (
  supplier_id bigint not null primary key,
  asked_at bigint not null,
  balance bigint,
  balance_at bigint,
  -- How far that was from our books; 0 within what was in flight.
  drift bigint,
  check ((balance is null) = (balance_at is null)),
  check ((balance is null) = (drift is null))
);

create index supplier_ledger_by_supplier on supplier_ledger (supplier_id);
