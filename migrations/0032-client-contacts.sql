-- oldest program 30
-- Whom to contact at a client, and what people noted about it.

create table client_contacts (
  client_id text not null primary key references clients (id),
  -- Each is empty if it is not known.
  name text not null,
  email text not null,
  phone text not null,
  about text not null
);

-- Rows are added and never changed.
create table client_notes (
  id text not null primary key,
  client_id text not null references clients (id),
  at bigint not null,
  account_id text not null,
  author text not null,
  note text not null
);
create index client_notes_by_client on client_notes (client_id, id);
