/** Measures sales while the first of two suppliers is healthy, dead, silent, out of funds or slow. */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import {
  endShops,
  figure,
  load,
  type Operator,
  openShop,
  print,
  type Shop,
  startOperator,
  suppliersTo,
  untilSettled,
  verified,
} from './shop.ts';

const { values: options } = parseArgs({
  options: {
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    out: { type: 'string' },
  },
});

const rate = Number(options.rate);
const seconds = Number(options.seconds);

/** The purchases so far, and how many of them the first supplier got. */
const countIn = ({ data }: Shop, keys: string) => {
  const database = new DatabaseSync(join(data, 'simgate.db'), { readOnly: true });
  const counted = database
    .prepare(
      `select count(*) as begun, sum(state = 'succeeded') as succeeded,
         sum(supplier_id = 101 or left_suppliers like '%101%') as first
       from purchases where idempotency_key like ?`,
    )
    .get(`${keys}-%`);
  database.close();
  return {
    begun: Number(counted?.['begun']),
    succeeded: Number(counted?.['succeeded']),
    first: Number(counted?.['first']),
  };
};

type Trouble = {
  readonly name: string;
  readonly begin: (first: Operator) => Promise<void>;
};

const troubles: readonly Trouble[] = [
  { name: 'healthy', begin: async () => {} },
  { name: 'dead', begin: (first) => first.stop() },
  { name: 'out of funds', begin: (first) => first.restart('--out-of-funds', '1') },
  { name: 'slow', begin: (first) => first.restart('--delay', '1000', '--only', 'orders') },
  {
    name: 'silent',
    begin: (first) => first.restart('--lose-requests', '1', '--only', 'orders'),
  },
];

/** The first supplier is in trouble from the beginning of the load on. */
const measure = async (
  shop: Shop,
  first: Operator,
  { name, begin }: Trouble,
): Promise<Readonly<Record<string, unknown>>> => {
  const keys = name.replaceAll(' ', '-');
  await first.restart();
  // Its breaker closes, and its route opens, before the next trouble begins.
  await load(shop, { product: 1, rate: 20, seconds: 45, keys: `calm-${keys}` });
  await begin(first);
  const answers = await load(shop, { product: 1, rate, seconds, keys });
  const sold = figure(answers, '200', 'count');
  await first.restart();
  await untilSettled(shop.data);
  const { begun, succeeded, first: got } = countIn(shop, keys);
  return {
    purchases: rate * seconds,
    soldAtOncePercent: ((100 * sold) / (rate * seconds)).toFixed(2),
    succeededPercent: ((100 * succeeded) / (rate * seconds)).toFixed(2),
    refusedWithoutBeginning: rate * seconds - begun,
    orderedFromFirst: got,
    p50Ms: figure(answers, '200', 'p50'),
    p99Ms: figure(answers, '200', 'p99'),
  };
};

const routes = 'operator_id,supplier_id,priority\n1,101,1\n1,102,2\n';

try {
  const [own, first, second] = await Promise.all([
    startOperator(),
    startOperator(),
    startOperator(),
  ]);
  const settings = { suppliers: suppliersTo([first, second]) };
  const shop = await openShop([own], settings, routes);
  await load(shop, { product: 1, rate: rate / 2, seconds: 10, keys: 'warm' });
  const figures: Record<string, unknown> = {};
  for (const trouble of troubles) {
    const measured = await measure(shop, first, trouble);
    print(`The first supplier is ${trouble.name}`, measured);
    figures[trouble.name] = measured;
  }
  await shop.served.stop();
  const isVerified = await verified(shop.data);
  console.log(`verify: ${isVerified ? 'nothing wrong' : 'the books are wrong'}`);
  if (!isVerified) process.exitCode = 1;
  if (options.out !== undefined) {
    const where = { node: process.version, processors: cpus().length };
    writeFileSync(options.out, `${JSON.stringify({ ...where, ...figures }, null, 2)}\n`);
  }
} finally {
  endShops();
}
