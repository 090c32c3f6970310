/** Counts the raised alarms of each kind, for the metrics. */
import type { Db } from '../../db/types.ts';
import { alarmKindNames } from './kinds.ts';
import { countRaised } from './store.ts';

/** Kinds without an alarm are there too. */
export const countAlarms = async (db: Db): Promise<ReadonlyMap<string, number>> => {
  const raised = new Map((await countRaised(db)).map(({ kind, alarms }) => [kind, alarms]));
  return new Map(alarmKindNames.map((kind) => [kind, raised.get(kind) ?? 0]));
};
