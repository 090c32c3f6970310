-- The statements of the hot path, as they are sent. Written by test/statements.test.ts; white space differs.
-- Timeouts on PostgreSQL are those of the tests.

-- authenticate a token
select tokens.id, tokens.client_id, tokens.scopes, tokens.networks, tokens.expires_at, tokens.revoked_at,
    clients.status as client_status, clients.test as client_test, client_rules.products, client_rules.operators,
    client_rules.repeat_seconds, client_rules.daily_limit, client_rules.pending_status
  from tokens join clients on clients.id = tokens.client_id
  left join client_rules on client_rules.client_id = tokens.client_id
  where tokens.hash = $1;

-- read the balance of a listing
select available, held, seq, credit_limit as credit
  from accounts
  where client_id = $1;

-- look up an idempotency key
select client_id, id, idempotency_key, fingerprint, product_id, operator_id, mobile, amount, offer_code,
    offer_type, profile_id, webservice_code, request_id, began_at, trace, charged_amount, price_entry_id,
    supplier_id, sent_to, route_id, supplier_code, passed_over, left_suppliers, cost, told_cost, state,
    fence, attempts, inquiries, notes, send_before, quiet_at, due_at, settled_at, answer_status, answer_body,
    operator_ref, reason, reason_values, disputed, disputed_values
  from purchases
  where client_id = $1 and idempotency_key = $2;

-- look up three keys
select client_id, id, idempotency_key, fingerprint, product_id, operator_id, mobile, amount, offer_code,
    offer_type, profile_id, webservice_code, request_id, began_at, trace, charged_amount, price_entry_id,
    supplier_id, sent_to, route_id, supplier_code, passed_over, left_suppliers, cost, told_cost, state,
    fence, attempts, inquiries, notes, send_before, quiet_at, due_at, settled_at, answer_status, answer_body,
    operator_ref, reason, reason_values, disputed, disputed_values
  from purchases
  where (client_id, idempotency_key) in ( select client_id, idempotency_key
    from unnest(cast($1 as text[]), cast($2 as text[])) as next (client_id, idempotency_key));

-- begin a purchase
begin;
  set local synchronous_commit = on;
  set local statement_timeout = 30000;
  set local lock_timeout = 24000;
  set local idle_in_transaction_session_timeout = 30000;

select client_id, available, held, seq, credit_limit, cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now,
    extract(epoch from pg_postmaster_start_time()) || ' ' || (select oid
    from pg_database
    where datname = current_database()) || ' ' || cast(cast('accounts' as regclass) as oid) as signature,
    exists (select 1
    from restores
    where opened_at is null) as closed, (select max(began_before)
    from restores) as lost_before, (select max(open_before)
    from restores) as open_before, (select version
    from versions
    where name = 'routes') as routes, (select version
    from versions
    where name = 'prices') as prices
  from accounts
  where client_id = $1 and (select set_config('lock_timeout', '50', true)) is not null
  for update;

with written as (insert into purchases (client_id, id, idempotency_key, fingerprint, product_id, operator_id,
        mobile, amount, offer_code, offer_type, profile_id, webservice_code, request_id, began_at, trace,
        charged_amount, price_entry_id, supplier_id, sent_to, route_id, supplier_code, passed_over, left_suppliers,
        cost, told_cost, state, fence, attempts, inquiries, notes, send_before, quiet_at, due_at, settled_at,
        answer_status, answer_body, operator_ref, reason, reason_values, disputed, disputed_values)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
        $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39,
        $40, $41)
    on conflict do nothing
    returning 1),
  following_0 as (insert into postings (client_id, seq, kind, from_account, to_account, amount, available_after,
        held_after, purchase_id, note, cost, supplier_id, supplier_balance, at)
    select client_id, seq, kind, from_account, to_account, amount, available_after, held_after, purchase_id,
      note, cost, supplier_id, supplier_balance, at
    from unnest(cast($42 as text[]), cast($43 as bigint[]), cast($44 as text[]), cast($45 as text[]),
        cast($46 as text[]), cast($47 as bigint[]), cast($48 as bigint[]), cast($49 as bigint[]), cast($50 as text[]),
        cast($51 as text[]), cast($52 as bigint[]), cast($53 as bigint[]), cast($54 as bigint[]), cast($55 as bigint[])) as next (client_id,
        seq, kind, from_account, to_account, amount, available_after, held_after, purchase_id, note,
        cost, supplier_id, supplier_balance, at)
    where (select count(*)
      from written) = cast($56 as bigint)),
  following_1 as (insert into accounts (client_id, available, held, seq)
    select client_id, available, held, seq
    from unnest(cast($57 as bigint[]), cast($58 as bigint[]), cast($59 as bigint[]), cast($60 as text[])) as next (available,
        held, seq, client_id)
    where (select count(*)
      from written) = cast($61 as bigint)
    on conflict (client_id) do update
    set available = excluded.available, held = excluded.held, seq = excluded.seq)
  select 1 / (case when count(*) = cast($62 as bigint) then 1 else 0 end)
  from written;

