-- What whoever runs the gateway has set for a client. No row: nothing is set.
create table client_rules (
  client_id text not null primary key references clients (id),
  -- JSON arrays of numbers: what it may buy, and of which operators; null means all.
  products text,
  operators text,
  -- How long a purchase that looks like another is taken for a repeat of it; null: it never is.
  repeat_seconds bigint check (repeat_seconds between 1 and 86400),
  -- The most that it may spend on a day in UTC.
  daily_limit bigint check (daily_limit between 1 and 9007199254740991),
  -- What a purchase is answered with that is not finished.
  pending_status bigint not null check (pending_status in (202, 409))
);

-- What clients with a daily limit have spent on the day that begins at `day`, up to posting `seq`: what
-- the postings after it add is added when it is read, so that whoever writes those need not know of it.
create table client_days (
  client_id text not null primary key references accounts (client_id),
  day bigint not null,
  spent bigint not null check (spent >= 0),
  seq bigint not null check (seq >= 0)
);
