-- The same two indexes by another condition on SQLite: for a list of more than two values it fills a table of
-- its own at each insert and update of a purchase, which took every sale some 14 microseconds. Comparing takes one.

-- for sqlite
drop index purchases_by_state;
-- for sqlite
drop index purchases_by_client_state;
-- for sqlite
create index purchases_by_state on purchases (state, id) where state = 'refused' or state = 'unknown' or state = 'failed' or state = 'reversed';
-- for sqlite
create index purchases_by_client_state on purchases (client_id, state, id) where state = 'refused' or state = 'unknown' or state = 'failed' or state = 'reversed';
