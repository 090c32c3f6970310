/** Tests personal offers over real HTTP: requests, answers, and what is cached. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Type } from 'typebox';
import { type OperatorConfig, readConfig } from '../../src/config/config.ts';
import {
  type Connector,
  defineConnector,
  type Offer,
  type OffersOutcome,
} from '../../src/connector/connector.ts';
import { assertError, at, keysOf, listOf } from '../support/answers.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import {
  type Answer,
  addClient,
  request,
  shareServer,
  startServer,
  type TestOptions,
  type TestServer,
} from '../support/server.ts';

const path = '/api/operator_2/offers/';
const mobile = '989123456700';
const notSubscriber = '989123456791';
const settings = readConfig({}).offers;

const withServer = async (
  options: TestOptions,
  work: (server: TestServer) => Promise<void>,
): Promise<void> => {
  const server = await startServer(options);
  try {
    await work(server);
  } finally {
    await server.stop();
  }
};

const ask = (server: TestServer, number: unknown, token = server.client.token): Promise<Answer> =>
  request(server, path, { json: { mobile: number }, token });

const offer: Offer = {
  code: 'C1',
  type: 'T1',
  amount: '30000',
  name: 'One',
  description: 'An offer',
  descriptionLocal: 'یک بسته',
  validityDays: '',
};

type Ask = (mobile: string) => Promise<OffersOutcome>;

type TestOperator = {
  readonly connector: Connector;
  /** The numbers in its calls. */
  readonly calls: readonly string[];
};

/** An operator whose answers a test decides; each answer has its own transaction id. */
const operatorThat = (answer: Ask): TestOperator => {
  const calls: string[] = [];
  const connector = defineConnector({
    name: 'test',
    settings: Type.Object({}),
    connect: () => ({
      // Not async: what an answer throws is thrown synchronously.
      offers: (asked: string) => {
        calls.push(asked);
        return answer(asked);
      },
      buy: async () => ({ kind: 'unknown', detail: 'not sold here' }),
      status: async () => ({ kind: 'unknown', detail: 'not sold here' }),
      deadlineMs: 1000,
      close: async () => {},
    }),
  });
  return { connector, calls };
};

const listing =
  (): Ask =>
  async (asked): Promise<OffersOutcome> => ({
    kind: 'offers',
    offers: [{ ...offer, code: `code of ${asked}` }],
    transactionId: `${transactions++}`,
    message: 'Here they are.',
  });

let transactions = 1;

const operatorConfig = (id: number, name = `operator_${id}`): OperatorConfig => ({
  id,
  name,
  connector: 'test',
  settings: {},
});

/** A server with the test's own operator 2. */
const withOperator = (
  operator: TestOperator,
  options: { clock?: ManualClock; offers?: Partial<typeof settings> },
  work: (server: TestServer) => Promise<void>,
): Promise<void> =>
  withServer(
    {
      connectors: [operator.connector],
      ...(options.clock === undefined ? {} : { clock: options.clock }),
      config: { operators: [operatorConfig(2)], offers: { ...settings, ...options.offers } },
    },
    work,
  );

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const untilCalled = async ({ calls }: TestOperator, count: number): Promise<void> => {
  while (calls.length < count) await turn();
};

const answerFields = [
  'status',
  'ResultCode',
  'TransactionID',
  'CommandStatus',
  'OrigResponseMessage',
  'message',
  'offersList',
];

const offerFields = [
  'offerCode',
  'offerDesc',
  'offerDescLN',
  'validityDays',
  'offerType',
  'amount',
  'name',
];

