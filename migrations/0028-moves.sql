-- A move of the database to the other engine: what is here is not complete yet, or has gone elsewhere.
-- oldest program 26

-- One row at most; none in a database that is where it belongs.
create table moves (
  id bigint not null primary key check (id = 1),
  -- The same on both sides.
  move_id text not null,
  -- copying, verified: it is the target and not complete. moved: it was the source.
  state text not null check (state in ('copying', 'verified', 'moved')),
  -- The other side, without credentials.
  other text not null,
  -- JSON: how far the target is. Each batch of rows moves it in its own transaction.
  progress text not null,
  at bigint not null
);
