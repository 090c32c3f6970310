-- Whoever sold something to a subscriber is asked about it by the number.
create index purchases_by_mobile on purchases (client_id, mobile);
