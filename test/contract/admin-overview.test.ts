/** Tests the overview of the back office: once, and live over an open connection. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { updateAccount } from '../../src/admin/access/accounts.ts';
import { askEveryMs, mostPerAccount, sendEveryMs } from '../../src/admin/overview/live.ts';
import { readConfig } from '../../src/config/config.ts';
import type { OrderOutcome } from '../../src/connector/connector.ts';
import { writeEveryMs } from '../../src/purchases/stats/flush.ts';
import { type BackOffice, backOffice, type Cookie, command, here } from '../support/admin.ts';
import { at, keysOf, listOf } from '../support/answers.ts';
import { eventually, parsed } from '../support/live.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import type { TestOptions, TestServer } from '../support/server.ts';
import { aPackage, buy, operatorThat, served, sold, withServer } from './buying.ts';

const defaults = readConfig({});

type World = {
  readonly server: TestServer;
  readonly clock: ManualClock;
  readonly office: BackOffice;
};

const inWorld = async (
  options: (clock: ManualClock) => TestOptions,
  work: (world: World) => Promise<void>,
): Promise<void> => {
  const clock = manualClock();
  await withServer({ clock, ...options(clock) }, async (server) => {
    await work({ server, clock, office: await backOffice(server, clock) });
  });
};

const tookMs = 200;

type Answer = (ref: string) => OrderOutcome;

/** Delivers the first, refuses the second, and does not answer the third. */
const moods = (): Answer[] => [
  (ref) => ({ kind: 'done', ref }),
  () => ({ kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'no' }),
  () => ({ kind: 'unknown', detail: 'lost' }),
];

/** Takes its time over each. */
const moody = (clock: ManualClock, answers: Answer[]) =>
  operatorThat({
    buy: async ({ ref }) => {
      await clock.advance(tookMs);
      return answers.shift()?.(ref) ?? { kind: 'unknown', detail: 'more than expected' };
    },
  });

