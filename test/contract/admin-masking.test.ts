/** Tests who sees whole numbers and secrets in texts written by others, wherever such a text is shown. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { maskFor } from '../../src/admin/mask.ts';
import { auditToWire } from '../../src/admin/wire.ts';
import { readConfig } from '../../src/config/config.ts';
import { describeSettings } from '../../src/config/origins.ts';
import { maskConfig } from '../../src/operators/masked-config.ts';
import { type Ask, enterOffice } from '../support/admin.ts';
import { at, listOf } from '../support/answers.ts';
import { addClient, request, startServer, type TestServer } from '../support/server.ts';
import { makeEndpoint } from '../support/webhooks.ts';
import { aPackage, buy, catalogue, operatorThat, served, untilRecorded } from './buying.ts';

let server: TestServer;
let client: TestServer['client'];
const office = new Map<'viewer' | 'support' | 'manager', Ask>();

const as = (role: 'viewer' | 'support' | 'manager'): Ask => office.get(role) ?? assert.fail(role);

before(async () => {
  server = await startServer({ products: catalogue, ...served(operatorThat()) });
  for (const role of ['viewer', 'support', 'manager'] as const) {
    office.set(role, await enterOffice(server, role));
  }
  client = await addClient(server, { balance: 1_000_000 });
});
after(() => server.stop());

/** A subscriber's number in the digits of other scripts, as people paste it. */
const inDigits = (text: string, zero: number): string =>
  text.replace(/[0-9]/g, (digit) => String.fromCodePoint(zero + Number(digit)));

const other = '0912 765 43 21';
const otherMasked = '0*** *** 43 21';
const evidence = 'transfer 1405-07-13 12:30, 1,250,000 from IR820540102680020817909002';
const reason = `twice for ${other}; ${evidence}`;
const reasonMasked = `twice for ${otherMasked}; ${evidence}`;

describe('The reason of a correction and the note of a deposit', () => {
  before(async () => {
    const money = { amount: 700, key: randomUUID() };
    const corrected = await as('manager')('POST', `clients/${client.id}/corrections`, {
      ...money,
      reason,
    });
    assert.equal(corrected.status, 201, corrected.text);
    const deposited = await as('manager')('POST', `clients/${client.id}/deposits`, {
      ...money,
      key: randomUUID(),
      note: `for ${inDigits('989127654321', 0xff10)}`,
    });
    assert.equal(deposited.status, 201, deposited.text);
  });

  const notesFor = async (role: 'viewer' | 'support'): Promise<unknown[]> => {
    const { body } = await as(role)('GET', `clients/${client.id}/statement`);
    return listOf(at(body, 'data')).map((one) => at(one, 'note'));
  };

  test('are masked in the statement for roles without the right to numbers, and complete for others', async () => {
    const masked = `for ${inDigits('98', 0xff10)}******${inDigits('4321', 0xff10)}`;
    assert.deepEqual((await notesFor('viewer')).slice(0, 2), [masked, reasonMasked]);
    const whole = `for ${inDigits('989127654321', 0xff10)}`;
    assert.deepEqual((await notesFor('support')).slice(0, 2), [whole, reason]);
  });

  test('are masked in its file the same way', async () => {
    const path = `clients/${client.id}/statement.csv`;
    const seen = (await as('viewer')('GET', path)).text;
    assert.ok(seen.includes(reasonMasked) && !seen.includes(other), seen);
    assert.ok((await as('support')('GET', path)).text.includes(reason));
  });

  test('are complete for their own client, in pages and as a file', async () => {
    const { token } = client;
    const pages = await request(server, '/api/statement', { token });
    assert.ok(pages.text.includes(other));
    assert.ok((await request(server, '/api/statement?format=csv', { token })).text.includes(other));
  });

  test('are stored complete in the audit log, which is masked for a role without the right', async () => {
    const { body } = await as('manager')('GET', `audit?subject=${client.id}`);
    const entry = listOf(at(body, 'data')).find((one) => at(one, 'action') === 'client correct');
    assert.equal(at(entry, 'after', 'reason'), reason);
    const row = await server.deps.db
      .selectFrom('admin_audit')
      .selectAll()
      .where('action', '=', 'client correct')
      .executeTakeFirstOrThrow();
    const shown = auditToWire(row, maskFor('viewer', readConfig({}).mobile));
    assert.equal(shown.after['reason'], reasonMasked);
    assert.equal((await as('viewer')('GET', 'audit')).status, 403);
  });
});

