-- The statements of the hot path, as they are sent. Written by test/statements.test.ts; white space differs.
-- Timeouts on PostgreSQL are those of the tests.

-- authenticate a token
select tokens.id, tokens.client_id, tokens.scopes, tokens.networks, tokens.expires_at, tokens.revoked_at,
    clients.status as client_status, clients.test as client_test, client_rules.products, client_rules.operators,
    client_rules.repeat_seconds, client_rules.daily_limit, client_rules.pending_status
  from tokens join clients on clients.id = tokens.client_id
  left join client_rules on client_rules.client_id = tokens.client_id
  where tokens.hash = ?;

-- read the balance of a listing
select available, held, seq, credit_limit as credit
  from accounts
  where client_id = ?;

-- look up an idempotency key
select client_id, id, idempotency_key, fingerprint, product_id, operator_id, mobile, amount, offer_code,
    offer_type, profile_id, webservice_code, request_id, began_at, trace, charged_amount, price_entry_id,
    supplier_id, sent_to, route_id, supplier_code, passed_over, left_suppliers, cost, told_cost, state,
    fence, attempts, inquiries, notes, send_before, quiet_at, due_at, settled_at, answer_status, answer_body,
    operator_ref, reason, reason_values, disputed, disputed_values
  from purchases
  where client_id = ? and idempotency_key = ?;

-- look up three keys
select client_id, id, idempotency_key, fingerprint, product_id, operator_id, mobile, amount, offer_code,
    offer_type, profile_id, webservice_code, request_id, began_at, trace, charged_amount, price_entry_id,
    supplier_id, sent_to, route_id, supplier_code, passed_over, left_suppliers, cost, told_cost, state,
    fence, attempts, inquiries, notes, send_before, quiet_at, due_at, settled_at, answer_status, answer_body,
    operator_ref, reason, reason_values, disputed, disputed_values
  from purchases
  where client_id = ? and idempotency_key = ?;

-- begin a purchase
begin immediate;

select client_id, available, held, seq, credit_limit, exists (select 1
    from restores
    where opened_at is null) as closed, (select max(began_before)
    from restores) as lost_before, (select max(open_before)
    from restores) as open_before, (select version
    from versions
    where name = 'routes') as routes, (select version
    from versions
    where name = 'prices') as prices
  from accounts
  where client_id = ?;

insert into purchases (client_id, id, idempotency_key, fingerprint, product_id, operator_id, mobile,
      amount, offer_code, offer_type, profile_id, webservice_code, request_id, began_at, trace, charged_amount,
      price_entry_id, supplier_id, sent_to, route_id, supplier_code, passed_over, left_suppliers, cost,
      told_cost, state, fence, attempts, inquiries, notes, send_before, quiet_at, due_at, settled_at,
      answer_status, answer_body, operator_ref, reason, reason_values, disputed, disputed_values)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
      ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict do nothing;

