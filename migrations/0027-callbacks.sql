-- oldest program 26
-- What operators said by themselves, for the time that it is kept: evidence on the purchases that it names.

create table operator_callbacks (
  operator_id bigint not null,
  -- Of the order that it speaks of; empty where it names none.
  ref text not null,
  says text not null check (
    says in ('delivered', 'reversed', 'refused', 'pending', 'not_found', 'unknown', 'nothing')
  ),
  -- Of the message as it came: the same one again is counted.
  digest text not null,
  -- Its beginning, with numbers and secrets masked.
  message text not null,
  times bigint not null,
  -- The time of the database.
  first_at bigint not null,
  last_at bigint not null,
  primary key (operator_id, ref, says, digest)
);
create index operator_callbacks_by_time on operator_callbacks (operator_id, first_at);
