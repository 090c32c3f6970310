/** Fills in which system open purchases were sent to, once after the upgrade that added `sent_to`. */
import { hash } from 'node:crypto';
import type { OperatorConfig } from '../../config/config.ts';
import { maskSettings } from '../../connector/settings/mask.ts';
import type { Db } from '../../db/types.ts';
import type { Operator, Registry } from '../../operators/registry.ts';
import { listSettings } from '../../operators/settings/store.ts';
import { fillSystem, listFiles, takeFile } from './store.ts';

export type FillDeps = {
  readonly db: Db;
  readonly operators: readonly OperatorConfig[];
  readonly registry: Pick<Registry, 'byId'>;
};

// The previous server recorded changes of settings by its own clock; purchases are dated by the database's.
// The two differ by less than this.
const marginMs = 3_600_000;

/** What the previous server recorded of an operator's part of the file. */
const digestOf = ({ connector }: Operator, { settings }: OperatorConfig): string =>
  hash('sha256', JSON.stringify([connector.name, maskSettings(connector, settings)]), 'hex');

const fillOne = (
  { db }: FillDeps,
  operator: Operator,
  system: string,
  config: OperatorConfig,
): Promise<void> =>
  db.transaction().execute(async (db) => {
    const file = await takeFile(db, operator.id);
    // The file changed with the upgrade: earlier orders may have gone elsewhere.
    if (file === undefined || file.digest !== digestOf(operator, config)) return;
    const rows = (await listSettings(db)).filter(({ operator_id: id }) => id === operator.id);
    const changes = [file, ...rows].flatMap(({ changed_at: at }) => at ?? []);
    const beganFrom = changes.length === 0 ? 0 : Math.max(...changes) + marginMs;
    await fillSystem(db, operator.id, { system, beganFrom });
  });

/** Leaves purchases as they are if their destination is uncertain. */
export const fillSentTo = async (deps: FillDeps): Promise<void> => {
  const written = new Set((await listFiles(deps.db)).map(({ operator_id: id }) => id));
  for (const config of deps.operators.filter(({ id }) => written.has(id))) {
    const operator = deps.registry.byId(config.id);
    if (operator === undefined || operator.system === null) continue;
    await fillOne(deps, operator, operator.system, config);
  }
};
