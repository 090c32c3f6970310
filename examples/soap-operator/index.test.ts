/** Tests that the connector for Larch Mobile keeps a connector's promises, and reads every answer safely. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Connection, Order, WireAnswer } from 'simgate/connector';
import {
  connectorSuite,
  inquireAt,
  maskSettings,
  openConnection,
  sleep,
  startRawOperator,
  systemClock,
  type TestBed,
  wireSuite,
} from 'simgate/connector-suite';
import { answerOf, credentials, faultOf, startFakeOperator } from './fake-operator.ts';
import { larchMobile } from './index.ts';
import {
  dealerRefOf,
  msisdnOf,
  readQuery,
  readRecharge,
  rechargeMessage,
  rialsOf,
} from './wire.ts';
import { childText, escapeXml, readXml } from './xml.ts';

// Every lost answer takes all of it; and a busy machine must be able to answer within it.
const deadline = 4_000;
const slack = 30_000;

const connectWith = (more: Readonly<Record<string, unknown>>): Connection =>
  openConnection(larchMobile, { ...credentials, ...more });

/** Any character, one in six of ASCII. */
const anyCharacter = fc
  .oneof(
    { arbitrary: fc.nat({ max: 0x10ffff }), weight: 5 },
    { arbitrary: fc.nat({ max: 0x7f }), weight: 1 },
  )
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point));

/** A connection to the test's own operator. */
const openLarch = async (more: Readonly<Record<string, unknown>> = {}) => {
  const operator = await startFakeOperator();
  return { operator, connection: connectWith({ baseUrl: operator.url, ...more }) };
};

const withLarch = async (
  work: (larch: Awaited<ReturnType<typeof openLarch>>) => Promise<void>,
  settings?: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const larch = await openLarch(settings);
  try {
    await work(larch);
  } finally {
    await larch.connection.close();
    await larch.operator.close();
  }
};

const mobileEnding = (digits: string): string => `9891200000${digits}`;

const withoutHyphens = (ref: string): string => ref.split('-').join('');

const openBed = async (): Promise<TestBed> => {
  const { operator, connection } = await openLarch({ answerMs: deadline });
  return {
    // Ours shows an order at once, so a test need not wait for the document's 15 seconds.
    connector: { ...larchMobile, settlesWithin: 0 },
    connection,
    deadline,
    slack,
    clock: systemClock,
    wait: (ms) => sleep(systemClock, ms),
    deliveries: (ref) =>
      operator.deliveries.filter(({ dealerRef }) => dealerRef === withoutHyphens(ref)).length,
    mobiles: {
      success: mobileEnding('12'),
      declined: mobileEnding('90'),
      notSubscriber: mobileEnding('91'),
      answerLost: mobileEnding('93'),
      requestLost: mobileEnding('94'),
      nonsense: mobileEnding('96'),
    },
    end: operator.close,
  };
};

// The first exchange of a process is its slowest, and must not count against the suite.
before(() => withLarch(async ({ connection }) => assert.ok(await connection.buy(order))));

connectorSuite({ name: 'larch-mobile', open: openBed });
wireSuite({ name: 'larch-mobile', open: connectWith });

const ref = '0194b7f0-5a3c-7e1d-8f00-0123456789ab';
const dealerRef = '0194b7f05a3c7e1d8f000123456789ab';
const receipt = 'LM-77';

const order: Order = { ref, mobile: mobileEnding('12'), amount: 33_000, productId: 1001 };

const answer = (text: string, status = 200, contentType = 'text/xml'): WireAnswer => ({
  kind: 'answer',
  status,
  contentType,
  text,
});

const recharged = (values: Readonly<Record<string, string>>): string =>
  answerOf('RechargeResponse', { dealerRef, ...values });

const queried = (values: Readonly<Record<string, string>>): string =>
  answerOf('QueryResponse', { dealerRef, ...values });

const rechargeKind = (text: string, status?: number, contentType?: string): string =>
  readRecharge(answer(text, status, contentType), ref).kind;

const queryKind = (text: string, status?: number): string =>
  readQuery(answer(text, status), ref).kind;

const refusalCodes = {
  11: ['not_subscriber', 'subscriber'],
  12: ['declined', 'subscriber'],
  13: ['wrong_sim_type', 'subscriber'],
  14: ['declined', 'request'],
  15: ['declined', 'request'],
  21: ['out_of_funds', 'supplier'],
} as const;

