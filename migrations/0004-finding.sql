-- Purchases are looked for by their number: by whoever sold them, and by whoever runs the gateway.
create index purchases_by_mobile on purchases (mobile, client_id);
