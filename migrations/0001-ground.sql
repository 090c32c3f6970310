-- Clients and their money, tokens, the catalogue.
-- One text for SQLite and PostgreSQL: bigint for money, times (epoch milliseconds) and 0/1, text for ids and JSON.

create table clients (
  id text not null primary key,
  name text not null check (length(name) between 1 and 255),
  status text not null check (status in ('active', 'suspended')),
  created_at bigint not null
);

create table tokens (
  id text not null primary key,
  client_id text not null references clients (id),
  name text not null,
  -- SHA-256 in hex. The token itself is shown once and kept nowhere.
  hash text not null unique check (length(hash) = 64),
  -- The token's last characters, so that a person can tell two apart.
  ending text not null,
  -- JSON arrays of text; no networks means any network.
  scopes text not null,
  networks text not null,
  created_at bigint not null,
  expires_at bigint,
  revoked_at bigint,
  last_used_at bigint
);
create index tokens_by_client on tokens (client_id);

-- What a client may spend and what is held for purchases under way, after `seq` postings.
create table accounts (
  client_id text not null primary key references clients (id),
  available bigint not null check (available between 0 and 9007199254740991),
  held bigint not null check (held between 0 and 9007199254740991),
  seq bigint not null check (seq >= 0)
);

-- Append-only. A posting moves one amount from one account to another, so it cannot be out of balance.
create table postings (
  client_id text not null references accounts (client_id),
  seq bigint not null check (seq > 0),
  kind text not null,
  from_account text not null,
  to_account text not null,
  amount bigint not null check (amount between 1 and 9007199254740991),
  available_after bigint not null check (available_after >= 0),
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

create table products (
  id bigint not null primary key check (id > 0),
  name text not null,
  name_en text,
  description text not null,
  description_full text,
  sku text,
  price bigint not null check (price >= 0),
  second_price bigint check (second_price >= price),
  showable_price bigint,
  type text not null check (type in ('cell_internet', 'cell_direct_charge', 'td_lte_internet')),
  minimum_sale bigint,
  -- JSON, here and in options, third_party_id and capacity.
  dimension text not null,
  score bigint not null,
  status bigint not null check (status in (0, 1)),
  options text not null,
  deliverable bigint not null check (deliverable in (0, 1)),
  third_party_id text not null,
  capacity text not null,
  period bigint,
  sim_card_type text not null check (sim_card_type in ('credit', 'permanent')),
  operator_id bigint not null check (operator_id between 1 and 5),
  profile_id text,
  sort_order bigint not null,
  created_at bigint,
  updated_at bigint,
  check (type <> 'td_lte_internet' or operator_id = 2)
);

create table categories (
  id bigint not null primary key,
  name text not null,
  data text not null,
  created_at bigint,
  updated_at bigint
);

create table product_categories (
  product_id bigint not null references products (id),
  category_id bigint not null references categories (id),
  -- The order in which a product names its categories.
  position bigint not null,
  address text not null,
  primary key (product_id, category_id)
);
create index product_categories_by_category on product_categories (category_id);

-- A fresh id each time that a part of the data changes: what servers look at to notice it.
create table versions (
  name text not null primary key,
  version text not null
);
insert into versions (name, version) values ('catalogue', ''), ('clients', '');
