/** Types the tables, as the migrations create them. */
import type { AdminTables } from './admin.ts';
import type { RestoreTables } from './restores.ts';

type ClientsTable = {
  id: string;
  name: string;
  status: 'active' | 'suspended';
  created_at: number;
};

type TokensTable = {
  id: string;
  client_id: string;
  name: string;
  hash: string;
  ending: string;
  scopes: string;
  networks: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
};

type ClientRulesTable = {
  client_id: string;
  products: string | null;
  operators: string | null;
  repeat_seconds: number | null;
  daily_limit: number | null;
  pending_status: number;
};

type ClientDaysTable = { client_id: string; day: number; spent: number; seq: number };

type AccountsTable = {
  client_id: string;
  available: number;
  held: number;
  seq: number;
};

type PostingsTable = {
  client_id: string;
  seq: number;
  kind: string;
  from_account: string;
  to_account: string;
  amount: number;
  available_after: number;
  held_after: number;
  purchase_id: string | null;
  note: string | null;
  at: number;
};

type ProductsTable = {
  id: number;
  name: string;
  name_en: string | null;
  description: string;
  description_full: string | null;
  sku: string | null;
  price: number;
  second_price: number | null;
  showable_price: number | null;
  type: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet';
  minimum_sale: number | null;
  dimension: string;
  score: number;
  status: number;
  options: string;
  deliverable: number;
  third_party_id: string;
  capacity: string;
  period: number | null;
  sim_card_type: 'credit' | 'permanent';
  operator_id: number;
  profile_id: string | null;
  sort_order: number;
  created_at: number | null;
  updated_at: number | null;
  changed_at: number;
};

type ProductRemovalsTable = {
  product_id: number;
  removed_at: number;
};

type CategoriesTable = {
  id: number;
  name: string;
  data: string;
  created_at: number | null;
  updated_at: number | null;
};

type ProductCategoriesTable = {
  product_id: number;
  category_id: number;
  position: number;
  address: string;
};

type PurchasesTable = {
  client_id: string;
  id: string;
  idempotency_key: string;
  fingerprint: string;
  state: 'refused' | 'submitted' | 'unknown' | 'review' | 'succeeded' | 'failed' | 'reversed';
  product_id: number;
  operator_id: number | null;
  mobile: string;
  amount: number;
  offer_code: string | null;
  offer_type: string | null;
  profile_id: string | null;
  webservice_code: string;
  request_id: string;
  fence: number;
  attempts: number;
  inquiries: number;
  notes: number;
  began_at: number;
  sent_to: string | null;
  trace: string | null;
  send_before: number;
  quiet_at: number;
  due_at: number | null;
  settled_at: number | null;
  answer_status: number | null;
  answer_body: string | null;
  operator_ref: string | null;
  reason: string | null;
  disputed: string | null;
};

type PurchaseNotesTable = {
  client_id: string;
  purchase_id: string;
  seq: number;
  kind: string;
  detail: string;
  at: number;
};

type OperatorReportsTable = { operator_id: number; cursor: string };

type UnmatchedReportsTable = {
  operator_id: number;
  ref: string;
  kind: 'delivered' | 'reversed';
  at: number | null;
  mobile: string | null;
  amount: number | null;
  found_at: number;
};

type OperatorStatusTable = { operator_id: number; health: 'up' | 'down'; since: number };

type OperatorSettingsTable = {
  operator_id: number;
  connector: string;
  sealed: string;
  version: string;
  changed_at: number;
};

type OperatorFilesTable = { operator_id: number; digest: string; changed_at: number | null };

type OperatorSuspensionsTable = {
  operator_id: number;
  at: number;
  actor: string;
  reason: string;
};

type AuditTable = {
  id: string;
  at: number;
  actor: string;
  action: string;
  subject: string;
  before_it: string;
  after_it: string;
  evidence: string;
  forced: number;
  reason: string;
};

type WebhookEndpointsTable = {
  id: string;
  client_id: string;
  url: string;
  description: string;
  events: string;
  balance_below: number | null;
  status: 'active' | 'disabled' | 'deleted';
  disabled_by: 'client' | 'gone' | null;
  by_gateway: number;
  secret: string;
  old_secret: string | null;
  old_secret_until: number | null;
  created_at: number;
  deleted_at: number | null;
};

type WebhookMessagesTable = {
  endpoint_id: string;
  id: string;
  type: string;
  payload: string;
  state: 'waiting' | 'delivered' | 'failed';
  attempts: number;
  step: number;
  tried: string;
  due_at: number | null;
  created_at: number;
  ended_at: number | null;
  request_id: string | null;
  trace: string | null;
};

type VersionsTable = {
  name: 'catalogue' | 'clients' | 'webhooks' | 'operators' | 'restores' | 'schema';
  version: string;
};

type MigrationsTable = {
  number: number;
  name: string;
  applied_at: number;
  /** The version of the oldest program that it lets run; null: only those that know it. */
  oldest: number | null;
};

export type Tables = AdminTables &
  RestoreTables & {
    clients: ClientsTable;
    tokens: TokensTable;
    client_rules: ClientRulesTable;
    client_days: ClientDaysTable;
    accounts: AccountsTable;
    postings: PostingsTable;
    products: ProductsTable;
    product_removals: ProductRemovalsTable;
    categories: CategoriesTable;
    product_categories: ProductCategoriesTable;
    purchases: PurchasesTable;
    purchase_notes: PurchaseNotesTable;
    operator_reports: OperatorReportsTable;
    unmatched_reports: UnmatchedReportsTable;
    operator_status: OperatorStatusTable;
    operator_settings: OperatorSettingsTable;
    operator_files: OperatorFilesTable;
    operator_suspensions: OperatorSuspensionsTable;
    audit: AuditTable;
    webhook_endpoints: WebhookEndpointsTable;
    webhook_messages: WebhookMessagesTable;
    versions: VersionsTable;
    migrations: MigrationsTable;
  };