insert into postings (client_id, seq, kind, from_account, to_account, amount, available_after, held_after,
      purchase_id, note, cost, supplier_id, supplier_balance, at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

update accounts
  set available = ?, held = ?, seq = ?
  where client_id = ?;

commit;

-- begin three purchases together
begin immediate;

select client_id, available, held, seq, credit_limit, exists (select 1
    from restores
    where opened_at is null) as closed, (select max(began_before)
    from restores) as lost_before, (select max(open_before)
    from restores) as open_before, (select version
    from versions
    where name = 'routes') as routes, (select version
    from versions
    where name = 'prices') as prices
  from accounts
  where client_id = ?;

insert into purchases (client_id, id, idempotency_key, fingerprint, product_id, operator_id, mobile,
      amount, offer_code, offer_type, profile_id, webservice_code, request_id, began_at, trace, charged_amount,
      price_entry_id, supplier_id, sent_to, route_id, supplier_code, passed_over, left_suppliers, cost,
      told_cost, state, fence, attempts, inquiries, notes, send_before, quiet_at, due_at, settled_at,
      answer_status, answer_body, operator_ref, reason, reason_values, disputed, disputed_values)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
      ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict do nothing;

insert into postings (client_id, seq, kind, from_account, to_account, amount, available_after, held_after,
      purchase_id, note, cost, supplier_id, supplier_balance, at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

update accounts
  set available = ?, held = ?, seq = ?
  where client_id = ?;

commit;

-- begin a purchase with a daily limit and a repeat guard
begin immediate;

select client_id, available, held, seq, credit_limit, exists (select 1
    from restores
    where opened_at is null) as closed, (select max(began_before)
    from restores) as lost_before, (select max(open_before)
    from restores) as open_before, (select version
    from versions
    where name = 'routes') as routes, (select version
    from versions
    where name = 'prices') as prices
  from accounts
  where client_id = ?;

select client_id, id, idempotency_key, product_id, mobile, amount, offer_code, offer_type, began_at
  from purchases
  where client_id = ? and mobile = ? and began_at > ? and state not in ('refused', 'failed', 'reversed');

select client_id, cast(spent + ( select coalesce(sum(case kind when 'hold' then amount else -amount end),
          0)
      from postings
      where client_id = client_days.client_id and seq > client_days.seq and at >= client_days.day and
        (kind = 'hold' or (kind in ('release', 'reverse') and exists ( select 1
            from postings as begun
            where begun.client_id = postings.client_id and begun.purchase_id = postings.purchase_id and
              begun.kind = 'hold' and begun.at >= client_days.day)))) as bigint) as spent
  from client_days
  where client_id = ? and day = ?;

select client_id, cast(sum(coalesce(charged_amount, amount)) as bigint) as spent
  from purchases
  where client_id = ? and began_at >= ? and state not in ('refused', 'failed', 'reversed')
  group by client_id;

insert into purchases (client_id, id, idempotency_key, fingerprint, product_id, operator_id, mobile,
      amount, offer_code, offer_type, profile_id, webservice_code, request_id, began_at, trace, charged_amount,
      price_entry_id, supplier_id, sent_to, route_id, supplier_code, passed_over, left_suppliers, cost,
      told_cost, state, fence, attempts, inquiries, notes, send_before, quiet_at, due_at, settled_at,
      answer_status, answer_body, operator_ref, reason, reason_values, disputed, disputed_values)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
      ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict do nothing;

insert into postings (client_id, seq, kind, from_account, to_account, amount, available_after, held_after,
      purchase_id, note, cost, supplier_id, supplier_balance, at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

update accounts
  set available = ?, held = ?, seq = ?
  where client_id = ?;

insert into client_days (client_id, day, spent, seq)
  values (?, ?, ?, ?)
  on conflict (client_id) do update
  set day = excluded.day, spent = excluded.spent, seq = excluded.seq;

commit;

-- settle a purchase: charge
begin immediate;

select client_id, available, held, seq, credit_limit, exists (select 1
    from restores
    where opened_at is null) as closed, (select max(began_before)
    from restores) as lost_before, (select max(open_before)
    from restores) as open_before, (select version
    from versions
    where name = 'routes') as routes, (select version
    from versions
    where name = 'prices') as prices
  from accounts
  where client_id = ?;

update purchases
  set state = ?, fence = ?, attempts = ?, inquiries = ?, notes = ?, send_before = ?, quiet_at = ?, due_at = ?,
    settled_at = ?, answer_status = ?, answer_body = ?, operator_ref = ?, reason = ?, reason_values = ?,
    disputed = ?, disputed_values = ?
  where client_id = ? and id = ? and state = ? and fence = ? and attempts = ? and inquiries = ? and notes = ? and
    quiet_at = ?;

insert into purchase_notes (client_id, purchase_id, seq, kind, code, fact_values, at)
  values (?, ?, ?, ?, ?, ?, ?);

insert into postings (client_id, seq, kind, from_account, to_account, amount, available_after, held_after,
      purchase_id, note, cost, supplier_id, supplier_balance, at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

update accounts
  set available = ?, held = ?, seq = ?
  where client_id = ?;

commit;

-- settle a purchase: release
begin immediate;

select client_id, available, held, seq, credit_limit, exists (select 1
    from restores
    where opened_at is null) as closed, (select max(began_before)
    from restores) as lost_before, (select max(open_before)
    from restores) as open_before, (select version
    from versions
    where name = 'routes') as routes, (select version
    from versions
    where name = 'prices') as prices
  from accounts
  where client_id = ?;

update purchases
  set state = ?, fence = ?, attempts = ?, inquiries = ?, notes = ?, send_before = ?, quiet_at = ?, due_at = ?,
    settled_at = ?, answer_status = ?, answer_body = ?, operator_ref = ?, reason = ?, reason_values = ?,
    disputed = ?, disputed_values = ?
  where client_id = ? and id = ? and state = ? and fence = ? and attempts = ? and inquiries = ? and notes = ? and
    quiet_at = ?;

insert into purchase_notes (client_id, purchase_id, seq, kind, code, fact_values, at)
  values (?, ?, ?, ?, ?, ?, ?);

insert into postings (client_id, seq, kind, from_account, to_account, amount, available_after, held_after,
      purchase_id, note, cost, supplier_id, supplier_balance, at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

update accounts
  set available = ?, held = ?, seq = ?
  where client_id = ?;

commit;

-- settle three purchases together
begin immediate;

select client_id, available, held, seq, credit_limit, exists (select 1
    from restores
    where opened_at is null) as closed, (select max(began_before)
    from restores) as lost_before, (select max(open_before)
    from restores) as open_before, (select version
    from versions
    where name = 'routes') as routes, (select version
    from versions
    where name = 'prices') as prices
  from accounts
  where client_id = ?;

update purchases
  set state = ?, fence = ?, attempts = ?, inquiries = ?, notes = ?, send_before = ?, quiet_at = ?, due_at = ?,
    settled_at = ?, answer_status = ?, answer_body = ?, operator_ref = ?, reason = ?, reason_values = ?,
    disputed = ?, disputed_values = ?
  where client_id = ? and id = ? and state = ? and fence = ? and attempts = ? and inquiries = ? and notes = ? and
    quiet_at = ?;

insert into purchase_notes (client_id, purchase_id, seq, kind, code, fact_values, at)
  values (?, ?, ?, ?, ?, ?, ?);

insert into postings (client_id, seq, kind, from_account, to_account, amount, available_after, held_after,
      purchase_id, note, cost, supplier_id, supplier_balance, at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

update accounts
  set available = ?, held = ?, seq = ?
  where client_id = ?;

commit;

-- recovery: claim what is due
with due as materialized ( select client_id, id
    from purchases
    where due_at is not null and due_at <= ? and supplier_id in (?, ?, ?, ?, ?)
    order by due_at
    limit 16 )
  update purchases
  set fence = fence + 1, due_at = ?
  where (client_id, id) in (select client_id, id
    from due)
  returning client_id, id, idempotency_key, fingerprint, product_id, operator_id, mobile, amount, offer_code,
    offer_type, profile_id, webservice_code, request_id, began_at, trace, charged_amount, price_entry_id,
    supplier_id, sent_to, route_id, supplier_code, passed_over, left_suppliers, cost, told_cost, state,
    fence, attempts, inquiries, notes, send_before, quiet_at, due_at, settled_at, answer_status, answer_body,
    operator_ref, reason, reason_values, disputed, disputed_values;

-- recovery: settle a purchase
begin immediate;

select client_id, available, held, seq, credit_limit, exists (select 1
    from restores
    where opened_at is null) as closed, (select max(began_before)
    from restores) as lost_before, (select max(open_before)
    from restores) as open_before, (select version
    from versions
    where name = 'routes') as routes, (select version
    from versions
    where name = 'prices') as prices
  from accounts
  where client_id = ?;

select client_id, id, idempotency_key, fingerprint, product_id, operator_id, mobile, amount, offer_code,
    offer_type, profile_id, webservice_code, request_id, began_at, trace, charged_amount, price_entry_id,
    supplier_id, sent_to, route_id, supplier_code, passed_over, left_suppliers, cost, told_cost, state,
    fence, attempts, inquiries, notes, send_before, quiet_at, due_at, settled_at, answer_status, answer_body,
    operator_ref, reason, reason_values, disputed, disputed_values
  from purchases
  where client_id = ? and id = ?;

update purchases
  set state = ?, fence = ?, attempts = ?, inquiries = ?, notes = ?, send_before = ?, quiet_at = ?, due_at = ?,
    settled_at = ?, answer_status = ?, answer_body = ?, operator_ref = ?, reason = ?, reason_values = ?,
    disputed = ?, disputed_values = ?
  where client_id = ? and id = ? and state = ? and fence = ? and attempts = ? and inquiries = ? and notes = ? and
    quiet_at = ?;

insert into purchase_notes (client_id, purchase_id, seq, kind, code, fact_values, at)
  values (?, ?, ?, ?, ?, ?, ?);

insert into postings (client_id, seq, kind, from_account, to_account, amount, available_after, held_after,
      purchase_id, note, cost, supplier_id, supplier_balance, at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

update accounts
  set available = ?, held = ?, seq = ?
  where client_id = ?;

commit;

-- webhooks: find endpoints with messages due
select id
  from webhook_endpoints
  where status = 'active' and exists ( select 1
    from webhook_messages
    where endpoint_id = webhook_endpoints.id and due_at <= ?);

-- webhooks: claim messages
with due as materialized ( select id
    from webhook_messages
    where endpoint_id = ? and due_at between ? and ?
    order by due_at, id
    limit 8 )
  update webhook_messages
  set due_at = ?, attempts = attempts + 1
  where endpoint_id = ? and id in (select id
    from due)
  returning id, payload, attempts, step, tried, request_id, trace;

-- webhooks: read the endpoint
select id, client_id, url, description, events, balance_below, status, disabled_by, by_gateway, secret,
    old_secret, old_secret_until, created_at, deleted_at
  from webhook_endpoints
  where id = ? and status = 'active';

-- webhooks: record an attempt
update "webhook_messages"
  set "state" = ?, "step" = ?, "tried" = ?, "due_at" = ?, "ended_at" = ?
  where "endpoint_id" = ? and "id" = ? and "attempts" = ?;

-- read a page of the statement
select available, held, seq, credit_limit as credit
  from accounts
  where client_id = ?;

select client_id, seq, kind, from_account, to_account, amount, available_after, held_after, purchase_id,
    note, at
  from postings
  where client_id = ? and seq = ?;

select postings.client_id, postings.seq, postings.kind, from_account, to_account, postings.amount, available_after,
    held_after, purchase_id, note, at, purchases.amount as price, coalesce(purchases.charged_amount,
      purchases.amount) as charged
  from postings
  left join purchases on purchases.client_id = postings.client_id and purchases.id = purchase_id
  where postings.client_id = ? and seq > ? and seq <= ?
  order by seq;

-- record the last use of a token
update tokens
  set last_used_at = ?
  where id = ?;

-- look for changes of other processes
select "name", "version"
  from "versions";
