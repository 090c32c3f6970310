/** Tests that lines of several sources stay whole, even on a slow output. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { test } from 'node:test';
import { nextTurn, systemClock } from '../lib/clock.ts';
import { mergeLinesInto } from './line-merger.ts';

/** An output that takes one write a turn, and signals backpressure after each. */
const slowOutput = () => {
  const written: string[] = [];
  const output = new Writable({
    highWaterMark: 1,
    write: (chunk, _encoding, done) => {
      written.push(String(chunk));
      setImmediate(done);
    },
  });
  /** All that was written, once it is complete. */
  const text = async (): Promise<string> => {
    output.end();
    await once(output, 'finish');
    return written.join('');
  };
  return { output, text };
};

test('two sources that write partial lines in turn do not mix their lines', async () => {
  const { output, text } = slowOutput();
  const passOn = mergeLinesInto(output, systemClock);
  const [one, other] = [new PassThrough(), new PassThrough()];
  const over = Promise.all([passOn(one), passOn(other)]);
  for (let index = 0; index < 20; index += 1) {
    one.write('aaa');
    other.write('bbb');
    await nextTurn();
    one.write('aaa\naa');
    other.write('b\nbb\nb');
    await nextTurn();
    one.write('a\n');
    other.write('b\n');
  }
  one.end();
  other.end();
  await over;
  const lines = (await text()).trimEnd().split('\n');
  assert.equal(lines.length, 100);
  assert.deepEqual(new Set(lines), new Set(['aaaaaa', 'aaa', 'bbbb', 'bb']));
});

test('a last line that was cut off is ended, so that the next starts on its own line', async () => {
  const { output, text } = slowOutput();
  const source = new PassThrough();
  source.end('whole\ncut');
  await mergeLinesInto(output, systemClock)(source);
  assert.equal(await text(), 'whole\ncut\n');
});

test('a character whose bytes arrive one by one comes out unchanged', async () => {
  const { output, text } = slowOutput();
  const source = new PassThrough();
  const over = mergeLinesInto(output, systemClock)(source);
  for (const byte of Buffer.from('نام\n')) {
    source.write(Buffer.from([byte]));
    await nextTurn();
  }
  source.end();
  await over;
  assert.equal(await text(), 'نام\n');
});