describe('A number in what a client or a person wrote of a purchase', () => {
  const own = '989121234500';
  const code = `${inDigits('09121234500', 0xff10)} / ${other}`;
  const masked = `${inDigits('0', 0xff10)}******${inDigits('4500', 0xff10)} / `;
  let id: string;

  before(async () => {
    const fields = { ...aPackage, mobile: own, webservice_code: code };
    id = await untilRecorded(server, await buy(server, fields, { token: client.token }));
  });

  /** All places that show a purchase. */
  const shownTo = async (role: 'viewer' | 'support'): Promise<string[]> => {
    const filter = { client_id: client.id };
    const answers = [
      await as(role)('POST', 'purchases/search', filter),
      await as(role)('POST', 'purchases/export', filter),
      await as(role)('GET', `purchases/${id}`),
    ];
    return answers.map(({ text }) => text);
  };

  test('is masked for roles without the right: its own and others, in digits of any script', async () => {
    for (const text of await shownTo('viewer')) {
      assert.ok(text.includes(`${masked}${otherMasked}`), text);
      assert.ok(!text.includes(other) && !text.includes(own.slice(2)), text);
    }
  });

  test('is complete for roles with the right, except its own, which is shown one by one', async () => {
    for (const text of await shownTo('support')) {
      assert.ok(text.includes(`${masked}${other}`), text);
      assert.ok(!text.includes(inDigits('9121234500', 0xff10)), text);
    }
  });

  test('is masked in the reason of an operator’s suspension', async () => {
    const suspended = await as('manager')('POST', 'operators/2/suspension', { reason });
    assert.equal(suspended.status, 200, suspended.text);
    for (const path of ['operators', 'operators/2']) {
      const seen = (await as('viewer')('GET', path)).text;
      assert.ok(seen.includes(otherMasked) && !seen.includes(other), seen);
      assert.ok((await as('support')('GET', path)).text.includes(other));
    }
    assert.equal((await as('manager')('DELETE', 'operators/2/suspension')).status, 200);
  });
});

describe('A secret in the address of a webhook', () => {
  const url = 'https://shop.example/hooks?token=token-1&token-2';
  const masked = 'https://shop.example/hooks?token=***&***';

  test('is visible to roles that may change endpoints and to its client only', async () => {
    const { id, token } = await addClient(server, { balance: 100_000 });
    const events = ['purchase.succeeded'] as const;
    const endpoint = await makeEndpoint(server, { token, url, events });
    const bought = await untilRecorded(server, await buy(server, aPackage, { token }));
    for (const [role, shown] of [
      ['viewer', masked],
      ['support', masked],
      ['manager', url],
    ] as const) {
      const listed = await as(role)('GET', `clients/${id}/webhooks`);
      assert.equal(at(listed.body, 'data', 0, 'url'), shown, role);
      const { body } = await as(role)('GET', `purchases/${bought}`);
      assert.equal(at(body, 'messages', 0, 'endpoint_url'), shown, role);
    }
    const own = await request(server, `/api/webhooks/${endpoint.id}`, { token });
    assert.equal(at(own.body, 'url'), url);
    const path = `clients/${id}/webhooks/${endpoint.id}`;
    const off = await as('manager')('PATCH', path, { status: 'disabled' });
    assert.equal(at(off.body, 'url'), url);
    const { text } = await as('manager')('GET', `audit?subject=${id}`);
    assert.ok(text.includes(masked) && !/token-[12]/.test(text), text);
    assert.ok(!/token-[12]/.test(server.logged.join('\n')));
  });
});

test('the configuration shows the database address without its password', () => {
  for (const address of [
    'postgres://db.example/gate?user=gate&password=secret-1',
    'postgres://gate:secret-1@db.example/gate?sslpassword=secret-1',
    'postgres://db.example:5432/gate?password=p@secret-1',
  ]) {
    const shown = maskConfig(readConfig({ DATABASE_URL: address }), {
      connectors: [],
      operators: [],
      suppliers: [],
    });
    const settings = describeSettings(shown, new Map());
    for (const one of [shown, settings]) {
      const text = JSON.stringify(one);
      assert.ok(text.includes('db.example') && !text.includes('secret-1'), text);
    }
  }
});