commit;

-- begin three purchases together
begin;
  set local synchronous_commit = on;
  set local statement_timeout = 30000;
  set local lock_timeout = 24000;
  set local idle_in_transaction_session_timeout = 30000;

select client_id, available, held, seq, credit_limit, cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now,
    extract(epoch from pg_postmaster_start_time()) || ' ' || (select oid
    from pg_database
    where datname = current_database()) || ' ' || cast(cast('accounts' as regclass) as oid) as signature,
    exists (select 1
    from restores
    where opened_at is null) as closed, (select max(began_before)
    from restores) as lost_before, (select max(open_before)
    from restores) as open_before, (select version
    from versions
    where name = 'routes') as routes, (select version
    from versions
    where name = 'prices') as prices
  from accounts
  where client_id = any(cast($1 as text[])) and (select set_config('lock_timeout', '50', true)) is not null
  order by client_id
  for update;

with written as (insert into purchases (client_id, id, idempotency_key, fingerprint, product_id, operator_id,
        mobile, amount, offer_code, offer_type, profile_id, webservice_code, request_id, began_at, trace,
        charged_amount, price_entry_id, supplier_id, sent_to, route_id, supplier_code, passed_over, left_suppliers,
        cost, told_cost, state, fence, attempts, inquiries, notes, send_before, quiet_at, due_at, settled_at,
        answer_status, answer_body, operator_ref, reason, reason_values, disputed, disputed_values)
    select client_id, id, idempotency_key, fingerprint, product_id, operator_id, mobile, amount, offer_code,
      offer_type, profile_id, webservice_code, request_id, began_at, trace, charged_amount, price_entry_id,
      supplier_id, sent_to, route_id, supplier_code, passed_over, left_suppliers, cost, told_cost, state,
      fence, attempts, inquiries, notes, send_before, quiet_at, due_at, settled_at, answer_status, answer_body,
      operator_ref, reason, reason_values, disputed, disputed_values
    from unnest(cast($1 as text[]), cast($2 as text[]), cast($3 as text[]), cast($4 as text[]), cast($5 as bigint[]),
        cast($6 as bigint[]), cast($7 as text[]), cast($8 as bigint[]), cast($9 as text[]), cast($10 as text[]),
        cast($11 as text[]), cast($12 as text[]), cast($13 as text[]), cast($14 as bigint[]), cast($15 as text[]),
        cast($16 as bigint[]), cast($17 as bigint[]), cast($18 as bigint[]), cast($19 as text[]), cast($20 as bigint[]),
        cast($21 as text[]), cast($22 as text[]), cast($23 as text[]), cast($24 as bigint[]), cast($25 as bigint[]),
        cast($26 as text[]), cast($27 as bigint[]), cast($28 as bigint[]), cast($29 as bigint[]), cast($30 as bigint[]),
        cast($31 as bigint[]), cast($32 as bigint[]), cast($33 as bigint[]), cast($34 as bigint[]), cast($35 as bigint[]),
        cast($36 as text[]), cast($37 as text[]), cast($38 as text[]), cast($39 as text[]), cast($40 as text[]),
        cast($41 as text[])) as next (client_id, id, idempotency_key, fingerprint, product_id, operator_id,
        mobile, amount, offer_code, offer_type, profile_id, webservice_code, request_id, began_at, trace,
        charged_amount, price_entry_id, supplier_id, sent_to, route_id, supplier_code, passed_over, left_suppliers,
        cost, told_cost, state, fence, attempts, inquiries, notes, send_before, quiet_at, due_at, settled_at,
        answer_status, answer_body, operator_ref, reason, reason_values, disputed, disputed_values)
    on conflict do nothing
    returning 1),
  following_0 as (insert into postings (client_id, seq, kind, from_account, to_account, amount, available_after,
        held_after, purchase_id, note, cost, supplier_id, supplier_balance, at)
    select client_id, seq, kind, from_account, to_account, amount, available_after, held_after, purchase_id,
      note, cost, supplier_id, supplier_balance, at
    from unnest(cast($42 as text[]), cast($43 as bigint[]), cast($44 as text[]), cast($45 as text[]),
        cast($46 as text[]), cast($47 as bigint[]), cast($48 as bigint[]), cast($49 as bigint[]), cast($50 as text[]),
        cast($51 as text[]), cast($52 as bigint[]), cast($53 as bigint[]), cast($54 as bigint[]), cast($55 as bigint[])) as next (client_id,
        seq, kind, from_account, to_account, amount, available_after, held_after, purchase_id, note,
        cost, supplier_id, supplier_balance, at)
    where (select count(*)
      from written) = cast($56 as bigint)),
  following_1 as (insert into accounts (client_id, available, held, seq)
    select client_id, available, held, seq
    from unnest(cast($57 as bigint[]), cast($58 as bigint[]), cast($59 as bigint[]), cast($60 as text[])) as next (available,
        held, seq, client_id)
    where (select count(*)
      from written) = cast($61 as bigint)
    on conflict (client_id) do update
    set available = excluded.available, held = excluded.held, seq = excluded.seq)
  select 1 / (case when count(*) = cast($62 as bigint) then 1 else 0 end)
  from written;

