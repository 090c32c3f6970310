/** Defines the command that runs the simulated operators as a server. */
import { resolve } from 'node:path';
import { systemClock } from '../../lib/clock.ts';
import { systemRandom, uuidV7 } from '../../lib/random.ts';
import { recordOf } from '../../lib/record.ts';
import { stopSignal } from '../../lib/stop-signal.ts';
import {
  defaultLateMs,
  type Fault,
  faultNames,
  faults,
  type RequestKind,
  requestKinds,
} from '../../operators/simulator/faults.ts';
import {
  type CallbackFault,
  callbackFaultNames,
  callbackFaults,
} from '../../operators/simulator/server/callbacks.ts';
import type { SimulatorOptions } from '../../operators/simulator/server/server.ts';
import {
  type Arguments,
  type Command,
  InvalidUsage,
  integerOption,
  type Option,
  textOption,
  textsOption,
} from '../definition.ts';

// A longer delay would never be noticed, and a timer counts only up to some weeks.
const longestMs = 86_400_000;

const rateOption = (args: Arguments, name: Fault | CallbackFault): number => {
  const text = textOption(args, name);
  // With --delay alone, every request is delayed.
  if (text === undefined)
    return name === 'delays' && textOption(args, 'delay') !== undefined ? 1 : 0;
  if (/^(0|1|(0|1)?\.\d{1,9}|1\.0+)$/.test(text) && Number(text) <= 1) return Number(text);
  throw new InvalidUsage(`--${name} must be a rate from 0 to 1 such as 0.05, not "${text}".`);
};

const isKind = (text: string): text is RequestKind => requestKinds.some((kind) => kind === text);

const kindsOption = (args: Arguments): readonly RequestKind[] => {
  const given = textsOption(args, 'only') ?? requestKinds;
  const wrong = given.find((text) => !isKind(text));
  if (wrong === undefined) return given.filter(isKind);
  throw new InvalidUsage(`--only accepts ${requestKinds.join(', ')}, not "${wrong}".`);
};

const callbackOptions = (args: Arguments): Pick<SimulatorOptions, 'callbacks'> => {
  const url = textOption(args, 'callback-url');
  const secret = textOption(args, 'callback-secret');
  if (url === undefined || secret === undefined) {
    if (url === secret) return {};
    throw new InvalidUsage('--callback-url and --callback-secret belong together.');
  }
  if (!/^https?:\/\/[^/\s?#@]+\/\S*$/.test(url)) {
    throw new InvalidUsage(`--callback-url must be an address with a path, not "${url}".`);
  }
  const rates = recordOf(callbackFaultNames, (name) => rateOption(args, name));
  return { callbacks: { url, secret, rates } };
};

const discountOption = (args: Arguments): Pick<SimulatorOptions, 'discountPercent'> => {
  const text = textOption(args, 'discount');
  if (text === undefined) return {};
  if (/^\d{1,3}(\.\d{1,4})?$/.test(text) && Number(text) <= 100) {
    return { discountPercent: Number(text) };
  }
  throw new InvalidUsage(`--discount must be a percentage such as 2.5, not "${text}".`);
};

const floatOption = (args: Arguments): Pick<SimulatorOptions, 'float'> =>
  textOption(args, 'float') === undefined
    ? {}
    : { float: integerOption(args, 'float', { most: Number.MAX_SAFE_INTEGER, otherwise: 0 }) };

const readOptions = (args: Arguments): SimulatorOptions => {
  const book = textOption(args, 'book');
  const port = textOption(args, 'port');
  if (book === undefined || book === '') throw new InvalidUsage('Missing: --book FILE.');
  if (port === undefined) throw new InvalidUsage('Missing: --port P.');
  const ms = (name: string, otherwise: number): number =>
    integerOption(args, name, { most: longestMs, otherwise });
  return {
    host: textOption(args, 'host') ?? '127.0.0.1',
    port: integerOption(args, 'port', { most: 65_535, otherwise: 0 }),
    book: resolve(book),
    seed: integerOption(args, 'seed', { most: Number.MAX_SAFE_INTEGER, otherwise: 1 }),
    rates: recordOf(faultNames, (name) => rateOption(args, name)),
    only: kindsOption(args),
    delayMs: ms('delay', 1_000),
    lagMs: ms('lag-time', 3_000),
    reversesAfter: ms('reverse-after', 3_000),
    lateMs: ms('late-time', defaultLateMs),
    deduplicates: args.options.get('deduplicate') === true,
    ...discountOption(args),
    ...floatOption(args),
    ...callbackOptions(args),
  };
};

const rateOptions = Object.fromEntries(
  faultNames.map((name): [string, Option] => [name, { value: 'RATE', about: faults[name] }]),
);

const callbackRateOptions = Object.fromEntries(
  callbackFaultNames.map((name): [string, Option] => [
    name,
    { value: 'RATE', about: callbackFaults[name] },
  ]),
);

export const simulatorRun: Command = {
  name: 'simulator',
  summary: 'Run the simulated operators as a server for tests. Faults are set by rate and seed.',
  options: {
    port: { value: 'P', about: 'The port to listen on; 0 takes a free one.' },
    book: { value: 'FILE', about: 'The file for deliveries, one JSON object per line.' },
    host: { value: 'H', about: 'The address to listen on (default: 127.0.0.1).' },
    seed: { value: 'N', about: 'Seed that decides which requests fail (default: 1).' },
    only: {
      value: 'KIND',
      many: true,
      about: `Kinds of requests that fail: ${requestKinds.join(', ')} (default: all).`,
    },
    ...rateOptions,
    delay: { value: 'MS', about: 'Length of delays. On its own, it delays every request.' },
    'lag-time': { value: 'MS', about: 'How long inquiries lag behind (default: 3000).' },
    'reverse-after': { value: 'MS', about: 'Time until a reversal (default: 3000).' },
    'late-time': { value: 'MS', about: 'Time until a late delivery (default: 20000).' },
    'callback-url': {
      value: 'URL',
      about: 'Where to call back about deliveries; {id} in it is the ID of the operator.',
    },
    'callback-secret': { value: 'TEXT', about: 'The key that signs callbacks.' },
    ...callbackRateOptions,
    discount: {
      value: 'PERCENT',
      about: 'What deliveries cost, as a percentage off the price; without it that is not told.',
    },
    float: {
      value: 'AMOUNT',
      about: 'The money with each operator at first; without it they say no balance.',
    },
    deduplicate: { about: 'Detect a second order with the same reference.' },
  },
  run: async (args, { out }) => {
    const options = readOptions(args);
    const { startSimulator } = await import('../../operators/simulator/server/server.ts');
    const stopped = stopSignal();
    const newId = uuidV7(systemClock, systemRandom);
    const server = await startSimulator(options, { clock: systemClock, newId });
    const { url } = server;
    const { book } = options;
    const words = [
      `The simulated operators listen at ${url}; deliveries are written to ${book}.`,
      `A gateway started with OPERATOR_URL=${url} buys from them.`,
    ];
    out(
      args.options.get('json') === true
        ? `${JSON.stringify({ url, book })}\n`
        : `${words.join('\n')}\n`,
    );
    await stopped;
    await server.close();
    return undefined;
  },
};
