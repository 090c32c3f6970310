-- What people decided, and what became of a database that was restored from a backup.

-- Append-only: who decided what, when and why, and what was known then.
create table audit (
  id text not null primary key,
  at bigint not null,
  actor text not null check (length(actor) > 0),
  action text not null,
  -- The purchase or the restore that it is about.
  subject text not null,
  -- JSON, here and in after_it.
  before_it text not null,
  after_it text not null,
  -- What spoke for it and against it.
  evidence text not null,
  -- Whether it was done against the evidence.
  forced bigint not null check (forced in (0, 1)),
  reason text not null check (length(reason) > 0)
);
create index audit_by_subject on audit (subject, id);

-- One row a restore. Nothing new is sold until the newest one is opened.
create table restores (
  id text not null primary key,
  at bigint not null,
  opened_at bigint,
  opened_by text,
  check ((opened_at is null) = (opened_by is null))
);

-- What each operator has told of the time that the backup does not know.
create table restore_operators (
  restore_id text not null references restores (id),
  operator_id bigint not null,
  -- How far the backup had read its reports: what comes after is asked for.
  cursor text not null,
  -- silent: it cannot tell, or not for sure.
  state text not null check (state in ('waiting', 'told', 'silent')),
  detail text not null,
  asked_at bigint,
  primary key (restore_id, operator_id)
);

-- What an operator reports under a reference that the restored database does not know.
create table forgotten (
  restore_id text not null references restores (id),
  operator_id bigint not null,
  ref text not null,
  kind text not null check (kind in ('delivered', 'reversed')),
  at bigint not null,
  -- Masked; null, as the amount, where the operator does not tell it.
  mobile text,
  amount bigint,
  found_at bigint not null,
  primary key (restore_id, operator_id, ref, kind)
);
