-- Price lists: the commission of each client, and what each purchase charges. Programs before this one would
-- hold the whole price: they stop.

-- A removed list stays, so that no other gets its number. Null in `parent_id` is no parent; it is not a foreign
-- key, because a move to the other engine copies a table in any order. The default list has the id 1, also
-- before its row is written.
create table price_lists (
  id bigint not null primary key check (id > 0),
  name text not null,
  parent_id bigint,
  -- 1 if its clients may pay less than the supplier costs.
  allow_below_cost bigint not null check (allow_below_cost in (0, 1)),
  created_at bigint not null,
  removed_at bigint
);
create unique index price_lists_by_name on price_lists (name) where removed_at is null;

-- What a list says from `valid_from` on, until its next version. One that has begun never changes.
create table price_versions (
  list_id bigint not null references price_lists (id),
  number bigint not null check (number > 0),
  valid_from bigint not null,
  created_at bigint not null,
  -- When it was withdrawn, before it began; null otherwise.
  withdrawn_at bigint,
  primary key (list_id, number)
);
create unique index price_versions_in_use on price_versions (list_id, valid_from) where withdrawn_at is null;

-- Null in a scope is "any". The references are left out: a product or a category may be removed.
create table price_entries (
  id bigint not null primary key check (id > 0),
  list_id bigint not null,
  number bigint not null,
  product_id bigint,
  category_id bigint,
  operator_id bigint,
  product_type text check (product_type in ('cell_internet', 'cell_direct_charge', 'td_lte_internet')),
  -- An amount, or a decimal percentage of the price.
  commission_amount bigint check (commission_amount >= 0),
  commission_percent text,
  check ((commission_amount is null) <> (commission_percent is null)),
  foreign key (list_id, number) references price_versions (list_id, number)
);
create index price_entries_by_version on price_entries (list_id, number);

-- The clients of all lists but the default one, which has the others.
create table client_price_lists (
  client_id text not null primary key references clients (id),
  list_id bigint not null references price_lists (id)
);

insert into versions (name, version) values ('prices', '');

-- What is held and captured: the amount less the commission. Null in older rows is the amount, and in refused
-- ones nothing.
alter table purchases add column charged_amount bigint;
-- The entry that decided the commission; null if none did.
alter table purchases add column price_entry_id bigint;
