/** Tests that every secret is sealed under a new key, in any number of runs, and that none is lost. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createClient } from '../../test/support/clients.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import { quickPasswords } from '../../test/support/passwords.ts';
import { readConfig } from '../config/config.ts';
import { createLockRetry } from '../db/lock-retry.ts';
import { createSecrets, type Secrets } from '../db/secrets/keys.ts';
import { makeKey } from '../db/secrets/seal.ts';
import type { OpenDatabase } from '../db/types.ts';
import { systemClock } from '../lib/clock.ts';
import { systemRandom } from '../lib/random.ts';
import { sealSettings } from '../operators/settings/sealed.ts';
import { saveSettings } from '../operators/settings/store.ts';
import { writeSetting } from '../settings/store.ts';
import { sealSecret as keepWebhookSecret, webhookSecrets } from '../webhooks/secret.ts';
import { insertEndpoint } from '../webhooks/store.ts';
import { createAccount } from './access/accounts.ts';
import { updateAccountRow } from './access/store.ts';
import { sealSecret } from './access/two-factor/totp-secret.ts';
import { sealSecret as sealAlarmSecret, secretRows } from './alarms/settings/secrets.ts';
import { resealSecrets } from './reseal.ts';

const [oldKey, newKey] = [makeKey(systemRandom), makeKey(systemRandom)];
const secretsBy = (more: object): Secrets =>
  createSecrets({ ...readConfig({}), databaseUrl: '', ...more }, systemRandom);
const earlier = secretsBy({ secretsKey: oldKey });
const both = secretsBy({ secretsKey: newKey, oldSecretsKeys: [oldKey] });
const only = secretsBy({ secretsKey: newKey });

const actor = { accountId: null, name: 'root', address: null };
const endpointCount = 130;

let database: OpenDatabase;
let made = 0;

const deps = (secrets: Secrets) => ({
  db: database.db,
  clock: systemClock,
  // In the order of creation, also within one millisecond.
  newId: () => String((made += 1)).padStart(12, '0'),
  random: systemRandom,
  retryLocked: createLockRetry(systemClock),
  passwords: quickPasswords,
  secrets,
});

before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

const totpOf = async (name: string, kept: (id: string) => object): Promise<void> => {
  const { account } = await createAccount(deps(both), actor, { name, role: 'viewer' });
  await updateAccountRow(database.db, account.id, kept(account.id));
};

const fill = async (): Promise<void> => {
  const { db } = database;
  for (const table of [
    'webhook_endpoints',
    'operator_settings',
    'admin_accounts',
    'settings',
  ] as const) {
    await db.deleteFrom(table).execute();
  }
  await writeSetting(db, secretRows.mail, sealAlarmSecret(earlier, 'mail', 'of the mail server'));
  await totpOf('sealed', (id) => ({
    totp_secret: sealSecret(earlier, 'totp_secret', id, 'SEALED'),
    totp_pending: sealSecret(earlier, 'totp_pending', id, 'PENDING'),
  }));
  await totpOf('plain', () => ({ totp_secret: 'PLAIN' }));
  await totpOf('none', () => ({ totp_secret: null }));
  const row = { operator_id: 3, connector: 'http' };
  const sealed = sealSettings(earlier, row, { token: 'of the operator' }) ?? assert.fail();
  await saveSettings(db, { ...row, chosen_over: null, sealed, version: 'v', changed_at: 1 });
  await saveSettings(db, {
    ...row,
    chosen_over: null,
    operator_id: 4,
    sealed: '',
    version: 'w',
    changed_at: 1,
  });
  const { id: clientId } = await createClient(deps(both), { name: 'A' });
  for (let count = 0; count < endpointCount; count += 1) {
    const id = `e-${String(count).padStart(4, '0')}`;
    await insertEndpoint(db, {
      id,
      client_id: clientId,
      url: 'https://shop.example/',
      description: '',
      events: '[]',
      balance_below: null,
      status: 'active',
      disabled_by: null,
      by_gateway: 0,
      secret: count % 2 === 0 ? keepWebhookSecret(earlier, id, `whsec_${id}`) : `whsec_${id}`,
      old_secret: null,
      old_secret_until: null,
      created_at: 1,
      deleted_at: null,
    });
  }
};

/** All stored texts, by their location. */
const kept = async (): Promise<Map<string, string>> => {
  const { db } = database;
  const found = new Map<string, string>();
  const add = (place: string, text: string | null): void => {
    if (text !== null && text !== '') found.set(place, text);
  };
  for (const { id, totp_secret, totp_pending } of await db
    .selectFrom('admin_accounts')
    .select(['id', 'totp_secret', 'totp_pending'])
    .execute()) {
    add(`admin_accounts totp_secret ${id}`, totp_secret);
    add(`admin_accounts totp_pending ${id}`, totp_pending);
  }
  for (const { operator_id, connector, sealed } of await db
    .selectFrom('operator_settings')
    .select(['operator_id', 'connector', 'sealed'])
    .execute()) {
    add(`operator_settings sealed ${operator_id} ${connector}`, sealed);
  }
  for (const { id, secret } of await db
    .selectFrom('webhook_endpoints')
    .select(['id', 'secret'])
    .execute()) {
    add(`webhook_endpoints secret ${id}`, secret);
  }
  for (const { name, value } of await db.selectFrom('settings').selectAll().execute()) {
    add(`settings value ${name}`, value);
  }
  return found;
};

