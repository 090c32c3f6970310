-- Cost: what each purchase costs at its supplier. Programs before this one would leave the cost of a supplier
-- that was left behind in a purchase that moves on: they stop.

-- What the current attempt costs by the rule of its route; null if that is not known.
alter table purchases add column cost bigint;
-- What the supplier says that it cost. It counts more than the rule.
alter table purchases add column told_cost bigint;
-- A supplier in `left_suppliers` stands with the cost of its attempt if that is known: [11, [12, 9500]].

-- The same for an attempt that was left behind.
alter table attempts add column cost bigint;

-- Of a capture and a reversal: the supplier that delivered, and what that cost. A reversal takes the same
-- amount back, as a negative one: so a sum needs no kinds. Null is not known, as in all older rows.
alter table postings add column cost bigint;
alter table postings add column supplier_id bigint;

-- What was learnt about the cost of a purchase besides its capture and its reversal. Rows are added and never
-- changed; each reason occurs once for each supplier of a purchase.
create table supplier_ledger (
  client_id text not null,
  purchase_id text not null,
  supplier_id bigint not null,
  -- delivered: it delivered what was not captured from it. captured: that is captured by now. reversed: it took
  -- its delivery back, and no posting does. not_delivered: a person found that it had not delivered.
  -- told: it said later what its delivery cost.
  kind text not null check (kind in ('delivered', 'captured', 'reversed', 'not_delivered', 'told')),
  -- Added to the cost; negative where that is taken back. Null if it is not known.
  cost bigint,
  at bigint not null,
  primary key (client_id, purchase_id, supplier_id, kind)
);
-- for sqlite
create trigger supplier_ledger_not_changed before update on supplier_ledger begin select raise(abort, 'supplier_ledger is append-only'); end;
-- for sqlite
create trigger supplier_ledger_not_deleted before delete on supplier_ledger begin select raise(abort, 'supplier_ledger is append-only'); end;
-- for postgres
create trigger supplier_ledger_append_only before update or delete or truncate on supplier_ledger execute function refuse_change();
