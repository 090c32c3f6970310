/** Owns when something else was last said of an operator, by the file or the console: others may be asked since, who know nothing of what was ordered before. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type { OperatorConfig } from '../../lib/config.ts';
import type { Db } from '../../lib/db.ts';
import { bumpVersion, lockVersion } from '../../lib/db-versions.ts';
import type { NewId } from '../../lib/random.ts';
import type { Registry } from '../registry.ts';
import { maskSettings } from './mask.ts';
import { type FileRow, listFiles, listSettings, saveFile } from './store.ts';

export type FilesDeps = {
  readonly db: Db;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
  readonly operators: readonly OperatorConfig[];
  readonly registry: Pick<Registry, 'byId'>;
};

const digestOf = (
  { registry }: Pick<FilesDeps, 'registry'>,
  { id, settings }: OperatorConfig,
): string => {
  const connector = registry.byId(id)?.connector;
  const said = connector === undefined ? [] : [connector.name, maskSettings(connector, settings)];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
};

/** What the file says and nobody wrote down yet; `before` tells whether something else was. */
const newsOf = async (deps: Pick<FilesDeps, 'operators' | 'registry'>, db: Db) => {
  const known = new Map((await listFiles(db)).map((row) => [row.operator_id, row.digest]));
  return deps.operators.flatMap((config) => {
    const [before, digest] = [known.get(config.id), digestOf(deps, config)];
    return before === digest ? [] : [{ id: config.id, digest, before }];
  });
};

/** At the start of a server, before it asks anybody: writes down of which operators the file says something new. */
export const noteFiles = async (deps: FilesDeps): Promise<void> => {
  if ((await newsOf(deps, deps.db)).length === 0) return;
  await deps.db.transaction().execute(async (db) => {
    await lockVersion(db, 'operators');
    for (const { id, digest, before } of await newsOf(deps, db)) {
      const changedAt = before === undefined ? null : deps.clock.now();
      await saveFile(db, { operator_id: id, digest, changed_at: changedAt });
    }
    await bumpVersion(db, 'operators', deps.newId);
  });
};

/** When something else was last said of an operator, by the console or by the file. */
export const lastChange = (
  id: number,
  rows: readonly Pick<FileRow, 'operator_id' | 'changed_at'>[],
): number | undefined =>
  rows
    .filter((row) => row.operator_id === id)
    .flatMap(({ changed_at: at }) => at ?? [])
    .sort((one, other) => other - one)[0];

/** The same beside a server, writing nothing: now, where the file says what no server has started with. */
export const lastChangeSeen = async (
  deps: Omit<FilesDeps, 'newId'>,
  id: number,
): Promise<number | undefined> => {
  const { db, clock } = deps;
  const news = (await newsOf(deps, db)).find((one) => one.id === id);
  if (news?.before !== undefined) return clock.now();
  return lastChange(id, [...(await listSettings(db)), ...(await listFiles(db))]);
};
