-- The back office: who may enter, who is inside, what they changed, and how often others tried.

create table admin_accounts (
  id text not null primary key,
  -- In lower case.
  name text not null unique check (length(name) > 0 and name = lower(name)),
  role text not null check (role in ('viewer', 'support', 'manager', 'owner')),
  status text not null check (status in ('active', 'disabled')),
  -- A hash that carries what it was made with; null until one is set by the link.
  password text,
  -- Codes are made from it, so it cannot be kept as a hash; null where there is no second factor.
  totp_secret text,
  -- One that waits for its first code.
  totp_pending text,
  -- The step of the last code that was taken: a code is good once.
  totp_step bigint not null,
  -- The hash of the one link by which a password can be set, and until when.
  setup_hash text unique,
  setup_until bigint,
  created_at bigint not null,
  signed_in_at bigint,
  check ((setup_hash is null) = (setup_until is null))
);

create table admin_sessions (
  -- Of the token in the cookie.
  hash text not null primary key,
  account_id text not null references admin_accounts (id),
  -- code: nothing may be done but to send the code of the second factor.
  stage text not null check (stage in ('code', 'full')),
  created_at bigint not null,
  seen_at bigint not null,
  address text not null,
  agent text not null
);
create index admin_sessions_by_account on admin_sessions (account_id);

-- Append-only: who changed what, when, from where.
create table admin_audit (
  id text not null primary key,
  at bigint not null,
  -- Null where it was a command.
  account_id text,
  actor text not null check (length(actor) > 0),
  action text not null,
  subject text not null,
  -- JSON, here and in after_it.
  before_it text not null,
  after_it text not null,
  -- Null where it was a command.
  address text
);
create index admin_audit_by_subject on admin_audit (subject, id);

-- Tries to enter, by who is meant and where they come from.
create table admin_attempts (
  key text not null primary key,
  failures bigint not null,
  -- Nothing is tried before then.
  until_at bigint not null,
  tried_at bigint not null,
  -- Whether one from there went well.
  known bigint not null check (known in (0, 1))
);
