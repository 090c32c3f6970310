/** Tests that an operator whose settings cannot be opened is suspended, and since when. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/support/database.ts';
import { readConfig } from '../../config/config.ts';
import { callWithin } from '../../connector/call.ts';
import { unknownBecause } from '../../connector/cause.ts';
import { inquireAt } from '../../connector/suite/inquire-at.ts';
import { createSecrets } from '../../db/secrets/keys.ts';
import { systemClock } from '../../lib/clock.ts';
import { systemRandom, uuidV7 } from '../../lib/random.ts';
import { http } from '../http/index.ts';
import { openRegistry } from '../registry.ts';
import { createLiveOperators } from './live.ts';
import { saveSettings } from './store.ts';

test('unreadable settings suspend an operator from when that was noticed, and it gets no calls', async () => {
  const { db, close } = await openTestDatabase();
  const config = readConfig({});
  const operators = config.operators.slice(0, 1).map((operator) => ({
    ...operator,
    connector: 'http',
    settings: { baseUrl: 'http://operator.example/' },
  }));
  const context = {
    clock: systemClock,
    random: systemRandom,
    newId: uuidV7(systemClock, systemRandom),
    call: callWithin(systemClock),
  };
  const registry = openRegistry(operators, [http], (operatorId) => ({ operatorId, ...context }));
  const secrets = createSecrets({ ...config, databaseUrl: '' }, systemRandom);
  let now = 1000;
  const quiet = (): void => {};
  const live = createLiveOperators({
    db,
    clock: { now: () => now },
    operators,
    registry,
    secrets,
    log: { info: quiet, warn: quiet, error: quiet },
    suspensionChanged: quiet,
    loadMore: async () => [],
    mayHave: () => true,
  });
  const closed = {
    operator_id: 1,
    connector: 'http',
    sealed: 'v1.a.b.c',
    chosen_over: null,
    changed_at: 1,
  };
  try {
    await live.reload();
    assert.equal(live.suspensionOf(1), undefined);
    for (const [at, version] of [
      [2000, 'one'],
      [3000, 'two'],
    ] as const) {
      now = at;
      await saveSettings(db, { ...closed, version });
      await live.reload();
      const { by, at: since } = live.suspensionOf(1) ?? {};
      assert.deepEqual([by, since], ['simgate', 2000]);
    }
    const operator = registry.byId(1);
    assert.ok(operator);
    const told = await inquireAt(operator.connection, 'r');
    assert.deepEqual(told, unknownBecause({ code: 'settings_unusable', values: {} }));
    assert.ok(live.suspended.has(1));
  } finally {
    await registry.close();
    await close();
  }
});