describe('The overview', () => {
  test('shows what was sold, refused and failed, how long operators took, and what is open', async () => {
    const answers = moods();
    await inWorld(
      (clock) =>
        served(moody(clock, answers), {
          purchases: { ...defaults.purchases, pendingAfterMs: 1000 },
        }),
      async ({ server, clock, office }) => {
        const viewer = await office.enter('viewer');
        const statuses: number[] = [];
        for (const fields of [aPackage, aPackage, { ...aPackage, product_id: sold.switchedOff }]) {
          statuses.push((await buy(server, fields)).status);
        }
        const beganAt = clock.now();
        const open = buy(server, aPackage);
        await eventually('it is answered', async () => answers.length === 0);
        assert.deepEqual(statuses, [200, 422, 422]);
        await clock.advance(writeEveryMs);
        assert.equal((await open).status, 202);

        const { status, body } = await office.send('GET', 'overview', viewer);
        assert.equal(status, 200);
        const points = listOf(at(body, 'points'));
        const last = points.at(-1);
        const counts = {
          begun: 3,
          succeeded: 1,
          failed: 1,
          refused: 1,
          reversed: 0,
          amount: 10_000,
        };
        for (const [name, value] of Object.entries(counts))
          assert.equal(at(last, name), value, name);
        const times = { p50: at(last, 'p50'), p95: at(last, 'p95'), p99: at(last, 'p99') };
        for (const [name, time] of Object.entries(times)) {
          assert.ok(Math.abs(Number(time) - tookMs) <= tookMs / 20, name);
        }
        assert.deepEqual(at(body, 'totals'), { ...counts, ...times });
        assert.equal(points.length, 10);
        assert.deepEqual(
          [at(points[0], 'begun'), at(points[0], 'p50'), at(points[0], 'at')],
          [0, null, '2026-01-31T00:00:00.000000Z'],
        );
        assert.equal(at(last, 'at'), '2026-01-31T09:00:00.000000Z');
        const now = at(body, 'now');
        assert.deepEqual(
          [at(now, 'per_minute'), at(now, 'success_rate'), at(now, 'pending'), at(now, 'review')],
          [3, 0.5, 1, 0],
        );
        assert.equal(
          at(now, 'pending_oldest_at'),
          new Date(beganAt).toISOString().replace('Z', '000Z'),
        );
        assert.equal(at(now, 'review_oldest_at'), null);
        assert.deepEqual({ p50: at(now, 'p50'), p95: at(now, 'p95'), p99: at(now, 'p99') }, times);
        const [first, second] = listOf(at(body, 'operators'));
        assert.deepEqual(
          [
            at(first, 'id'),
            at(first, 'health'),
            at(first, 'per_minute'),
            at(first, 'success_rate'),
          ],
          [1, 'up', 3, 0.5],
        );
        assert.deepEqual(
          [at(second, 'per_minute'), at(second, 'success_rate'), at(second, 'p50')],
          [0, null, null],
        );
        assert.deepEqual(at(listOf(at(first, 'points')).at(-1), 'succeeded'), 1);
        for (const [span, parts] of [
          ['last_7_days', 7],
          ['last_30_days', 30],
        ] as const) {
          const other = await office.send('GET', `overview?span=${span}`, viewer);
          assert.equal(listOf(at(other.body, 'points')).length, parts);
          assert.deepEqual(at(other.body, 'totals'), { ...counts, ...times }, span);
        }
        const { body: before } = await office.send('GET', 'overview?span=yesterday', viewer);
        assert.equal(listOf(at(before, 'points')).length, 24);
        assert.deepEqual(
          [at(before, 'totals', 'begun'), at(before, 'totals', 'p50')],
          [0, null],
          'today is not yesterday',
        );
        assert.deepEqual(at(before, 'now'), now, 'the present does not depend on the period');
        assert.equal((await office.send('GET', 'overview?span=year', viewer)).status, 422);
      },
    );
  });

  test('names clients whose balance is below the threshold', async () => {
    await inWorld(
      () => ({ balance: 700 }),
      async ({ server, clock, office }) => {
        const owner = await office.enter('owner');
        const low = async (): Promise<unknown> => {
          await clock.advance(sendEveryMs);
          return at((await office.send('GET', 'overview', owner)).body, 'low_balances');
        };
        const set = (below: number) =>
          office.send('PATCH', 'settings', owner, { low_balance_below: below });
        assert.equal((await set(701)).status, 200);
        assert.deepEqual(await low(), [{ id: server.client.id, name: 'First', available: 700 }]);
        await set(700);
        assert.deepEqual(await low(), []);
      },
    );
  });

  test('counts hours and days by the business time zone', async () => {
    await inWorld(
      () => ({}),
      async ({ server, clock, office }) => {
        const owner = await office.enter('owner');
        const zone = { time_zone: 'Asia/Tehran' };
        assert.equal((await office.send('PATCH', 'settings', owner, zone)).status, 200);
        assert.equal((await buy(server, aPackage)).status, 200);
        await clock.advance(writeEveryMs);
        const { body } = await office.send('GET', 'overview', owner);
        const points = listOf(at(body, 'points'));
        // It is one o'clock there, half an hour past a full hour by UTC.
        assert.deepEqual(
          [points.length, at(points[0], 'at'), at(points.at(-1), 'at')],
          [14, '2026-01-30T20:30:00.000000Z', '2026-01-31T09:30:00.000000Z'],
        );
        assert.deepEqual([at(points.at(-1), 'begun'), at(body, 'totals', 'begun')], [1, 1]);
      },
    );
  });

  test('is built once for all viewers within two seconds', async () => {
    await inWorld(
      () => ({}),
      async ({ clock, office }) => {
        const viewer = await office.enter('viewer');
        const seenAt = async (): Promise<unknown> =>
          at((await office.send('GET', 'overview', viewer)).body, 'at');
        const first = await seenAt();
        await clock.advance(1000);
        assert.equal(await seenAt(), first);
        await clock.advance(1000);
        assert.notEqual(await seenAt(), first);
      },
    );
  });
});

