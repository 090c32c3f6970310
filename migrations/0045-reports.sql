-- oldest program 45
-- Reports know the price beside what was charged, the cost, the supplier, and what failed. Sums that were added
-- up before cannot tell them: the job adds up the past again, by the time zone in force now.
drop table sales;
delete from sales_cursors;
delete from sales_zones;
-- What suppliers took is added up by the same cursors.
delete from supplier_costs;

-- Kinds of rows, so that a report by any two dimensions reads few of them:
-- full: by day, client, product, operator and supplier. month: the same for a month, whose first day is `day`.
-- client: without the product, which is 0. product: without the client, which is ''.
-- A day is the number of days since 1970-01-01, in the time zone in force when it was counted.
-- A supplier is 0 where it is not known.
-- for sqlite
create table sales (
  kind text not null check (kind in ('full', 'month', 'client', 'product')),
  day bigint not null,
  client_id text not null,
  product_id bigint not null,
  operator_id bigint not null,
  supplier_id bigint not null,
  sold bigint not null,
  sold_price bigint not null,
  -- What was charged.
  sold_amount bigint not null,
  -- Of the sales whose cost is known.
  sold_cost bigint not null,
  -- Those whose cost is not known, and what was charged for them.
  sold_uncosted bigint not null,
  sold_uncosted_amount bigint not null,
  -- Reversals, on their own day, with what they gave back.
  reversed bigint not null,
  reversed_price bigint not null,
  reversed_amount bigint not null,
  reversed_cost bigint not null,
  reversed_uncosted bigint not null,
  reversed_uncosted_amount bigint not null,
  -- Purchases that held money and were not delivered.
  failed bigint not null,
  primary key (kind, day, client_id, product_id, operator_id, supplier_id)
) without rowid;
-- for postgres
create table sales (
  kind text not null check (kind in ('full', 'month', 'client', 'product')),
  day bigint not null,
  client_id text not null,
  product_id bigint not null,
  operator_id bigint not null,
  supplier_id bigint not null,
  sold bigint not null,
  sold_price bigint not null,
  -- What was charged.
  sold_amount bigint not null,
  -- Of the sales whose cost is known.
  sold_cost bigint not null,
  -- Those whose cost is not known, and what was charged for them.
  sold_uncosted bigint not null,
  sold_uncosted_amount bigint not null,
  -- Reversals, on their own day, with what they gave back.
  reversed bigint not null,
  reversed_price bigint not null,
  reversed_amount bigint not null,
  reversed_cost bigint not null,
  reversed_uncosted bigint not null,
  reversed_uncosted_amount bigint not null,
  -- Purchases that held money and were not delivered.
  failed bigint not null,
  primary key (kind, day, client_id, product_id, operator_id, supplier_id)
);