describe('an answer to Recharge', () => {
  test('with code 0 and a receipt is a delivery', () => {
    const outcome = readRecharge(answer(recharged({ code: '0', receipt })), ref);
    assert.deepEqual(outcome, { kind: 'done', ref: receipt });
  });

  for (const [code, [meaning, blame]] of Object.entries(refusalCodes)) {
    test(`with code ${code} is refused as ${meaning}, in our own words`, () => {
      const text = recharged({ code, text: 'their words' });
      const outcome = readRecharge(answer(text), ref);
      assert.ok(outcome.kind === 'refused');
      assert.deepEqual([outcome.code, outcome.blame], [meaning, blame]);
      assert.match(outcome.reason, /^[A-Z].*\.$/);
      assert.doesNotMatch(outcome.reason, /their words/);
    });
  }

  for (const code of [
    '1',
    '31',
    '90',
    '10',
    '16',
    '22',
    '100',
    '-1',
    '',
    '00',
    '0.0',
    '0x0',
    '+0',
  ]) {
    test(`with code "${code}", which is not listed as final, is unknown`, () => {
      assert.equal(rechargeKind(recharged({ code, receipt })), 'unknown');
    });
  }

  test('with a number beyond exact integers is unknown, however it would be rounded', () => {
    for (const code of ['1e1', '0e9', '11.0', '1'.repeat(400), '11.00000000000000000001', '１１']) {
      assert.equal(rechargeKind(recharged({ code, receipt })), 'unknown', code);
    }
  });

  test('of a delivery without a valid receipt is unknown', () => {
    for (const wrong of ['', ' ', 'x'.repeat(31), 'a b', '<b/>']) {
      assert.equal(rechargeKind(recharged({ code: '0', receipt: wrong })), 'unknown', wrong);
    }
    assert.equal(rechargeKind(recharged({ code: '0' })), 'unknown');
  });

  test('about another order is unknown, even if it is a refusal', () => {
    const other = withoutHyphens(randomUUID());
    for (const code of ['0', '12']) {
      assert.equal(rechargeKind(recharged({ dealerRef: other, code, receipt })), 'unknown');
      assert.equal(rechargeKind(answerOf('RechargeResponse', { code, receipt })), 'unknown');
      const unfit = answer(answerOf('RechargeResponse', { code, receipt }));
      assert.equal(readRecharge(unfit, 'no reference of ours').kind, 'unknown');
    }
  });

  test('to another operation is unknown', () => {
    for (const name of ['QueryResponse', 'Recharge', 'rechargeResponse']) {
      assert.equal(rechargeKind(answerOf(name, { dealerRef, code: '12' })), 'unknown', name);
    }
  });

  test('in another namespace is unknown: another version, or no SOAP', () => {
    for (const code of ['0', '12']) {
      const right = recharged({ code, receipt });
      assert.notEqual(rechargeKind(right), 'unknown');
      for (const [from, to] of [
        ['urn:larch:recharge:1', 'urn:larch:recharge:2'],
        ['urn:larch:recharge:1', ''],
        ['http://schemas.xmlsoap.org/soap/envelope/', 'http://www.w3.org/2003/05/soap-envelope'],
      ] as const) {
        assert.equal(rechargeKind(right.replace(from, to)), 'unknown', to);
      }
    }
  });

  test('with a single element in another namespace is unknown', () => {
    const names = [
      'e:Envelope',
      'e:Body',
      'l:RechargeResponse',
      'l:dealerRef',
      'l:code',
      'l:receipt',
    ];
    const namespaces =
      'xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns:l="urn:larch:recharge:1" xmlns:x="urn:other"';
    const written = (stray: string): string => {
      const contents = [dealerRef, '0', receipt];
      const [envelope, body, response, ...leaves] = names.map((name) =>
        name === stray ? name.replace(/^./, 'x') : name,
      );
      const inside = leaves.map((name, index) => `<${name}>${contents[index]}</${name}>`).join('');
      return `<${envelope} ${namespaces}><${body}><${response}>${inside}</${response}></${body}></${envelope}>`;
    };
    assert.equal(rechargeKind(written('none')), 'done');
    for (const name of names) assert.equal(rechargeKind(written(name)), 'unknown', name);
  });

  test('with an element where a word should be is unknown', () => {
    for (const code of ['0', '12']) {
      const text = recharged({ code, receipt }).replace(`>${code}<`, `>${code}<b/><`);
      assert.ok(readXml(text) !== undefined);
      assert.equal(rechargeKind(text), 'unknown', code);
    }
  });

  test('with another prefix, more space, CDATA or a header is the same answer', () => {
    const variants = [
      `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Header><x/></e:Header>
        <e:Body xmlns:q="urn:larch:recharge:1"><q:RechargeResponse><q:dealerRef>${dealerRef}</q:dealerRef>
        <q:code> 0 </q:code><q:new/><q:receipt><![CDATA[${receipt}]]></q:receipt>
        </q:RechargeResponse></e:Body></e:Envelope>`,
      recharged({ code: '0', receipt }).replace('<receipt>', '<!-- here --><receipt>'),
    ];
    for (const text of variants) {
      assert.deepEqual(readRecharge(answer(text), ref), { kind: 'done', ref: receipt });
    }
  });

  test('with a duplicate element is unknown, even if both say the same', () => {
    for (const element of [
      `<dealerRef>${dealerRef}</dealerRef>`,
      '<code>0</code>',
      `<receipt>${receipt}</receipt>`,
    ]) {
      const right = recharged({ code: '0', receipt });
      assert.ok(right.includes(element));
      assert.equal(rechargeKind(right.replace(element, element + element)), 'unknown', element);
    }
    const refusal = recharged({ code: '12' });
    const both = refusal.replace('<code>12</code>', '<code>12</code><code>0</code>');
    assert.equal(rechargeKind(both), 'unknown');
  });

  test('with two bodies, or two answers in one, is unknown', () => {
    const text = recharged({ code: '12' });
    const [, body = ''] = /(<S:Body>.*<\/S:Body>)/.exec(text) ?? [];
    const [, content = ''] = /<S:Body>(.*)<\/S:Body>/.exec(text) ?? [];
    assert.ok(body !== '' && content !== '');
    assert.equal(rechargeKind(text.replace(body, body + body)), 'unknown');
    assert.equal(rechargeKind(text.replace(content, content + content)), 'unknown');
  });

  test('that is cut short anywhere is unknown', () => {
    for (const text of [recharged({ code: '0', receipt }), recharged({ code: '12' })]) {
      for (let length = 0; length < text.length; length += 1) {
        assert.equal(rechargeKind(text.slice(0, length)), 'unknown', text.slice(0, length));
      }
    }
  });

  test('that is an HTML page is unknown, with any status and type', () => {
    const page = '<!DOCTYPE html><html><body><h1>Bad gateway</h1><br></body></html>';
    const neat = '<html xmlns="http://www.w3.org/1999/xhtml"><body>0</body></html>';
    for (const text of [page, neat, '', 'OK', '{"code":0}']) {
      for (const status of [200, 404, 500, 502]) {
        assert.equal(rechargeKind(text, status), 'unknown');
        assert.equal(rechargeKind(text, status, 'text/html'), 'unknown');
      }
    }
  });

  test('with another status or type than the document’s is unknown', () => {
    for (const values of [{ code: '0', receipt }, { code: '12' }]) {
      const text = recharged(values);
      for (const status of [100, 201, 202, 204, 302, 400, 401, 404, 500, 503]) {
        assert.equal(rechargeKind(text, status), 'unknown', String(status));
      }
      for (const type of ['', 'text/html', 'application/json', 'text/xmlx']) {
        assert.equal(rechargeKind(text, 200, type), 'unknown', type);
      }
    }
  });

  test('with a document type is unknown: entities are never expanded', () => {
    const bomb = '<!DOCTYPE a [<!ENTITY a "12"><!ENTITY b "&a;&a;">]>';
    const text = recharged({ code: '12' }).replace('?>', `?>${bomb}`);
    assert.equal(rechargeKind(text), 'unknown');
    assert.equal(rechargeKind(text.replace('>12<', '>&a;<')), 'unknown');
    assert.equal(rechargeKind(recharged({ code: '12' }).replace('>12<', '>&a;<')), 'unknown');
  });

  test('that is nested too deeply is unknown at once', () => {
    const text = '<a>'.repeat(200_000) + '</a>'.repeat(200_000);
    assert.equal(rechargeKind(text), 'unknown');
  });

  for (const [reason, blame] of [
    ['BadCredentials', 'supplier'],
    ['BadMessage', 'request'],
  ] as const) {
    test(`that is the fault ${reason} is refused: the order was not examined`, () => {
      const outcome = readRecharge(answer(faultOf(reason), 500), ref);
      assert.ok(outcome.kind === 'refused' && outcome.code === 'declined');
      assert.equal(outcome.blame, blame);
      assert.equal(rechargeKind(faultOf(reason), 200), 'unknown', 'a fault has status 500');
    });
  }

  test('that is any other fault is unknown: the order may have been executed', () => {
    for (const reason of ['DatabaseDown', '', 'badmessage', 'BadMessage2', 'Bad Message']) {
      assert.equal(rechargeKind(faultOf(reason), 500), 'unknown', reason);
    }
    const bare = faultOf('BadMessage').replace(/<detail>.*<\/detail>/, '');
    assert.equal(rechargeKind(bare, 500), 'unknown');
  });

  test('that is unusable leaves a detail without the operator’s own text', () => {
    for (const text of [
      recharged({ code: '989120000012'.repeat(3) }),
      recharged({ code: '<script>' }),
      faultOf('989120000012 is barred'),
    ]) {
      for (const status of [200, 500]) {
        const outcome = readRecharge(answer(text, status), ref);
        assert.ok(outcome.kind === 'unknown');
        assert.notEqual(outcome.detail, '');
        assert.doesNotMatch(outcome.detail, /98912|script/);
      }
    }
  });
});

