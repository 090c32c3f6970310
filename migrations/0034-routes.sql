-- oldest program 31
-- Routes: for which products, and for which client, a supplier is ordered from. Older programs know none.

-- A change closes the row and adds one with the next version, so the history stays. Null in a scope is "any".
create table routes (
  id bigint not null check (id > 0),
  version bigint not null check (version > 0),
  operator_id bigint not null,
  -- Without a reference: a product or a category may be removed.
  product_id bigint,
  category_id bigint,
  product_type text check (product_type in ('cell_internet', 'cell_direct_charge', 'td_lte_internet')),
  client_id text references clients (id),
  supplier_id bigint not null,
  -- The supplier's own code of the product.
  product_code text,
  -- The cost: an amount, a decimal percentage off the price, or neither if it is not known.
  cost_amount bigint check (cost_amount >= 0),
  cost_percent text,
  allow_dearer bigint not null check (allow_dearer in (0, 1)),
  priority bigint not null check (priority > 0),
  weight bigint not null check (weight > 0),
  -- Minutes of the business day, and days as mon,tue,…; null is always.
  hours_from bigint check (hours_from between 0 and 1439),
  hours_to bigint check (hours_to between 1 and 1440),
  days text,
  valid_from bigint,
  valid_until bigint,
  enabled bigint not null check (enabled in (0, 1)),
  created_at bigint not null,
  -- When it was changed or removed; null while it is in force.
  closed_at bigint,
  primary key (id, version),
  check (cost_amount is null or cost_percent is null),
  check ((hours_from is null) = (hours_to is null))
);
create unique index routes_in_force on routes (id) where closed_at is null;

insert into versions (name, version) values ('routes', '');