describe("The answer to a request for a subscriber's offers", () => {
  const withClient = shareServer();

  test('has the fields of the contract, status true and ResultCode 0', () =>
    withClient(async (server) => {
      const answer = await ask(server, mobile);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.deepEqual(keysOf(answer.body), answerFields);
      assert.equal(at(answer.body, 'status'), true);
      assert.equal(at(answer.body, 'ResultCode'), 0);
      for (const field of ['TransactionID', 'CommandStatus', 'OrigResponseMessage', 'message']) {
        assert.equal(typeof at(answer.body, field), 'string');
        assert.notEqual(at(answer.body, field), '');
      }
      assert.ok(listOf(at(answer.body, 'offersList')).length > 0);
    }));

  test('gives every offer the seven fields of the contract, all of them strings', () =>
    withClient(async (server) => {
      for (let last = 10; last < 40; last += 1) {
        const answer = await ask(server, `9891234567${last}`);
        const offers = listOf(at(answer.body, 'offersList'));
        for (const one of offers) {
          assert.deepEqual(keysOf(one), offerFields);
          for (const field of offerFields) assert.equal(typeof at(one, field), 'string');
          assert.notEqual(at(one, 'offerCode'), '');
          assert.match(String(at(one, 'amount')), /^\d+(\.\d+)?$/);
          assert.match(String(at(one, 'validityDays')), /^\d*$/);
        }
      }
    }));

  test('passes on the operator’s values, each in its field', () =>
    withOperator(operatorThat(listing()), {}, async (server) => {
      const { body } = await ask(server, mobile);
      assert.deepEqual(body, {
        status: true,
        ResultCode: 0,
        TransactionID: at(body, 'TransactionID'),
        CommandStatus: 'Completed',
        OrigResponseMessage: 'Here they are.',
        message: 'Here they are.',
        offersList: [
          {
            offerCode: `code of ${mobile}`,
            offerDesc: 'An offer',
            offerDescLN: 'یک بسته',
            validityDays: '',
            offerType: 'T1',
            amount: '30000',
            name: 'One',
          },
        ],
      });
    }));

  test('is a 200 with status false, code, message and an empty list if the operator refuses', () =>
    withClient(async (server) => {
      const answer = await ask(server, notSubscriber);
      assert.equal(answer.status, 200);
      assert.deepEqual(keysOf(answer.body), answerFields);
      assert.equal(at(answer.body, 'status'), false);
      assert.equal(at(answer.body, 'ResultCode'), 91);
      assert.match(String(at(answer.body, 'message')), /subscriber/);
      assert.equal(at(answer.body, 'OrigResponseMessage'), at(answer.body, 'message'));
      assert.equal(typeof at(answer.body, 'TransactionID'), 'string');
      assert.equal(typeof at(answer.body, 'CommandStatus'), 'string');
      assert.deepEqual(at(answer.body, 'offersList'), []);
    }));

  test("carries the operator's own code and words if it refuses", () => {
    const operator = operatorThat(async () => ({
      kind: 'refused',
      code: 17,
      reason: 'The subscriber is barred.',
      transactionId: 'tx-9',
    }));
    return withOperator(operator, {}, async (server) => {
      assert.deepEqual((await ask(server, mobile)).body, {
        status: false,
        ResultCode: 17,
        TransactionID: 'tx-9',
        CommandStatus: 'Rejected',
        OrigResponseMessage: 'The subscriber is barred.',
        message: 'The subscriber is barred.',
        offersList: [],
      });
    });
  });

  test('is an ordinary list for every special number of the simulator but 91', () =>
    withClient(async (server) => {
      for (const end of ['90', '92', '93', '94', '95', '96', '97', '98', '99']) {
        const { status, body } = await ask(server, `9891234567${end}`);
        assert.equal(status, 200);
        assert.equal(at(body, 'status'), true, end);
        assert.ok(listOf(at(body, 'offersList')).length > 0);
      }
    }));

  test('is the same with and without the trailing slash', () =>
    withClient(async (server) => {
      const { text } = await ask(server, mobile);
      const answer = await request(server, '/api/operator_2/offers', { json: { mobile } });
      assert.equal(answer.text, text);
    }));

  test('lists the same offers for the same subscriber, on another server too', () =>
    withClient((server) =>
      withServer({}, async (other) => {
        const [one, two] = await Promise.all([ask(server, mobile), ask(other, mobile)]);
        assert.deepEqual(at(one.body, 'offersList'), at(two.body, 'offersList'));
        const neighbour = await ask(server, '989123456702');
        assert.notDeepEqual(at(neighbour.body, 'offersList'), at(one.body, 'offersList'));
      }),
    ));

  test('leaves no mobile number in the log', () =>
    withClient(async (server) => {
      await ask(server, mobile);
      await ask(server, notSubscriber);
      await ask(server, `0${mobile}`);
      assert.ok(server.logged.some((line) => line.includes('/offers')));
      assert.ok(!/98\d{10}/.test(server.logged.join('').replaceAll(/[\da-f]{8}-[\da-f-]+/g, '')));
    }));
});

