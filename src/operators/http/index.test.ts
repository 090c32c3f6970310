/** Tests the HTTP connector: against a real server, a hostile network, and every documented answer. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import type { WireAnswer } from '../../connector/answer-reader.ts';
import { callWithin } from '../../connector/call.ts';
import type { Connection } from '../../connector/connector.ts';
import { maskSettings } from '../../connector/settings/mask.ts';
import { inquireAt } from '../../connector/suite/inquire-at.ts';
import { answerText, startRawOperator } from '../../connector/suite/raw-operator.ts';
import { connectorSuite } from '../../connector/suite/suite.ts';
import type { TestBed } from '../../connector/suite/test-bed.ts';
import { wireSuite } from '../../connector/suite/wire-suite.ts';
import { sleep, systemClock } from '../../lib/clock.ts';
import { systemRandom, uuidV7 } from '../../lib/random.ts';
import { openRegistry } from '../registry.ts';
import { noFaults } from '../simulator/faults.ts';
import { startSimulator } from '../simulator/server/server.ts';
import { http } from './index.ts';
import {
  orderToWire,
  readBalance,
  readOffers,
  readOrder,
  readReports,
  readStatus,
  readSubscriber,
} from './wire.ts';

const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const newId = uuidV7(systemClock, systemRandom);

/** The connector as a gateway opens it. */
const connectWith = (settings: Readonly<Record<string, unknown>>): Connection => {
  const config = { id: 2, name: 'two', connector: 'http', settings };
  const registry = openRegistry([config], [http], (operatorId) => ({
    operatorId,
    clock: systemClock,
    random: systemRandom,
    newId,
    call: callWithin(systemClock),
  }));
  const connection = registry.byId(2)?.connection;
  assert.ok(connection !== undefined);
  return connection;
};

// Long enough for a busy machine to answer, and to be asked again before the reversal.
const deadline = 4_000;
const slack = 30_000;
const reversesAfter = 5_000;
const settlesWithin = 50;

const mobileEnding = (digits: string): string => `9891200000${digits}`;

const deliveriesIn = (book: string, ref: string): number =>
  readFileSync(book, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(`{"ref":${JSON.stringify(ref)},`)).length;

const openBed =
  (options: {
    readonly offers: boolean;
    readonly deduplicates: boolean;
    readonly resendWithin?: number;
    readonly balance?: boolean;
  }) =>
  async (): Promise<TestBed> => {
    const book = join(folder, `${newId()}.book`);
    const server = await startSimulator(
      {
        host: '127.0.0.1',
        port: 0,
        book,
        seed: 1,
        rates: noFaults,
        only: [],
        delayMs: 0,
        lagMs: 0,
        reversesAfter,
        deduplicates: options.deduplicates,
        ...(options.balance === true ? { float: 5_000_000, discountPercent: 4 } : {}),
      },
      { clock: systemClock, newId },
    );
    return {
      connector: { ...http, settlesWithin, deduplicates: options.deduplicates },
      connection: connectWith({
        ...options,
        baseUrl: `${server.url}/operators/2`,
        answerMs: deadline,
        settlesWithin,
      }),
      deadline,
      slack,
      clock: systemClock,
      wait: (ms) => sleep(systemClock, ms),
      deliveries: (ref) => deliveriesIn(book, ref),
      mobiles: {
        success: mobileEnding('12'),
        declined: mobileEnding('90'),
        notSubscriber: mobileEnding('91'),
        answerLost: mobileEnding('93'),
        requestLost: mobileEnding('94'),
        nonsense: mobileEnding('96'),
        reversed: { mobile: mobileEnding('99'), after: reversesAfter },
      },
      end: server.close,
    };
  };

connectorSuite({
  name: 'http',
  open: openBed({ offers: true, deduplicates: false, balance: true }),
});
connectorSuite({
  name: 'http to an operator that deduplicates',
  open: openBed({ offers: false, deduplicates: true }),
});
connectorSuite({
  name: 'http to an operator that takes no inquiries',
  open: openBed({ offers: false, deduplicates: true, resendWithin: 3_600_000 }),
});
wireSuite({ name: 'http', open: connectWith });

const ref = 'ref-1';

const answer = (status: number, body: unknown, contentType = 'application/json'): WireAnswer => ({
  kind: 'answer',
  status,
  contentType,
  text: JSON.stringify(body),
});

/** Every documented answer to an order and to an inquiry. */
const documented = {
  delivered: answer(200, { status: 'delivered', ref }),
  costing: answer(200, { status: 'delivered', ref, cost: 9500 }),
  pending: answer(202, { status: 'pending', ref }),
  refused: answer(422, { status: 'refused', ref, code: 'declined', reason: 'No.' }),
  pendingStill: answer(200, { status: 'pending', ref }),
  reversed: answer(200, { status: 'reversed', ref, at: 5 }),
  notFound: answer(404, { status: 'not_found', ref }),
};

