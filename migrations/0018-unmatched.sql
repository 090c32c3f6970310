-- What operators report and no purchase here is known by: for reconciliation.

create table unmatched_reports (
  operator_id bigint not null,
  ref text not null,
  kind text not null check (kind in ('delivered', 'reversed')),
  -- As the operator tells it; null where that is no date.
  at bigint,
  -- Masked; null, as the amount, where the operator does not tell it.
  mobile text,
  amount bigint,
  -- The time of the database.
  found_at bigint not null,
  primary key (operator_id, ref, kind)
);
create index unmatched_reports_by_time on unmatched_reports (operator_id, found_at);
