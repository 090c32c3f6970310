/** Tests how often an operator is asked: a purchase over HTTP costs one exchange, and answers stay the same. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Connector } from '../../src/connector/connector.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import { isRecord } from '../../src/lib/record.ts';
import { http } from '../../src/operators/http/index.ts';
import { noFaults } from '../../src/operators/simulator/faults.ts';
import {
  type SimulatorServer,
  startSimulator,
} from '../../src/operators/simulator/server/server.ts';
import { at } from '../support/answers.ts';
import { manualClock } from '../support/manual-clock.ts';
import { type Answer, request, startServer, type TestServer } from '../support/server.ts';
import {
  aPackage,
  assertRefused,
  assertSold,
  buy,
  catalogue,
  moneyOf,
  operatorThat,
  prepaid,
  purchaseOf,
  served,
  withServer,
} from './buying.ts';

const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
const untouched = { available: 1_000_000, held: 0 };

/** The orders and questions that arrived at the simulator, without its regular reports. */
const arrived: string[] = [];
const onArrival = (message: unknown): void => {
  const incoming: unknown = Reflect.get(Object(message), 'request');
  if (!(incoming instanceof IncomingMessage)) return;
  const [, root, , what] = (incoming.url ?? '').split(/[/?]/);
  if (root === 'operators' && what !== 'reports') arrived.push(`${incoming.method} ${what}`);
};

describe('A purchase over HTTP', () => {
  let simulator: SimulatorServer;
  let server: TestServer;
  /** The same with a connector that does not declare what its orders tell. */
  let asking: TestServer;

  const serverWith = (connector: Connector): Promise<TestServer> => {
    const operators = [1, 2].map((id) => ({
      id,
      name: `operator_${id}`,
      connector: 'http',
      settings: { baseUrl: `${simulator.url}/operators/${id}`, settlesWithin: 1 },
    }));
    return startServer({ products: catalogue, connectors: [connector], config: { operators } });
  };

  before(async () => {
    subscribe('http.server.request.start', onArrival);
    simulator = await startSimulator(
      {
        host: '127.0.0.1',
        port: 0,
        book: join(folder, 'book'),
        seed: 1,
        rates: noFaults,
        only: [],
        delayMs: 0,
        lagMs: 0,
        reversesAfter: 0,
        deduplicates: false,
      },
      { clock: systemClock, newId: uuidV7(systemClock, systemRandom) },
    );
    server = await serverWith(http);
    asking = await serverWith({ ...http, ordersTellSubscriber: false });
  });

  after(async () => {
    await Promise.all([server.stop(), asking.stop()]);
    await simulator.close();
    unsubscribe('http.server.request.start', onArrival);
    rmSync(folder, { recursive: true, force: true });
  });

  test('costs exactly one exchange', async () => {
    arrived.length = 0;
    assertSold(await buy(server, aPackage));
    assert.deepEqual(arrived, ['POST orders']);
  });

  test('costs a second one where its order would not tell of the subscriber', async () => {
    arrived.length = 0;
    assertSold(await buy(asking, aPackage));
    assertSold(await buy(asking, aPackage));
    assert.deepEqual(arrived, ['GET subscribers', 'POST orders', 'POST orders'], 'remembered');
  });

  const bodyOf = ({ body }: Answer): object => ({
    ...(isRecord(body) ? body : {}),
    request_id: '',
  });

  for (const [what, code, mobile] of [
    ['subscriber of another operator', 'OPERATOR_MISMATCH', '989123456791'],
    ['number of the other SIM', 'SIM_TYPE_MISMATCH', '989123456701'],
    ['lost order for the other SIM', 'SIM_TYPE_MISMATCH', '989123456793'],
  ] as const) {
    test(`for a ${what} is refused by the order with the same answer as by the question`, async () => {
      arrived.length = 0;
      const fields = { ...aPackage, mobile };
      const [told, asked] = [await buy(server, fields), await buy(asking, fields)];
      assert.deepEqual(arrived, ['POST orders', 'GET subscribers']);
      for (const answer of [told, asked]) assertRefused(answer, code);
      assert.equal(told.status, asked.status);
      assert.equal(JSON.stringify(bodyOf(told)), JSON.stringify(bodyOf(asked)));
      assert.deepEqual(Object.keys(bodyOf(told)), Object.keys(bodyOf(asked)));
      const [failed, refused] = [await purchaseOf(server, told), await purchaseOf(asking, asked)];
      assert.deepEqual([at(failed, 'state'), at(refused, 'state')], ['failed', 'refused']);
      assert.deepEqual([at(failed, 'charged'), at(refused, 'charged')], ['no', 'no']);
    });
  }

  test('is charged for nothing that was refused', async () => {
    const sold = 10_000;
    const { available } = untouched;
    assert.deepEqual(await moneyOf(server), { available: available - sold, held: 0 });
    assert.deepEqual(await moneyOf(asking), { available: available - 2 * sold, held: 0 });
  });

  test('that is only checked asks, since no order follows', async () => {
    arrived.length = 0;
    const check = (mobile: string) =>
      request(server, '/api/top-up/check', { json: { ...aPackage, mobile } });
    assert.equal((await check(prepaid)).status, 200);
    assert.equal(at((await check('989123456791')).body, 'code'), 'OPERATOR_MISMATCH');
    assert.equal((await check(prepaid)).status, 200);
    assert.deepEqual(arrived, ['GET subscribers', 'GET subscribers', 'GET subscribers']);
  });
});

describe('An answer about a subscriber', () => {
  test('is remembered for five minutes, for each number, and an unknown one never', () => {
    const clock = manualClock();
    let down = true;
    const operator = operatorThat({
      subscriber: async () =>
        down ? { kind: 'unknown', detail: 'down' } : { kind: 'subscriber', simType: 'credit' },
    });
    return withServer({ ...served(operator), clock }, async (server) => {
      const asked = async (fields = aPackage): Promise<number> => {
        await buy(server, fields);
        return operator.asked.subscriber.length;
      };
      assert.deepEqual([await asked(), await asked()], [1, 2], 'unknown both times');
      down = false;
      assert.deepEqual([await asked(), await asked()], [3, 3]);
      assert.equal(await asked({ ...aPackage, mobile: '989123456702' }), 4, 'another number');
      down = true;
      assertSold(await buy(server, aPackage));
      await clock.advance(5 * 60_000);
      assert.equal((await buy(server, aPackage)).status, 503);
      assert.equal(operator.asked.subscriber.length, 5);
    });
  });
});
