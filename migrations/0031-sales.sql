-- oldest program 30
-- What was sold, in money: sums that a job adds up from the postings, and how far it has counted.
-- No foreign keys: checking one would wait for the account's lock, which every purchase takes.

-- Kinds of rows, so that a report by any two dimensions reads few of them:
-- full: by day, client, product and operator. month: the same for a month, whose first day is `day`.
-- client: without the product, which is 0. product: without the client, which is ''.
-- A day is the number of days since 1970-01-01, in the time zone in force when it was counted.
-- for sqlite
create table sales (
  kind text not null check (kind in ('full', 'month', 'client', 'product')),
  day bigint not null,
  client_id text not null,
  product_id bigint not null,
  operator_id bigint not null,
  sold bigint not null,
  sold_amount bigint not null,
  reversed bigint not null,
  reversed_amount bigint not null,
  primary key (kind, day, client_id, product_id, operator_id)
) without rowid;
-- for postgres
create table sales (
  kind text not null check (kind in ('full', 'month', 'client', 'product')),
  day bigint not null,
  client_id text not null,
  product_id bigint not null,
  operator_id bigint not null,
  sold bigint not null,
  sold_amount bigint not null,
  reversed bigint not null,
  reversed_amount bigint not null,
  primary key (kind, day, client_id, product_id, operator_id)
);

-- Up to which of its postings a client's sales are counted, and by which time zone the last were.
-- A time zone has the version of its rules after a space: `Asia/Tehran 2026a`.
create table sales_cursors (
  client_id text not null primary key,
  seq bigint not null check (seq >= 0),
  -- Empty before the first.
  time_zone text not null
);

-- By which time zone a client's postings after `after_seq` were counted, until the next row.
create table sales_zones (
  client_id text not null,
  after_seq bigint not null,
  time_zone text not null,
  primary key (client_id, after_seq)
);
