/** Measures counting what was sold, and reports of a month by any two dimensions, with a million purchases a month. */
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config/config.ts';
import { openForServer } from '../src/db/open.ts';
import { databaseFile } from '../src/db/sqlite/open.ts';
import type { Db } from '../src/db/types.ts';
import { readDay } from '../src/lib/calendar-day.ts';
import { systemClock } from '../src/lib/clock.ts';
import { type Dimension, dimensions, type Period } from '../src/purchases/sales/report/query.ts';
import { readReport } from '../src/purchases/sales/report/report.ts';
import { verifySales } from '../src/purchases/sales/verify/verify.ts';
import { clients, type Engine, fillOffice, words } from './console-fill.ts';
import { countAll } from './growth-fill.ts';
import { median } from './measure.ts';
import { runSql } from './pgbench.ts';
import { endAll, newFolder, postgres } from './resources.ts';

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string' },
    /** Over sixty days, of which each report covers thirty. */
    purchases: { type: 'string', default: '2000000' },
    rounds: { type: 'string', default: '7' },
  },
});

const dayMs = 86_400_000;
const dayOf = (text: string): number => readDay(text) ?? 0;
const [first, last] = [dayOf('2026-03-02'), dayOf('2026-04-30')];
const products = 200;

const periods: Readonly<Record<string, Period>> = {
  'a month': { from: dayOf('2026-04-01'), to: last },
  'thirty days of two months': { from: dayOf('2026-03-17'), to: dayOf('2026-04-15') },
};

/**
 * One client has a third of all, and a fifth of the products most of the sales: each day, most clients sell some
 * dozens of products, from two suppliers of each operator.
 */
const pastText = (engine: Engine, count: number): string[] => {
  const { numbers, hex } = words[engine];
  return [
    `insert into purchases (client_id, id, idempotency_key, fingerprint, state, product_id, operator_id,
      mobile, amount, webservice_code, request_id, fence, attempts, inquiries, notes, began_at,
      send_before, quiet_at, settled_at, answer_status, answer_body, supplier_id)
    with ${numbers(count)},
    turns as (select row_number() over (order by id) - 1 as turn, id as client from clients),
    timed as (select i, ${first * dayMs} + i * ${(last - first + 1) * dayMs} / ${count} as at,
      (i * 2654435761) % 4294967296 / 7 % 1000 as noise,
      case when i % 3 = 0 then 0 else i % ${clients} end as whose from numbers)
    select client, ${hex('i', 12)}, 'key-' || i, '1:0', 'succeeded',
      1 + noise * noise * noise / ${1_000_000_000 / products}, 1 + noise % 5, '989120000000',
      10000 + i % 7 * 1000, 'web', 'r', 1, 1, 0, 0, at, at, at, at, 200, '',
      1 + noise % 5 + i / 3 % 2 * 100
    from timed join turns on turn = whose`,
    `insert into postings (client_id, seq, kind, from_account, to_account, amount, available_after,
      held_after, purchase_id, at, cost, supplier_id)
    select client_id, 2 * nth + step, kind, source, target, amount, 0, 0, id, began_at,
      case when step = 1 then amount * 97 / 100 end, case when step = 1 then supplier_id end
    from (select client_id, id, amount, began_at, supplier_id,
      row_number() over (partition by client_id order by id) as nth from purchases) as bought
    cross join (select 0 as step, 'hold' as kind, 'available' as source, 'held' as target
      union all select 1, 'capture', 'held', 'sales') as steps`,
    `update accounts set seq = (select max(seq) from postings
      where postings.client_id = accounts.client_id)`,
  ];
};

const fill = async (engine: Engine, env: Readonly<Record<string, string>>): Promise<void> => {
  const texts = pastText(engine, Number(options.purchases));
  const { DATABASE_URL: url, DATA_DIR: data = '' } = env;
  if (url !== undefined) {
    const database = new URL(url).pathname.slice(1);
    await runSql(database, `set session_replication_role = replica; ${texts.join(';\n')}`);
    await runSql(database, 'vacuum analyze');
    return;
  }
  const database = new DatabaseSync(databaseFile(data), { enableForeignKeyConstraints: false });
  database.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -500000');
  for (const text of texts) database.exec(text);
  database.close();
};

type Took = { readonly ms: number; readonly cpuMs: number };

const timed = async (work: () => Promise<unknown>): Promise<Took> => {
  const [began, used] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(used);
  return { ms: performance.now() - began, cpuMs: (user + system) / 1000 };
};

const print = (what: string, { ms, cpuMs }: Took, more = ''): void => {
  const figures = `${ms.toFixed(0).padStart(6)} ms, ${cpuMs.toFixed(0).padStart(6)} ms of this process`;
  process.stdout.write(`  ${what.padEnd(52)} ${figures}${more}\n`);
};

const count = async (db: Db): Promise<void> => {
  const took = await timed(() => countAll(db));
  const perSecond = (1000 * Number(options.purchases)) / took.ms;
  print('count all purchases', took, `; ${perSecond.toFixed(0)} purchases/s`);
};

const pairs = dimensions.flatMap((one, index): (readonly Dimension[])[] =>
  dimensions.slice(index + 1).map((other) => [one, other]),
);

const report = async (db: Db): Promise<void> => {
  for (const [name, period] of Object.entries(periods)) {
    for (const by of pairs) {
      const took: Took[] = [];
      for (let round = 0; round < Number(options.rounds); round += 1) {
        const shown = { limit: 1000, compare: false };
        took.push(await timed(() => readReport(db, { period, by }, shown)));
      }
      const figures = {
        ms: median(took.map(({ ms }) => ms)),
        cpuMs: median(took.map(({ cpuMs }) => cpuMs)),
      };
      print(`${name} by ${by.join(' and ')}`, figures);
    }
  }
};

const run = async (engine: Engine): Promise<void> => {
  const database = 'sales';
  if (engine === 'postgres') await runSql('postgres', `create database ${database}`);
  const env: Record<string, string> = { DATA_DIR: newFolder() };
  if (engine === 'postgres') env['DATABASE_URL'] = (await postgres()).url(database);
  await fillOffice(env);
  await fill(engine, env);
  process.stdout.write(`${engine}: ${options.purchases} purchases in 60 days\n`);
  const { db, close } = await openForServer(readConfig(env), systemClock);
  await count(db);
  if (engine === 'postgres') await runSql(database, 'vacuum analyze');
  const sizes = await db
    .selectFrom('sales')
    .select((select) => ['kind', select.fn.countAll().as('rows')])
    .groupBy('kind')
    .execute();
  process.stdout.write(`  ${sizes.map(({ kind, rows }) => `${kind} ${rows}`).join(', ')} rows\n`);
  await report(db);
  print('verify all sums', await timed(() => verifySales(db)));
  await close();
};

for (const engine of ['sqlite', 'postgres'] as const) {
  if (options.engine === undefined || options.engine === engine) await run(engine);
}
await endAll();