const digitSets = ['0123456789', '۰۱۲۳۴۵۶۷۸۹', '٠١٢٣٤٥٦٧٨٩'] as const;

const refusedMobile = (answer: Answer): void => {
  assertError(answer, 422, 'INVALID_MOBILE');
  assert.deepEqual(keysOf(at(answer.body, 'errors')), ['mobile']);
};

describe('The mobile number', () => {
  const withClient = shareServer();

  test('is 98 and ten digits, which may be Latin, Persian or Arabic, even mixed', () =>
    withOperator(operatorThat(listing()), {}, async (server) => {
      const digits = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom(0, 1, 2)), {
        minLength: 10,
        maxLength: 10,
      });
      const prefix = fc.constantFrom('98', '۹۸', '٩٨', '۹8');
      await fc.assert(
        fc.asyncProperty(prefix, digits, async (start, rest) => {
          const spelled = start + rest.map(([value, set]) => digitSets[set]?.[value]).join('');
          const latin = `98${rest.map(([value]) => value).join('')}`;
          const answer = await ask(server, spelled);
          assert.equal(answer.status, 200, spelled);
          assert.equal(at(answer.body, 'offersList', 0, 'offerCode'), `code of ${latin}`);
        }),
        { numRuns: 60 },
      );
    }));

  const wrong = {
    'with a plus sign': '+989123456700',
    'with the international prefix 00': '00989123456700',
    'in the national form': '09123456700',
    'without any prefix': '9123456700',
    'with a digit too few': '98912345670',
    'with a digit too many': '9891234567000',
    'with another country': '979123456700',
    'with a leading zero': '0989123456700',
    'with inner spaces': '98 912 345 6700',
    'with hyphens': '98-912-345-6700',
    'with a letter in it': '98912345670a',
    'with digits of another script': '98९१२३४५६७००',
    'that is empty': '',
    'that is only space': '   ',
    'with a second line': '989123456700\n989123456700',
    'that is null': null,
    'that is true': true,
    'that is an object': { number: mobile },
    'that is a list': [mobile],
  } as const;

  test('in any other form is INVALID_MOBILE, and the operator is not asked', () => {
    const operator = operatorThat(listing());
    return withOperator(operator, {}, async (server) => {
      for (const [what, number] of Object.entries(wrong)) {
        const answer = await ask(server, number);
        assert.equal(answer.status, 422, `a number ${what}`);
        refusedMobile(answer);
      }
      assert.deepEqual(operator.calls, []);
    });
  });

  test('is INVALID_MOBILE for any text that is not 98 and ten digits', () => {
    const operator = operatorThat(listing());
    return withOperator(operator, {}, async (server) => {
      const pieces = fc.constantFrom('98', '9', '0', '۹', '٨', '+', ' ', '.', 'e', '-', '\u200c');
      const texts = fc.oneof(
        fc.string(),
        fc.array(pieces, { maxLength: 14 }).map((all) => all.join('')),
      );
      const isWrong = (text: string): boolean => !/^[9۹٩][8۸٨][\d۰-۹٠-٩]{10}$/.test(text.trim());
      await fc.assert(
        fc.asyncProperty(texts.filter(isWrong), async (text) =>
          refusedMobile(await ask(server, text)),
        ),
        { numRuns: 100 },
      );
      assert.deepEqual(operator.calls, []);
    });
  });

  test('is INVALID_MOBILE if it is missing, whatever else the body is', () =>
    withClient(async (server) => {
      for (const json of [
        {},
        { Mobile: mobile },
        { mobiles: mobile },
        [],
        [mobile],
        null,
        mobile,
        7,
      ]) {
        refusedMobile(await request(server, path, { json }));
      }
      const headers = { 'content-type': 'application/json' };
      refusedMobile(await request(server, path, { method: 'POST', headers, body: '' }));
      refusedMobile(await request(server, path, { method: 'POST' }));
      refusedMobile(await request(server, `${path}?mobile=${mobile}`, { json: {} }));
    }));

  test('may come with unknown fields', () =>
    withClient(async (server) => {
      const answer = await request(server, path, { json: { mobile, lang: 'fa', page: 1 } });
      assert.equal(answer.status, 200);
    }));

  test('that is refused comes with its rule, in the message and under errors.mobile', () =>
    withClient(async (server) => {
      const { body } = await ask(server, '09123456700');
      assert.match(String(at(body, 'message')), /98 followed by exactly 10 digits/);
      assert.match(String(at(body, 'errors', 'mobile', 0)), /98 followed by exactly 10 digits/);
    }));

  test('follows the configured prefix and length', () =>
    withServer({ config: { mobile: { prefix: '44', digits: 8 } } }, async (server) => {
      assert.equal((await ask(server, '4412345600')).status, 200);
      const answer = await ask(server, mobile);
      refusedMobile(answer);
      assert.match(String(at(answer.body, 'message')), /44 followed by exactly 8 digits/);
    }));
});