commit;

-- begin a purchase with a daily limit and a repeat guard
begin;
  set local synchronous_commit = on;
  set local statement_timeout = 30000;
  set local lock_timeout = 24000;
  set local idle_in_transaction_session_timeout = 30000;

select client_id, available, held, seq, credit_limit, cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now,
    extract(epoch from pg_postmaster_start_time()) || ' ' || (select oid
    from pg_database
    where datname = current_database()) || ' ' || cast(cast('accounts' as regclass) as oid) as signature,
    exists (select 1
    from restores
    where opened_at is null) as closed, (select max(began_before)
    from restores) as lost_before, (select max(open_before)
    from restores) as open_before, (select version
    from versions
    where name = 'routes') as routes, (select version
    from versions
    where name = 'prices') as prices
  from accounts
  where client_id = $1 and (select set_config('lock_timeout', '50', true)) is not null
  for update;

select client_id, id, idempotency_key, product_id, mobile, amount, offer_code, offer_type, began_at
  from purchases
  where client_id = $1 and mobile = $2 and began_at > $3 and state not in ('refused', 'failed', 'reversed');

select client_id, cast(spent + ( select coalesce(sum(case kind when 'hold' then amount else -amount end),
          0)
      from postings
      where client_id = client_days.client_id and seq > client_days.seq and at >= client_days.day and
        (kind = 'hold' or (kind in ('release', 'reverse') and exists ( select 1
            from postings as begun
            where begun.client_id = postings.client_id and begun.purchase_id = postings.purchase_id and
              begun.kind = 'hold' and begun.at >= client_days.day)))) as bigint) as spent
  from client_days
  where client_id = $1 and day = $2;

select client_id, cast(sum(coalesce(charged_amount, amount)) as bigint) as spent
  from purchases
  where client_id = $1 and began_at >= $2 and state not in ('refused', 'failed', 'reversed')
  group by client_id;