describe('an answer to Query', () => {
  const states = {
    Served: { values: { receipt }, means: { kind: 'done', ref: receipt } },
    Queued: { values: {}, means: { kind: 'pending' } },
    Stalled: { values: {}, means: { kind: 'pending' } },
    NoRecord: { values: {}, means: { kind: 'not_found' } },
    Withdrawn: {
      values: { receipt, changedAt: '2026-01-31T13:00:00+03:30' },
      means: { kind: 'reversed', at: Date.UTC(2026, 0, 31, 9, 30) },
    },
  };
  for (const [state, { values, means }] of Object.entries(states)) {
    test(`of the state ${state} means ${means.kind}`, () => {
      assert.deepEqual(readQuery(answer(queried({ state, ...values })), ref), means);
    });
  }

  for (const [code, [meaning, blame]] of Object.entries(refusalCodes)) {
    test(`of the state Declined with code ${code} is refused as ${meaning}`, () => {
      const outcome = readQuery(answer(queried({ state: 'Declined', code })), ref);
      assert.ok(outcome.kind === 'refused');
      assert.deepEqual([outcome.code, outcome.blame], [meaning, blame]);
    });
  }

  test('that contradicts itself is unknown', () => {
    for (const code of ['0', '1', '31', '90', '']) {
      assert.equal(queryKind(queried({ state: 'Declined', code })), 'unknown', code);
    }
    assert.equal(queryKind(queried({ state: 'Declined' })), 'unknown');
    assert.equal(queryKind(queried({ state: 'Served' })), 'unknown');
  });

  test('of an undocumented state is unknown', () => {
    for (const state of ['', 'served', 'SERVED', 'Failed', 'Expired', 'constructor', 'toString']) {
      assert.equal(queryKind(queried({ state, receipt, code: '12' })), 'unknown', state);
    }
  });

  test('of a withdrawal without a readable time is reversed, at no known time', () => {
    for (const changedAt of [
      '',
      'yesterday',
      '2026-01-31',
      '2026-01-31T13:00:00',
      '2026-13-31T13:00:00Z',
      '9'.repeat(400),
    ]) {
      const outcome = readQuery(answer(queried({ state: 'Withdrawn', changedAt })), ref);
      assert.deepEqual(outcome, { kind: 'reversed', at: null }, changedAt);
    }
  });

  test('that is a fault says nothing about the order, not even a wrong PIN', () => {
    for (const reason of ['BadCredentials', 'BadMessage', 'DatabaseDown', '']) {
      assert.equal(queryKind(faultOf(reason), 500), 'unknown', reason);
    }
  });

  test('about another order is unknown', () => {
    const other = withoutHyphens(randomUUID());
    for (const state of ['Served', 'NoRecord', 'Queued']) {
      assert.equal(queryKind(queried({ dealerRef: other, state, receipt })), 'unknown');
    }
  });
});