describe('Offers are cached', () => {
  test('per mobile across clients: the operator is asked once, and all get the same bytes', () => {
    const operator = operatorThat(listing());
    return withOperator(operator, {}, async (server) => {
      const other = await addClient(server);
      const { text } = await ask(server, mobile);
      assert.equal((await ask(server, mobile)).text, text);
      assert.equal((await ask(server, '۹۸۹۱۲۳۴۵۶۷۰۰')).text, text);
      assert.equal((await ask(server, mobile, other.token)).text, text);
      assert.deepEqual(operator.calls, [mobile]);
      await ask(server, '989123456702');
      assert.deepEqual(operator.calls, [mobile, '989123456702']);
    });
  });

  test('per operator: each is asked separately about the same number', () => {
    const operator = operatorThat(listing());
    const operators = [operatorConfig(2), operatorConfig(3)];
    const options = { connectors: [operator.connector], config: { operators } };
    return withServer(options, async (server) => {
      const two = await ask(server, mobile);
      const three = await request(server, '/api/operator_3/offers', { json: { mobile } });
      assert.equal(three.status, 200);
      assert.notEqual(at(two.body, 'TransactionID'), at(three.body, 'TransactionID'));
      assert.deepEqual(operator.calls, [mobile, mobile]);
    });
  });

  test('for ten minutes by default, and not a moment longer', () => {
    const operator = operatorThat(listing());
    const clock = manualClock();
    return withOperator(operator, { clock }, async (server) => {
      const { text } = await ask(server, mobile);
      await clock.advance(599_999);
      assert.equal((await ask(server, mobile)).text, text);
      await clock.advance(1);
      assert.notEqual((await ask(server, mobile)).text, text);
      assert.equal(operator.calls.length, 2);
    });
  });

  test('from the moment they were listed: reading them does not extend that', () => {
    const operator = operatorThat(listing());
    const clock = manualClock();
    return withOperator(operator, { clock, offers: { rememberMs: 1000 } }, async (server) => {
      await ask(server, mobile);
      await clock.advance(600);
      await ask(server, mobile);
      assert.equal(operator.calls.length, 1);
      await clock.advance(400);
      await ask(server, mobile);
      assert.equal(operator.calls.length, 2);
    });
  });

  test('not at all if rememberMs is 0', () => {
    const operator = operatorThat(listing());
    return withOperator(operator, { offers: { rememberMs: 0 } }, async (server) => {
      await ask(server, mobile);
      await ask(server, mobile);
      assert.equal(operator.calls.length, 2);
    });
  });

  for (const rememberAtMost of [1, 2, 5]) {
    test(`for ${rememberAtMost} subscriber(s) at most if that is the limit`, () => {
      const operator = operatorThat(listing());
      return withOperator(operator, { offers: { rememberAtMost } }, async (server) => {
        const numbers = Array.from(
          { length: rememberAtMost + 1 },
          (_, index) => `98912345670${index}`,
        );
        for (const number of numbers) await ask(server, number);
        const [oldest, ...kept] = numbers;
        for (const number of kept) await ask(server, number);
        assert.deepEqual(operator.calls, numbers);
        await ask(server, oldest);
        assert.deepEqual(operator.calls, [...numbers, oldest]);
      });
    });
  }
});