with written as (insert into purchases (client_id, id, idempotency_key, fingerprint, product_id, operator_id,
        mobile, amount, offer_code, offer_type, profile_id, webservice_code, request_id, began_at, trace,
        charged_amount, price_entry_id, supplier_id, sent_to, route_id, supplier_code, passed_over, left_suppliers,
        cost, told_cost, state, fence, attempts, inquiries, notes, send_before, quiet_at, due_at, settled_at,
        answer_status, answer_body, operator_ref, reason, reason_values, disputed, disputed_values)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
        $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39,
        $40, $41)
    on conflict do nothing
    returning 1),
  following_0 as (insert into postings (client_id, seq, kind, from_account, to_account, amount, available_after,
        held_after, purchase_id, note, cost, supplier_id, supplier_balance, at)
    select client_id, seq, kind, from_account, to_account, amount, available_after, held_after, purchase_id,
      note, cost, supplier_id, supplier_balance, at
    from unnest(cast($42 as text[]), cast($43 as bigint[]), cast($44 as text[]), cast($45 as text[]),
        cast($46 as text[]), cast($47 as bigint[]), cast($48 as bigint[]), cast($49 as bigint[]), cast($50 as text[]),
        cast($51 as text[]), cast($52 as bigint[]), cast($53 as bigint[]), cast($54 as bigint[]), cast($55 as bigint[])) as next (client_id,
        seq, kind, from_account, to_account, amount, available_after, held_after, purchase_id, note,
        cost, supplier_id, supplier_balance, at)
    where (select count(*)
      from written) = cast($56 as bigint)),
  following_1 as (insert into accounts (client_id, available, held, seq)
    select client_id, available, held, seq
    from unnest(cast($57 as bigint[]), cast($58 as bigint[]), cast($59 as bigint[]), cast($60 as text[])) as next (available,
        held, seq, client_id)
    where (select count(*)
      from written) = cast($61 as bigint)
    on conflict (client_id) do update
    set available = excluded.available, held = excluded.held, seq = excluded.seq),
  following_2 as (insert into client_days (client_id, day, spent, seq)
    select client_id, day, spent, seq
    from unnest(cast($62 as text[]), cast($63 as bigint[]), cast($64 as bigint[]), cast($65 as bigint[])) as next (client_id,
        day, spent, seq)
    where (select count(*)
      from written) = cast($66 as bigint)
    on conflict (client_id) do update
    set day = excluded.day, spent = excluded.spent, seq = excluded.seq)
  select 1 / (case when count(*) = cast($67 as bigint) then 1 else 0 end)
  from written;

commit;

-- settle a purchase: charge
begin;
  set local synchronous_commit = on;
  set local statement_timeout = 30000;
  set local lock_timeout = 24000;
  set local idle_in_transaction_session_timeout = 30000;

select client_id, available, held, seq, credit_limit, cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now,
    extract(epoch from pg_postmaster_start_time()) || ' ' || (select oid
    from pg_database
    where datname = current_database()) || ' ' || cast(cast('accounts' as regclass) as oid) as signature,
    exists (select 1
    from restores
    where opened_at is null) as closed, (select max(began_before)
    from restores) as lost_before, (select max(open_before)
    from restores) as open_before, (select version
    from versions
    where name = 'routes') as routes, (select version
    from versions
    where name = 'prices') as prices
  from accounts
  where client_id = $1 and (select set_config('lock_timeout', '50', true)) is not null
  for update;