describe('an answer to an order', () => {
  test('is read if it is documented', () => {
    assert.deepEqual(readOrder(documented.delivered, ref), { kind: 'done', ref });
    assert.deepEqual(readOrder(documented.costing, ref), { kind: 'done', ref, cost: 9500 });
    assert.equal(readOrder(documented.pending, ref).kind, 'unknown');
    for (const [code, blame] of Object.entries({
      declined: 'request',
      out_of_stock: 'supplier',
      out_of_funds: 'supplier',
      throttled: 'supplier',
      not_subscriber: 'subscriber',
      wrong_sim_type: 'subscriber',
      offer_gone: 'request',
      price_changed: 'request',
    })) {
      const refusal = answer(422, { status: 'refused', ref, code, reason: 'No.' });
      assert.deepEqual(readOrder(refusal, ref), { kind: 'refused', code, blame, reason: 'No.' });
    }
  });

  test('about another order, or none, is unknown', () => {
    for (const one of Object.values(documented)) {
      assert.equal(readOrder(one, 'ref-2').kind, 'unknown');
      assert.equal(readStatus(one, 'ref-2').kind, 'unknown');
    }
  });

  test('is a refusal only with its status, its type, its code and its reason', () => {
    const body = { status: 'refused', ref, code: 'declined', reason: 'No.' };
    for (const one of [
      answer(400, body),
      answer(200, body),
      answer(422, body, 'text/html'),
      answer(422, { ...body, code: 'unreachable' }),
      answer(422, { ...body, code: 'new_code' }),
      answer(422, { ...body, reason: '' }),
      answer(422, { ...body, status: 'error' }),
      answer(422, { error: 'This is not an order.' }),
    ]) {
      assert.equal(readOrder(one, ref).kind, 'unknown', one.text);
    }
  });

  test('of any other kind is unknown, whatever it contains', () => {
    const statuses = fc.constantFrom(200, 201, 202, 204, 302, 400, 404, 409, 422, 500);
    const type = fc.constantFrom('application/json', 'text/html', '');
    fc.assert(
      fc.property(statuses, type, fc.jsonValue(), (status, contentType, body) => {
        const one = answer(status, body, contentType);
        for (const read of [readOrder(one, ref), readStatus(one, ref)]) {
          assert.equal(read.kind, 'unknown');
        }
        for (const read of [readOffers(one), readSubscriber(one), readReports(one)]) {
          assert.equal(read.kind, 'unknown');
        }
      }),
    );
  });

  test('that is cut off anywhere is unknown', () => {
    for (const one of Object.values(documented)) {
      for (let length = 0; length < one.text.length; length += 1) {
        const torn = { ...one, text: one.text.slice(0, length) };
        assert.equal(readOrder(torn, ref).kind, 'unknown', torn.text);
        assert.equal(readStatus(torn, ref).kind, 'unknown', torn.text);
      }
    }
  });
});

describe('an answer about the balance', () => {
  test('is read if it is documented: also below zero, and nothing else', () => {
    for (const balance of [0, 41_250_000, -5]) {
      const said = answer(200, { status: 'ok', balance });
      assert.deepEqual(readBalance(said), { kind: 'balance', amount: balance });
    }
    for (const body of [{ balance: 5 }, { status: 'ok' }, { status: 'ok', balance: '5' }, null]) {
      assert.equal(readBalance(answer(200, body)).kind, 'unknown');
    }
    assert.equal(readBalance(answer(500, { status: 'ok', balance: 5 })).kind, 'unknown');
  });
});

describe('the cost in an answer', () => {
  test('is ignored if it is no amount: the delivery is certain', () => {
    for (const cost of [-1, 1.5, '9500', null, 2 ** 53]) {
      const told = answer(200, { status: 'delivered', ref, cost });
      assert.deepEqual(readOrder(told, ref), { kind: 'done', ref });
    }
  });
});

describe('the balance in an answer', () => {
  test('is what is left after the delivery, if it is an integer', () => {
    for (const balance of [-5, 0, 41_250_000]) {
      const told = answer(200, { status: 'delivered', ref, balance });
      assert.deepEqual(readOrder(told, ref), { kind: 'done', ref, balance });
    }
    const text = answer(200, { status: 'delivered', ref, balance: '5' });
    assert.deepEqual(readOrder(text, ref), { kind: 'done', ref });
  });

  test('is not read from an inquiry, which may come long after the delivery', () => {
    const told = answer(200, { status: 'delivered', ref, balance: 5 });
    assert.deepEqual(readStatus(told, ref), { kind: 'done', ref });
  });
});

