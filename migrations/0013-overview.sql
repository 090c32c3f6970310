-- What the overview of the back office shows: sums that were added up while selling, and its settings.

-- How many purchases came to which state within a minute, an hour or a day (of UTC).
create table stats (
  span text not null check (span in ('minute', 'hour', 'day')),
  -- When it begins.
  at bigint not null,
  -- 0 where the product is not known.
  operator_id bigint not null,
  begun bigint not null,
  succeeded bigint not null,
  failed bigint not null,
  refused bigint not null,
  reversed bigint not null,
  -- What those cost that succeeded.
  amount bigint not null,
  primary key (span, at, operator_id)
);

-- How long operators took for orders: how many took as long as a bucket says.
create table stats_times (
  span text not null check (span in ('minute', 'hour', 'day')),
  at bigint not null,
  operator_id bigint not null,
  bucket bigint not null check (bucket >= 0),
  calls bigint not null,
  primary key (span, at, operator_id, bucket)
);

-- What whoever runs the gateway sets in the console; a name that is missing has its default.
create table settings (
  name text not null primary key,
  value text not null
);

-- The audit is looked through by who and by what.
create index admin_audit_by_actor on admin_audit (actor, id);
create index admin_audit_by_action on admin_audit (action, id);
