/** Fills every table of a database with rows whose values are hard to carry from one engine to the other. */
import type { Insertable } from 'kysely';
import { placeholders, runText } from '../../src/db/statement.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import type { Db } from '../../src/db/types.ts';

export type Rows = { readonly [Name in keyof Tables]?: readonly Insertable<Tables[Name]>[] };

const largest = Number.MAX_SAFE_INTEGER;
const hash = (sign: string): string => sign.repeat(64);

// A collation and bytes sort these differently, and UTF-16 sorts the last two unlike UTF-8.
export const names = ['a', 'B', 'ä', 'Z', 'z', '_', 'ك', 'ی', '\uFF5E', '😀'];

// What a careless encoding of rows would break on.
export const oddText = `quote " apostrophe ' backslash \\ \\N braces {a,NULL} tab \t line \r\n end \u0001 😀 ی`;

const spaced = '{ "b":1,  "a":[1.50, null] }';

const posting = { client_id: 'a', available_after: 0, held_after: 0, note: null, at: 1 };

const purchase = {
  client_id: 'a',
  fingerprint: `1:${hash('f')}`,
  product_id: 1,
  operator_id: null,
  mobile: '989120000000',
  amount: 10,
  offer_code: null,
  offer_type: null,
  profile_id: '',
  webservice_code: oddText,
  request_id: 'r',
  fence: 1,
  attempts: 1,
  inquiries: 0,
  notes: 1,
  began_at: 1,
  sent_to: null,
  trace: null,
  send_before: 2,
  quiet_at: 3,
  operator_ref: null,
  reason_values: null,
  disputed: null,
  disputed_values: null,
} as const;

const refusal = { state: 'refused', due_at: null, settled_at: 5, answer_status: 402 } as const;

