/** Tests what a client sees of operators: the list, their status, number lookup, and every error. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import { errorTable } from '../../src/lib/errors.ts';
import { assertError, at, keysOf, listOf } from '../support/answers.ts';
import { manualClock } from '../support/manual-clock.ts';
import { request } from '../support/server.ts';
import { operatorThat, served, withServer } from './buying.ts';

const { breaker, operators } = readConfig({});

describe('GET /api/operators', () => {
  test('lists all five, their capabilities, and that they are up since the start', () =>
    withServer({}, async (server) => {
      const { status, body } = await request(server, '/api/operators');
      assert.equal(status, 200);
      assert.deepEqual(
        listOf(at(body, 'data')),
        [1, 2, 3, 4, 5].map((id) => ({
          id,
          name: `operator_${id}`,
          can: { offers: id === 2, subscriber: true, reports: true },
          personal_offers: id === 2 ? { credit: 510, permanent: 511, vat_percent: '10' } : null,
          health: 'up',
          since: null,
        })),
      );
    }));

  test('reports an operator that does not answer as down, then recovering, then up, and since when', async () => {
    const clock = manualClock();
    let silent = true;
    const operator = operatorThat({
      subscriber: async () =>
        silent
          ? { kind: 'unknown', detail: 'no answer' }
          : { kind: 'subscriber', simType: 'credit' },
    });
    const config = { breaker: { ...breaker, leastCalls: 2, trials: 1 } };
    await withServer({ ...served(operator, config), clock }, async (server) => {
      const ask = () => request(server, '/api/numbers/989121111100?operator_id=1');
      const health = async (): Promise<unknown[]> => {
        const { body } = await request(server, '/api/operators');
        const [first, second] = listOf(at(body, 'data'));
        assert.equal(at(second, 'health'), 'up');
        return [at(first, 'health'), at(first, 'since')];
      };
      const printed = (time: number): string => new Date(time).toISOString().replace('Z', '000Z');
      await clock.advance(1000);
      const down = clock.now();
      for (let count = 0; count < 2; count += 1) {
        assertError(await ask(), 503, 'OPERATOR_UNAVAILABLE', 'same_key');
      }
      assert.deepEqual(await health(), ['down', printed(down)]);
      await clock.advance(breaker.pauseMs + 500);
      assert.deepEqual(await health(), ['degraded', printed(down + breaker.pauseMs)]);
      silent = false;
      assert.equal((await ask()).status, 200);
      assert.deepEqual(await health(), ['up', printed(down + breaker.pauseMs + 500)]);
    });
  });
});

describe('GET /api/numbers/{mobile}', () => {
  const withPrefixes = {
    config: {
      operators: operators.map((one) => ({
        ...one,
        prefixes: one.id === 1 ? ['98912'] : one.id === 2 ? ['98935', '9891234'] : [],
      })),
    },
  };
  const numbers = '/api/numbers/';

  test('gives the operator by the longest prefix, and its answer about the number', () =>
    withServer(withPrefixes, async (server) => {
      const first = await request(server, `${numbers}989121111100`);
      assert.equal(first.status, 200);
      assert.deepEqual(first.body, {
        mobile: '989121111100',
        operator_id: 1,
        operator: 'operator_1',
        said: { operator_id: 1, subscriber: true, sim_card_type: 'credit' },
      });
      const second = await request(server, `${numbers}989123411101/`);
      assert.deepEqual(
        [at(second.body, 'operator_id'), at(second.body, 'said', 'sim_card_type')],
        [2, 'permanent'],
      );
    }));

  test('gives nothing for an unknown prefix, unless an operator is named', () =>
    withServer(withPrefixes, async (server) => {
      const nobodys = await request(server, `${numbers}989901111100`);
      assert.deepEqual(nobodys.body, {
        mobile: '989901111100',
        operator_id: null,
        operator: null,
        said: null,
      });
      const named = await request(server, `${numbers}989901111100?operator_id=3`);
      assert.deepEqual(at(named.body, 'said'), {
        operator_id: 3,
        subscriber: true,
        sim_card_type: 'credit',
      });
    }));

  test('asks the named operator about a number that was ported to it', () =>
    withServer(withPrefixes, async (server) => {
      const left = await request(server, `${numbers}989121111191`);
      assert.deepEqual(at(left.body, 'said'), {
        operator_id: 1,
        subscriber: false,
        sim_card_type: null,
      });
      const asked = await request(server, `${numbers}989121111100?operator_id=2`);
      assert.deepEqual(
        [at(asked.body, 'operator_id'), at(asked.body, 'said', 'operator_id')],
        [1, 2],
      );
    }));

  test('refuses an invalid number or operator, and reports an operator that does not answer', async () => {
    await withServer({}, async (server) => {
      assertError(await request(server, `${numbers}0912`), 422, 'INVALID_MOBILE');
      const unknown = await request(server, `${numbers}989121111100?operator_id=9`);
      assertError(unknown, 422, 'VALIDATION_FAILED');
      assert.deepEqual(keysOf(at(unknown.body, 'errors')), ['operator_id']);
      assert.ok(
        !server.logged.join('').includes('989121111100'),
        'the number stays out of the log',
      );
    });
    const silent = operatorThat({
      subscriber: async () => ({ kind: 'unknown', detail: 'no answer' }),
    });
    await withServer(served(silent), async (server) => {
      const answer = await request(server, `${numbers}989121111100?operator_id=1`);
      assertError(answer, 503, 'OPERATOR_UNAVAILABLE', 'same_key');
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
    });
  });
});

describe('GET /api/errors', () => {
  test('is the error table, every code once', () =>
    withServer({}, async (server) => {
      const { status, body } = await request(server, '/api/errors');
      assert.equal(status, 200);
      const rows = Object.entries(errorTable).map(
        ([code, { status, message, charged, retry }]) => ({
          code,
          status,
          message,
          charged,
          retry,
        }),
      );
      assert.deepEqual(
        new Set(listOf(at(body, 'data')).map((row) => JSON.stringify(row, keysOf(row).sort()))),
        new Set(rows.map((row) => JSON.stringify(row, Object.keys(row).sort()))),
      );
      assert.equal(listOf(at(body, 'data')).length, rows.length);
    }));
});
