-- Purchases, what happened to them on the way, and how far the operators' reports are read.

create table purchases (
  client_id text not null references accounts (client_id),
  id text not null unique,
  idempotency_key text not null,
  -- Which fields the key came with: a version, a colon, SHA-256 in hex.
  fingerprint text not null,
  state text not null check (
    state in ('refused', 'held', 'submitted', 'unknown', 'review', 'succeeded', 'failed', 'reversed')
  ),
  product_id bigint not null,
  -- Null where the product is not known.
  operator_id bigint,
  mobile text not null,
  -- What it costs, or where it was refused what the client was ready to pay.
  amount bigint not null check (amount >= 0),
  offer_code text,
  offer_type text,
  profile_id text,
  webservice_code text not null,
  -- Of the first request: recorded answers carry it.
  request_id text not null,
  -- Moves with every claim. Who does not know the number any more may neither order nor settle.
  fence bigint not null,
  -- How often it was ordered and asked about, and how many notes there are.
  attempts bigint not null,
  inquiries bigint not null,
  notes bigint not null,
  -- Times of the database, in epoch milliseconds.
  began_at bigint not null,
  send_before bigint not null,
  quiet_at bigint not null,
  due_at bigint,
  settled_at bigint,
  -- The answer that is repeated for good.
  answer_status bigint,
  answer_body text,
  operator_ref text,
  -- Why it was refused, failed, is unknown or in review.
  reason text,
  -- What contradicts a recorded end, for a person to look at.
  disputed text,
  primary key (client_id, id),
  unique (client_id, idempotency_key),
  check ((answer_status is null) = (answer_body is null)),
  -- A final state has its answer and is not driven on.
  check ((state in ('refused', 'succeeded', 'failed', 'reversed')) = (answer_status is not null)),
  check (answer_status is null or due_at is null)
);
create index purchases_due on purchases (due_at) where due_at is not null;
create index purchases_by_time on purchases (client_id, began_at, id);
create index purchases_by_code on purchases (client_id, webservice_code);
create index purchases_for_review on purchases (client_id, id) where state = 'review' or disputed is not null;

-- What happened between the beginning and the end, where it was more than one order and its answer.
create table purchase_notes (
  client_id text not null,
  purchase_id text not null,
  seq bigint not null check (seq > 0),
  kind text not null,
  detail text not null,
  at bigint not null,
  primary key (client_id, purchase_id, seq),
  foreign key (client_id, purchase_id) references purchases (client_id, id)
);

create table operator_reports (
  operator_id bigint not null primary key,
  cursor text not null
);
