-- oldest program 37
-- Suppliers that the console defines. Their settings are in operator_settings, as those of operators are.
-- Older programs pass over their routes, and leave their purchases to programs that know them.

create table suppliers (
  id bigint not null primary key check (id between 100 and 999),
  name text not null,
  name_en text not null,
  name_fa text not null,
  -- Those of one group share an account.
  account_group text,
  created_at bigint not null,
  -- Null while it exists. The row stays, so that no other supplier gets its number.
  removed_at bigint
);
create unique index suppliers_by_name on suppliers (name) where removed_at is null;