const unavailable = (answer: Answer): void => {
  assertError(answer, 503, 'OPERATOR_UNAVAILABLE');
  assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  assert.equal(at(answer.body, 'offersList'), undefined);
};

const failures: Readonly<Record<string, Ask>> = {
  'answers nonsense': async () => ({ kind: 'unknown', detail: 'unreadable' }),
  'fails by a rejection': () => Promise.reject(new Error('connection reset')),
  'fails by an exception': () => {
    throw new Error('a broken connector');
  },
};

describe('An operator', () => {
  for (const [what, failure] of Object.entries(failures)) {
    test(`that ${what} is OPERATOR_UNAVAILABLE with Retry-After, and is asked again`, () => {
      let broken = true;
      const well = listing();
      const operator = operatorThat((asked) => (broken ? failure(asked) : well(asked)));
      return withOperator(operator, {}, async (server) => {
        unavailable(await ask(server, mobile));
        unavailable(await ask(server, mobile));
        broken = false;
        const answer = await ask(server, mobile);
        assert.equal(answer.status, 200);
        assert.equal(listOf(at(answer.body, 'offersList')).length, 1);
        assert.equal(operator.calls.length, 3);
      });
    });
  }

  test('that hangs past the deadline is OPERATOR_UNAVAILABLE, and is asked again', () => {
    let hangs = true;
    const well = listing();
    const operator = operatorThat((asked) => (hangs ? new Promise(() => {}) : well(asked)));
    const clock = manualClock();
    return withOperator(operator, { clock, offers: { deadlineMs: 700 } }, async (server) => {
      let settled = false;
      const waiting = ask(server, mobile).finally(() => {
        settled = true;
      });
      await untilCalled(operator, 1);
      await clock.advance(699);
      assert.equal((await request(server, '/health/live')).status, 200);
      assert.equal(settled, false);
      await clock.advance(1);
      unavailable(await waiting);
      hangs = false;
      assert.equal((await ask(server, mobile)).status, 200);
      assert.equal(operator.calls.length, 2);
    });
  });

  test('has ten seconds to answer by default', () => {
    const operator = operatorThat(() => new Promise(() => {}));
    const clock = manualClock();
    return withOperator(operator, { clock }, async (server) => {
      const waiting = ask(server, mobile);
      await untilCalled(operator, 1);
      await clock.advance(10_000);
      unavailable(await waiting);
    });
  });

  test('that answers only after the deadline is ignored', () => {
    const late = Promise.withResolvers<OffersOutcome>();
    const well = listing();
    const operator = operatorThat((asked) =>
      operator.calls.length === 1 ? late.promise : well(asked),
    );
    const clock = manualClock();
    return withOperator(operator, { clock }, async (server) => {
      const waiting = ask(server, mobile);
      await untilCalled(operator, 1);
      await clock.advance(10_000);
      unavailable(await waiting);
      late.resolve({ kind: 'offers', offers: [], transactionId: 'late', message: 'Late.' });
      await turn();
      const answer = await ask(server, mobile);
      assert.notEqual(at(answer.body, 'TransactionID'), 'late');
      assert.equal(operator.calls.length, 2);
    });
  });

  test('in trouble does not evict the cached offers', () => {
    let broken = false;
    const well = listing();
    const operator = operatorThat((asked) =>
      broken ? Promise.reject(new Error('down')) : well(asked),
    );
    return withOperator(operator, {}, async (server) => {
      const { text } = await ask(server, mobile);
      broken = true;
      unavailable(await ask(server, '989123456702'));
      assert.equal((await ask(server, mobile)).text, text);
    });
  });

  test('without offers for a number lists none, with status true', () => {
    const operator = operatorThat(async () => ({
      kind: 'offers',
      offers: [],
      transactionId: 'tx',
      message: 'None today.',
    }));
    return withOperator(operator, {}, async (server) => {
      const answer = await ask(server, mobile);
      assert.equal(answer.status, 200);
      assert.equal(at(answer.body, 'status'), true);
      assert.deepEqual(at(answer.body, 'offersList'), []);
    });
  });
});