with written as (update purchases
    set state = $1, fence = $2, attempts = $3, inquiries = $4, notes = $5, send_before = $6, quiet_at = $7,
      due_at = $8, settled_at = $9, answer_status = $10, answer_body = $11, operator_ref = $12, reason = $13,
      reason_values = $14, disputed = $15, disputed_values = $16
    where client_id = $17 and id = $18 and state = $19 and fence = $20 and attempts = $21 and inquiries = $22 and
      notes = $23 and quiet_at = $24
    returning 1),
  following_0 as (insert into purchase_notes (client_id, purchase_id, seq, kind, code, fact_values, at)
    select client_id, purchase_id, seq, kind, code, fact_values, at
    from unnest(cast($25 as text[]), cast($26 as text[]), cast($27 as bigint[]), cast($28 as text[]),
        cast($29 as text[]), cast($30 as text[]), cast($31 as bigint[])) as next (client_id, purchase_id,
        seq, kind, code, fact_values, at)
    where (select count(*)
      from written) = cast($32 as bigint)),
  following_1 as (insert into postings (client_id, seq, kind, from_account, to_account, amount, available_after,
        held_after, purchase_id, note, cost, supplier_id, supplier_balance, at)
    select client_id, seq, kind, from_account, to_account, amount, available_after, held_after, purchase_id,
      note, cost, supplier_id, supplier_balance, at
    from unnest(cast($33 as text[]), cast($34 as bigint[]), cast($35 as text[]), cast($36 as text[]),
        cast($37 as text[]), cast($38 as bigint[]), cast($39 as bigint[]), cast($40 as bigint[]), cast($41 as text[]),
        cast($42 as text[]), cast($43 as bigint[]), cast($44 as bigint[]), cast($45 as bigint[]), cast($46 as bigint[])) as next (client_id,
        seq, kind, from_account, to_account, amount, available_after, held_after, purchase_id, note,
        cost, supplier_id, supplier_balance, at)
    where (select count(*)
      from written) = cast($47 as bigint)),
  following_2 as (insert into accounts (client_id, available, held, seq)
    select client_id, available, held, seq
    from unnest(cast($48 as bigint[]), cast($49 as bigint[]), cast($50 as bigint[]), cast($51 as text[])) as next (available,
        held, seq, client_id)
    where (select count(*)
      from written) = cast($52 as bigint)
    on conflict (client_id) do update
    set available = excluded.available, held = excluded.held, seq = excluded.seq)
  select 1 / (case when count(*) = cast($53 as bigint) then 1 else 0 end)
  from written;

commit;

-- settle a purchase: release
begin;
  set local synchronous_commit = on;
  set local statement_timeout = 30000;
  set local lock_timeout = 24000;
  set local idle_in_transaction_session_timeout = 30000;

select client_id, available, held, seq, credit_limit, cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now,
    extract(epoch from pg_postmaster_start_time()) || ' ' || (select oid
    from pg_database
    where datname = current_database()) || ' ' || cast(cast('accounts' as regclass) as oid) as signature,
    exists (select 1
    from restores
    where opened_at is null) as closed, (select max(began_before)
    from restores) as lost_before, (select max(open_before)
    from restores) as open_before, (select version
    from versions
    where name = 'routes') as routes, (select version
    from versions
    where name = 'prices') as prices
  from accounts
  where client_id = $1 and (select set_config('lock_timeout', '50', true)) is not null
  for update;

with written as (update purchases
    set state = $1, fence = $2, attempts = $3, inquiries = $4, notes = $5, send_before = $6, quiet_at = $7,
      due_at = $8, settled_at = $9, answer_status = $10, answer_body = $11, operator_ref = $12, reason = $13,
      reason_values = $14, disputed = $15, disputed_values = $16
    where client_id = $17 and id = $18 and state = $19 and fence = $20 and attempts = $21 and inquiries = $22 and
      notes = $23 and quiet_at = $24
    returning 1),
  following_0 as (insert into purchase_notes (client_id, purchase_id, seq, kind, code, fact_values, at)
    select client_id, purchase_id, seq, kind, code, fact_values, at
    from unnest(cast($25 as text[]), cast($26 as text[]), cast($27 as bigint[]), cast($28 as text[]),
        cast($29 as text[]), cast($30 as text[]), cast($31 as bigint[])) as next (client_id, purchase_id,
        seq, kind, code, fact_values, at)
    where (select count(*)
      from written) = cast($32 as bigint)),
  following_1 as (insert into postings (client_id, seq, kind, from_account, to_account, amount, available_after,
        held_after, purchase_id, note, cost, supplier_id, supplier_balance, at)
    select client_id, seq, kind, from_account, to_account, amount, available_after, held_after, purchase_id,
      note, cost, supplier_id, supplier_balance, at
    from unnest(cast($33 as text[]), cast($34 as bigint[]), cast($35 as text[]), cast($36 as text[]),
        cast($37 as text[]), cast($38 as bigint[]), cast($39 as bigint[]), cast($40 as bigint[]), cast($41 as text[]),
        cast($42 as text[]), cast($43 as bigint[]), cast($44 as bigint[]), cast($45 as bigint[]), cast($46 as bigint[])) as next (client_id,
        seq, kind, from_account, to_account, amount, available_after, held_after, purchase_id, note,
        cost, supplier_id, supplier_balance, at)
    where (select count(*)
      from written) = cast($47 as bigint)),
  following_2 as (insert into accounts (client_id, available, held, seq)
    select client_id, available, held, seq
    from unnest(cast($48 as bigint[]), cast($49 as bigint[]), cast($50 as bigint[]), cast($51 as text[])) as next (available,
        held, seq, client_id)
    where (select count(*)
      from written) = cast($52 as bigint)
    on conflict (client_id) do update
    set available = excluded.available, held = excluded.held, seq = excluded.seq)
  select 1 / (case when count(*) = cast($53 as bigint) then 1 else 0 end)
  from written;

