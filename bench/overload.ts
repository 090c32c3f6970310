/** Measures two overloads: an operator that hangs beside a healthy one, and twenty times the sustainable load. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { at } from '../test/support/answers.ts';
import { residentMegabytes } from '../test/support/memory.ts';
import type { Served } from './serve.ts';
import {
  endShops,
  figure,
  load,
  openShop,
  print,
  type Shop,
  standing,
  startOperator,
  untilSettled,
  verified,
} from './shop.ts';

const { values: options } = parseArgs({
  options: {
    hang: { type: 'string', default: '60' },
    overload: { type: 'string', default: '20' },
    times: { type: 'string', default: '20' },
    rate: { type: 'string', default: '50' },
    places: { type: 'string', default: '5' },
    out: { type: 'string' },
  },
});

/** Buys from operator 1 until it sells; returns how many seconds that took. */
const untilSold = async (shop: Shop): Promise<number> => {
  const begin = performance.now();
  for (let count = 0; ; count += 1) {
    const wanted = { product: 1, rate: 2, seconds: 0.5, keys: `again-${count}` };
    if (figure(await load(shop, wanted), '200', 'count') > 0) break;
    if (performance.now() - begin > 120_000) throw new Error('It never sells again.');
  }
  return Number(((performance.now() - begin) / 1000).toFixed(1));
};

/** The most memory while some work lasts. */
const watchMemory = async (served: Served, work: Promise<unknown>): Promise<number> => {
  const ended = work.then(() => true);
  let most = 0;
  do most = Math.max(most, residentMegabytes(served.pid));
  while (!(await Promise.race([ended, rest(500, false)])));
  return Math.round(most);
};

/** Operator 1 answers nothing for a while, under steady load; operator 2 is healthy. */
const measureHang = async () => {
  const [seconds, rate] = [Number(options.hang), Number(options.rate)];
  const operators = await Promise.all([startOperator(), startOperator()]);
  const shop = await openShop(operators, {});
  const { served, data } = shop;
  const both = async (name: string, seconds: number): Promise<[unknown, unknown]> =>
    Promise.all([
      load(shop, { product: 1, rate, seconds, keys: `one-${name}` }),
      load(shop, { product: 2, rate, seconds, keys: `two-${name}` }),
    ]);
  // A warm-up: the JIT has to see the load first.
  await both('warm', 10);
  const [, before] = await both('before', 20);
  const memoryBeforeMb = Math.round(residentMegabytes(served.pid));
  // It still answers about subscribers: the worst case, in which purchases begin and then hang.
  const hung = ['orders', 'inquiries', 'reports'].flatMap((kind) => ['--only', kind]);
  await operators[0]?.restart('--lose-requests', '1', ...hung);
  const hanging = both('during', seconds);
  const memoryDuringMb = await watchMemory(served, hanging);
  const [silent, during] = await hanging;
  const held = standing(data).open;
  await operators[0]?.restart();
  const settledAfterSeconds = await untilSettled(data);
  const soldAgainAfterSeconds = Math.round(settledAfterSeconds + (await untilSold(shop)));
  const [back] = await both('after', 10);
  const memoryAfterMb = Math.round(residentMegabytes(served.pid));
  await served.stop();
  return {
    hangSeconds: seconds,
    ratePerOperator: rate,
    healthyP50BeforeMs: figure(before, '200', 'p50'),
    healthyP99BeforeMs: figure(before, '200', 'p99'),
    healthyP50DuringMs: figure(during, '200', 'p50'),
    healthyP99DuringMs: figure(during, '200', 'p99'),
    healthyNotSoldDuring: rate * seconds - figure(during, '200', 'count'),
    hungPending: figure(silent, 'TRANSACTION_PENDING', 'count'),
    hungRefused: figure(silent, 'OPERATOR_UNAVAILABLE', 'count'),
    hungRefusedP99Ms: figure(silent, 'OPERATOR_UNAVAILABLE', 'p99'),
    openAtTheEnd: held,
    settledAfterSeconds,
    soldAgainAfterSeconds,
    notSoldAfterReturn: rate * 10 - figure(back, '200', 'count'),
    memoryBeforeMb,
    memoryDuringMb,
    memoryAfterMb,
    states: standing(data).states,
    verify: await verified(data),
  };
};

