-- What the back office does with clients.

-- What must not be done twice, by the key that the page made for it; written with what was done.
create table admin_keys (
  key text not null primary key,
  -- Whose request it was.
  account_id text not null references admin_accounts (id),
  action text not null,
  -- SHA-256 in hex of all that was asked for: the same key with anything else is refused.
  fingerprint text not null check (length(fingerprint) = 64),
  -- JSON: what was answered, without secrets.
  answer text not null,
  at bigint not null
);

-- Whether whoever runs the gateway has disabled it, and not its client.
alter table webhook_endpoints add column by_gateway bigint not null default 0 check (by_gateway in (0, 1));

-- So that what failed is counted and found however much was delivered.
create index webhook_messages_failed on webhook_messages (endpoint_id, id) where state = 'failed';
