/** Tests that the connector for Maple Recharge keeps a connector's promises, and reads every answer safely. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Connection, Order, StatusOutcome, WireAnswer } from 'simgate/connector';
import {
  connectorSuite,
  inquireAt,
  maskSettings,
  openConnection,
  sleep,
  systemClock,
  type TestBed,
  wireSuite,
} from 'simgate/connector-suite';
import { account, answerOf, startFakeOperator } from './fake-operator.ts';
import { mapleRecharge } from './index.ts';
import { type Fields, formType, orderForm, readOrder, readStatus, signatureOf } from './wire.ts';

// Every lost answer takes it all; and what is answered must be by then, on a busy machine too.
const deadline = 4_000;
const slack = 30_000;

const connectWith = (more: Readonly<Record<string, unknown>>): Connection =>
  openConnection(mapleRecharge, { ...account, ...more });

const mobileEnding = (digits: string): string => `9891200000${digits}`;

const openBed = async (): Promise<TestBed> => {
  const operator = await startFakeOperator();
  return {
    // Ours shows an order at once, and a test need not wait for the 20 seconds of the document.
    connector: { ...mapleRecharge, settlesWithin: 0 },
    connection: connectWith({ baseUrl: operator.url, answerMs: deadline }),
    deadline,
    slack,
    clock: systemClock,
    wait: (ms) => sleep(systemClock, ms),
    deliveries: (ref) => operator.deliveries.filter((one) => one === ref).length,
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

/** Does something with a connection to an operator of the test's own. */
const withMaple = async (
  work: (maple: {
    readonly operator: Awaited<ReturnType<typeof startFakeOperator>>;
    readonly connection: Connection;
  }) => Promise<void>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> => {
  const operator = await startFakeOperator();
  const connection = connectWith({ baseUrl: operator.url, ...settings });
  try {
    await work({ operator, connection });
  } finally {
    await connection.close();
    await operator.close();
  }
};

const ref = '0194b7f0-5a3c-7e1d-8f00-0123456789ab';
const order: Order = { ref, mobile: mobileEnding('12'), amount: 33_000, productId: 1001 };

// The first exchange of a process is its slowest, and none of the suite's to wait for.
before(() => withMaple(async ({ connection }) => assert.ok(await connection.buy(order))));

connectorSuite({ name: 'maple-recharge', open: openBed });
wireSuite({ name: 'maple-recharge', open: connectWith });

const answer = (text: string, status = 200, contentType = formType): WireAnswer => ({
  kind: 'answer',
  status,
  contentType,
  text,
});

const signed = (fields: Fields): WireAnswer => answer(answerOf({ reference: ref, ...fields }));
const kindOf = (outcome: StatusOutcome): string =>
  outcome.kind === 'refused' ? `refused ${outcome.code}, ${outcome.blame}` : outcome.kind;

describe('Maple Recharge', () => {
  test('the signature is that of the document: sorted fields, before they are encoded', () => {
    const fields = { b: '2 & 3', a: '1', c: '۱' };
    assert.equal(
      signatureOf(fields, 'key'),
      '35dceeace4098919eb4679b608b9e72ff725ecbb2af665fa6d821bc827efd4e9',
    );
  });

  test('every result of an order has its meaning, and any other is unknown', () => {
    const meanings = {
      '0': 'done',
      '1': 'unknown',
      '10': 'refused not_subscriber, subscriber',
      '11': 'refused declined, subscriber',
      '12': 'refused wrong_sim_type, subscriber',
      '13': 'refused declined, request',
      '14': 'refused declined, request',
      '20': 'refused out_of_funds, supplier',
      '30': 'refused declined, supplier',
      '31': 'refused declined, request',
      '32': 'refused declined, supplier',
      '40': 'unknown',
      '99': 'unknown',
      '': 'unknown',
      '00': 'unknown',
      '0x0': 'unknown',
      ' 0': 'unknown',
      '12345': 'unknown',
    };
    for (const [result, meaning] of Object.entries(meanings)) {
      const outcome = readOrder(signed({ result, receipt: 'MR-7' }), ref, account.key);
      assert.equal(kindOf(outcome), meaning, result);
    }
    assert.equal(
      readOrder(signed({ result: '0' }), ref, account.key).kind,
      'unknown',
      'no receipt',
    );
  });

  test('every result of an inquiry has its meaning, and any other is unknown', () => {
    const read = (fields: Fields) => readStatus(signed(fields), ref, account.key);
    assert.deepEqual(read({ result: '0', receipt: 'MR-7' }), { kind: 'done', ref: 'MR-7' });
    assert.deepEqual(read({ result: '1' }), { kind: 'pending' });
    assert.equal(kindOf(read({ result: '2', cause: '10' })), 'refused not_subscriber, subscriber');
    assert.deepEqual(read({ result: '3', changed: '1769851800' }), {
      kind: 'reversed',
      at: 1_769_851_800_000,
    });
    assert.deepEqual(read({ result: '3', changed: 'soon' }), { kind: 'reversed', at: null });
    assert.deepEqual(read({ result: '4' }), { kind: 'not_found' });
    for (const fields of [{ result: '2' }, { result: '2', cause: '30' }, { result: '10' }]) {
      assert.equal(read(fields).kind, 'unknown');
    }
    for (const result of ['30', '31', '32', '40', '99', '']) {
      assert.equal(read({ result }).kind, 'unknown', result);
    }
  });

  test('what they did not sign, or what is about another order, says nothing', () => {
    const fields = { reference: ref, result: '0', receipt: 'MR-7' };
    const text = answerOf(fields);
    const others: readonly WireAnswer[] = [
      answer(String(new URLSearchParams(fields))),
      answer(answerOf(fields, 'another key')),
      answer(answerOf({ ...fields, reference: 'another' })),
      answer(text.replace('result=0', 'result=11')),
      answer(`${text}&result=0`),
      answer(text.toUpperCase()),
      answer(text, 500),
      answer(text, 200, 'text/html'),
      answer('<html>Down for repairs</html>'),
      answer(''),
    ];
    for (const one of others) {
      assert.equal(readOrder(one, ref, account.key).kind, 'unknown', one.text);
      assert.equal(readStatus(one, ref, account.key).kind, 'unknown', one.text);
    }
  });

  test('an answer that is cut off anywhere, or changed in one place, is unknown', () => {
    const text = answerOf({ reference: ref, result: '11' });
    for (let end = 0; end < text.length; end += 1) {
      assert.equal(readOrder(answer(text.slice(0, end)), ref, account.key).kind, 'unknown');
    }
    const place = fc.nat({ max: text.length - 1 });
    fc.assert(
      fc.property(place, fc.string({ minLength: 1, maxLength: 1 }), (at, character) => {
        fc.pre(character !== text[at]);
        const changed = text.slice(0, at) + character + text.slice(at + 1);
        // The same fields may be written in another way: `+` and `%20`.
        fc.pre(String(new URLSearchParams(changed)) !== text);
        assert.equal(readOrder(answer(changed), ref, account.key).kind, 'unknown', changed);
      }),
    );
  });

  test('what does not fit into their form is refused and never sent', () => {
    const unfit: readonly Partial<Order>[] = [
      { mobile: '09120000012' },
      { ref: 'a reference' },
      { amount: 0 },
      { amount: 1.5 },
      { profileId: 'item&amount=1' },
      { profileId: '' },
    ];
    for (const more of unfit) {
      const form = orderForm({ ...order, ...more }, account, 0);
      assert.ok(typeof form !== 'string' && form.kind === 'refused', JSON.stringify(more));
    }
  });

  test('an order is sent whole, signed, under our reference', () =>
    withMaple(async ({ operator, connection }) => {
      const item = 'pack_1-GB';
      assert.deepEqual(await connection.buy({ ...order, profileId: item }), {
        kind: 'done',
        ref: 'MR-1',
      });
      const [form] = operator.forms;
      const { sign, time, ...fields } = form ?? assert.fail('nothing was sent');
      assert.deepEqual(fields, {
        reference: ref,
        number: order.mobile,
        item,
        amount: '33000',
        merchant: account.merchant,
      });
      assert.equal(sign, signatureOf({ ...fields, time: time ?? '' }, account.key));
    }));

  test('a wrong key is refused before anything is carried out', () =>
    withMaple(
      async ({ operator, connection }) => {
        // Their answer is signed with their key, which is not ours.
        assert.equal((await connection.buy(order)).kind, 'unknown');
        assert.equal((await inquireAt(connection, ref)).kind, 'unknown');
        assert.deepEqual(operator.deliveries, []);
      },
      { key: 'not the key of maple' },
    ));

  test('a pending order ends by inquiry, and a reversed one is reversed', () =>
    withMaple(async ({ connection }) => {
      const pending = { ...order, mobile: mobileEnding('97') };
      assert.equal((await connection.buy(pending)).kind, 'unknown');
      assert.deepEqual(await inquireAt(connection, ref), { kind: 'pending' });
      const other = { ...order, ref: 'second', mobile: mobileEnding('99') };
      assert.equal((await connection.buy(other)).kind, 'done');
      assert.equal((await inquireAt(connection, 'second')).kind, 'reversed');
    }));

  test('the key is masked, and the merchant is not', () => {
    const { key, merchant } = maskSettings(mapleRecharge, account);
    assert.deepEqual([key, merchant], ['***', account.merchant]);
  });
});
