-- oldest program 37
-- Alarms to people: what is raised, what changed, and what the gateway's own channels were sent.
-- Older programs neither write nor read them.

-- What is seen now. A resolved alarm has no row.
create table alarms (
  kind text not null,
  -- An operator, a supplier or a client; empty where there is only one.
  subject text not null,
  -- Pending: seen, and not yet for as long as its kind requires.
  state text not null check (state in ('pending', 'raised')),
  since bigint not null,
  -- Since when it is no longer seen; null while it is.
  clear_since bigint,
  -- A JSON object.
  facts text not null,
  primary key (kind, subject)
);

-- Each change, numbered without gaps.
create table alarm_changes (
  seq bigint not null primary key,
  kind text not null,
  subject text not null,
  state text not null check (state in ('raised', 'resolved')),
  at bigint not null,
  facts text not null,
  -- 1 if messages tell it: its kind was chosen when it happened.
  wanted bigint not null check (wanted in (0, 1))
);

-- One message at a time is under way to each channel.
create table alarm_channels (
  channel text not null primary key check (channel in ('webhook', 'mail')),
  -- The last change that needs no message any more.
  told bigint not null,
  message_id text,
  -- The last change in the message.
  message_until bigint,
  message_at bigint,
  -- How often a message was taken to be sent. An instance that has another number may not write the result.
  attempts bigint not null,
  step bigint not null,
  -- A JSON array, as webhook_messages has it; it outlives the message.
  tried text not null,
  due_at bigint,
  check ((message_id is null) = (due_at is null)),
  check ((message_id is null) = (message_until is null))
);
insert into alarm_channels (channel, told, attempts, step, tried) values ('webhook', 0, 0, 0, '[]');
insert into alarm_channels (channel, told, attempts, step, tried) values ('mail', 0, 0, 0, '[]');

-- The instance that judges, until when, and the number of the last change.
create table alarm_turn (
  id bigint not null primary key check (id = 1),
  holder text not null,
  until_at bigint not null,
  seq bigint not null
);
insert into alarm_turn (id, holder, until_at, seq) values (1, '', 0, 0);
