/** Types the back office's tables, as the migrations create them. */

type AdminAccountsTable = {
  id: string;
  name: string;
  role: 'viewer' | 'support' | 'manager' | 'owner';
  status: 'active' | 'disabled';
  password: string | null;
  totp_secret: string | null;
  totp_pending: string | null;
  totp_step: number;
  passkeys: number;
  setup_hash: string | null;
  setup_until: number | null;
  created_at: number;
  signed_in_at: number | null;
  notices_seen: string;
};

type AdminSessionsTable = {
  hash: string;
  account_id: string;
  stage: 'code' | 'full';
  created_at: number;
  seen_at: number;
  address: string;
  agent: string;
  proved_at: number;
};

type AdminRecoveryCodesTable = {
  account_id: string;
  hash: string;
  created_at: number;
  used_at: number | null;
};

type AdminAuditTable = {
  id: string;
  at: number;
  account_id: string | null;
  actor: string;
  action: string;
  subject: string;
  before_it: string;
  after_it: string;
  address: string | null;
};

type AdminAttemptsTable = {
  key: string;
  failures: number;
  until_at: number;
  tried_at: number;
  known: number;
};

type AdminPasskeysTable = {
  id: string;
  account_id: string;
  credential_id: string;
  rp_id: string;
  name: string;
  public_key: string;
  counter: number;
  transports: string;
  created_at: number;
  used_at: number | null;
};

type AdminChallengesTable = {
  session_hash: string;
  purpose: 'register' | 'prove';
  challenge: string;
  until_at: number;
};

type AdminKeysTable = {
  key: string;
  account_id: string;
  action: string;
  fingerprint: string;
  answer: string;
  at: number;
};

type AdminUnmaskingsTable = {
  id: string;
  account_id: string;
  outcome: 'shown' | 'refused';
  at: number;
};

type StatsTable = {
  span: 'minute' | 'hour' | 'day';
  at: number;
  operator_id: number;
  begun: number;
  succeeded: number;
  failed: number;
  refused: number;
  reversed: number;
  amount: number;
};

type StatsTimesTable = {
  span: 'minute' | 'hour' | 'day';
  at: number;
  operator_id: number;
  bucket: number;
  calls: number;
};

type SettingsTable = { name: string; value: string };

export type AdminTables = {
  admin_accounts: AdminAccountsTable;
  admin_sessions: AdminSessionsTable;
  admin_recovery_codes: AdminRecoveryCodesTable;
  admin_audit: AdminAuditTable;
  admin_attempts: AdminAttemptsTable;
  admin_passkeys: AdminPasskeysTable;
  admin_challenges: AdminChallengesTable;
  admin_keys: AdminKeysTable;
  admin_unmaskings: AdminUnmaskingsTable;
  stats: StatsTable;
  stats_times: StatsTimesTable;
  settings: SettingsTable;
};
