-- Passkeys of the back office, and the challenges that they sign.

create table admin_passkeys (
  id text not null primary key,
  account_id text not null references admin_accounts (id),
  -- As the authenticator named it, in base64url.
  credential_id text not null unique check (length(credential_id) > 0),
  -- The domain that it was made for; a browser offers it nowhere else.
  rp_id text not null,
  name text not null check (length(name) > 0),
  -- A COSE key in base64url.
  public_key text not null,
  -- Of the last signature; an authenticator that does not count stays at 0.
  counter bigint not null check (counter >= 0),
  -- JSON: how a browser reaches the authenticator.
  transports text not null,
  created_at bigint not null,
  -- Null until it proved something.
  used_at bigint
);
create index admin_passkeys_by_account on admin_passkeys (account_id);

-- How many it has: changed with them, so that every read of the account tells whether it has a second factor.
alter table admin_accounts add column passkeys bigint not null default 0 check (passkeys >= 0);

-- One at a time for each session and purpose; using it deletes it.
create table admin_challenges (
  session_hash text not null,
  purpose text not null check (purpose in ('register', 'prove')),
  challenge text not null,
  until_at bigint not null,
  primary key (session_hash, purpose)
);
