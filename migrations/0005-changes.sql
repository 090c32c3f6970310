-- What changed in the catalogue and when, for resellers that keep a copy of it.

-- Epoch microseconds by the gateway's own clock, not by a file's; no two changes share one, and a later
-- change has a later one. What was there before counts as changed long ago.
alter table products add column changed_at bigint not null default 0;
update products set changed_at = ranked.place
from (select id, row_number() over (order by id) as place from products) as ranked
where ranked.id = products.id;

-- Products that were taken out and have not come back; the time is as above.
create table product_removals (
  product_id bigint not null primary key,
  removed_at bigint not null
);
