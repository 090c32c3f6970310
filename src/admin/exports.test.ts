/** Tests how many exports run at once, that they are read at a limited rate, and when their slots are free again. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { manualClock } from '../../test/support/manual-clock.ts';
import { nextTurn } from '../lib/clock.ts';
import { AdminError } from './errors.ts';
import { createExports, mostExports, unfetchedMs } from './exports.ts';

const isBusy = (error: unknown): boolean =>
  error instanceof AdminError &&
  error.code === 'EXPORT_BUSY' &&
  Number(error.headers['retry-after']) > 0;

async function* piecesOf(...pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces;
}

describe('Places', () => {
  test('are one for an account and two in all, and more are refused', () => {
    const exports = createExports(manualClock());
    exports.open('clerk', new PassThrough());
    assert.throws(() => exports.open('clerk', new PassThrough()), isBusy);
    exports.open('cashier', new PassThrough());
    assert.equal(mostExports, 2);
    assert.throws(() => exports.open('auditor', new PassThrough()), isBusy);
  });

  test('are free when the reader leaves, and when the file is complete', async () => {
    const exports = createExports(manualClock());
    const left = new PassThrough();
    exports.open('clerk', left);
    left.destroy();
    await nextTurn();
    const response = new PassThrough();
    const { body } = exports.open('clerk', response);
    const read: unknown[] = [];
    for await (const piece of body(piecesOf('one', 'two'))) read.push(piece);
    assert.deepEqual(read, ['one', 'two']);
    const next = new PassThrough();
    exports.open('clerk', next);
    // The previous export ends only now, and must not release its slot a second time.
    response.destroy();
    await nextTurn();
    assert.throws(() => exports.open('clerk', new PassThrough()), isBusy);
  });

  test('are not taken by a reader that has already left', () => {
    const exports = createExports(manualClock());
    const gone = new PassThrough();
    gone.destroy();
    assert.equal(exports.open('clerk', gone).gone(), true);
    exports.open('clerk', new PassThrough());
  });

  test('are taken from stalled readers, and not from those that read or wait for us', async () => {
    const clock = manualClock();
    const exports = createExports(clock);
    const response = new PassThrough();
    const { body, rest } = exports.open('clerk', response);
    const pieces = body(piecesOf('one', 'two', 'three'))[Symbol.asyncIterator]();
    await pieces.next();
    await clock.advance(unfetchedMs - 1);
    await pieces.next();
    await clock.advance(unfetchedMs - 1);
    assert.equal(response.destroyed, false);
    const rested = rest();
    await clock.advance(100);
    await rested;
    await clock.advance(unfetchedMs - 101);
    assert.equal(response.destroyed, false);
    await clock.advance(1);
    assert.equal(response.destroyed, true);
    await nextTurn();
    assert.equal(clock.pending(), 0);
    exports.open('clerk', new PassThrough());
  });
});

test('reading rests three times as long as it worked, and a tenth of a second at most', async () => {
  const clock = manualClock();
  const { rest } = createExports(clock).open('clerk', new PassThrough());
  const restedFor = async (worked: number): Promise<number> => {
    await clock.advance(worked);
    const over: boolean[] = [];
    const resting = (async (): Promise<void> => {
      await rest();
      over.push(true);
    })();
    let ms = 0;
    for (; over.length === 0; ms += 1) await clock.advance(1);
    await resting;
    return ms;
  };
  assert.equal(await restedFor(10), 30);
  assert.equal(await restedFor(2), 6);
  assert.equal(await restedFor(5000), 100);
});

test('reading stops once the response has ended, even if the file is still consumed', async () => {
  const response = new PassThrough();
  const { body } = createExports(manualClock()).open('clerk', response);
  const read: unknown[] = [];
  for await (const piece of body(piecesOf('one', 'two', 'three'))) {
    read.push(piece);
    response.destroy();
    await nextTurn();
  }
  assert.ok(read.length < 3, read.join());
});

test('closing ends all exports and refuses new ones', async () => {
  const exports = createExports(manualClock());
  const [one, other] = [new PassThrough(), new PassThrough()];
  const { body } = exports.open('clerk', one);
  // All of it is read here, but the client has not fetched it yet.
  for await (const piece of body(piecesOf('one'))) assert.equal(piece, 'one');
  exports.open('cashier', other);
  exports.end();
  assert.deepEqual([one.destroyed, other.destroyed], [true, true]);
  assert.throws(() => exports.open('auditor', new PassThrough()), isBusy);
});
