-- Which supplier each purchase is ordered from, and the attempts at suppliers that were left behind.
-- Programs before this one do not know suppliers: they stop.

-- The supplier of the current attempt. Null in purchases that ended before: the supplier that has the
-- operator's own number.
alter table purchases add column supplier_id bigint;
-- The route that was taken; null for the one that every operator has by itself.
alter table purchases add column route_id bigint;
-- The supplier's own code of the product, where the route gives one.
alter table purchases add column supplier_code text;
-- The routes that were passed over for this attempt, with a code for each, as JSON; null if there are none.
alter table purchases add column passed_over text;
-- The numbers of the suppliers that were left behind, as JSON in their order; null if there are none.
alter table purchases add column left_suppliers text;

update purchases set supplier_id = operator_id where due_at is not null;
update purchases set supplier_id = operator_id where state = 'review' or disputed is not null;

-- Claims name the suppliers that an instance knows.
create index purchases_due_at_supplier on purchases (supplier_id, due_at) where due_at is not null;
drop index purchases_due;

-- Attempts that were left behind, each with the proof that it delivered nothing. The current one is in the
-- purchase itself.
create table attempts (
  client_id text not null,
  purchase_id text not null,
  -- The number of its last order among those of the purchase.
  seq bigint not null,
  supplier_id bigint not null,
  route_id bigint,
  supplier_code text,
  passed_over text,
  -- The name of the order at the supplier.
  reference text not null,
  -- The system that it was sent to (see 0017); null: not known.
  sent_to text,
  proof text not null check (proof in ('refused', 'not_found')),
  -- What the supplier said, as a fact.
  code text not null,
  fact_values text not null,
  left_at bigint not null,
  -- When the supplier is asked once more; null where it is not, or was.
  ask_at bigint,
  primary key (client_id, purchase_id, seq)
);
create index attempts_to_ask on attempts (supplier_id, ask_at) where ask_at is not null;

-- The time by which everything had begun that was open at a restore or a change of place. A lost part of the
-- history may hold an attempt of such a purchase at another supplier.
alter table restores add column open_before bigint;
update restores set open_before = began_before;