/** Enough for each table, and for each kind of value. */
export const fullRows: Rows = {
  clients: names.map((id) => ({ id, name: oddText, status: 'active', created_at: largest })),
  tokens: [
    {
      id: 't',
      client_id: 'a',
      name: '',
      hash: hash('a'),
      ending: 'x',
      scopes: '["catalogue"]',
      networks: '[]',
      created_at: 0,
      expires_at: null,
      revoked_at: null,
      last_used_at: 0,
    },
  ],
  client_rules: [
    {
      client_id: 'a',
      products: '[1, 2]',
      operators: null,
      repeat_seconds: null,
      daily_limit: largest,
      pending_status: 202,
    },
  ],
  accounts: names.map((client_id) => ({ client_id, available: 0, held: 0, seq: 0 })),
  client_days: [{ client_id: 'a', day: 0, spent: 0, seq: 0 }],
  postings: [9, 10, 100].map((seq) => ({
    ...posting,
    seq,
    kind: 'deposit',
    from_account: 'funding',
    to_account: 'available',
    amount: largest,
    purchase_id: null,
  })),
  products: [9, 10].map((id) => ({
    id,
    name: 'ی ۱۲',
    name_en: null,
    description: '',
    description_full: oddText,
    sku: null,
    price: 0,
    second_price: largest,
    showable_price: null,
    type: 'cell_internet',
    minimum_sale: null,
    dimension: spaced,
    score: -1,
    status: 0,
    options: 'null',
    deliverable: 1,
    third_party_id: '"x"',
    capacity: '1.50',
    period: null,
    sim_card_type: 'credit',
    operator_id: 1,
    profile_id: null,
    sort_order: -largest,
    created_at: null,
    updated_at: null,
    changed_at: 1_763_280_000_000_000 + id,
  })),
  product_removals: [{ product_id: 7, removed_at: 1 }],
  price_changes: [
    {
      id: 'p',
      at: 1,
      via: 'bulk',
      account_id: null,
      actor: oddText,
      asked: spaced,
      products: 1,
      reverts: null,
    },
  ],
  price_moves: [
    {
      change_id: 'p',
      product_id: 9,
      field: 'price',
      price_before: null,
      price_after: largest,
    },
  ],
  categories: [{ id: 3, name: 'c', data: spaced, created_at: null, updated_at: null }],
  product_categories: [{ product_id: 9, category_id: 3, position: 0, address: '' }],
  purchases: [
    ...names.map((key) => ({
      ...purchase,
      ...refusal,
      id: `id ${key}`,
      idempotency_key: key,
      answer_body: `{"message":"${key}"}`,
      reason: 'INSUFFICIENT_BALANCE',
    })),
    {
      ...purchase,
      id: 'open',
      idempotency_key: 'open',
      state: 'unknown',
      due_at: 4,
      settled_at: null,
      answer_status: null,
      answer_body: null,
      reason: 'silent',
    },
  ],
  purchase_notes: [
    {
      client_id: 'a',
      purchase_id: 'open',
      seq: 1,
      kind: 'order',
      code: 'text',
      fact_values: '{}',
      at: 1,
    },
  ],
  operator_reports: [{ operator_id: 1, cursor: oddText }],
  unmatched_reports: [
    {
      operator_id: 1,
      ref: 'x',
      kind: 'delivered',
      at: null,
      mobile: null,
      amount: null,
      found_at: 1,
    },
  ],
  operator_callbacks: [
    {
      operator_id: 1,
      ref: '',
      says: 'nothing',
      digest: hash('c'),
      message: oddText,
      times: 1,
      first_at: 1,
      last_at: 1,
    },
  ],
  operator_status: [{ operator_id: 1, health: 'down', since: 1 }],
  operator_settings: [
    {
      operator_id: 1,
      connector: 'http',
      sealed: 's1.x',
      version: 'v',
      changed_at: 1,
      chosen_over: oddText,
    },
  ],
  operator_files: [{ operator_id: 1, digest: 'd', changed_at: null }],
  operator_suspensions: [{ operator_id: 1, at: 1, actor: 'a', reason: '' }],
  audit: names.map((id) => ({
    id,
    at: 1,
    actor: 'a',
    action: 'restore',
    subject: 's',
    before_it: '{}',
    after_it: spaced,
    evidence: '',
    facts: null,
    forced: 1,
    reason: oddText,
  })),
  webhook_endpoints: [
    {
      id: 'e',
      client_id: 'a',
      url: 'https://hook.example',
      description: '',
      events: '[]',
      balance_below: null,
      status: 'active',
      disabled_by: null,
      by_gateway: 0,
      secret: 's',
      old_secret: null,
      old_secret_until: null,
      created_at: 1,
      deleted_at: null,
    },
  ],
  webhook_messages: [
    {
      endpoint_id: 'e',
      id: 'm',
      type: 't',
      payload: spaced,
      state: 'waiting',
      attempts: 1,
      step: 0,
      tried: '[]',
      due_at: 1,
      created_at: 1,
      ended_at: null,
      request_id: null,
      trace: null,
    },
  ],
  restores: [
    {
      id: 'r',
      seq: 1,
      cause: 'backup',
      changed: null,
      began_before: null,
      at: 1,
      opened_at: 2,
      opened_by: 'a',
    },
  ],
  vouches: [{ restore_id: 'r', instance_id: 'i', result: 'confirmed', at: 1 }],
  restore_operators: [
    {
      restore_id: 'r',
      operator_id: 1,
      cursor: '',
      state: 'told',
      asked_at: 1,
      code: 'text',
      fact_values: '{"text":""}',
    },
  ],
  forgotten: [
    {
      restore_id: 'r',
      operator_id: 1,
      ref: 'x',
      kind: 'ordered',
      at: 1,
      mobile: null,
      amount: null,
      found_at: 1,
      client_id: null,
      idempotency_key: null,
    },
  ],
  admin_accounts: [
    {
      id: 'o',
      name: 'owner',
      role: 'owner',
      status: 'active',
      password: null,
      totp_secret: null,
      totp_pending: null,
      totp_step: 0,
      passkeys: 1,
      setup_hash: null,
      setup_until: null,
      created_at: 1,
      signed_in_at: null,
      notices_seen: '',
    },
  ],
  admin_sessions: [
    {
      hash: 'h',
      account_id: 'o',
      stage: 'full',
      created_at: 1,
      seen_at: 1,
      address: '::1',
      agent: oddText,
      proved_at: 1,
    },
  ],
  admin_recovery_codes: [{ account_id: 'o', hash: 'h', created_at: 1, used_at: null }],
  admin_audit: names.map((id) => ({
    id,
    at: 1,
    account_id: null,
    actor: 'a',
    action: 'x',
    subject: 's',
    before_it: 'null',
    after_it: oddText,
    address: null,
  })),
  admin_attempts: [{ key: 'k', failures: 1, until_at: 1, tried_at: 1, known: 0 }],
  admin_passkeys: [
    {
      id: 'p',
      account_id: 'o',
      credential_id: 'c',
      rp_id: 'x',
      name: 'n',
      public_key: 'k',
      counter: 0,
      transports: '[]',
      created_at: 1,
      used_at: null,
    },
  ],
  admin_challenges: [{ session_hash: 'h', purpose: 'prove', challenge: 'c', until_at: 1 }],
  admin_keys: [
    { key: 'k', account_id: 'o', action: 'a', fingerprint: hash('b'), answer: 'null', at: 1 },
  ],
  admin_unmaskings: [{ id: 'u', account_id: 'o', outcome: 'shown', at: 1 }],
  stats: [
    {
      span: 'minute',
      at: 0,
      operator_id: 0,
      begun: 1,
      succeeded: 0,
      failed: 0,
      refused: 1,
      reversed: 0,
      amount: 0,
    },
  ],
  stats_times: [{ span: 'day', at: 0, operator_id: 1, bucket: 0, calls: 1 }],
  settings: [{ name: 'theme', value: oddText }],
  client_contacts: [
    { client_id: 'a', name: oddText, email: 'a@example.com', phone: '', about: '' },
  ],
  client_notes: [
    { id: 'n', client_id: 'a', at: 1, account_id: 'o', author: 'owner', note: oddText },
  ],
  routes: [
    {
      id: 1,
      version: 1,
      operator_id: 1,
      product_id: 9,
      category_id: null,
      product_type: 'cell_internet',
      client_id: 'a',
      supplier_id: 2,
      product_code: oddText,
      cost_amount: null,
      cost_percent: '2.50',
      allow_dearer: 0,
      priority: 1,
      weight: 1,
      hours_from: 1320,
      hours_to: 360,
      days: 'mon,sun',
      valid_from: null,
      valid_until: largest,
      enabled: 1,
      created_at: 1,
      closed_at: null,
    },
  ],
  sales: names.map((client_id) => ({
    kind: 'full',
    day: -1,
    client_id,
    product_id: 0,
    operator_id: 0,
    sold: 1,
    sold_amount: largest,
    reversed: 0,
    reversed_amount: 0,
  })),
  sales_cursors: names.map((client_id) => ({ client_id, seq: 0, time_zone: '' })),
  sales_zones: [{ client_id: 'a', after_seq: 0, time_zone: 'Asia/Tehran 2026a' }],
};

/** Inserts rows table by table, in the order in which `rows` names them. */
export const insertAll = async (db: Db, rows: Rows): Promise<void> => {
  for (const [name, list] of Object.entries(rows)) {
    for (const row of list) {
      const columns = Object.keys(row);
      const text = `insert into ${name} (${columns.join(', ')}) values ${placeholders(columns.length)}`;
      await runText(db, text, Object.values(row));
    }
  }
};
