-- Test clients, whose purchases go to the built-in simulator: supplier_id of such a purchase is zero or less.
-- Programs before this one would send their orders to the suppliers: they stop.

-- 1 for a test client. It never changes.
alter table clients add column test bigint not null default 0 check (test in (0, 1));
