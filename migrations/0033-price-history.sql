-- oldest program 31
-- The history of prices: the changes of the catalogue that changed prices, and each price that they changed.
-- Older programs change prices without it, and a product's first price is not in it.

create table price_changes (
  -- In the order of time.
  id text not null primary key,
  at bigint not null,
  via text not null check (via in ('edit', 'import', 'bulk', 'revert')),
  -- Null for a command.
  account_id text,
  actor text not null,
  -- What was asked of a bulk change, as JSON.
  asked text,
  -- How many products it changed.
  products bigint not null,
  -- The change that this one reverts.
  reverts text
);
create index price_changes_by_reverted on price_changes (reverts) where reverts is not null;

-- A price is null where the product has none.
create table price_moves (
  change_id text not null references price_changes (id),
  product_id bigint not null,
  field text not null check (field in ('price', 'second_price', 'showable_price')),
  price_before bigint,
  price_after bigint,
  primary key (change_id, product_id, field)
);
create index price_moves_by_product on price_moves (product_id, change_id);