describe('an order', () => {
  const messageOf = (given: Partial<Order>): string => {
    const message = rechargeMessage({ ...order, ...given }, credentials);
    assert.ok(!('kind' in message), 'it was refused');
    return message.text;
  };

  test('has the number in national form, the amount in rials and the reference without hyphens', () => {
    const text = messageOf({});
    for (const [name, value] of Object.entries({
      dealerRef,
      msisdn: '09120000012',
      amountRial: '330000',
      item: '1001',
    })) {
      assert.ok(text.includes(`<l:${name}>${value}</l:${name}>`), name);
    }
  });

  test('names the item by profile_id, where there is one', () => {
    assert.match(messageOf({ profileId: 'D&<30>' }), /<l:item>D&amp;&lt;30&gt;<\/l:item>/);
  });

  test('that cannot be expressed in their format is refused and never sent', () => {
    for (const given of [
      { ref: 'order-1' },
      { ref: ref.toUpperCase() },
      { mobile: '09120000012' },
      { mobile: '981234567890' },
      { mobile: '98912000001' },
      { mobile: '989۱۲0000012' },
      { amount: 0 },
      { amount: -1 },
      { amount: 1.5 },
      { amount: Number.NaN },
      { amount: 2 ** 53 },
      { profileId: '' },
      { profileId: 'x'.repeat(41) },
      { profileId: 'a\0b' },
      { profileId: '\ud800' },
    ]) {
      const message = rechargeMessage({ ...order, ...given }, credentials);
      assert.ok('kind' in message, JSON.stringify(given));
      assert.notEqual(message.reason, '');
    }
  });

  test('counts ten rials to each unit, exactly, up to the largest amount', () => {
    assert.equal(rialsOf(Number.MAX_SAFE_INTEGER), '90071992547409910');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (amount) => {
        assert.equal(rialsOf(amount), `${amount}0`);
      }),
    );
  });

  test('maps different references to different ones there, and every UUID has one', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (one, other) => {
        assert.match(dealerRefOf(one) ?? '', /^[0-9a-f]{32}$/);
        assert.equal(dealerRefOf(one) === dealerRefOf(other), one === other);
      }),
    );
  });

  test('keeps the nine digits of the subscriber', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (digits) => {
        const nine = String(digits).padStart(9, '0');
        assert.equal(msisdnOf(`989${nine}`), `09${nine}`);
      }),
    );
  });
});