commit;

-- settle three purchases together
begin;
  set local synchronous_commit = on;
  set local statement_timeout = 30000;
  set local lock_timeout = 24000;
  set local idle_in_transaction_session_timeout = 30000;

select client_id, available, held, seq, credit_limit, cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now,
    extract(epoch from pg_postmaster_start_time()) || ' ' || (select oid
    from pg_database
    where datname = current_database()) || ' ' || cast(cast('accounts' as regclass) as oid) as signature,
    exists (select 1
    from restores
    where opened_at is null) as closed, (select max(began_before)
    from restores) as lost_before, (select max(open_before)
    from restores) as open_before, (select version
    from versions
    where name = 'routes') as routes, (select version
    from versions
    where name = 'prices') as prices
  from accounts
  where client_id = any(cast($1 as text[])) and (select set_config('lock_timeout', '50', true)) is not null
  order by client_id
  for update;

with written as (update purchases
    set state = next.state, fence = next.fence, attempts = next.attempts, inquiries = next.inquiries,
      notes = next.notes, send_before = next.send_before, quiet_at = next.quiet_at, due_at = next.due_at,
      settled_at = next.settled_at, answer_status = next.answer_status, answer_body = next.answer_body,
      operator_ref = next.operator_ref, reason = next.reason, reason_values = next.reason_values, disputed = next.disputed,
      disputed_values = next.disputed_values
    from unnest(cast($1 as text[]), cast($2 as bigint[]), cast($3 as bigint[]), cast($4 as bigint[]),
        cast($5 as bigint[]), cast($6 as bigint[]), cast($7 as bigint[]), cast($8 as bigint[]), cast($9 as bigint[]),
        cast($10 as bigint[]), cast($11 as text[]), cast($12 as text[]), cast($13 as text[]), cast($14 as text[]),
        cast($15 as text[]), cast($16 as text[]), cast($17 as text[]), cast($18 as text[]), cast($19 as text[]),
        cast($20 as bigint[]), cast($21 as bigint[]), cast($22 as bigint[]), cast($23 as bigint[]), cast($24 as bigint[])) as next (state,
        fence, attempts, inquiries, notes, send_before, quiet_at, due_at, settled_at, answer_status,
        answer_body, operator_ref, reason, reason_values, disputed, disputed_values, client_id, id, seen_state,
        seen_fence, seen_attempts, seen_inquiries, seen_notes, seen_quiet_at)
    where purchases.client_id = next.client_id and purchases.id = next.id and purchases.state = seen_state and
      purchases.fence = seen_fence and purchases.attempts = seen_attempts and purchases.inquiries = seen_inquiries and
      purchases.notes = seen_notes and purchases.quiet_at = seen_quiet_at
    returning 1),
  following_0 as (insert into purchase_notes (client_id, purchase_id, seq, kind, code, fact_values, at)
    select client_id, purchase_id, seq, kind, code, fact_values, at
    from unnest(cast($25 as text[]), cast($26 as text[]), cast($27 as bigint[]), cast($28 as text[]),
        cast($29 as text[]), cast($30 as text[]), cast($31 as bigint[])) as next (client_id, purchase_id,
        seq, kind, code, fact_values, at)
    where (select count(*)
      from written) = cast($32 as bigint)),
  following_1 as (insert into postings (client_id, seq, kind, from_account, to_account, amount, available_after,
        held_after, purchase_id, note, cost, supplier_id, supplier_balance, at)
    select client_id, seq, kind, from_account, to_account, amount, available_after, held_after, purchase_id,
      note, cost, supplier_id, supplier_balance, at
    from unnest(cast($33 as text[]), cast($34 as bigint[]), cast($35 as text[]), cast($36 as text[]),
        cast($37 as text[]), cast($38 as bigint[]), cast($39 as bigint[]), cast($40 as bigint[]), cast($41 as text[]),
        cast($42 as text[]), cast($43 as bigint[]), cast($44 as bigint[]), cast($45 as bigint[]), cast($46 as bigint[])) as next (client_id,
        seq, kind, from_account, to_account, amount, available_after, held_after, purchase_id, note,
        cost, supplier_id, supplier_balance, at)
    where (select count(*)
      from written) = cast($47 as bigint)),
  following_2 as (insert into accounts (client_id, available, held, seq)
    select client_id, available, held, seq
    from unnest(cast($48 as bigint[]), cast($49 as bigint[]), cast($50 as bigint[]), cast($51 as text[])) as next (available,
        held, seq, client_id)
    where (select count(*)
      from written) = cast($52 as bigint)
    on conflict (client_id) do update
    set available = excluded.available, held = excluded.held, seq = excluded.seq)
  select 1 / (case when count(*) = cast($53 as bigint) then 1 else 0 end)
  from written;

