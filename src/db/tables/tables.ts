/** Describes the tables, as the migrations create them: what each row holds, and its columns in order. */
import { keysOf } from '../../lib/record.ts';
import { adminTables } from './admin.ts';
import { alarmTables } from './alarms.ts';
import {
  type Column,
  type ColumnTypes,
  integer,
  oneOf,
  orNull,
  type RowOf,
  text,
} from './columns.ts';
import { floatTables } from './floats.ts';
import { invoiceTables } from './invoices.ts';
import { priceListTables } from './price-lists.ts';
import { priceTables } from './prices.ts';
import { purchaseTables } from './purchases.ts';
import { restoreTables } from './restores.ts';
import { routeTables } from './routes.ts';
import { salesTables } from './sales.ts';

export const tables = {
  ...adminTables,
  ...alarmTables,
  ...floatTables,
  ...invoiceTables,
  ...priceListTables,
  ...priceTables,
  ...purchaseTables,
  ...restoreTables,
  ...routeTables,
  ...salesTables,
  clients: {
    id: text,
    name: text,
    status: oneOf<'active' | 'suspended'>(),
    created_at: integer,
    test: integer,
  },
  tokens: {
    id: text,
    client_id: text,
    name: text,
    hash: text,
    ending: text,
    scopes: text,
    networks: text,
    created_at: integer,
    expires_at: orNull(integer),
    revoked_at: orNull(integer),
    last_used_at: orNull(integer),
  },
  client_rules: {
    client_id: text,
    products: orNull(text),
    operators: orNull(text),
    repeat_seconds: orNull(integer),
    daily_limit: orNull(integer),
    pending_status: integer,
  },
  client_contacts: {
    client_id: text,
    name: text,
    email: text,
    phone: text,
    about: text,
    legal_name: text,
    tax_number: text,
    address: text,
  },
  client_notes: {
    id: text,
    client_id: text,
    at: integer,
    account_id: text,
    author: text,
    note: text,
  },
  client_days: { client_id: text, day: integer, spent: integer, seq: integer },
  accounts: {
    client_id: text,
    available: integer,
    held: integer,
    seq: integer,
    credit_limit: integer,
  },
  credit_changes: {
    client_id: text,
    number: integer,
    after_seq: integer,
    credit_limit: integer,
    at: integer,
  },
  postings: {
    client_id: text,
    seq: integer,
    kind: text,
    from_account: text,
    to_account: text,
    amount: integer,
    available_after: integer,
    held_after: integer,
    purchase_id: orNull(text),
    note: orNull(text),
    at: integer,
    cost: orNull(integer),
    supplier_id: orNull(integer),
    supplier_balance: orNull(integer),
  },
  products: {
    id: integer,
    name: text,
    name_en: orNull(text),
    description: text,
    description_full: orNull(text),
    sku: orNull(text),
    price: integer,
    second_price: orNull(integer),
    showable_price: orNull(integer),
    type: oneOf<'cell_internet' | 'cell_direct_charge' | 'td_lte_internet'>(),
    minimum_sale: orNull(integer),
    dimension: text,
    score: integer,
    status: integer,
    options: text,
    deliverable: integer,
    third_party_id: text,
    capacity: text,
    period: orNull(integer),
    sim_card_type: oneOf<'credit' | 'permanent'>(),
    operator_id: integer,
    profile_id: orNull(text),
    sort_order: integer,
    created_at: orNull(integer),
    updated_at: orNull(integer),
    changed_at: integer,
  },
  product_removals: {
    product_id: integer,
    removed_at: integer,
  },
  categories: {
    id: integer,
    name: text,
    data: text,
    created_at: orNull(integer),
    updated_at: orNull(integer),
  },
  product_categories: {
    product_id: integer,
    category_id: integer,
    position: integer,
    address: text,
  },
  operator_reports: { operator_id: integer, cursor: text },
  unmatched_reports: {
    operator_id: integer,
    ref: text,
    kind: oneOf<'delivered' | 'reversed'>(),
    at: orNull(integer),
    mobile: orNull(text),
    amount: orNull(integer),
    found_at: integer,
  },
  operator_callbacks: {
    operator_id: integer,
    ref: text,
    says: oneOf<
      'delivered' | 'reversed' | 'refused' | 'pending' | 'not_found' | 'unknown' | 'nothing'
    >(),
    digest: text,
    message: text,
    times: integer,
    first_at: integer,
    last_at: integer,
  },
  operator_status: { operator_id: integer, health: oneOf<'up' | 'down'>(), since: integer },
  suppliers: {
    id: integer,
    name: text,
    name_en: text,
    name_fa: text,
    account_group: orNull(text),
    created_at: integer,
    removed_at: orNull(integer),
  },
  operator_settings: {
    operator_id: integer,
    connector: text,
    sealed: text,
    version: text,
    changed_at: integer,
    chosen_over: orNull(text),
  },
  operator_files: { operator_id: integer, digest: text, changed_at: orNull(integer) },
  operator_suspensions: {
    operator_id: integer,
    at: integer,
    actor: text,
    reason: text,
  },
  audit: {
    id: text,
    at: integer,
    actor: text,
    action: text,
    subject: text,
    before_it: text,
    after_it: text,
    evidence: text,
    facts: orNull(text),
    forced: integer,
    reason: text,
  },
  webhook_endpoints: {
    id: text,
    client_id: text,
    url: text,
    description: text,
    events: text,
    balance_below: orNull(integer),
    status: oneOf<'active' | 'disabled' | 'deleted'>(),
    disabled_by: orNull(oneOf<'client' | 'gone'>()),
    by_gateway: integer,
    secret: text,
    old_secret: orNull(text),
    old_secret_until: orNull(integer),
    created_at: integer,
    deleted_at: orNull(integer),
  },
  webhook_messages: {
    endpoint_id: text,
    id: text,
    type: text,
    payload: text,
    state: oneOf<'waiting' | 'delivered' | 'failed'>(),
    attempts: integer,
    step: integer,
    tried: text,
    due_at: orNull(integer),
    created_at: integer,
    ended_at: orNull(integer),
    request_id: orNull(text),
    trace: orNull(text),
  },
  versions: {
    name: oneOf<
      | 'catalogue'
      | 'clients'
      | 'webhooks'
      | 'operators'
      | 'prices'
      | 'restores'
      | 'routes'
      | 'schema'
      | 'settings'
    >(),
    version: text,
  },
  migrations: {
    number: integer,
    name: text,
    applied_at: integer,
    /** The version of the oldest compatible program; null: only those that know it. */
    oldest: orNull(integer),
  },
};

export type Tables = { [Name in keyof typeof tables]: RowOf<(typeof tables)[Name]> };

/** All columns of a table, in order. */
export const columnsOf = <Name extends keyof Tables>(name: Name) => keysOf(tables[name]);

/** The same, each with its type on PostgreSQL. */
export const columnTypesOf = (name: keyof Tables): ColumnTypes =>
  Object.fromEntries(
    Object.entries<Column<unknown>>(tables[name]).map(([column, { type }]) => [column, type]),
  );
