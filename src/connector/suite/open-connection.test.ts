/** Tests that the connection of a test shows what a gateway only reports. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import type { Connection, Connector } from '../connector.ts';
import { openConnection } from './open-connection.ts';
import { buy, orderFor, statusOf, type TestBed } from './test-bed.ts';

const isConnection = (value: object): value is Connection => 'buy' in value;

/** A connector of untyped code that refuses everything like this. */
const refusing = (said: object): Connector => ({
  name: 'refusing',
  settings: Type.Object({}),
  connect: () => {
    const refuse = async () => ({ kind: 'refused', code: 'declined', reason: 'No.', ...said });
    const connection = { buy: refuse, status: refuse, deadlineMs: 1000, close: async () => {} };
    assert.ok(isConnection(connection));
    return connection;
  },
});

const bedOf = (connector: Connector): TestBed => ({
  connector,
  connection: openConnection(connector, {}),
  deadline: 1000,
  clock: { monotonic: () => 0 },
  wait: () => new Promise((resolve) => setImmediate(resolve)),
  deliveries: () => 0,
  mobiles: {
    success: '',
    declined: '',
    notSubscriber: '',
    answerLost: '',
    requestLost: '',
    nonsense: '',
  },
});

const order = orderFor('989120000012');

test('a refusal with a valid blame passes', async () => {
  for (const blame of ['supplier', 'subscriber', 'request']) {
    const bed = bedOf(refusing({ blame }));
    assert.equal((await buy(bed, order)).kind, 'refused');
    assert.equal((await statusOf(bed, order.ref)).kind, 'refused');
  }
});

test('a refusal without one fails, though a gateway would go on', async () => {
  for (const blame of [undefined, 'operator', 1]) {
    const said = /needs a "blame": "supplier", "subscriber" or "request"/;
    await assert.rejects(buy(bedOf(refusing({ blame })), order), said);
    await assert.rejects(statusOf(bedOf(refusing({ blame })), order.ref), said);
  }
});

test('an unreachable operator that blames another than itself fails', async () => {
  for (const blame of ['subscriber', 'request']) {
    const bed = bedOf(refusing({ code: 'unreachable', blame }));
    await assert.rejects(buy(bed, order), /nothing was sent/);
  }
});
