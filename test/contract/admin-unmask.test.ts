/** Tests that an account sees a limited count of whole numbers across all instances, and that reaching it is reported. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import { type BackOffice, backOffice, type Cookie } from '../support/admin.ts';
import { at, listOf } from '../support/answers.ts';
import { testEngine } from '../support/database.ts';
import {
  type Answer,
  request,
  type StartedServer,
  startBeside,
  startServer,
} from '../support/server.ts';
import { aPackage, buy, catalogue, operatorThat, served, untilRecorded } from './buying.ts';

const { admin, metrics } = readConfig({});
const options = {
  products: catalogue,
  ...served(operatorThat(), {
    admin: { ...admin, unmaskPerHour: 3, unmaskPerDay: 4 },
    metrics: { ...metrics, token: 'a-token-for-the-metrics' },
  }),
};
const why = { reason: 'the subscriber called' };
const hourMs = 3_600_000;

let server: StartedServer;
let office: BackOffice;
let support: Cookie;
let id: string;

before(async () => {
  server = await startServer(options);
  office = await backOffice(server);
  support = await office.enter('support');
  id = await untilRecorded(server, await buy(server, aPackage));
});
after(() => server.stop());

const show = (cookie = support): Promise<Answer> =>
  office.send('POST', `purchases/${id}/number`, cookie, why);

const codesOf = (answers: readonly Answer[]): unknown[] =>
  answers
    .map(({ status, body }) => (status === 200 ? 200 : at(body, 'code')))
    .sort((one, other) => String(one).localeCompare(String(other)));

const audited = async (action: string): Promise<readonly unknown[]> => {
  const owner = await office.enter('owner');
  const { body } = await office.send('GET', `audit?action=${encodeURIComponent(action)}`, owner);
  return listOf(at(body, 'data'));
};

/** As if everything had been done this long ago. */
const pass = async (ms: number): Promise<void> => {
  await server.deps.db
    .updateTable('admin_unmaskings')
    .set((row) => ({ at: row('at', '-', ms) }))
    .execute();
};

const alarms = (): string[] =>
  server.logged.filter((line) => line.includes('reached its limit of shown numbers'));

describe('The limit of numbers shown to an account', () => {
  test('applies to concurrent requests, has a clear error, and is logged and counted', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => show()));
    const refused = Array.from({ length: 5 }, () => 'UNMASK_LIMIT_REACHED');
    assert.deepEqual(codesOf(answers), [200, 200, 200, ...refused]);
    const no = answers.find(({ status }) => status === 429) ?? assert.fail();
    const seconds = Number(no.headers.get('retry-after'));
    assert.ok(seconds > 3500 && seconds <= 3600, String(seconds));
    assert.ok(!no.text.includes('9123456700'), no.text);
    assert.equal((await audited('purchase unmask')).length, 3);
    const [line, ...more] = await audited('purchase unmask limit');
    assert.deepEqual([at(line, 'actor'), at(line, 'after')], ['the-support', { per_hour: 3 }]);
    assert.deepEqual(more, [], 'once an hour is enough');
    assert.equal(alarms().length, 1);
    assert.ok(alarms()[0]?.includes(office.account('support').id));
    const figures = (await server.meter.read?.()) ?? '';
    assert.match(figures, /^simgate_admin_unmaskings_total\{outcome="shown"\} 3$/m);
    assert.match(figures, /^simgate_admin_unmaskings_total\{outcome="refused"\} 5$/m);
  });

  test('counts per account, across its sessions', async () => {
    assert.equal((await show(await office.enter('manager'))).status, 200);
    assert.equal(
      at((await show(await office.enter('support'))).body, 'code'),
      'UNMASK_LIMIT_REACHED',
    );
  });

  test('is counted in the database, for all instances together', {
    skip: testEngine === 'sqlite',
  }, async () => {
    const beside = await startBeside(server, options);
    try {
      const answer = await request(beside, `/admin/api/purchases/${id}/number`, {
        token: null,
        json: why,
        headers: { ...support, 'sec-fetch-site': 'same-origin' },
      });
      assert.equal(at(answer.body, 'code'), 'UNMASK_LIMIT_REACHED');
    } finally {
      await beside.stop();
    }
  });

  test('passes with the hour, until the daily one is reached', async () => {
    await pass(hourMs);
    assert.equal((await show()).status, 200);
    const no = await show();
    assert.equal(at(no.body, 'code'), 'UNMASK_LIMIT_REACHED');
    assert.ok(Number(no.headers.get('retry-after')) > 22 * 3600);
    const [line] = await audited('purchase unmask limit');
    assert.deepEqual(at(line, 'after'), { per_day: 4 });
    await pass(24 * hourMs);
    assert.equal((await show()).status, 200);
    const rows = await server.deps.db
      .selectFrom('admin_unmaskings')
      .select('id')
      .where('account_id', '=', office.account('support').id)
      .execute();
    assert.equal(rows.length, 1, 'what counts no longer is not kept');
  });

  test('ignores requests that are refused for another reason', async () => {
    const viewer = await office.enter('viewer');
    assert.equal((await show(viewer)).status, 403);
    const unknown = await office.send('POST', 'purchases/missing/number', support, why);
    assert.equal(unknown.status, 404);
    const silent = await office.send('POST', `purchases/${id}/number`, support, { reason: '  ' });
    assert.equal(silent.status, 422);
    const rows = await server.deps.db.selectFrom('admin_unmaskings').select('account_id').execute();
    assert.ok(!rows.some((row) => row.account_id === office.account('viewer').id));
  });
});
