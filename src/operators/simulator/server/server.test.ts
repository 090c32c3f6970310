/** Tests that the simulator's server writes before it answers, and misbehaves only as configured. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { eventually } from '../../../../test/support/live.ts';
import { manualClock } from '../../../../test/support/manual-clock.ts';
import type { Reply } from '../../../connector/answer-reader.ts';
import type { CallbackRequest } from '../../../connector/connector.ts';
import { openTransport } from '../../../connector/transport.ts';
import { type Clock, systemClock } from '../../../lib/clock.ts';
import { systemRandom, uuidV7 } from '../../../lib/random.ts';
import { recordOf } from '../../../lib/record.ts';
import { callbackHeaders, readCallback } from '../../http/callback.ts';
import {
  evenRates,
  type Fault,
  faultNames,
  faults,
  noFaultPlan,
  noFaults,
  planFaults,
} from '../faults.ts';
import { type CallbackFault, callbackFaultNames } from './callbacks.ts';
import { type SimulatorOptions, startSimulator } from './server.ts';

const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const newId = uuidV7(systemClock, systemRandom);

const calm: Omit<SimulatorOptions, 'book'> = {
  host: '127.0.0.1',
  port: 0,
  seed: 1,
  rates: noFaults,
  only: ['orders', 'inquiries', 'offers', 'subscribers', 'reports'],
  delayMs: 100,
  lagMs: 200,
  reversesAfter: 100,
  deduplicates: false,
};

type Line = { readonly ref: string; readonly copy?: boolean };

type Place = {
  readonly ask: (path: string) => Promise<Reply>;
  readonly order: (ref: string, digits?: string) => Promise<Reply>;
  readonly post: (path: string, body: string) => Promise<Reply>;
  /** The deliveries in the book, counted by their refs. */
  readonly delivered: () => readonly Line[];
};

const isLine = (value: unknown): value is Line =>
  typeof value === 'object' && value !== null && 'ref' in value && typeof value.ref === 'string';

const deliveredIn = (book: string): readonly Line[] =>
  readFileSync(book, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line))
    .filter(isLine);

/** One client waits however busy the machine is; the other gives up after a while. */
const longTimeouts = { connectMs: 60_000, headersMs: 60_000, answerMs: 60_000 };
const hasty = { ...longTimeouts, headersMs: 1_000, answerMs: 1_500 };

/** How long to wait for an answer, and the time of the simulator. */
type Means = { readonly patience?: typeof longTimeouts; readonly clock?: Clock };

const withServer = async (
  options: Partial<SimulatorOptions>,
  work: (place: Place) => Promise<void>,
  { patience = longTimeouts, clock = systemClock }: Means = {},
): Promise<void> => {
  const book = options.book ?? join(folder, newId());
  const server = await startSimulator({ ...calm, book, ...options }, { clock, newId });
  const transport = openTransport(
    {
      baseUrl: server.url,
      ...patience,
      connections: 50,
      pending: 500,
      answerBytes: 100_000,
    },
    systemClock,
  );
  const post: Place['post'] = (path, body) => transport.send({ method: 'POST', path, body });
  try {
    await work({
      ask: (path) => transport.send({ method: 'GET', path: `/operators/2${path}` }),
      post,
      order: (ref, digits = '00') =>
        post(
          '/operators/2/orders',
          JSON.stringify({ ref, mobile: `9891200000${digits}`, amount: 5, product_id: 1 }),
        ),
      delivered: () => deliveredIn(book),
    });
  } finally {
    await transport.close();
    await server.close();
  }
};

const bodyOf = (reply: Reply): unknown => {
  assert.ok(reply.kind === 'answer', JSON.stringify(reply));
  assert.equal(reply.contentType, 'application/json');
  return JSON.parse(reply.text);
};

const statusOf = (reply: Reply): number => (reply.kind === 'answer' ? reply.status : 0);

const always = (fault: Fault): Partial<SimulatorOptions> => ({
  rates: { ...noFaults, [fault]: 1 },
  only: ['orders'],
});