const openedBy = async (secrets: Secrets): Promise<string[]> =>
  [...(await kept())].map(([place, text]) => {
    const opened = secrets.open(text, place);
    return opened.kind === 'open' ? opened.text : assert.fail(`${place}: ${opened.why}`);
  });

const lines = async (): Promise<unknown[]> => {
  const rows = await database.db
    .selectFrom('admin_audit')
    .select('after_it')
    .where('action', '=', 'secrets reseal')
    .orderBy('id')
    .execute();
  return rows.map(({ after_it }): unknown => JSON.parse(after_it));
};

describe('Sealing everything under a new key', () => {
  beforeEach(fill);

  test('leaves nothing that needs the old key, reports what it did, and audits it', async () => {
    const written = (await lines()).length;
    const done = await resealSecrets(deps(both), actor);
    assert.deepEqual(done, [
      { kind: 'second_factors', resealed: 3, fresh: 0, unreadable: [] },
      { kind: 'operator_settings', resealed: 1, fresh: 0, unreadable: [] },
      { kind: 'webhook_secrets', resealed: endpointCount, fresh: 0, unreadable: [] },
      { kind: 'alarm_secrets', resealed: 1, fresh: 0, unreadable: [] },
    ]);
    const texts = await openedBy(only);
    assert.equal(texts.length, 3 + 1 + endpointCount + 1);
    for (const text of [
      'SEALED',
      'PENDING',
      'PLAIN',
      '{"token":"of the operator"}',
      'of the mail server',
    ]) {
      assert.ok(texts.includes(text), text);
    }
    assert.deepEqual((await lines()).slice(written), [
      { second_factors: 3 },
      { operator_settings: 1 },
      { webhook_secrets: 100 },
      { webhook_secrets: 30 },
      { alarm_secrets: 1 },
    ]);
  });

  test('is idempotent: a second run changes and writes nothing', async () => {
    await resealSecrets(deps(both), actor);
    const [texts, written] = [await kept(), await lines()];
    const again = await resealSecrets(deps(both), actor);
    assert.deepEqual(
      again.map(({ resealed, fresh }) => [resealed, fresh]),
      [
        [0, 3],
        [0, 1],
        [0, endpointCount],
        [0, 1],
      ],
    );
    assert.deepEqual([await kept(), await lines()], [texts, written]);
  });

  test('can be interrupted anywhere, and continues from there', async () => {
    let left = 110;
    const breaking: Secrets = {
      ...both,
      seal: (text, about) => {
        left -= 1;
        if (left < 0) throw new Error('broken off');
        return both.seal(text, about);
      },
    };
    await assert.rejects(resealSecrets(deps(breaking), actor), /broken off/);
    // With both keys, everything stays readable, and an unfinished page is unchanged.
    const half = [...(await kept()).values()].filter((text) => both.isCurrent(text)).length;
    assert.equal(half, 104);
    await resealSecrets(deps(both), actor);
    assert.equal((await openedBy(only)).length, 5 + endpointCount);
  });

  test('leaves alone what changes while it runs', async () => {
    const { secrets: page } = await webhookSecrets(database.db, '');
    const [one = assert.fail()] = page;
    const changed = 'whsec_another';
    await database.db
      .updateTable('webhook_endpoints')
      .set({ secret: changed })
      .where('id', '=', 'e-0000')
      .execute();
    assert.equal(await one.replace(database.db, 'v1.a.b.c'), false);
    await resealSecrets(deps(both), actor);
    assert.ok((await openedBy(only)).includes(changed));
  });

  test('names what no key opens, seals the rest, and needs a key', async () => {
    const done = await resealSecrets(deps(only), actor);
    assert.deepEqual(
      done.map(({ resealed, unreadable }) => [resealed, unreadable.length]),
      [
        [1, 2],
        [0, 1],
        [endpointCount / 2, endpointCount / 2],
        [0, 1],
      ],
    );
    assert.match(done[0]?.unreadable[0]?.name ?? '', /^second factor of sealed$/);
    assert.match(done[0]?.unreadable[0]?.why ?? '', /is not here$/);
    await assert.rejects(resealSecrets(deps(secretsBy({})), actor), {
      code: 'SECRETS_KEY_MISSING',
    });
  });
});
