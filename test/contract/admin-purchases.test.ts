/** Tests purchases in the back office: search, masked details, inquiry, decision, and showing a number. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { createAccount } from '../../src/admin/access/accounts.ts';
import type { Role } from '../../src/admin/access/roles.ts';
import { openSession } from '../../src/admin/access/sign-in.ts';
import type { OrderOutcome, StatusOutcome } from '../../src/connector/connector.ts';
import { createLockRetry } from '../../src/db/lock-retry.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { at, keysOf, listOf } from '../support/answers.ts';
import { quickPasswords } from '../support/passwords.ts';
import {
  type Answer,
  addClient,
  request,
  startServer,
  type TestServer,
} from '../support/server.ts';
import { makeEndpoint } from '../support/webhooks.ts';
import {
  aPackage,
  buy,
  catalogue,
  type Fields,
  moneyOf,
  newKey,
  operatorThat,
  purchaseDefaults,
  served,
  untilRecorded,
} from './buying.ts';

const lost: OrderOutcome = { kind: 'unknown', detail: 'no answer' };
let order: () => Promise<OrderOutcome>;
let status: StatusOutcome;
// No automatic inquiries, and after three inquiries it needs review.
const inquiries = { firstInquiryMs: 600_000, widestInquiryMs: 600_000, reviewAfterMs: 1 };
const operator = operatorThat(
  { buy: () => order(), status: async () => status },
  { settlesWithin: 1, inquiries },
);

let server: TestServer;
let client: TestServer['client'];
const sessions = new Map<Role, string>();

before(async () => {
  const purchases = { ...purchaseDefaults, pendingAfterMs: 20 };
  server = await startServer({ products: catalogue, ...served(operator, { purchases }) });
  const limits = { idleMs: 1_800_000, absoluteMs: 43_200_000 };
  const deps = {
    ...server.deps,
    limits,
    passwords: quickPasswords,
    retryLocked: createLockRetry(systemClock),
  };
  const command = { accountId: null, name: 'root', address: null };
  const visitor = { address: '127.0.0.1', agent: 'a test', token: undefined };
  for (const role of ['viewer', 'support', 'manager'] as const) {
    const { account } = await createAccount(deps, command, { name: `the-${role}`, role });
    const { token } = await server.deps.db
      .transaction()
      .execute((db) => openSession(db, deps, account, { visitor, stage: 'full' }));
    sessions.set(role, token);
  }
});
after(() => server.stop());

const ask = (path: string, role: Role = 'viewer', json?: unknown): Promise<Answer> =>
  request(server, `/admin/api/${path}`, {
    token: null,
    headers: {
      cookie: `simgate-admin=${sessions.get(role)}`,
      'sec-fetch-site': 'same-origin',
    },
    ...(json === undefined ? {} : { json }),
  });

/** The search, as a query string. */
const bodyOf = (query: string): unknown => Object.fromEntries(new URLSearchParams(query));
const find = (query: string, role: Role = 'support'): Promise<Answer> =>
  ask('purchases/search', role, bodyOf(query));
const fileOf = (query: string, role: Role = 'support'): Promise<Answer> =>
  ask('purchases/export', role, bodyOf(query));

const sumOf = (query: string, role: Role = 'support'): Promise<Answer> =>
  ask('purchases/totals', role, bodyOf(query));

const buyFor = (number: string, more: Fields = {}, key = newKey()): Promise<Answer> =>
  buy(server, { ...aPackage, mobile: number, ...more }, { token: client.token, key });

/** Buys for a number, and returns the purchase's id. */
const bought = async (...wish: Parameters<typeof buyFor>): Promise<string> =>
  untilRecorded(server, await buyFor(...wish));

/** One whose order is sent and times out. */
const unanswered = async (number: string): Promise<string> => {
  order = async () => lost;
  return bought(number);
};

const idsIn = ({ body }: Answer): unknown[] => listOf(at(body, 'data')).map((one) => at(one, 'id'));

const why = { reason: 'the subscriber called' };

const auditOf = async (subject: string): Promise<readonly unknown[]> =>
  listOf(at((await ask(`audit?subject=${subject}`, 'manager')).body, 'data'));

