-- Being told: where clients want to hear of what, and what is to be told to them.

create table webhook_endpoints (
  id text not null primary key,
  client_id text not null references clients (id),
  url text not null,
  description text not null,
  -- A JSON array of text.
  events text not null,
  -- Told when what may be spent falls below this.
  balance_below bigint check (balance_below > 0),
  status text not null check (status in ('active', 'disabled', 'deleted')),
  -- Why it is disabled: by its client, or because it answered 410.
  disabled_by text check (disabled_by in ('client', 'gone')),
  -- Messages are signed with it, so it cannot be kept as a hash.
  secret text not null,
  -- The one before, which signs too until then.
  old_secret text,
  old_secret_until bigint,
  created_at bigint not null,
  deleted_at bigint,
  check ((status = 'disabled') = (disabled_by is not null)),
  check ((old_secret is null) = (old_secret_until is null)),
  check ((status = 'deleted') = (deleted_at is not null))
);
create index webhook_endpoints_by_client on webhook_endpoints (client_id);
create index webhook_endpoints_active on webhook_endpoints (id) where status = 'active';

-- The outbox, and what became of it. One row for each endpoint that is told of an event.
create table webhook_messages (
  endpoint_id text not null references webhook_endpoints (id),
  -- The same for all endpoints that are told of one event, at every attempt.
  id text not null,
  type text not null,
  payload text not null,
  state text not null check (state in ('waiting', 'delivered', 'failed')),
  -- How often it was taken to be sent. Who does not know the number any more may not write what came of it.
  attempts bigint not null,
  -- How far it has come on the schedule.
  step bigint not null,
  -- A JSON array: when, how long it took, and what came of it.
  tried text not null,
  due_at bigint,
  created_at bigint not null,
  ended_at bigint,
  primary key (endpoint_id, id),
  check ((state = 'waiting') = (due_at is not null)),
  check ((state = 'waiting') = (ended_at is null))
);
create index webhook_messages_due on webhook_messages (endpoint_id, due_at, id) where due_at is not null;

-- What was last told of each operator, so that several servers which notice the same do not all tell it.
create table operator_status (
  operator_id bigint not null primary key,
  health text not null check (health in ('up', 'down')),
  since bigint not null
);

insert into versions (name, version) values ('webhooks', '');

-- Tokens that could do everything still can.
update tokens set scopes = '["catalogue","offers","purchase","webhooks"]'
  where scopes like '%"catalogue"%' and scopes like '%"offers"%' and scopes like '%"purchase"%';