describe('Concurrent requests for one number', () => {
  /** Sends requests of two clients while the operator has not answered yet. */
  const sendTogether = async (
    server: TestServer,
    operator: TestOperator,
  ): Promise<Promise<Answer>[]> => {
    const other = await addClient(server);
    const first = ask(server, mobile);
    await untilCalled(operator, 1);
    const more = Array.from({ length: 10 }, (_, index) =>
      ask(server, mobile, index % 2 === 0 ? other.token : server.client.token),
    );
    // Later requests cannot overtake these: by then all of them are waiting.
    for (let count = 0; count < 10; count += 1) await request(server, '/health/ready');
    return [first, ...more];
  };

  test('share one call to the operator, and its answer', () => {
    const answer = Promise.withResolvers<OffersOutcome>();
    const operator = operatorThat(() => answer.promise);
    return withOperator(operator, {}, async (server) => {
      const waiting = await sendTogether(server, operator);
      answer.resolve(await listing()(mobile));
      const texts = new Set((await Promise.all(waiting)).map(({ text }) => text));
      assert.equal(texts.size, 1);
      assert.deepEqual(operator.calls, [mobile]);
    });
  });

  test('share its failure too, each with its own answer', () => {
    const answer = Promise.withResolvers<OffersOutcome>();
    const operator = operatorThat(() => answer.promise);
    return withOperator(operator, {}, async (server) => {
      const waiting = await sendTogether(server, operator);
      answer.reject(new Error('down'));
      const answers = await Promise.all(waiting);
      for (const one of answers) unavailable(one);
      const ids = new Set(answers.map(({ body }) => at(body, 'request_id')));
      assert.equal(ids.size, answers.length);
    });
  });
});

describe('The path of offers', () => {
  const withClient = shareServer();

  test('exists by default for operator 2 alone', () =>
    withClient(async (server) => {
      assert.equal((await ask(server, mobile)).status, 200);
      for (const id of [1, 3, 4, 5, 6]) {
        for (const end of ['', '/']) {
          const answer = await request(server, `/api/operator_${id}/offers${end}`, {
            json: { mobile },
          });
          assertError(answer, 404, 'NOT_FOUND');
        }
      }
    }));

  test("follows the operator's configured name", () => {
    const operator = operatorThat(listing());
    const operators = [operatorConfig(2, 'blue-mobile')];
    const options = { connectors: [operator.connector], config: { operators } };
    return withServer(options, async (server) => {
      const named = await request(server, '/api/blue-mobile/offers/', { json: { mobile } });
      assert.equal(named.status, 200);
      assertError(await ask(server, mobile), 404, 'NOT_FOUND');
    });
  });

  test('exists for every operator whose connector can list offers', () => {
    const operators = readConfig({}).operators.map((one) => ({
      ...one,
      settings: { offers: one.id >= 3 },
    }));
    return withServer({ config: { operators } }, async (server) => {
      for (const { id, name } of operators) {
        const { status } = await request(server, `/api/${name}/offers/`, { json: { mobile } });
        assert.equal(status, id >= 3 ? 200 : 404, name);
      }
    });
  });

  test('takes POST alone', () =>
    withClient(async (server) => {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await request(server, `${path}?mobile=${mobile}`, { method });
        assertError(answer, 405, 'METHOD_NOT_ALLOWED');
        assert.equal(answer.headers.get('allow'), 'POST');
      }
    }));
});
