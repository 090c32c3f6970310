-- The chain of balances: what a supplier says of its float after each delivery, linked from one to the next.
-- Programs before this one would count deliveries without their balances: they stop.

-- Of a capture: what lay at the supplier after its delivery, by the supplier; null if it did not say.
alter table postings add column supplier_balance bigint;

-- Where the chain of a supplier has loose ends, written with the sales and by their cursors. A delivery leads
-- from one balance to another: it adds 1 where it leads to, and -1 where it comes from. What is 0 is deleted.
create table chain_ends (
  supplier_id bigint not null,
  balance bigint not null,
  deliveries bigint not null,
  -- Of the last delivery there.
  client_id text not null,
  purchase_id text not null,
  at bigint not null,
  primary key (supplier_id, balance)
);

-- What changed a supplier's float besides the deliveries of its chain: how often, by the amount. Negative
-- where money left it.
create table chain_moves (
  supplier_id bigint not null,
  amount bigint not null,
  moves bigint not null,
  primary key (supplier_id, amount)
);

-- When a chain was last given up because it had too many loose ends.
create table chain_breaks (
  supplier_id bigint not null primary key,
  at bigint not null
);