describe('an answer to an inquiry', () => {
  test('is read if it is documented', () => {
    assert.deepEqual(readStatus(documented.delivered, ref), { kind: 'done', ref });
    assert.deepEqual(readStatus(documented.costing, ref), { kind: 'done', ref, cost: 9500 });
    assert.deepEqual(readStatus(documented.pendingStill, ref), { kind: 'pending' });
    assert.deepEqual(readStatus(documented.reversed, ref), { kind: 'reversed', at: 5 });
    assert.deepEqual(readStatus(documented.notFound, ref), { kind: 'not_found' });
  });

  test('denies an order only explicitly, never by a bare 404', () => {
    for (const one of [
      answer(404, { error: 'There is nothing at this address.' }),
      answer(404, { status: 'not_found' }),
      answer(200, { status: 'not_found', ref }),
      answer(404, { status: 'not_found', ref }, 'text/html'),
    ]) {
      assert.equal(readStatus(one, ref).kind, 'unknown', one.text);
    }
  });
});

describe('an answer to reports', () => {
  const page = (report: unknown) => answer(200, { reports: [report], cursor: '1' });
  const delivered = { ref, kind: 'delivered' };

  test('is read even if its time is not a date', () => {
    for (const at of [null, 'yesterday', 1.7e18, -1, undefined]) {
      for (const kind of ['delivered', 'reversed']) {
        const read = readReports(page({ ref, kind, at }));
        assert.deepEqual(read, {
          kind: 'reports',
          reports: [{ ref, kind, at: null }],
          cursor: '1',
        });
      }
    }
    const reversed = answer(200, { status: 'reversed', ref, at: 'yesterday' });
    assert.deepEqual(readStatus(reversed, ref), { kind: 'reversed', at: null });
  });

  test('includes the number and the amount, if they are readable', () => {
    const told = { ...delivered, at: 5, mobile: mobileEnding('00'), amount: 7000 };
    assert.deepEqual(readReports(page(told)), { kind: 'reports', reports: [told], cursor: '1' });
    const strange = { ...delivered, at: 5, mobile: 98, amount: 1.5 };
    const reports = [{ ...delivered, at: 5 }];
    assert.deepEqual(readReports(page(strange)), { kind: 'reports', reports, cursor: '1' });
  });

  test('is unknown if a report names no order, or no known event', () => {
    for (const report of [null, 5, {}, { ref: 5, kind: 'delivered' }, { ref, kind: 'lost' }]) {
      assert.equal(readReports(page(report)).kind, 'unknown');
    }
  });
});

test('an order carries its SIM type, profile, offer and supplier’s code if it has them, and nothing else', () => {
  const order = { ref, mobile: mobileEnding('00'), amount: 5, productId: 510 };
  const plain = { ref, mobile: mobileEnding('00'), amount: 5, product_id: 510 };
  assert.deepEqual(JSON.parse(orderToWire(order)), plain);
  const offer = { code: 'C', type: 'T' };
  const more = { simType: 'credit', profileId: 'P', supplierCode: 'S' } as const;
  const whole = { ...order, ...more, offer };
  assert.deepEqual(JSON.parse(orderToWire(whole)), {
    ...plain,
    offer,
    sim_type: 'credit',
    profile_id: 'P',
    supplier_code: 'S',
  });
});

test('the token goes with each request, and appears in no configuration', async () => {
  const operator = await startRawOperator((socket) => {
    socket.write(answerText('503 Service Unavailable'));
  });
  const settings = { baseUrl: `${operator.url}/v1/`, token: 'the-token' };
  const connection = connectWith(settings);
  await inquireAt(connection, 'a/b');
  await connection.buy({ ref, mobile: mobileEnding('00'), amount: 5, productId: 1 });
  await connection.close();
  await operator.close();
  const [inquiry = '', order = ''] = operator.requests;
  assert.match(inquiry, /^GET \/v1\/orders\/a%2Fb HTTP\/1\.1\r\n/);
  assert.match(order, /^POST \/v1\/orders HTTP\/1\.1\r\n/);
  for (const request of [inquiry, order]) {
    assert.match(request, /\r\nauthorization: Bearer the-token\r\n/i);
    assert.match(request, /\r\naccept-encoding: identity\r\n/i);
  }
  assert.equal(maskSettings(http, settings)['token'], '***');
});

test('promises come from the settings only', () => {
  const baseUrl = 'http://127.0.0.1:9';
  const silent = connectWith({ baseUrl });
  assert.equal('settlesWithin' in silent, false);
  assert.equal('inquiries' in silent, false);
  assert.equal(silent.deduplicates, false);
  const inquiries = { firstInquiryMs: 1, widestInquiryMs: 2, reviewAfterMs: 3 };
  const told = connectWith({ baseUrl, settlesWithin: 7, deduplicates: true, inquiries });
  assert.deepEqual([told.settlesWithin, told.deduplicates, told.inquiries], [7, true, inquiries]);
});

test('an address with a user, a query or no scheme is refused', () => {
  for (const baseUrl of [
    'operator.example',
    'ftp://x',
    'http://',
    'http://u:p@x',
    'http://x?a=b',
  ]) {
    assert.throws(() => connectWith({ baseUrl }), /setting "baseUrl"/);
  }
});