commit;

-- recovery: claim what is due
with due as materialized ( select client_id, id
    from purchases
    where due_at is not null and due_at <= $1 and supplier_id in ($2, $3, $4, $5, $6)
    order by due_at
    limit 16
    for update skip locked )
  update purchases
  set fence = fence + 1, due_at = $7
  where (client_id, id) in (select client_id, id
    from due)
  returning client_id, id, idempotency_key, fingerprint, product_id, operator_id, mobile, amount, offer_code,
    offer_type, profile_id, webservice_code, request_id, began_at, trace, charged_amount, price_entry_id,
    supplier_id, sent_to, route_id, supplier_code, passed_over, left_suppliers, cost, told_cost, state,
    fence, attempts, inquiries, notes, send_before, quiet_at, due_at, settled_at, answer_status, answer_body,
    operator_ref, reason, reason_values, disputed, disputed_values;

-- recovery: settle a purchase
begin;
  set local synchronous_commit = on;
  set local statement_timeout = 30000;
  set local lock_timeout = 24000;
  set local idle_in_transaction_session_timeout = 30000;

select client_id, available, held, seq, credit_limit, cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now,
    extract(epoch from pg_postmaster_start_time()) || ' ' || (select oid
    from pg_database
    where datname = current_database()) || ' ' || cast(cast('accounts' as regclass) as oid) as signature,
    exists (select 1
    from restores
    where opened_at is null) as closed, (select max(began_before)
    from restores) as lost_before, (select max(open_before)
    from restores) as open_before, (select version
    from versions
    where name = 'routes') as routes, (select version
    from versions
    where name = 'prices') as prices
  from accounts
  where client_id = $1 and (select set_config('lock_timeout', '50', true)) is not null
  for update;

select client_id, id, idempotency_key, fingerprint, product_id, operator_id, mobile, amount, offer_code,
    offer_type, profile_id, webservice_code, request_id, began_at, trace, charged_amount, price_entry_id,
    supplier_id, sent_to, route_id, supplier_code, passed_over, left_suppliers, cost, told_cost, state,
    fence, attempts, inquiries, notes, send_before, quiet_at, due_at, settled_at, answer_status, answer_body,
    operator_ref, reason, reason_values, disputed, disputed_values
  from purchases
  where client_id = $1 and id = $2
  for update;

