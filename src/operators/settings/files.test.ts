/** Proves that a server knows since when its file says something else of an operator, however often it starts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../lib/clock.ts';
import { readConfig } from '../../lib/config.ts';
import { systemRandom, uuidV7 } from '../../lib/random.ts';
import { createSecrets } from '../../lib/secrets.ts';
import { openTestDatabase, type TestDatabase } from '../../lib/test-database.ts';
import { callWithin } from '../call.ts';
import { http } from '../http/index.ts';
import { openRegistry } from '../registry.ts';
import type { Settings } from './check.ts';
import { noteFiles } from './files.ts';
import { createLiveOperators } from './live.ts';

const newId = uuidV7(systemClock, systemRandom);
const quiet = (): void => {};
const log = { info: quiet, warn: quiet, error: quiet };

/** What a server that starts at a time with these settings knows of when they became others. */
const startAt = async ({ db }: TestDatabase, at: number, settings: Settings) => {
  const config = readConfig({});
  const operators = config.operators
    .slice(0, 1)
    .map((operator) => ({ ...operator, connector: 'http', settings }));
  const context = {
    clock: systemClock,
    random: systemRandom,
    newId,
    call: callWithin(systemClock),
  };
  const registry = openRegistry(operators, [http], (operatorId) => ({ operatorId, ...context }));
  const clock = { now: () => at };
  const secrets = createSecrets({ ...config, databaseUrl: '' }, systemRandom);
  await noteFiles({ db, clock, newId, operators, registry });
  const live = { db, clock, operators, registry, secrets, log, suspensionChanged: quiet };
  await createLiveOperators(live).reload();
  await registry.close();
  return registry.all[0]?.changedAt;
};

test('others are asked since the first start with another address; a start with the same changes nothing', async () => {
  const database = await openTestDatabase();
  const [first, second] = ['first', 'second'].map((host) => ({
    baseUrl: `http://${host}.example/`,
  }));
  assert.ok(first !== undefined && second !== undefined);
  try {
    const known = [];
    for (const [at, settings] of [
      [1000, first],
      [2000, first],
      [3000, second],
      [4000, second],
      [5000, first],
    ] as const) {
      known.push(await startAt(database, at, settings));
    }
    assert.deepEqual(known, [undefined, undefined, 3000, 3000, 5000]);
  } finally {
    await database.close();
  }
});
