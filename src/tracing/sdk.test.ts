/** Tests how a server starts without OpenTelemetry's SDK: not asked for, and asked for but not installed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../lib/clock.ts';
import { systemRandom } from '../lib/random.ts';
import { sdkPackage, startTracing } from './sdk.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

const start = async (more: Partial<Parameters<typeof startTracing>[0]>) => {
  const warned: unknown[] = [];
  const log = { info: () => assert.fail(), warn: (text: unknown) => void warned.push(text) };
  const parts = { version: '1', clock: systemClock, random: systemRandom, log };
  const tracing = await startTracing({ ...parts, settings: undefined, ...more });
  return { ...tracing, warned };
};

const begin = { name: 'a call', kind: 'client', trace: `${traceId}-01-00f067aa0ba902b7` } as const;

test('Nothing is loaded if no spans are requested', async () => {
  const { spans, warned, stop } = await start({ load: () => assert.fail('a package is loaded') });
  assert.deepEqual(warned, []);
  assert.equal(spans.begin(begin).isRecorded, false);
  assert.equal(await stop(), true);
});

test('A package that is not installed is named in one sentence, and traces are passed on as without it', async () => {
  const { spans, warned, stop } = await start({
    settings: { serviceName: 'simgate', logsByItself: false },
  });
  assert.equal(warned.length, 1);
  assert.ok(String(warned[0]).includes(sdkPackage), String(warned[0]));
  const { trace, isRecorded } = spans.begin(begin);
  assert.equal(isRecorded, false);
  assert.match(String(trace), new RegExp(`^${traceId}-01-(?!00f067aa0ba902b7)[0-9a-f]{16}$`));
  assert.equal(await stop(), true);
});
