-- Operators as those who run the gateway set them from the console: how they are reached, and whether they sell.

-- Goes before what the file says of an operator, as long as its connector is that one.
create table operator_settings (
  operator_id bigint not null primary key,
  connector text not null,
  -- JSON, sealed as a whole: among the settings are secrets.
  sealed text not null,
  -- Who changes them says which they saw.
  version text not null,
  changed_at bigint not null
);

-- Operators of which nothing new is sold.
create table operator_suspensions (
  operator_id bigint not null primary key,
  at bigint not null,
  actor text not null check (length(actor) > 0),
  reason text not null
);

insert into versions (name, version) values ('operators', '');
