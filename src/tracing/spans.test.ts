/** Tests what is passed on if no spans are recorded. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { callContext, traceFrom } from '../lib/http/trace.ts';
import { passOnly } from './spans.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const trace = `${traceId}-01-00f067aa0ba902b7`;

describe('Without recording', () => {
  test('each call has its own span id', () => {
    let byte = 0;
    const { begin } = passOnly((count) => new Uint8Array(count).fill((byte += 1)));
    const call = { name: 'a call', kind: 'client', trace } as const;
    assert.equal(begin(call).trace, `${traceId}-01-0101010101010101`);
    assert.equal(begin(call).trace, `${traceId}-01-0202020202020202`);
  });

  test('a request and a step keep the trace unchanged', () => {
    const { begin } = passOnly(() => assert.fail('no randomness is needed'));
    for (const kind of ['server', 'internal'] as const) {
      assert.equal(begin({ name: 'a step', kind, trace }).trace, trace);
    }
  });

  test('no trace begins here', () => {
    const { begin } = passOnly(() => assert.fail('no randomness is needed'));
    assert.equal(begin({ name: 'a call', kind: 'client', trace: null }).trace, null);
  });

  test('a trace that an earlier version stored without a span is passed on', () => {
    const { begin } = passOnly((count) => new Uint8Array(count).fill(7));
    const kept = { name: 'a call', kind: 'client', trace: `${traceId}-00` } as const;
    assert.equal(begin(kept).trace, `${traceId}-00-0707070707070707`);
  });

  test('the passed-on trace is valid for any randomness', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (bytes) => {
        const span = passOnly(() => bytes).begin({ name: 'a call', kind: 'client', trace });
        const { traceparent } = callContext({ requestId: 'mine', trace: span.trace });
        assert.equal(traceFrom(traceparent), span.trace);
      }),
      { examples: [[new Uint8Array(8)]] },
    );
  });
});
