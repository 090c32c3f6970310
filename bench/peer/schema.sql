-- What a plain implementation of purchases needs.
create table clients (id text primary key, token_hash bytea not null unique);
create table accounts (
  client_id text primary key references clients,
  balance bigint not null check (balance >= 0)
);
create table products (id bigint primary key, price bigint not null, details jsonb not null);
create table purchases (
  id uuid primary key default gen_random_uuid(),
  client_id text not null references clients,
  idempotency_key text not null,
  product_id bigint not null references products,
  mobile text not null,
  price bigint not null,
  state text not null default 'held' check (state in ('held', 'sold', 'failed', 'unknown')),
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  unique (client_id, idempotency_key)
);
create table postings (
  id bigint generated always as identity primary key,
  client_id text not null references clients,
  purchase_id uuid not null references purchases,
  kind text not null check (kind in ('hold', 'capture', 'release')),
  amount bigint not null,
  created_at timestamptz not null default now()
);