with written as (update purchases
    set state = $1, fence = $2, attempts = $3, inquiries = $4, notes = $5, send_before = $6, quiet_at = $7,
      due_at = $8, settled_at = $9, answer_status = $10, answer_body = $11, operator_ref = $12, reason = $13,
      reason_values = $14, disputed = $15, disputed_values = $16
    where client_id = $17 and id = $18 and state = $19 and fence = $20 and attempts = $21 and inquiries = $22 and
      notes = $23 and quiet_at = $24
    returning 1),
  following_0 as (insert into purchase_notes (client_id, purchase_id, seq, kind, code, fact_values, at)
    select client_id, purchase_id, seq, kind, code, fact_values, at
    from unnest(cast($25 as text[]), cast($26 as text[]), cast($27 as bigint[]), cast($28 as text[]),
        cast($29 as text[]), cast($30 as text[]), cast($31 as bigint[])) as next (client_id, purchase_id,
        seq, kind, code, fact_values, at)
    where (select count(*)
      from written) = cast($32 as bigint)),
  following_1 as (insert into postings (client_id, seq, kind, from_account, to_account, amount, available_after,
        held_after, purchase_id, note, cost, supplier_id, supplier_balance, at)
    select client_id, seq, kind, from_account, to_account, amount, available_after, held_after, purchase_id,
      note, cost, supplier_id, supplier_balance, at
    from unnest(cast($33 as text[]), cast($34 as bigint[]), cast($35 as text[]), cast($36 as text[]),
        cast($37 as text[]), cast($38 as bigint[]), cast($39 as bigint[]), cast($40 as bigint[]), cast($41 as text[]),
        cast($42 as text[]), cast($43 as bigint[]), cast($44 as bigint[]), cast($45 as bigint[]), cast($46 as bigint[])) as next (client_id,
        seq, kind, from_account, to_account, amount, available_after, held_after, purchase_id, note,
        cost, supplier_id, supplier_balance, at)
    where (select count(*)
      from written) = cast($47 as bigint)),
  following_2 as (insert into accounts (client_id, available, held, seq)
    select client_id, available, held, seq
    from unnest(cast($48 as bigint[]), cast($49 as bigint[]), cast($50 as bigint[]), cast($51 as text[])) as next (available,
        held, seq, client_id)
    where (select count(*)
      from written) = cast($52 as bigint)
    on conflict (client_id) do update
    set available = excluded.available, held = excluded.held, seq = excluded.seq)
  select 1 / (case when count(*) = cast($53 as bigint) then 1 else 0 end)
  from written;

commit;

-- webhooks: find endpoints with messages due
select id
  from webhook_endpoints
  where status = 'active' and exists ( select 1
    from webhook_messages
    where endpoint_id = webhook_endpoints.id and due_at <= $1);

-- webhooks: claim messages
with due as materialized ( select id
    from webhook_messages
    where endpoint_id = $1 and due_at between $2 and $3
    order by due_at, id
    limit 8
    for update skip locked )
  update webhook_messages
  set due_at = $4, attempts = attempts + 1
  where endpoint_id = $5 and id in (select id
    from due)
  returning id, payload, attempts, step, tried, request_id, trace;

-- webhooks: read the endpoint
select id, client_id, url, description, events, balance_below, status, disabled_by, by_gateway, secret,
    old_secret, old_secret_until, created_at, deleted_at
  from webhook_endpoints
  where id = $1 and status = 'active';

-- webhooks: record an attempt
update "webhook_messages"
  set "state" = $1, "step" = $2, "tried" = $3, "due_at" = $4, "ended_at" = $5
  where "endpoint_id" = $6 and "id" = $7 and "attempts" = $8;

-- read a page of the statement
select available, held, seq, credit_limit as credit
  from accounts
  where client_id = $1;

select client_id, seq, kind, from_account, to_account, amount, available_after, held_after, purchase_id,
    note, at
  from postings
  where client_id = $1 and seq = $2;

select postings.client_id, postings.seq, postings.kind, from_account, to_account, postings.amount, available_after,
    held_after, purchase_id, note, at, purchases.amount as price, coalesce(purchases.charged_amount,
      purchases.amount) as charged
  from postings
  left join purchases on purchases.client_id = postings.client_id and purchases.id = purchase_id
  where postings.client_id = $1 and seq > $2 and seq <= $3
  order by seq;

-- record the last use of a token
select id
  from tokens
  where id = $1
  for update;

update tokens
  set last_used_at = $1
  where id = $2;

-- look for changes of other processes
select "name", "version"
  from "versions";