/**
 * How long the gateway itself took to refuse requests, by its log. The difference to the clients' times is
 * the wait before it read them: its own backlog, and a machine that is busy with others.
 */
const refusedInside = (data: string): number => {
  const lines = readFileSync(join(data, 'log'), 'utf8').split('\n');
  const times = lines
    .filter((line) => line.includes('"status":503,'))
    .map((line) => Number(/"ms":([\d.]+)/.exec(line)?.[1]))
    .toSorted((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? 0;
};

// Twenty times as much has to come from a load generator on the same machine.
const delayMs = 100;

/** Far more than its capacity. The capacity is limited by the operator's own time. */
const measureOverload = async () => {
  const [seconds, times] = [Number(options.overload), Number(options.times)];
  const places = Number(options.places);
  const operator = await startOperator('--delay', String(delayMs), '--only', 'orders');
  const limits = { purchasesPerOperator: places, purchases: places };
  const shop = await openShop([operator], { limits });
  const { served, data } = shop;
  const most = (places * 1000) / delayMs;
  await load(shop, { product: 1, rate: most, seconds: 5, keys: 'warm' });
  const full = await load(shop, { product: 1, rate: 2 * most, seconds: 10, keys: 'full' });
  const capacity = Math.round(figure(full, '200', 'count') / 10);
  const calm = await load(shop, { product: 1, rate: capacity / 2, seconds: 10, keys: 'calm' });
  const memoryBeforeMb = Math.round(residentMegabytes(served.pid));
  const overloading = load(shop, { product: 1, rate: times * capacity, seconds, keys: 'over' });
  const memoryDuringMb = await watchMemory(served, overloading);
  const over = await overloading;
  await untilSettled(data);
  await served.stop();
  return {
    capacityPerSecond: capacity,
    loadPerSecond: times * capacity,
    overloadSeconds: seconds,
    acceptedPerSecond: Math.round(figure(over, '200', 'count') / seconds),
    acceptedP50CalmMs: figure(calm, '200', 'p50'),
    acceptedP99CalmMs: figure(calm, '200', 'p99'),
    acceptedP50Ms: figure(over, '200', 'p50'),
    acceptedP99Ms: figure(over, '200', 'p99'),
    acceptedMaxMs: figure(over, '200', 'max'),
    refused: figure(over, 'OVERLOADED', 'count'),
    refusedP50Ms: figure(over, 'OVERLOADED', 'p50'),
    refusedP99Ms: figure(over, 'OVERLOADED', 'p99'),
    refusedInsideP99Ms: refusedInside(data),
    refusedMaxMs: figure(over, 'OVERLOADED', 'max'),
    others: JSON.stringify(at(over, 'answers'), (key, value: unknown) =>
      key === '200' || key === 'OVERLOADED' ? undefined : value,
    ),
    memoryBeforeMb,
    memoryDuringMb,
    states: standing(data).states,
    verify: await verified(data),
  };
};

try {
  const overload = Number(options.overload) > 0 ? await measureOverload() : undefined;
  if (overload !== undefined) print(`${options.times} times the load`, overload);
  const hang = Number(options.hang) > 0 ? await measureHang() : undefined;
  if (hang !== undefined) print('An operator hangs', hang);
  if (options.out !== undefined) {
    const where = { node: process.version, processors: cpus().length };
    writeFileSync(options.out, `${JSON.stringify({ ...where, overload, hang }, null, 2)}\n`);
  }
  const slow = overload !== undefined && overload.refusedP99Ms > 100;
  const wrong = [overload, hang].some((figures) => figures?.verify === false);
  if (slow) console.error('The refused wait longer than 100 ms.');
  if (wrong) console.error('The books are wrong.');
  if (slow || wrong) process.exitCode = 1;
} finally {
  endShops();
}