describe('Alerts', () => {
  test('name what to act on, and end with it', async () => {
    const failing = operatorThat({
      buy: async () => ({ kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'no' }),
    });
    await inWorld(
      () => ({ ...served(failing), balance: 1_000_000 }),
      async ({ server, clock, office }) => {
        const [owner, viewer] = [await office.enter('owner'), await office.enter('viewer')];
        const alerts = async (): Promise<readonly unknown[]> => {
          await clock.advance(writeEveryMs);
          const { status, body } = await office.send('GET', 'alerts', viewer);
          assert.equal(status, 200);
          return listOf(at(body, 'data'));
        };
        const kinds = async () =>
          (await alerts()).map((alert) => [at(alert, 'kind'), at(alert, 'count')]);
        assert.deepEqual(await kinds(), [], 'all is well');

        for (let one = 0; one < 10; one += 1) await buy(server, aPackage);
        await office.send('PATCH', 'settings', owner, { low_balance_below: 2_000_000 });
        await office.send('POST', 'operators/2/suspension', owner, { reason: 'they move house' });
        assert.deepEqual(await kinds(), [
          ['failures', 10],
          ['operator_suspended', null],
          ['low_balances', 1],
        ]);
        const [failures, suspended, low] = await alerts();
        assert.deepEqual(
          [at(failures, 'id'), at(failures, 'operator', 'id'), at(failures, 'client')],
          ['failures:1', 1, null],
        );
        assert.equal(at(suspended, 'id'), 'operator_suspended:2');
        assert.match(String(at(suspended, 'since')), /^2026-01-31T/);
        assert.deepEqual(at(low, 'client'), { id: server.client.id, name: 'First' });

        await office.send('PATCH', 'settings', owner, { low_balance_below: 0 });
        await office.send('DELETE', 'operators/2/suspension', owner);
        await clock.advance(6 * 60_000);
        assert.deepEqual(await kinds(), [], 'the failures are old, and the rest is ended');
      },
    );
  });

  test('count purchases that need review, and say when the newest began', async () => {
    await inWorld(
      () => ({}),
      async ({ server, clock, office }) => {
        const viewer = await office.enter('viewer');
        await buy(server, aPackage);
        await server.deps.db.updateTable('purchases').set({ disputed: 'again' }).execute();
        await clock.advance(sendEveryMs);
        const { body } = await office.send('GET', 'alerts', viewer);
        const [review] = listOf(at(body, 'data'));
        assert.deepEqual([at(review, 'kind'), at(review, 'count')], ['review', 1]);
        assert.match(String(at(review, 'since')), /^2026-01-31T09:30/);
      },
    );
  });
});

describe('The setup steps', () => {
  test('are done as the gateway gets products, clients, an operator and sales', async () => {
    await inWorld(
      () => ({}),
      async ({ server, clock, office }) => {
        const viewer = await office.enter('viewer');
        const steps = async (): Promise<unknown> => {
          await clock.advance(sendEveryMs);
          return (await office.send('GET', 'overview/setup', viewer)).body;
        };
        const before = await steps();
        assert.deepEqual(
          [at(before, 'catalogue'), at(before, 'client'), at(before, 'sale')],
          [true, true, false],
        );
        assert.equal((await buy(server, aPackage)).status, 200);
        await eventually('it is counted', async () => at(await steps(), 'sale') === true);
      },
    );
  });
});

type Stream = {
  readonly response: Response;
  readonly text: () => string;
  /** Resolves when the server has closed it. */
  readonly ended: Promise<unknown>;
  readonly close: () => void;
};

const open = async (server: TestServer, cookie: Cookie, span = 'today'): Promise<Stream> => {
  const stop = new AbortController();
  const response = await fetch(`${server.url}/admin/api/overview/live?span=${span}`, {
    headers: { ...here, ...cookie },
    signal: stop.signal,
  });
  let text = '';
  const read = async (): Promise<void> => {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      text += part.value;
    }
  };
  return { response, text: () => text, ended: read().catch(() => {}), close: () => stop.abort() };
};

const eventsIn = (text: string): string[] =>
  [...text.matchAll(/^event: (\w+)$/gm)].map(([, name = '']) => name);

const lines = (server: TestServer): string[] =>
  server.logged.filter((line) => line.includes('"/admin/api/overview/live"'));