describe('Purchases in the back office', () => {
  beforeEach(async () => {
    order = async () => ({ kind: 'done', ref: 'receipt' });
    status = { kind: 'pending' };
    client = await addClient(server, { name: 'A shop', balance: 1_000_000 });
  });

  describe('A search', () => {
    test('finds a purchase by any of its identifiers', async () => {
      const number = '989120000100';
      const key = newKey();
      const id = await bought(number, { webservice_code: 'ticket 77' }, key);
      const other = await bought('989120000102');
      const asked = [
        `q=${id}`,
        `q=${key}`,
        'q=ticket%2077',
        'q=09120000100',
        `id=${id}`,
        `key=${key}`,
        'code=ticket%2077',
        `number=${number}`,
        'number=%2B98%20912%20000%200100',
        'number=0098-912-000-0100',
        'number=9120000100',
        'number=۹۸۹۱۲۰۰۰۰۱۰۰',
        `number=${number}&client_id=${client.id}&state=succeeded&from=2020-01-01&to=2999-01-01`,
      ];
      for (const query of asked) {
        const answer = await find(query);
        assert.deepEqual(idsIn(answer), [id], `${query}: ${answer.text}`);
        assert.equal(at(answer.body, 'next'), null);
      }
      for (const query of [
        `number=${number}&state=failed`,
        `number=${number}&to=2020-01-01`,
        'q=x',
      ]) {
        assert.deepEqual(idsIn(await find(query)), [], query);
      }
      const own = `client_id=${client.id}&limit=1`;
      const first = await find(own);
      assert.deepEqual([idsIn(first), at(first.body, 'next')], [[other], other]);
      const second = await find(`${own}&before=${other}`);
      assert.deepEqual([idsIn(second), at(second.body, 'next')], [[id], null]);
      const [row] = listOf(at(second.body, 'data'));
      const [beganAt, settledAt] = [at(row, 'began_at'), at(row, 'settled_at')];
      assert.match(
        `${String(beganAt)} ${String(settledAt)}`,
        /^\d{4}-.*\.\d{6}Z \d{4}-.*\.\d{6}Z$/,
      );
      assert.deepEqual(row, {
        id,
        began_at: beganAt,
        settled_at: settledAt,
        state: 'succeeded',
        client: { id: client.id, name: 'A shop', test: false },
        product: { id: aPackage['product_id'], name: catalogue[2]?.name, name_en: null },
        operator_id: 1,
        mobile: '98******0100',
        amount: 10_000,
        charged_amount: 10_000,
        webservice_code: 'ticket 77',
        idempotency_key: key,
        reason: null,
        disputed: null,
        answer_status: 200,
      });
    });

    test('finds by operator, product, type, reason and amount, and adds up what it finds', async () => {
      const own = `client_id=${client.id}`;
      const sold = await bought('989120000110');
      order = async () => ({
        kind: 'refused',
        code: 'declined',
        blame: 'subscriber',
        reason: 'no',
      });
      const failed = await bought('989120000112');
      const product = aPackage['product_id'];
      const both = [
        'operator_id=1',
        `product_id=${String(product)}`,
        'type=cell_internet',
        'min_amount=10000',
      ];
      for (const query of [...both, 'max_amount=10000', 'min_amount=1&max_amount=10000']) {
        assert.deepEqual(idsIn(await find(`${own}&${query}`)), [failed, sold], query);
        const oldest = await find(`${own}&${query}&order=oldest`);
        assert.deepEqual(idsIn(oldest), [sold, failed], query);
        const { body } = await sumOf(`${own}&${query}`, 'viewer');
        assert.deepEqual(body, { count: 2, amount: 20_000, complete: true });
      }
      const declined = `${own}&reason=OPERATOR_DECLINED`;
      assert.deepEqual(idsIn(await find(declined)), [failed]);
      const file = (await fileOf(declined, 'viewer')).text.trimEnd().split('\r\n');
      assert.deepEqual([file.length, file[1]?.split(',')[0]], [2, failed]);
      for (const query of [
        'operator_id=2',
        'product_id=1',
        'type=cell_direct_charge',
        'reason=NOT_DELIVERED',
        'min_amount=10001',
        'max_amount=9999',
        'disputed=1',
      ]) {
        assert.deepEqual(idsIn(await find(`${own}&${query}`)), [], query);
        const { body } = await sumOf(`${own}&${query}`, 'viewer');
        assert.deepEqual(body, { count: 0, amount: 0, complete: true }, query);
      }
      await server.deps.db
        .updateTable('purchases')
        .set({ disputed: 'late_delivered', disputed_values: '{}' })
        .where('id', '=', failed)
        .execute();
      assert.deepEqual(idsIn(await find(`${own}&disputed=1`)), [failed]);
      const first = await find(`${own}&order=oldest&limit=1`);
      assert.deepEqual([idsIn(first), at(first.body, 'next')], [[sold], sold]);
      const second = await find(`${own}&order=oldest&limit=1&before=${sold}`);
      assert.deepEqual([idsIn(second), at(second.body, 'next')], [[failed], null]);
    });

    test('reports what is wrong with it', async () => {
      for (const query of [
        'number=12',
        'limit=0',
        'limit=101',
        'state=lost',
        'from=yesterday',
        'operator_id=one',
        'product_id=0',
        'type=sms',
        'min_amount=-1',
        'max_amount=much',
        'order=random',
      ]) {
        const answer = await find(query);
        assert.equal(answer.status, 422, answer.text);
        assert.deepEqual(keysOf(at(answer.body, 'errors')), [query.split('=')[0]]);
      }
    });
  });

  describe('The count of a client’s purchases without a sale', () => {
    test('has the failed and the refused ones of the period, and no others', async () => {
      const path = `clients/${client.id}/outcomes`;
      assert.deepEqual((await ask(path)).body, { failed: 0, refused: 0 });
      await bought('989120000110');
      await bought('989120000111', { price: '1' });
      await bought('989120000112', { price: '2' });
      order = async () => ({
        kind: 'refused',
        code: 'declined',
        blame: 'subscriber',
        reason: 'no',
      });
      await bought('989120000113');
      assert.deepEqual((await ask(`${path}?to=2999-01-01`)).body, { failed: 1, refused: 2 });
      const past = await ask(`${path}?from=2020-01-01&to=2020-02-01`);
      assert.deepEqual(past.body, { failed: 0, refused: 0 });
      assert.equal((await ask(`${path}?from=soon`)).status, 422);
    });
  });

  describe('A number', () => {
    const number = '989120000150';
    const forms = [
      number,
      '0912 000 0150',
      '۰۹۱۲-۰۰۰-۰۱۵۰',
      '+98 (912) 000-01-50',
      '00989120000150',
    ];
    const searches = async (): Promise<readonly unknown[]> =>
      (await auditOf('purchases')).filter((one) => at(one, 'action') === 'purchase search');

    test('is not searched without the right to numbers, whether it exists or not', async () => {
      await bought(number, { webservice_code: number }, `key-of-${number}`);
      for (const sent of [...forms, '989129999999']) {
        for (const name of ['number', 'q']) {
          for (const look of [find, fileOf, sumOf]) {
            const query = new URLSearchParams({ [name]: sent }).toString();
            const answer = await look(query, 'viewer');
            const told = [answer.status, at(answer.body, 'code')];
            assert.deepEqual(told, [403, 'NUMBER_SEARCH_REFUSED'], `${name}: ${sent}`);
          }
        }
      }
      assert.equal((await find('number=12', 'viewer')).status, 403, 'not even its format');
      // A text with a number is shown masked, and is not found by guessing either.
      for (const [name, guess] of [
        ['code', number],
        ['key', `key-of-${number}`],
        ['q', `key-of-${number}`],
      ] as const) {
        const query = new URLSearchParams({ [name]: guess }).toString();
        assert.deepEqual(idsIn(await find(query, 'viewer')), [], name);
        assert.equal(idsIn(await find(query)).length, 1, name);
        assert.equal((await fileOf(query, 'viewer')).text.trimEnd().split('\r\n').length, 1);
      }
    });

    test('that is searched is in the audit log, masked, and once per search', async () => {
      const before = (await searches()).length;
      for (const sent of ['989120000152', '09120000152']) {
        assert.equal((await find(`number=${sent}`)).status, 200);
        assert.equal((await find(`q=${sent}`)).status, 200);
      }
      assert.equal((await sumOf('number=989120000152')).status, 200);
      await find('q=no-number-at-all');
      const [line, ...others] = await searches();
      assert.equal(others.length, before);
      assert.deepEqual(
        [at(line, 'actor'), at(line, 'after'), at(line, 'before')],
        ['the-support', { number: '98******0152' }, {}],
      );
      await find('number=989120000152', 'manager');
      assert.equal((await searches()).length, before + 2);
      await sumOf('number=989120000153', 'manager');
      assert.equal((await searches()).length, before + 3, 'totals say whether it exists');
    });

    test('is in no address and no line of the log', async () => {
      await find(`number=${number}`);
      await fileOf(`number=${number}`);
      for (const way of ['purchases', 'purchases.csv']) {
        const answer = await ask(`${way}?number=${number}`, 'support');
        assert.equal(answer.status, 404, 'that route no longer exists');
      }
      assert.ok(!server.logged.some((line) => line.includes(number.slice(2))));
    });
  });

  describe('One purchase', () => {
    test('is shown in full detail', async () => {
      const { id: endpoint } = await makeEndpoint(server, {
        token: client.token,
        events: ['purchase.succeeded', 'purchase.pending'],
      });
      const id = await unanswered('989120000200');
      status = { kind: 'done', ref: 'the receipt' };
      await ask(`purchases/${id}/inquire`, 'support', why);
      const { body } = await ask(`purchases/${id}`);
      assert.deepEqual(
        listOf(at(body, 'timeline')).map((one) => [at(one, 'kind'), at(one, 'fact')]),
        [
          ['held and submitted', { code: 'attempt', values: { attempt: 1 } }],
          ['order', { code: 'text', values: { text: 'no answer' } }],
          ['inquiry', { code: 'answered_delivered', values: {} }],
          ['succeeded', null],
        ],
      );
      assert.deepEqual(
        listOf(at(body, 'postings')).map((one) => [at(one, 'kind'), at(one, 'amount')]),
        [
          ['hold', 10_000],
          ['capture', 10_000],
        ],
      );
      assert.deepEqual(
        listOf(at(body, 'messages')).map((one) => [at(one, 'type'), at(one, 'endpoint_id')]),
        [
          ['purchase.pending', endpoint],
          ['purchase.succeeded', endpoint],
        ],
      );
      assert.equal(at(body, 'operator_ref'), 'the receipt');
      assert.deepEqual([at(body, 'attempts'), at(body, 'inquiries')], [1, 0]);
      assert.deepEqual(at(body, 'may'), { inquire: false, resolve: false });
      assert.equal((await ask('purchases/unknown')).status, 404);
    });

    test('lists the actions that the viewer may take', async () => {
      const id = await unanswered('989120000204');
      const mayOf = async (role: Role) => at((await ask(`purchases/${id}`, role)).body, 'may');
      assert.deepEqual(await mayOf('viewer'), { inquire: false, resolve: false });
      assert.deepEqual(await mayOf('support'), { inquire: true, resolve: false });
    });

    test('hides its number everywhere, wherever that was written', async () => {
      const number = '989120000206';
      order = async () => ({
        kind: 'refused',
        code: 'declined',
        blame: 'subscriber',
        reason: 'no 09120000206 here',
      });
      const id = await bought(number, { webservice_code: `for ${number}` }, `k-${number}`);
      const answers = [
        await ask(`purchases/${id}`, 'manager'),
        await find(`number=${number}`, 'manager'),
        await find(`q=${number}`),
        await find(`client_id=${client.id}`, 'viewer'),
        await fileOf(`number=${number}`),
      ];
      const [shown] = answers;
      assert.match(String(at(shown?.body, 'answer', 'body')), /no 0\*+0206 here/);
      for (const answer of answers) {
        assert.equal(answer.status, 200);
        assert.ok(answer.text.includes(id), answer.text);
        assert.ok(!answer.text.includes(number.slice(2)), answer.text);
      }
      assert.ok(!JSON.stringify(await auditOf('purchases')).includes(number.slice(2)));
    });
  });

  describe('Asking the operator now', () => {
    const inquire = (id: string) => ask(`purchases/${id}/inquire`, 'support', why);

    test('settles the answer, under its terms, and is audited', async () => {
      const id = await unanswered('989120000300');
      status = { kind: 'not_found' };
      const early = await inquire(id);
      assert.equal(at(early.body, 'outcome'), 'not_found', early.text);
      // Its order may still appear: nothing is released before the quiet time.
      assert.equal(at(early.body, 'purchase', 'state'), 'unknown');
      const open = `state=open&client_id=${client.id}`;
      assert.deepEqual(idsIn(await find(open)), [id]);
      assert.equal((await moneyOf(server, client.id)).held, 10_000);
      status = { kind: 'done', ref: 'r' };
      const { body } = await inquire(id);
      assert.deepEqual(
        [at(body, 'outcome'), at(body, 'words'), at(body, 'purchase', 'state')],
        ['delivered', 'The operator says that it was delivered. It is sold.', 'succeeded'],
      );
      assert.deepEqual(idsIn(await find(open)), []);
      const late = await inquire(id);
      assert.deepEqual([late.status, at(late.body, 'code')], [409, 'NOT_OPEN']);
      const lines = await auditOf(id);
      assert.deepEqual(
        lines.map((one) => [at(one, 'action'), at(one, 'actor'), at(one, 'after', 'reason')]),
        Array.from({ length: 2 }, () => ['purchase inquire', 'the-support', why.reason]),
      );
    });

    test('concurrently moves the money once', async () => {
      const id = await unanswered('989120000302');
      status = { kind: 'done', ref: 'r' };
      const answers = await Promise.all(Array.from({ length: 5 }, () => inquire(id)));
      for (const { status: code, text } of answers) assert.ok(code === 200 || code === 409, text);
      assert.ok(answers.some((answer) => answer.status === 200));
      const { available, held } = await moneyOf(server, client.id);
      assert.deepEqual({ available, held }, { available: 990_000, held: 0 });
      const { body } = await ask(`purchases/${id}`);
      assert.deepEqual([at(body, 'state'), listOf(at(body, 'postings')).length], ['succeeded', 2]);
    });

    test('leaves a purchase alone whose operator this instance lacks', async () => {
      const id = await unanswered('989120000306');
      const { db } = server.deps;
      await sql`update purchases set supplier_id = 99 where id = ${id}`.execute(db);
      const answer = await inquire(id);
      assert.deepEqual([answer.status, at(answer.body, 'code')], [409, 'OPERATOR_NOT_CONFIGURED']);
      assert.equal(at((await ask(`purchases/${id}`)).body, 'state'), 'unknown');
      assert.deepEqual(await auditOf(id), []);
      await sql`update purchases set supplier_id = 1 where id = ${id}`.execute(db);
      status = { kind: 'done', ref: 'r' };
      assert.equal((await inquire(id)).status, 200);
    });

    test('leaves an order in flight alone', async () => {
      const { promise, resolve } = Promise.withResolvers<OrderOutcome>();
      order = () => promise;
      const begun = await buyFor('989120000304');
      const id = begun.headers.get('purchase-id') ?? '';
      const answer = await inquire(id);
      assert.deepEqual([answer.status, at(answer.body, 'code')], [409, 'PURCHASE_BUSY']);
      assert.deepEqual(await auditOf(id), []);
      assert.ok(!operator.asked.status.includes(id));
      resolve({ kind: 'done', ref: 'r' });
      await untilRecorded(server, begun);
    });
  });

  describe('A decision', () => {
    /** A purchase that needs review. */
    const undecided = async (number: string): Promise<string> => {
      const id = await unanswered(number);
      status = { kind: 'pending' };
      for (let count = 0; count < 3; count += 1) {
        await ask(`purchases/${id}/inquire`, 'support', why);
      }
      assert.equal(at((await ask(`purchases/${id}`)).body, 'state'), 'review');
      return id;
    };
    const preview = (id: string, verdict: string) =>
      ask(`purchases/${id}/resolution/preview`, 'support', { verdict });
    const decide = (id: string, decision: object) =>
      ask(`purchases/${id}/resolution`, 'support', { ...why, ...decision });

    test('is previewed, and made on the preview', async () => {
      const id = await undecided('989120000400');
      const seen = await preview(id, 'succeeded');
      assert.deepEqual(keysOf(seen.body), ['evidence', 'contradicted', 'money', 'version']);
      assert.equal(at(seen.body, 'contradicted'), false);
      assert.equal(at(seen.body, 'evidence', 0, 'fact', 'code'), 'now_pending');
      assert.equal((await moneyOf(server, client.id)).held, 10_000, 'nothing was changed');
      const version = at(seen.body, 'version');
      const old = await decide(id, { verdict: 'succeeded', version: '1-1' });
      assert.deepEqual([old.status, at(old.body, 'code')], [409, 'PURCHASE_CHANGED']);
      const done = await decide(id, { verdict: 'succeeded', version });
      assert.equal(done.status, 200, done.text);
      assert.deepEqual(
        [at(done.body, 'forced'), at(done.body, 'purchase', 'state'), at(done.body, 'money')],
        [false, 'succeeded', at(seen.body, 'money')],
      );
      const [decision] = listOf(at(done.body, 'purchase', 'decisions'));
      assert.deepEqual(
        [at(decision, 'by'), at(decision, 'reason'), at(decision, 'after', 'decided')],
        ['the-support', why.reason, 'succeeded'],
      );
      const [line] = await auditOf(id);
      assert.deepEqual(
        [at(line, 'action'), at(line, 'before', 'state'), at(line, 'after', 'state')],
        ['purchase resolve', 'review', 'succeeded'],
      );
      const again = await decide(id, { verdict: 'failed', version });
      assert.deepEqual([again.status, at(again.body, 'code')], [409, 'NOT_UNDECIDED']);
      assert.deepEqual(await moneyOf(server, client.id), { available: 990_000, held: 0 });
    });

    test('against the evidence is refused, unless it is forced', async () => {
      const id = await undecided('989120000402');
      status = { kind: 'done', ref: 'r' };
      const { body } = await preview(id, 'failed');
      assert.equal(at(body, 'contradicted'), true);
      const version = at(body, 'version');
      const refused = await decide(id, { verdict: 'failed', version });
      assert.deepEqual([refused.status, at(refused.body, 'code')], [409, 'EVIDENCE_AGAINST']);
      assert.match(String(at(refused.body, 'message')), /says: delivered/);
      assert.equal((await moneyOf(server, client.id)).held, 10_000);
      const forced = await decide(id, { verdict: 'failed', version, force: true });
      assert.deepEqual([forced.status, at(forced.body, 'forced')], [200, true], forced.text);
      assert.deepEqual(await moneyOf(server, client.id), { available: 1_000_000, held: 0 });
    });

    test('against an operator’s words about the subscriber reveals no number', async () => {
      const number = '989120000403';
      const id = await undecided(number);
      status = {
        kind: 'refused',
        code: 'declined',
        blame: 'subscriber',
        reason: `subscriber ${number} is barred`,
      };
      const { body } = await preview(id, 'succeeded');
      const version = at(body, 'version');
      const refused = await decide(id, { verdict: 'succeeded', version });
      assert.deepEqual([refused.status, at(refused.body, 'code')], [409, 'EVIDENCE_AGAINST']);
      assert.match(refused.text, /is barred/);
      assert.ok(!refused.text.includes(number));
      const forced = await decide(id, { verdict: 'failed', version });
      assert.equal(forced.status, 200, forced.text);
    });

    test('about a contradiction in an operator’s words reveals no number, nor does the audit log', async () => {
      const number = '989120000405';
      order = async () => ({
        kind: 'refused',
        code: 'declined',
        blame: 'subscriber',
        reason: 'no',
      });
      const id = await bought(number);
      const reason = '۰۹۱۲ ۰۰۰ ۰۴۰۵ has it';
      const { db } = server.deps;
      await db
        .updateTable('purchases')
        .set({ disputed: 'late_refused', disputed_values: JSON.stringify({ reason }) })
        .where('id', '=', id)
        .execute();
      const version = at((await preview(id, 'succeeded')).body, 'version');
      const done = await decide(id, { verdict: 'succeeded', version, force: true });
      assert.equal(done.status, 200, done.text);
      const seen = await ask(`purchases/${id}`);
      const masked = { code: 'late_refused', values: { reason: '۰*** *** ۰۴۰۵ has it' } };
      assert.deepEqual(at(seen.body, 'decisions', 0, 'before', 'disputed'), masked);
      const [line] = await auditOf(id);
      assert.deepEqual(at(line, 'before', 'disputed'), masked);
    });

    test('concurrently is made once', async () => {
      const id = await undecided('989120000404');
      const version = at((await preview(id, 'failed')).body, 'version');
      const answers = await Promise.all(
        ['failed', 'succeeded', 'failed', 'succeeded'].map((verdict) =>
          decide(id, { verdict, version }),
        ),
      );
      assert.equal(answers.filter((answer) => answer.status === 200).length, 1);
      for (const answer of answers) assert.ok([200, 409].includes(answer.status), answer.text);
      assert.equal((await moneyOf(server, client.id)).held, 0);
      const { body } = await ask(`purchases/${id}`);
      assert.equal(listOf(at(body, 'decisions')).length, 1);
    });
  });

  describe('The number', () => {
    test('is shown with permission and a reason, once that is audited', async () => {
      const number = '989120000500';
      const id = await bought(number);
      const told = await ask(`purchases/${id}/number`, 'support', {
        reason: `called from 0${number.slice(2)}`,
      });
      assert.deepEqual(told.body, { mobile: number });
      const [line] = await auditOf(id);
      assert.deepEqual(
        [at(line, 'action'), at(line, 'actor'), at(line, 'after')],
        [
          'purchase unmask',
          'the-support',
          { reason: 'called from 0******0500', mobile: '98******0500' },
        ],
      );
      const refused = await ask(`purchases/${id}/number`, 'viewer', why);
      assert.equal(at(refused.body, 'code'), 'RIGHT_MISSING');
      const silent = await ask(`purchases/${id}/number`, 'support', { reason: '   ' });
      assert.deepEqual([silent.status, keysOf(at(silent.body, 'errors'))], [422, ['reason']]);
    });

    test('is not shown if it cannot be audited', async () => {
      const number = '989120000502';
      const id = await bought(number);
      const { db } = server.deps;
      await sql`alter table admin_audit rename to admin_audit_away`.execute(db);
      const answer = await ask(`purchases/${id}/number`, 'support', why);
      await sql`alter table admin_audit_away rename to admin_audit`.execute(db);
      assert.equal(answer.status, 500);
      assert.ok(!answer.text.includes(number));
    });
  });

  describe('The file', () => {
    test('is CSV of the search, and is audited', async () => {
      const ids = [await bought('989120000600'), await bought('989120000602')];
      const answer = await fileOf(`client_id=${client.id}&number=`, 'viewer');
      assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/);
      assert.equal(answer.headers.get('x-most-rows'), '100000');
      assert.equal(
        answer.headers.get('content-disposition'),
        'attachment; filename="purchases.csv"',
      );
      const [head, ...lines] = answer.text.trimEnd().split('\r\n');
      assert.match(head ?? '', /^id,began_at,.*,answer_status,test$/);
      assert.deepEqual(
        lines.map((line) => line.split(',')[0]),
        ids.toReversed(),
      );
      await fileOf('number=0912%20000%200600&state=failed');
      await fileOf('code=for+۰۹۱۲-000.06 ۰۲&q=x');
      const [hidden, last, first] = await auditOf('purchases');
      assert.deepEqual(at(first, 'after'), { client_id: client.id });
      assert.deepEqual(at(last, 'after'), { number: '98******0600', state: 'failed' });
      assert.deepEqual([at(last, 'action'), at(last, 'actor')], ['purchase export', 'the-support']);
      assert.deepEqual(at(hidden, 'after'), { code: 'for ****-***.06 ۰۲', q: 'x' });
    });

    test('says in words why a purchase ended as it did, and what contradicts it', async () => {
      const number = '989120000604';
      order = async () => ({
        kind: 'refused',
        code: 'declined',
        blame: 'subscriber',
        reason: 'no',
      });
      const id = await bought(number);
      const { db } = server.deps;
      const contradicted = { disputed: 'late_delivered', disputed_values: '{}' };
      await db.updateTable('purchases').set(contradicted).where('id', '=', id).execute();
      const { text } = await fileOf(`client_id=${client.id}&number=${number}`);
      const [, line = ''] = text.trimEnd().split('\r\n');
      const cells = line.split(',').slice(-4);
      const words = 'the operator answered late: delivered';
      assert.deepEqual(cells, ['OPERATOR_DECLINED', words, '422', 'false']);
    });
  });
});
