-- Looking purchases up in the back office, whoever's they are. No sale that goes well meets one of these
-- conditions on its way, so that none of the indexes costs it anything.

-- The states in which few are, the newest first: of all clients, and of one.
create index purchases_by_state on purchases (state, id)
  where state in ('refused', 'unknown', 'failed', 'reversed');
create index purchases_by_client_state on purchases (client_id, state, id)
  where state in ('refused', 'unknown', 'failed', 'reversed');

-- Those that wait for a person, the newest first.
create index purchases_for_person on purchases (id) where state = 'review' or disputed is not null;
