-- Where the database is, which instances sell from it, and why a restored one sells nothing new.

-- The place in which PostgreSQL was last known to hold everything. One row; none before the first start.
create table place (
  id bigint not null primary key check (id = 1),
  system_id text not null,
  database_oid bigint not null,
  accounts_oid bigint not null,
  timeline bigint not null,
  -- Another one after each start of the server.
  signature text not null,
  recorded_at bigint not null
);

-- The instances that sell. A graceful stop deletes the row; the row of a dead instance is deleted by
-- another one that saw its beat stand still.
create table instances (
  id text not null primary key,
  started_at bigint not null,
  beat bigint not null,
  seen_at bigint not null
);

-- The order in which restores happened: their ids and times are wall time, which may go back.
alter table restores add column seq bigint not null default 0;
alter table restores add column cause text not null default 'backup' check (
  cause in ('backup', 'marked', 'place_changed', 'witness_missing', 'witness_contradicted')
);
-- Which part of the place is another one; null where that is not the cause.
alter table restores add column changed text check (
  changed in ('system', 'database', 'accounts', 'timeline')
);
-- Purchases begun up to this database time may have ended otherwise in what was lost: they are never
-- ordered again. Null where nothing was lost.
alter table restores add column began_before bigint;
-- for sqlite
update restores set seq = rowid;
-- for postgres
update restores set seq = (select count(*) from restores one where one.id <= restores.id);
create unique index restores_by_seq on restores (seq);
create index restores_not_opened on restores (seq) where opened_at is null;
-- Until now the newest restore decided alone, so an earlier one may have been left as it was.
update restores set
  opened_at = (select max(one.opened_at) from restores one where one.seq > restores.seq),
  opened_by = (select max(one.opened_by) from restores one where one.seq > restores.seq)
where opened_at is null
  and exists (select 1 from restores one where one.seq > restores.seq and one.opened_at is not null);
update restores set began_before = (select max(began_at) from purchases where due_at is not null)
where opened_at is null;

-- What each instance says of a changed place: whether all that it was told is there.
create table vouches (
  restore_id text not null references restores (id),
  instance_id text not null,
  result text not null check (result in ('waiting', 'confirmed', 'contradicted', 'absent')),
  at bigint,
  primary key (restore_id, instance_id)
);

-- What was sold and the database does not know: by an operator's report, or by an instance that holds it.
create table forgotten_next (
  restore_id text not null references restores (id),
  operator_id bigint not null,
  ref text not null,
  -- ordered: how it ended is not known.
  kind text not null check (kind in ('ordered', 'delivered', 'refused', 'reversed')),
  at bigint not null,
  -- Masked; null, as the amount, where it is not known.
  mobile text,
  amount bigint,
  found_at bigint not null,
  -- Known to the instance that held it. A repeat is answered by them.
  client_id text,
  idempotency_key text,
  primary key (restore_id, operator_id, ref, kind)
);
insert into forgotten_next (restore_id, operator_id, ref, kind, at, mobile, amount, found_at)
  select restore_id, operator_id, ref, kind, at, mobile, amount, found_at from forgotten;
drop table forgotten;
alter table forgotten_next rename to forgotten;
create index forgotten_by_key on forgotten (client_id, idempotency_key);

insert into versions (name, version) values ('restores', '');
