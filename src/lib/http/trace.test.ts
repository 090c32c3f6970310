/** Tests which request IDs and trace contexts are accepted and passed on. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  callContext,
  contextHeaders,
  createRequestIdReader,
  traceFrom,
  traceIdOf,
} from './trace.ts';

const requestIdFrom = createRequestIdReader(() => 'a new one', { prefix: '98', digits: 10 });

describe('The id of a request', () => {
  for (const id of [
    'a',
    'order-1001.retry:2',
    '1763280000000-7',
    '019a8f3e-6c1d-7b52-9a41-989121234567',
    '4bf92f3577b34da69121234567e04736',
    'x'.repeat(64),
  ]) {
    test(`is the one that its caller sent: ${id}`, () => assert.equal(requestIdFrom(id), id));
  }

  const refused: Readonly<Record<string, string | string[] | undefined>> = {
    'none was sent': undefined,
    'it is empty': '',
    'it is too long': 'x'.repeat(65),
    'it begins like a formula': '-1',
    'it has a quote': 'a"b',
    'it has a space': 'a b',
    'Node has joined two of them': 'a, b',
    'there are several': ['a', 'b'],
    'it is not ASCII': 'é',
    'it is a mobile number': '989121234567',
    'it contains a mobile number': 'order-09121234567',
    'it contains one in international dialling form': '00989121234567.1',
    'it is a token': 'simgate_abcdefghijklmnopqrstuvwxyz',
  };
  for (const [why, sent] of Object.entries(refused)) {
    test(`is a new one if ${why}`, () => assert.equal(requestIdFrom(sent), 'a new one'));
  }

  test('needs no escape in JSON, in a header or in a sheet, whatever was sent', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (sent) => {
        const id = requestIdFrom(sent);
        assert.equal(JSON.stringify(id), `"${id}"`);
        assert.match(id, /^[A-Za-z0-9][ -~]*$/);
      }),
    );
  });
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';

describe('A trace', () => {
  const kept: Readonly<Record<string, string>> = {
    [`00-${traceId}-${parentId}-01`]: '01',
    [`00-${traceId}-${parentId}-00`]: '00',
    [`00-${traceId}-${parentId}-ff`]: '01',
    [`00-${traceId}-${parentId}-02`]: '00',
    [`01-${traceId}-${parentId}-01`]: '01',
    [`01-${traceId}-${parentId}-01-what-comes-later`]: '01',
  };
  for (const [sent, flags] of Object.entries(kept)) {
    test(`is kept by its id, its last span and whether it is recorded: ${sent}`, () => {
      const trace = traceFrom(sent) ?? assert.fail();
      assert.equal(trace, `${traceId}-${flags}-${parentId}`);
      assert.equal(traceIdOf(trace), traceId);
    });
  }

  const refused: Readonly<Record<string, string | string[] | undefined>> = {
    'none was sent': undefined,
    'its version does not exist': `ff-${traceId}-${parentId}-01`,
    'it goes on in a version that ends there': `00-${traceId}-${parentId}-01-more`,
    'a later version goes on without a hyphen': `01-${traceId}-${parentId}-01more`,
    'its trace is zero': `00-${'0'.repeat(32)}-${parentId}-01`,
    'its parent is zero': `00-${traceId}-${'0'.repeat(16)}-01`,
    'it is in capitals': `00-${traceId.toUpperCase()}-${parentId}-01`,
    'it is too short': `00-${traceId.slice(1)}-${parentId}-01`,
    'Node has joined two of them': `00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`,
    'there are several': [`00-${traceId}-${parentId}-01`, `00-${traceId}-${parentId}-01`],
  };
  for (const [why, sent] of Object.entries(refused)) {
    test(`is ignored if ${why}`, () => assert.equal(traceFrom(sent), undefined));
  }
});

describe('What is passed on', () => {
  test('is the id of the request, and its trace with the last span', () => {
    const trace = `${traceId}-01-${parentId}`;
    assert.deepEqual(contextHeaders(callContext({ requestId: 'mine', trace })), {
      'x-request-id': 'mine',
      traceparent: `00-${traceId}-${parentId}-01`,
    });
  });

  test('is the id alone where there is no trace, and nothing where there is no request', () => {
    const context = callContext({ requestId: 'mine', trace: null });
    assert.deepEqual(contextHeaders(context), { 'x-request-id': 'mine' });
    assert.deepEqual(contextHeaders(undefined), {});
  });

  test('is what came, where nothing was done in between', () => {
    const sent = `00-${traceId}-${parentId}-00`;
    const { traceparent } = callContext({ requestId: 'mine', trace: traceFrom(sent) ?? null });
    assert.equal(traceparent, sent);
  });
});
