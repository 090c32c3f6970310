/** Types the tables about restores and the identity of the database. */
type PlaceTable = {
  id: 1;
  system_id: string;
  database_oid: number;
  accounts_oid: number;
  timeline: number;
  signature: string;
  recorded_at: number;
};

type InstancesTable = { id: string; started_at: number; beat: number; seen_at: number };

type RestoresTable = {
  id: string;
  seq: number;
  cause: 'backup' | 'marked' | 'place_changed' | 'witness_missing' | 'witness_contradicted';
  changed: 'system' | 'database' | 'accounts' | 'timeline' | null;
  began_before: number | null;
  at: number;
  opened_at: number | null;
  opened_by: string | null;
};

type RestoreOperatorsTable = {
  restore_id: string;
  operator_id: number;
  cursor: string;
  state: 'waiting' | 'told' | 'silent';
  detail: string;
  asked_at: number | null;
};

type VouchesTable = {
  restore_id: string;
  instance_id: string;
  result: 'waiting' | 'confirmed' | 'contradicted' | 'absent';
  at: number | null;
};

type ForgottenTable = {
  restore_id: string;
  operator_id: number;
  ref: string;
  kind: 'ordered' | 'delivered' | 'refused' | 'reversed';
  at: number;
  mobile: string | null;
  amount: number | null;
  found_at: number;
  client_id: string | null;
  idempotency_key: string | null;
};

export type RestoreTables = {
  place: PlaceTable;
  instances: InstancesTable;
  restores: RestoresTable;
  vouches: VouchesTable;
  restore_operators: RestoreOperatorsTable;
  forgotten: ForgottenTable;
};
