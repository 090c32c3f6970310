-- Signing in: when a session last proved whose it is, recovery codes, and which changes of credentials were seen.

-- When a password or a code was last given. Sessions from before have to give one first.
alter table admin_sessions add column proved_at bigint not null default 0;

-- The newest change of the account's credentials in the audit that its owner has confirmed to have seen.
alter table admin_accounts add column notices_seen text not null default '';
-- What was changed before is not announced.
update admin_accounts set notices_seen = coalesce((select max(id) from admin_audit), '');

create table admin_recovery_codes (
  account_id text not null references admin_accounts (id),
  -- Of the code, which is good once.
  hash text not null,
  created_at bigint not null,
  -- Null until it is used.
  used_at bigint,
  primary key (account_id, hash)
);
