/** Tests what an instance makes of settings and suppliers from the console: in use, or suspended and since when. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cleanUpAfterTest } from '../../../test/support/cleanup.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { emptyDatabase } from '../../../test/support/old-database.ts';
import { readConfig, type SupplierConfig } from '../../config/config.ts';
import { callWithin } from '../../connector/call.ts';
import { unknownBecause } from '../../connector/cause.ts';
import { inquireAt } from '../../connector/suite/inquire-at.ts';
import { migrate } from '../../db/migrate/migrate.ts';
import { readMigrations } from '../../db/migrate/migrations.ts';
import { createSecrets } from '../../db/secrets/keys.ts';
import type { Db } from '../../db/types.ts';
import { systemClock } from '../../lib/clock.ts';
import { systemRandom, uuidV7 } from '../../lib/random.ts';
import { insertSupplier, removeSupplier, updateSupplier } from '../defined/store.ts';
import { http } from '../http/index.ts';
import { openRegistry, suppliersIn } from '../registry.ts';
import { createLiveOperators } from './live.ts';
import { sealSettings } from './sealed.ts';
import { saveSettings } from './store.ts';

const config = readConfig({});
const secretsKey = Buffer.alloc(32, 1).toString('base64url');
const secrets = createSecrets({ ...config, databaseUrl: '', secretsKey }, systemRandom);
const context = {
  clock: systemClock,
  random: systemRandom,
  newId: uuidV7(systemClock, systemRandom),
  call: callWithin(systemClock),
};
const quiet = (): void => {};

const reachedOverHttp = config.operators.slice(0, 1).map((operator) => ({
  ...operator,
  connector: 'http',
  settings: { baseUrl: 'http://operator.example/' },
}));

/** An instance by its own configuration. */
const instanceOn = (db: Db, suppliers: readonly SupplierConfig[] = [], now = () => 1000) => {
  const contextFor = (operatorId: number) => ({ operatorId, ...context });
  const registry = openRegistry(reachedOverHttp, [http], contextFor, { suppliers });
  const live = createLiveOperators({
    db,
    clock: { now },
    operators: [...reachedOverHttp, ...suppliers],
    registry,
    secrets,
    log: { info: quiet, warn: quiet, error: quiet },
    suspensionChanged: quiet,
    loadMore: async () => [],
    mayHave: () => true,
  });
  return { registry, live };
};

test('unreadable settings suspend an operator from when that was noticed, and it gets no calls', async () => {
  const { db, close } = await openTestDatabase();
  let now = 1000;
  const { registry, live } = instanceOn(db, [], () => now);
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

const supplier = {
  id: 500,
  name: 'second',
  name_en: 'Second',
  name_fa: 'دوم',
  account_group: null,
  created_at: 1,
  removed_at: null,
};

describe('A supplier that the console defines', () => {
  const settings = { baseUrl: 'http://supplier.example/' };
  const place = { operator_id: 500, connector: 'http' };
  const sealed = sealSettings(secrets, place, settings) ?? '';
  const stored = { ...place, sealed, version: 'one', changed_at: 1, chosen_over: '' };
  const inFile = { id: 100, name: 'other', connector: 'http', settings };

  test('is used by each instance from its next reload on, by the same system, until it is removed', async () => {
    const { db, close } = await openTestDatabase();
    const [first, second] = [instanceOn(db), instanceOn(db)];
    try {
      await first.live.reload();
      await insertSupplier(db, supplier);
      await saveSettings(db, stored);
      await second.live.reload();
      assert.deepEqual(
        [first, second].map(({ registry }) => suppliersIn(registry).map(({ id }) => id)),
        [[1], [1, 500]],
        'one that does not know it claims nothing of it',
      );
      await first.live.reload();
      const [one, other] = [first.registry.byId(500), second.registry.byId(500)];
      assert.ok(one && one.system !== null && one.system === other?.system);
      await updateSupplier(db, 500, { name_en: 'New', name_fa: 'نو', account_group: 'north' });
      await first.live.reload();
      const renamed = first.registry.byId(500);
      assert.deepEqual([renamed?.names.en, renamed?.group], ['New', 'north']);
      assert.equal(renamed?.connection, one.connection, 'over the same connection');
      await removeSupplier(db, 500, 2);
      await first.live.reload();
      assert.equal(first.registry.byId(500), undefined);
      assert.equal(first.live.inUse(500), undefined);
    } finally {
      await Promise.all([first, second].map(({ registry }) => registry.close()));
      await close();
    }
  });

  test('gives way to one of the file with its number, and is suspended if the file has its name', async () => {
    const { db, close } = await openTestDatabase();
    await insertSupplier(db, supplier);
    await saveSettings(db, stored);
    const fromFile = { ...inFile.settings, baseUrl: 'http://file.example/' };
    const sameId = instanceOn(db, [{ ...inFile, id: 500, settings: fromFile }]);
    const sameName = instanceOn(db, [{ ...inFile, name: 'second' }]);
    try {
      await Promise.all([sameId, sameName].map(({ live }) => live.reload()));
      assert.equal(sameId.registry.byId(500)?.name, 'other');
      assert.deepEqual(sameId.live.inUse(500)?.settings, fromFile);
      assert.equal(sameName.registry.byId(500), undefined);
      assert.equal(sameName.live.suspensionOf(500)?.by, 'simgate');
      assert.deepEqual(await sameName.live.choices(500), [], 'and it cannot be connected there');
      assert.equal(sameName.registry.byId(100)?.name, 'second');
    } finally {
      await Promise.all([sameId, sameName].map(({ registry }) => registry.close()));
      await close();
    }
  });
});

test('an upgraded database has no suppliers, keeps the settings of operators, and takes suppliers', async () => {
  const db = await emptyDatabase();
  const all = readMigrations();
  await migrate(db, systemClock, { known: all.filter(({ number }) => number < 39) });
  const place = { operator_id: 1, connector: 'http' };
  const sealed = sealSettings(secrets, place, { baseUrl: 'http://console.example/' }) ?? '';
  const settings = { ...place, sealed, version: 'one', changed_at: 1, chosen_over: null };
  await saveSettings(db, settings);
  await migrate(db, systemClock, { known: all });
  const { registry, live } = instanceOn(db);
  cleanUpAfterTest(registry.close);
  await live.reload();
  assert.deepEqual(live.inUse(1)?.settings, { baseUrl: 'http://console.example/' });
  assert.deepEqual(
    suppliersIn(registry).map(({ id }) => id),
    [1],
  );
  await insertSupplier(db, supplier);
  await live.reload();
  assert.deepEqual(
    registry.unconnected.map(({ id }) => id),
    [500],
  );
});
