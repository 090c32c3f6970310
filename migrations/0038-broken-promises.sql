-- oldest program 37
-- Suppliers that delivered what they had denied. While a row is open, no purchase moves on from its supplier.
-- Older programs neither write nor read it.

create table broken_promises (
  supplier_id bigint not null,
  client_id text not null,
  purchase_id text not null,
  at bigint not null,
  -- When a person trusted the supplier again; null until then.
  closed_at bigint,
  primary key (supplier_id, purchase_id)
);
create index broken_promises_open on broken_promises (supplier_id) where closed_at is null;