describe('XML', () => {
  const anyText = fc.string({ unit: anyCharacter, maxLength: 60 });

  test('carries every text that XML can express, and rejects the rest', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const escaped = escapeXml(text);
        // XML 1.0's definition of a character, written differently than in the code.
        const writable = Array.from(text).every((character) => {
          const point = character.codePointAt(0) ?? 0;
          if (point < 0x20) return point === 0x9 || point === 0xa || point === 0xd;
          return (point < 0xd800 || point > 0xdfff) && point !== 0xfffe && point !== 0xffff;
        });
        assert.equal(escaped !== undefined, writable);
        if (escaped !== undefined) assert.equal(readXml(`<a>${escaped}</a>`)?.text, text);
      }),
      { numRuns: 1_000 },
    );
  });

  test('never lets a text become an element, whatever a client sends as its profile', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.constantFrom('<', '>', '&', ']]>', '</l:item>', '<!--', '"'), anyText),
        ),
        (parts) => {
          const profileId = parts.join('').slice(0, 40);
          const message = rechargeMessage({ ...order, profileId }, credentials);
          if ('kind' in message) return;
          const envelope = readXml(message.text);
          const recharge = envelope?.children[1]?.children[0];
          assert.equal(recharge?.children.length, 4);
          const item = childText(recharge, 'urn:larch:recharge:1', 'item');
          assert.equal(item, profileId.trim());
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('garbage', () => {
  const mostly = <T>(right: T, ...wrong: readonly T[]): fc.Arbitrary<T> =>
    fc.oneof({ weight: 4, arbitrary: fc.constant(right) }, fc.constantFrom(...wrong));
  const types = mostly('text/xml', 'text/html', '');
  const statuses = mostly(200, 500, 202, 404);

  test('is never taken for a sale or a refusal', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.string({ unit: anyCharacter }),
      fc.json(),
      fc.string().map((text) => `<a>${text}</a>`),
      fc
        .array(fc.constantFrom('<', '>', '/', 'a', '&', '"', '!', '[', 'Envelope', ' '))
        .map(String),
    );
    fc.assert(
      fc.property(texts, statuses, types, (text, status, type) => {
        assert.equal(readRecharge(answer(text, status, type), ref).kind, 'unknown');
        assert.equal(readQuery(answer(text, status, type), ref).kind, 'unknown');
      }),
      { numRuns: 1_000 },
    );
  });

  const names = fc.constantFrom('dealerRef', 'code', 'state', 'receipt', 'changedAt', 'text');
  const codes = ['', '0', '1', '11', '12', '31'];
  const words = ['Served', 'Declined', 'NoRecord', 'Queued', '2026-01-31T13:00:00Z'];
  const values = fc.constantFrom(dealerRef, receipt, ...codes, ...words);
  const ends = fc.constantFrom<readonly (readonly [string, string])[]>(
    Object.entries({ dealerRef, code: '0', receipt }),
    Object.entries({ dealerRef, code: '12' }),
    Object.entries({ dealerRef, state: 'Served', receipt }),
    Object.entries({ dealerRef, state: 'Declined', code: '12' }),
  );
  // A valid end without one of its parts, with additional ones, and in any order.
  const fields = fc
    .tuple(ends, fc.array(fc.tuple(names, values), { maxLength: 2 }))
    .chain(([end, more]) => {
      const all = [...end, ...more];
      return fc.shuffledSubarray(all, { minLength: all.length - 1 });
    });

  test('made of the right words ends a purchase only if every one of them is in its place', () => {
    const seen = { done: 0, refused: 0 };
    const operations = fc.constantFrom('Recharge', 'Query');
    const namespaces = mostly(':1', ':2');
    fc.assert(
      fc.property(
        fc.tuple(fields, operations, operations, namespaces, statuses, types),
        ([pairs, asked, answered, version, status, type]) => {
          const content = pairs.map(([name, value]) => `<${name}>${value}</${name}>`).join('');
          const text = answerOf(`${answered}Response`, { x: '' })
            .replace('<x></x>', content)
            .replace('recharge:1', `recharge${version}`);
          const read = asked === 'Recharge' ? readRecharge : readQuery;
          const { kind } = read(answer(text, status, type), ref);
          if (kind !== 'done' && kind !== 'refused') return;
          seen[kind] += 1;
          const valuesOf = (wanted: string): string[] =>
            pairs.filter(([name]) => name === wanted).map(([, value]) => value);
          assert.deepEqual([status, type, version, answered], [200, 'text/xml', ':1', asked]);
          assert.deepEqual(valuesOf('dealerRef'), [dealerRef]);
          if (kind === 'done') assert.equal(valuesOf('receipt').length, 1);
          const [word, end] =
            asked === 'Query' ? (['state', 'Served'] as const) : (['code', '0'] as const);
          if (kind === 'done') assert.deepEqual(valuesOf(word), [end]);
          else assert.ok(['11', '12'].includes(valuesOf('code').join()));
          if (kind === 'refused' && asked === 'Query')
            assert.deepEqual(valuesOf('state'), ['Declined']);
        },
      ),
      { numRuns: 10_000 },
    );
    assert.ok(seen.done > 100 && seen.refused > 100, JSON.stringify(seen));
  });
});