describe('without faults', () => {
  test('an order is in the book when it is answered, and found by an inquiry', () =>
    withServer({}, async ({ order, ask, delivered }) => {
      assert.deepEqual(bodyOf(await order('r1')), { status: 'delivered', ref: 'r1' });
      assert.deepEqual(
        delivered().map(({ ref }) => ref),
        ['r1'],
      );
      assert.deepEqual(bodyOf(await ask('/orders/r1')), { status: 'delivered', ref: 'r1' });
    }));

  test('with a discount it says what each delivery costs, also after a restart', async () => {
    const book = join(folder, 'discount');
    const options = { book, discountPercent: 10 };
    const told = { status: 'delivered', ref: 'r1', cost: 5 };
    await withServer(options, async ({ order }) => {
      assert.deepEqual(bodyOf(await order('r1')), told);
    });
    await withServer(options, async ({ ask }) => {
      assert.deepEqual(bodyOf(await ask('/orders/r1')), told);
    });
  });

  test('a second order under the same reference is delivered and written again', () =>
    withServer({}, async ({ order, delivered }) => {
      await order('r1');
      await Promise.all([order('r1'), order('r1')]);
      assert.equal(delivered().length, 3);
      assert.ok(delivered().every(({ copy }) => copy === undefined));
    }));

  test('with deduplication a reference is delivered once, however often and concurrently it comes', () =>
    withServer({ deduplicates: true }, async ({ order, delivered }) => {
      const replies = await Promise.all(Array.from({ length: 10 }, () => order('r1')));
      replies.push(await order('r1'));
      assert.ok(replies.every((reply) => statusOf(reply) === 200));
      assert.equal(delivered().length, 1);
      assert.equal(statusOf(await order('r2', '97')), 202);
      assert.equal(statusOf(await order('r2', '97')), 202);
      assert.equal(delivered().length, 1);
    }));

  test('concurrent orders are all written, each once', () =>
    withServer({}, async ({ order, delivered }) => {
      const refs = Array.from({ length: 400 }, (_, index) => `r${index}`);
      const replies = await Promise.all(refs.map((ref) => order(ref)));
      assert.ok(replies.every((reply) => statusOf(reply) === 200));
      const refsWritten = delivered().map(({ ref }) => ref);
      assert.deepEqual(refsWritten.sort(), refs.sort());
    }));

  test('after a restart it knows its earlier deliveries', async () => {
    const book = join(folder, 'restarted');
    await withServer({ book }, async ({ order }) => {
      await order('r1');
      await order('r2', '97');
    });
    await withServer({ book }, async ({ ask, delivered }) => {
      assert.equal(statusOf(await ask('/orders/r1')), 200);
      assert.deepEqual(bodyOf(await ask('/orders/r2')), { status: 'pending', ref: 'r2' });
      assert.equal(statusOf(await ask('/orders/r3')), 404);
      assert.equal(delivered().length, 1);
    });
  });

  test('operators share the book and nothing else', () =>
    withServer({}, async ({ order, post }) => {
      await order('r1');
      const other = await post('/operators/3/orders', '{"ref":"r2"}');
      assert.equal(statusOf(other), 400);
    }));

  test('a request it does not know gets a JSON error, and delivers nothing', () =>
    withServer({}, async ({ ask, post, delivered }) => {
      for (const [expected, reply] of [
        [404, await ask('')],
        [404, await ask('/orders')],
        [404, await ask('/orders/%E0%A4%A')],
        [404, await ask('/orders/r1/more')],
        [404, await post('/operators/0/orders', '{}')],
        [404, await post('/operators/1000/orders', '{}')],
        [404, await post('/elsewhere/2/orders', '{}')],
        [400, await post('/operators/2/orders', '')],
        [400, await post('/operators/2/orders', '{"ref":"","mobile":"9","amount":1}')],
        [413, await post('/operators/2/orders', 'x'.repeat(70_000))],
      ] as const) {
        assert.equal(statusOf(reply), expected);
        assert.match(JSON.stringify(bodyOf(reply)), /^\{"error":"[^"]+\."\}$/);
      }
      assert.equal(delivered().length, 0);
    }));
});

describe('a fault that always happens', { concurrency: 4 }, () => {
  const unknown: Readonly<Partial<Record<Fault, RegExp>>> = {
    'lose-answers': /no answer began/,
    hangs: /no answer within/,
    resets: /ECONNRESET|UND_ERR/,
    drip: /no answer within/,
  };
  for (const [fault, detail] of Object.entries(unknown)) {
    test(`${fault}: delivered, and the answer never arrives whole`, () =>
      withServer(
        { rates: { ...noFaults, [fault]: 1 } },
        async ({ order, delivered }) => {
          const reply = await order('r1');
          assert.ok(reply.kind === 'unknown', JSON.stringify(reply));
          assert.match(reply.detail, detail);
          assert.equal(delivered().length, 1);
        },
        { patience: hasty },
      ));
  }

  test('errors: delivered, and HTTP 500', () =>
    withServer(always('errors'), async ({ order, delivered }) => {
      assert.equal(statusOf(await order('r1')), 500);
      assert.equal(delivered().length, 1);
    }));

  test('nonsense: delivered, and the answer with a JSON type is not JSON', () =>
    withServer(always('nonsense'), async ({ order, delivered }) => {
      const reply = await order('r1');
      assert.throws(() => bodyOf(reply), SyntaxError);
      assert.equal(delivered().length, 1);
    }));

  test('wrong-types: delivered, and the right answer has the type of a page', () =>
    withServer(always('wrong-types'), async ({ order, delivered }) => {
      const reply = await order('r1');
      assert.ok(reply.kind === 'answer');
      assert.equal(reply.contentType, 'text/html');
      assert.equal(delivered().length, 1);
    }));

  test('lose-requests: nothing is delivered and nothing is answered', () =>
    withServer(
      always('lose-requests'),
      async ({ order, ask, delivered }) => {
        assert.equal((await order('r1')).kind, 'unknown');
        assert.equal(delivered().length, 0);
        assert.equal(statusOf(await ask('/orders/r1')), 404);
      },
      { patience: hasty },
    ));

  test('duplicates: delivered twice, and the book marks the copy', () =>
    withServer(always('duplicates'), async ({ order, delivered }) => {
      assert.equal(statusOf(await order('r1')), 200);
      assert.deepEqual(
        delivered().map(({ copy }) => copy),
        [undefined, true],
      );
    }));

  test('duplicates at a deduplicating operator are delivered once', () =>
    withServer({ ...always('duplicates'), deduplicates: true }, async ({ order, delivered }) => {
      assert.equal(statusOf(await order('r1')), 200);
      assert.equal(delivered().length, 1);
    }));

  test('reversals: delivered, and reversed when it is due', () => {
    const clock = manualClock();
    return withServer(
      always('reversals'),
      async ({ order, ask }) => {
        assert.equal(statusOf(await order('r1')), 200);
        await clock.advance(calm.reversesAfter);
        assert.match(JSON.stringify(bodyOf(await ask('/orders/r1'))), /^\{"status":"reversed",/);
      },
      { clock },
    );
  });

  test('lag: an inquiry denies a delivery, until it catches up', () => {
    const clock = manualClock();
    return withServer(
      always('lag'),
      async ({ order, ask, delivered }) => {
        assert.equal(statusOf(await order('r1')), 200);
        assert.equal(delivered().length, 1);
        assert.equal(statusOf(await ask('/orders/r1')), 404);
        await clock.advance(calm.lagMs);
        assert.equal(statusOf(await ask('/orders/r1')), 200);
      },
      { clock },
    );
  });

  test('delays: everything takes that much longer', () =>
    withServer(always('delays'), async ({ order }) => {
      const begun = performance.now();
      assert.equal(statusOf(await order('r1')), 200);
      assert.ok(performance.now() - begun >= calm.delayMs - 5);
    }));

  for (const [fault, code] of [
    ['out-of-stock', 'out_of_stock'],
    ['out-of-funds', 'out_of_funds'],
    ['throttled', 'throttled'],
  ] as const) {
    test(`${fault}: the order is refused, and nothing is delivered`, () =>
      withServer(always(fault), async ({ order, ask, delivered }) => {
        const reply = await order('r1');
        assert.equal(statusOf(reply), 422);
        const reason = 'The operator takes no orders at the moment.';
        assert.deepEqual(bodyOf(reply), { status: 'refused', ref: 'r1', code, reason });
        assert.equal(delivered().length, 0);
        assert.equal(statusOf(await ask('/orders/r1')), 404);
      }));
  }

  test('late-deliveries: no answer and no such order, and then it is delivered', () => {
    const clock = manualClock();
    return withServer(
      always('late-deliveries'),
      async ({ order, ask, delivered }) => {
        assert.equal((await order('r1')).kind, 'unknown');
        await clock.advance(19_999);
        assert.equal(statusOf(await ask('/orders/r1')), 404);
        assert.equal(delivered().length, 0);
        await clock.advance(1);
        assert.equal(statusOf(await ask('/orders/r1')), 200);
        assert.equal(delivered().length, 1);
      },
      { patience: hasty, clock },
    );
  });

  test('is limited to its kinds of requests', () =>
    withServer(always('errors'), async ({ order, ask }) => {
      assert.equal(statusOf(await order('r1')), 500);
      assert.equal(statusOf(await ask('/orders/r1')), 200);
      assert.equal(statusOf(await ask('/reports?cursor=')), 200);
      assert.equal(statusOf(await ask('/subscribers/989120000000')), 200);
      assert.equal(statusOf(await ask('/offers?mobile=989120000000')), 200);
    }));

  test('spares requests whose number already decides', () =>
    withServer(
      always('errors'),
      async ({ order }) => {
        assert.equal((await order('r1', '94')).kind, 'unknown');
      },
      { patience: hasty },
    ));
});

describe('a seed', () => {
  const rates = { ...noFaults, errors: 0.3 };
  const statusesOf = async (seed: number): Promise<readonly number[]> => {
    const statuses: number[] = [];
    await withServer({ seed, rates }, async ({ ask }) => {
      for (let asked = 0; asked < 100; asked += 1) {
        statuses.push(statusOf(await ask('/subscribers/989120000000')));
      }
    });
    return statuses;
  };

  test('decides which requests get faults, and another decides otherwise', async () => {
    const [one, again, other] = [await statusesOf(7), await statusesOf(7), await statusesOf(8)];
    assert.deepEqual(again, one);
    assert.notDeepEqual(other, one);
    const failed = one.filter((status) => status === 500).length;
    assert.ok(failed > 10 && failed < 55, String(failed));
  });
});

describe('the fate of a request', () => {
  const seeds = fc.integer({ min: 0 });
  const numbers = fc.integer({ min: 1, max: 1_000_000 });

  test('is good if no fault has a rate, and as bad as possible if all are certain', () => {
    fc.assert(
      fc.property(seeds, numbers, (seed, nth) => {
        assert.deepEqual(planFaults(seed, evenRates(0), nth), noFaultPlan);
        const { delayed, ...worst } = planFaults(seed, evenRates(1), nth);
        assert.notEqual(delayed, 'never');
        assert.deepEqual(worst, {
          isLost: true,
          isDoubled: true,
          lags: true,
          isReversed: true,
          refusal: 'out_of_stock',
          isLate: true,
          manner: 'lose-answers',
        });
      }),
    );
  });

  test('keeps its other parts when one fault becomes more frequent', () => {
    fc.assert(
      fc.property(seeds, numbers, (seed, nth) => {
        const { isLost: _, ...few } = planFaults(seed, evenRates(0.5), nth);
        const { isLost: __, ...more } = planFaults(
          seed,
          { ...evenRates(0.5), 'lose-requests': 0.9 },
          nth,
        );
        assert.deepEqual(more, few);
      }),
    );
  });

  test('occurs as often as its rate says', () => {
    for (const [fault, isMet] of [
      ['lose-requests', (nth: number, rates: typeof noFaults) => planFaults(1, rates, nth).isLost],
      ['lag', (nth: number, rates: typeof noFaults) => planFaults(1, rates, nth).lags],
      [
        'drip',
        (nth: number, rates: typeof noFaults) => planFaults(1, rates, nth).manner === 'drip',
      ],
    ] as const) {
      const rates = { ...noFaults, [fault]: 0.1 };
      const met = Array.from({ length: 5_000 }, (_, nth) => isMet(nth, rates)).filter(Boolean);
      assert.ok(met.length > 400 && met.length < 600, `${fault}: ${met.length}`);
    }
  });

  test('has every named fault', () => {
    assert.deepEqual([...faultNames].sort(), Object.keys(faults).sort());
    assert.deepEqual(Object.keys(noFaults).sort(), Object.keys(faults).sort());
  });
});

describe('A callback', () => {
  const secret = 'a key of sixteen characters';
  const heard: (CallbackRequest & { readonly path: string })[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = { 'x-signature': String(request.headers['x-signature']) };
      const body = Buffer.concat(chunks);
      const { method = '', url: path = '' } = request;
      heard.push({ path, method, query: '', headers, body, receivedAt: 0 });
      response.end();
    });
  });
  before(async () => {
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
  });
  after(() => void receiver.close());

  /** Orders once, and returns the callbacks that came until the answer. */
  const orderWith = async (
    fault: CallbackFault | undefined,
    work: (place: Place) => Promise<void> = async () => {},
    means?: Means,
  ): Promise<void> => {
    heard.length = 0;
    const address = receiver.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const rates = recordOf(callbackFaultNames, (name) => (name === fault ? 1 : 0));
    const url = `http://127.0.0.1:${port}/callbacks/operator_{id}`;
    await withServer(
      { callbacks: { url, secret, rates }, lateMs: 60_000 },
      async (place) => {
        await place.order('a');
        await work(place);
      },
      means,
    );
  };
  const came = (times: number): Promise<void> =>
    eventually(`${times} callbacks`, async () => heard.length >= times);
  const read = () => heard.map((request) => readCallback(request, secret));
  const delivered = {
    kind: 'statements',
    statements: [{ ref: 'a', outcome: { kind: 'done', ref: 'a' } }],
  } as const;

  test('comes after the answer to an order, signed', () =>
    orderWith(undefined, async () => {
      await came(1);
      assert.deepEqual(read(), [delivered]);
      assert.equal(heard[0]?.path, '/callbacks/operator_2');
    }));

  test('can come before the answer', () =>
    orderWith('callbacks-early', async () => assert.deepEqual(read(), [delivered])));

  test('can come twice', () =>
    orderWith('callbacks-twice', async () => {
      await came(2);
      assert.deepEqual(read(), [delivered, delivered]);
    }));

  test('can be forged, which the connector rejects, beside the true one', () =>
    orderWith('callbacks-forged', async () => {
      await came(2);
      assert.deepEqual(
        read().map(({ kind }) => kind),
        ['rejected', 'statements'],
      );
    }));

  test('can come late', async () => {
    const clock = manualClock();
    await orderWith(
      'callbacks-late',
      async () => {
        await clock.advance(59_999);
        assert.deepEqual(heard, []);
        await clock.advance(1);
        await came(1);
      },
      { clock },
    );
  });

  test('can be lost, and one about nothing that is known says nothing', async () => {
    await orderWith('callbacks-lost');
    assert.deepEqual(heard, []);
    const body = Buffer.from('{"status":"delivered"}');
    const headers = callbackHeaders(body.toString(), secret);
    const request = { method: 'POST', query: '', headers, body, receivedAt: 0 };
    assert.deepEqual(readCallback(request, secret), { kind: 'statements', statements: [] });
  });
});

test('a port in use gives a clear message', () =>
  withServer({}, async () => {
    const options = { ...calm, book: join(folder, 'taken') };
    const deps = { clock: systemClock, newId };
    const first = await startSimulator(options, deps);
    const port = Number(new URL(first.url).port);
    await assert.rejects(startSimulator({ ...options, port }, deps), /Cannot listen at port \d+/);
    await first.close();
  }));
