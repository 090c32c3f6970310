-- How far a client's holds may take its available money below zero.
-- Programs before this one refuse a client that has used credit, and its postings fail in them: they stop.

-- No check can hold the limit: it may be lowered below what is used. It binds holds only, under the account's
-- lock, and `simgate verify` proves each of them by the limit of its time.

-- for postgres
alter table accounts drop constraint accounts_available_check;
-- for postgres
alter table accounts
  add constraint accounts_available_check check (available between -9007199254740991 and 9007199254740991);
-- for postgres
alter table accounts
  add column credit_limit bigint not null default 0 check (credit_limit between 0 and 9007199254740991);
-- for postgres
alter table postings drop constraint postings_available_after_check;

-- SQLite cannot change a check, so both tables are written again. Rows that refer to an account lack it only
-- until it is back.
-- for sqlite
pragma defer_foreign_keys = on;
-- for sqlite
create table kept_accounts as select * from accounts;
-- for sqlite
drop table accounts;
-- for sqlite
create table accounts (
  client_id text not null primary key references clients (id),
  available bigint not null check (available between -9007199254740991 and 9007199254740991),
  held bigint not null check (held between 0 and 9007199254740991),
  seq bigint not null check (seq >= 0),
  credit_limit bigint not null default 0 check (credit_limit between 0 and 9007199254740991)
);
-- for sqlite
insert into accounts (client_id, available, held, seq) select client_id, available, held, seq from kept_accounts;
-- for sqlite
drop table kept_accounts;
-- for sqlite
create table new_postings (
  client_id text not null references accounts (client_id),
  seq bigint not null check (seq > 0),
  kind text not null,
  from_account text not null,
  to_account text not null,
  amount bigint not null check (amount between 1 and 9007199254740991),
  available_after bigint not null,
  held_after bigint not null check (held_after >= 0),
  purchase_id text,
  note text,
  at bigint not null,
  primary key (client_id, seq),
  -- Money moves once for each reason: a second capture of one purchase is refused here.
  unique (client_id, purchase_id, kind),
  check ((kind in ('hold', 'capture', 'release', 'reverse')) = (purchase_id is not null)),
  check (
    (kind = 'deposit' and from_account = 'funding' and to_account = 'available')
    or (kind = 'hold' and from_account = 'available' and to_account = 'held')
    or (kind = 'capture' and from_account = 'held' and to_account = 'sales')
    or (kind = 'release' and from_account = 'held' and to_account = 'available')
    or (kind = 'reverse' and from_account = 'sales' and to_account = 'available')
    or (kind = 'correction' and from_account = 'corrections' and to_account = 'available')
    or (kind = 'correction' and from_account = 'available' and to_account = 'corrections')
  )
);
-- In the order of the key, which fills the indexes faster.
-- for sqlite
insert into new_postings select * from postings order by client_id, seq;
-- for sqlite
drop table postings;
-- for sqlite
alter table new_postings rename to postings;

-- Every change of a limit. Rows are added and never changed.
create table credit_changes (
  client_id text not null references accounts (client_id),
  -- From 1 without gaps.
  number bigint not null check (number > 0),
  -- The client's last posting before the change: later ones are under this limit.
  after_seq bigint not null check (after_seq >= 0),
  credit_limit bigint not null check (credit_limit between 0 and 9007199254740991),
  at bigint not null,
  primary key (client_id, number)
);