describe('The live overview', () => {
  test('sends the same at once and every two seconds, and no proxy may cache it', async () => {
    await inWorld(
      () => ({}),
      async ({ server, clock, office }) => {
        const stream = await open(server, await office.enter('viewer'), 'yesterday');
        const { status, headers } = stream.response;
        assert.deepEqual(
          [
            status,
            headers.get('content-type'),
            headers.get('cache-control'),
            headers.get('x-accel-buffering'),
            headers.get('content-encoding'),
            headers.get('x-content-type-options'),
          ],
          [
            200,
            'text/event-stream; charset=utf-8',
            'no-store, no-transform',
            'no',
            null,
            'nosniff',
          ],
        );
        const heard = (count: number) =>
          eventually(`${count} are sent`, async () => eventsIn(stream.text()).length === count);
        await heard(1);
        await clock.advance(sendEveryMs);
        await heard(2);
        const [, data = ''] = /^data: (.*)$/m.exec(stream.text()) ?? [];
        assert.equal(at(parsed(data), 'span'), 'yesterday');
        assert.deepEqual(keysOf(parsed(data)), [
          'at',
          'span',
          'points',
          'now',
          'operators',
          'low_balances',
          'totals',
        ]);
        assert.deepEqual(lines(server), [], 'it is not over');
        stream.close();
        await eventually('it is logged', async () => lines(server).length === 1);
        assert.match(lines(server)[0] ?? '', /"status":200/);
        await clock.advance(10 * sendEveryMs);
        assert.equal(lines(server).length, 1);
      },
    );
  });

  const ends: Readonly<Record<string, (world: World, cookie: Cookie) => Promise<unknown>>> = {
    'its session signs out': ({ office }, cookie) => office.send('POST', 'logout', cookie),
    'its account gets another role': ({ office }) =>
      updateAccount(office.deps, command, office.account('support').id, { role: 'viewer' }),
    'its session is idle for too long, because viewing does not count as use': ({ clock }) =>
      clock.advance(20_000),
  };

  for (const [why, happens] of Object.entries(ends)) {
    test(`ends with a message when ${why}`, async () => {
      await inWorld(
        () => ({ config: { admin: { ...defaults.admin, idleMs: 20_000 } } }),
        async (world) => {
          const { server, clock, office } = world;
          const cookie = await office.enter('support');
          const stream = await open(server, cookie);
          await happens(world, cookie);
          await clock.advance(askEveryMs + sendEveryMs);
          await stream.ended;
          assert.match(stream.text(), /event: end\ndata: \{\}\n\n$/);
          await eventually('it is logged', async () => lines(server).length === 1);
        },
      );
    });
  }

  test('is limited in number, and does not count as a request', async () => {
    const config = { limits: { ...defaults.limits, requests: 1 } };
    await inWorld(
      () => ({ config }),
      async ({ server, office }) => {
        const cookie = await office.enter('viewer');
        const streams: Stream[] = [];
        for (let count = 0; count < mostPerAccount; count += 1)
          streams.push(await open(server, cookie));
        assert.ok(streams.every(({ response }) => response.status === 200));
        const refused = await office.send('GET', 'overview/live', cookie);
        assert.deepEqual([refused.status, at(refused.body, 'code')], [503, 'TOO_MANY_LISTENERS']);
        assert.equal(refused.headers.get('retry-after'), '10');
        const other = await open(server, await office.enter('owner'));
        assert.equal(other.response.status, 200, 'another account');
        streams[0]?.close();
        await eventually('there is a slot again', async () => {
          const again = await open(server, cookie);
          streams.push(again);
          return again.response.status === 200;
        });
        for (const stream of [...streams, other]) stream.close();
      },
    );
  });

  test('ends when the server drains, and does not delay it', async () => {
    await inWorld(
      () => ({}),
      async ({ server, office }) => {
        const cookie = await office.enter('viewer');
        const stream = await open(server, cookie);
        await eventually('it is sent', async () => eventsIn(stream.text()).length === 1);
        server.drain();
        await stream.ended;
        assert.deepEqual(eventsIn(stream.text()), ['overview'], 'it may come again elsewhere');
        const late = await office.send('GET', 'overview/live', cookie);
        assert.deepEqual([late.status, at(late.body, 'code')], [503, 'DRAINING']);
        await eventually('it is logged', async () => lines(server).length >= 1);
      },
    );
  });
});
