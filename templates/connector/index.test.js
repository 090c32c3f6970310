/** Tests my-operator: the shared suites, and a table of its answers. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  connectorSuite,
  maskSettings,
  openConnection,
  sleep,
  systemClock,
  wireSuite,
} from 'simgate/connector-suite';
import { credentials, startFakeOperator } from './fake-operator.js';
import connector from './index.js';
import { orderMessage, readInquiry, readOrder } from './wire.js';

// A lost answer takes all of it. The slack is for a busy machine.
const deadline = 2_000;
const slack = 30_000;

const connectTo = (settings) => openConnection(connector, { ...credentials, ...settings });

const openBed = async () => {
  const operator = await startFakeOperator();
  return {
    // The fake shows an order at once: a test need not wait for the time of the document.
    connector: { ...connector, settlesWithin: 0 },
    connection: connectTo({ baseUrl: operator.url, answerMs: deadline }),
    deadline,
    slack,
    clock: systemClock,
    wait: (ms) => sleep(systemClock, ms),
    deliveries: operator.deliveries,
    mobiles: {
      success: '989120000012',
      declined: '989120000090',
      notSubscriber: '989120000091',
      answerLost: '989120000093',
      requestLost: '989120000094',
      nonsense: '989120000096',
    },
    end: operator.close,
  };
};

connectorSuite({ name: connector.name, open: openBed });
wireSuite({ name: connector.name, open: connectTo });

const ref = '0194b7f0-5a3c-7e1d-8f00-0123456789ab';
const order = { ref, mobile: '989120000012', amount: 20_000, productId: 510 };

const answerOf = (body, more = {}) => ({
  kind: 'answer',
  status: 200,
  contentType: 'application/json',
  text: JSON.stringify({ reference: ref, ...body }),
  ...more,
});

describe('an answer', () => {
  const delivered = { state: 'delivered', receipt: 'R-1' };

  test('of a delivery is done, with the receipt', () => {
    assert.deepEqual(readOrder(answerOf(delivered), ref), { kind: 'done', ref: 'R-1' });
  });

  for (const [code, meaning, blame] of [
    ['NOT_OURS', 'not_subscriber', 'subscriber'],
    ['BARRED', 'declined', 'subscriber'],
    ['NO_FUNDS', 'out_of_funds', 'supplier'],
  ]) {
    test(`with the code ${code} is refused as ${meaning}, with the ${blame} to blame`, () => {
      const outcome = readOrder(answerOf({ state: 'rejected', code }), ref);
      assert.deepEqual([outcome.kind, outcome.code], ['refused', meaning]);
      assert.equal(outcome.blame, blame);
    });
  }

  for (const [what, answer] of Object.entries({
    'another code': answerOf({ state: 'rejected', code: 'NEW_CODE' }),
    'another state': answerOf({ state: 'stalled' }),
    'another order': answerOf({ ...delivered, reference: 'another' }),
    'no receipt': answerOf({ state: 'delivered' }),
    'another status': answerOf(delivered, { status: 202 }),
    'another type': answerOf(delivered, { contentType: 'text/html' }),
    'half of a text': answerOf(delivered, { text: '{"state":"deliv' }),
  })) {
    test(`of ${what} is unknown`, () => {
      assert.equal(readOrder(answer, ref).kind, 'unknown');
      assert.equal(readInquiry(answer, ref).kind, 'unknown');
    });
  }

  test('to an inquiry may also be pending, or that there is no such order', () => {
    assert.deepEqual(readInquiry(answerOf({ state: 'queued' }), ref), { kind: 'pending' });
    assert.deepEqual(readInquiry(answerOf({ state: 'none' }), ref), { kind: 'not_found' });
    assert.equal(readOrder(answerOf({ state: 'none' }), ref).kind, 'unknown');
  });
});

test('an order that cannot be put into their words is refused and never sent', () => {
  for (const wrong of [{ ref: 'x' }, { mobile: '12' }, { amount: 0 }, { amount: 1.5 }]) {
    assert.equal(orderMessage({ ...order, ...wrong }).kind, 'refused');
  }
});

test('the token is never shown', () => {
  const shown = maskSettings(connector, { baseUrl: 'https://operator.example', ...credentials });
  assert.equal(shown.token, '***');
});
