-- How many numbers each account was shown: there is a limit for an hour and for a day.

create table admin_unmaskings (
  id text not null primary key,
  account_id text not null references admin_accounts (id),
  -- refused: the limit was reached; noted once an hour.
  outcome text not null check (outcome in ('shown', 'refused')),
  at bigint not null
);
create index admin_unmaskings_by_account on admin_unmaskings (account_id, at);