describe('over the wire', () => {
  test('an order arrives unchanged, with credentials that need escaping', () =>
    withLarch(async ({ connection, operator }) => {
      const outcome = await connection.buy({ ...order, profileId: 'D-30 & "more" <now>' });
      assert.deepEqual(outcome, { kind: 'done', ref: 'LM-1' });
      assert.deepEqual(operator.deliveries, [
        { dealerRef, msisdn: '09120000012', amountRial: '330000', item: 'D-30 & "more" <now>' },
      ]);
    }));

  test('a wrong PIN refuses orders, and leaves inquiries unknown', () =>
    withLarch(
      async ({ connection, operator }) => {
        const outcome = await connection.buy(order);
        assert.ok(outcome.kind === 'refused' && outcome.code === 'declined');
        assert.deepEqual(operator.deliveries, []);
        assert.equal((await inquireAt(connection, ref)).kind, 'unknown');
      },
      { pin: 'wrong' },
    ));

  test('a fault after the delivery is unknown, and the inquiry finds it done', () =>
    withLarch(async ({ connection, operator }) => {
      const failed = { ...order, mobile: mobileEnding('95') };
      assert.equal((await connection.buy(failed)).kind, 'unknown');
      assert.equal(operator.deliveries.length, 1);
      assert.deepEqual(await inquireAt(connection, ref), { kind: 'done', ref: 'LM-1' });
    }));

  test('a queued order is unknown, and pending for as long as it is queued or stalled', () =>
    withLarch(async ({ connection }) => {
      for (const digits of ['97', '98']) {
        const queued = { ...order, ref: randomUUID(), mobile: mobileEnding(digits) };
        assert.equal((await connection.buy(queued)).kind, 'unknown');
        assert.deepEqual(await inquireAt(connection, queued.ref), { kind: 'pending' });
      }
    }));

  test('a withdrawal is seen by inquiry', () =>
    withLarch(async ({ connection }) => {
      const taken = { ...order, mobile: mobileEnding('99') };
      assert.equal((await connection.buy(taken)).kind, 'done');
      assert.equal((await inquireAt(connection, ref)).kind, 'reversed');
    }));

  test('an order that cannot be expressed in their format is answered without a message', () =>
    withLarch(async ({ connection, operator }) => {
      assert.equal((await connection.buy({ ...order, mobile: '981' })).kind, 'refused');
      assert.deepEqual(await inquireAt(connection, 'x'), { kind: 'not_found' });
      assert.deepEqual(operator.messages, []);
    }));

  test('an order and an inquiry carry the id of their request', async () => {
    const operator = await startRawOperator((socket) => socket.end());
    const connection = connectWith({ baseUrl: operator.url });
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await connection.buy(order, { requestId: 'shop-1001', traceparent });
    await inquireAt(connection, order.ref, { requestId: 'shop-1002' });
    await connection.close();
    await operator.close();
    const [first = '', second = ''] = operator.requests;
    assert.match(first, /^x-request-id: shop-1001\r$/im);
    assert.match(first, new RegExp(`^traceparent: ${traceparent}\r$`, 'im'));
    assert.match(second, /^x-request-id: shop-1002\r$/im);
    assert.doesNotMatch(second, /^traceparent:/im);
  });

  test('an answer without a length counts as a delivery only when it is complete', async () => {
    const whole = recharged({ code: '0', receipt });
    const lengths = [whole.length, whole.length - 1, Math.floor(whole.length / 2), 0];
    let sent = 0;
    const operator = await startRawOperator((socket) => {
      const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/xml\r\nconnection: close\r\n\r\n';
      socket.end(head + whole.slice(0, lengths[sent]));
      sent += 1;
    });
    const connection = connectWith({ baseUrl: operator.url });
    const kinds: string[] = [];
    for (const _ of lengths) kinds.push((await connection.buy(order)).kind);
    await connection.close();
    await operator.close();
    assert.deepEqual(kinds, ['done', 'unknown', 'unknown', 'unknown']);
  });
});

describe('the settings', () => {
  test('are shown without the PIN', () => {
    const shown = maskSettings(larchMobile, { baseUrl: 'https://larch.example', ...credentials });
    assert.deepEqual(shown, {
      baseUrl: 'https://larch.example',
      dealer: credentials.dealer,
      pin: '***',
    });
  });

  test('prevent the start if a PIN is missing or could not be sent, without repeating it', () => {
    for (const pin of [undefined, '', 'a\0b', 'پین']) {
      const start = (): unknown => connectWith({ baseUrl: 'https://larch.example', pin });
      assert.throws(start, (error: Error) => {
        assert.match(error.message, /^The settings of "larch-mobile" do not fit: setting "pin"/);
        return !pin || !error.message.includes(pin);
      });
    }
  });
});
