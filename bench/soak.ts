/** Runs a soak test: a gateway under long, steady load with a misbehaving operator, judged at the end. */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as rest } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Value } from 'typebox/value';
import { readConfig } from '../src/config/config.ts';
import { openForCommand } from '../src/db/open.ts';
import { systemClock } from '../src/lib/clock.ts';
import { systemRandom, uuidV7 } from '../src/lib/random.ts';
import { sampleProduct } from '../test/contract/sample-product.ts';
import { at } from '../test/support/answers.ts';
import { createClient } from '../test/support/clients.ts';
import { importProducts } from '../test/support/import-products.ts';
import { largeCatalogue } from '../test/support/large-catalogue.ts';
import { parsed } from '../test/support/live.ts';
import { freePort } from '../test/support/port.ts';
import { emptyFolder, endProcesses, simgate, simulatorProcess } from '../test/support/process.ts';
import { metricsToken } from './event-loop.ts';
import { endAll } from './resources.ts';
import { endServers, serve } from './serve.ts';
import { booksPlace, type Env, openBooks, type SoakBooks } from './soak-books.ts';
import { drawSoak, type Moment } from './soak-drawing.ts';
import { deliveriesIn, judge, type SoakResult } from './soak-judge.ts';
import { operators, price, productOf } from './soak-orders.ts';
import { SecondSchema, type Total, TotalSchema } from './soak-report.ts';
import { createServerSampler, type ServerSampler } from './soak-sampler.ts';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '1000' },
    clients: { type: 'string', default: '20' },
    /** `sqlite` or `postgres`. */
    engine: { type: 'string', default: 'sqlite' },
    /** The gateway's processes; more than one need PostgreSQL. */
    workers: { type: 'string', default: '1' },
    /** `process`: a simulator server with its book on disk; `inside`: in the gateway's own process. */
    operator: { type: 'string', default: 'process' },
    out: { type: 'string' },
  },
});

const loadScript = fileURLToPath(new URL('./soak-load.ts', import.meta.url));
const listed = 1000;
// More than any soak can spend.
const balance = 1_000_000_000_000;

/** The products to buy, many more to list, and clients; returns the file of their tokens. */
const fill = async (data: string, env: Env): Promise<string> => {
  const { db, close } = await openForCommand(readConfig({ DATA_DIR: data, ...env }), systemClock);
  const newId = uuidV7(systemClock, systemRandom);
  const deps = { db, clock: systemClock, newId, random: systemRandom };
  const bought = operators.flatMap((operator_id) =>
    (['credit', 'permanent'] as const).map((sim_card_type, odd) =>
      sampleProduct({ id: productOf(operator_id, odd), operator_id, sim_card_type, price }),
    ),
  );
  const ids = new Set(bought.map(({ id }) => id));
  await importProducts(deps, [
    ...bought,
    ...largeCatalogue(listed).filter(({ id }) => !ids.has(id)),
  ]);
  const tokens: string[] = [];
  for (let made = 0; made < Number(options.clients); made += 1) {
    tokens.push((await createClient(deps, { name: `Client ${made}`, balance })).token.token);
  }
  await close();
  const file = join(data, 'tokens');
  writeFileSync(file, tokens.join('\n'));
  return file;
};

const progress = ({ at, perSecond, p50, p99, memoryMb, pending }: Moment): void =>
  console.log(
    `${at.toFixed(0).padStart(6)} s  ${perSecond.toFixed(0)} purchases a second, p50 ${p50} ms, p99 ${p99} ms, ${memoryMb.toFixed(0)} MB, ${pending} pending`,
  );

/** Runs the load in its own process; returns its reports with the server's figures, and its end. */
const runLoad = async (url: string, tokens: string, sampler: ServerSampler) => {
  const seconds = String(Number(options.minutes) * 60);
  const given = { url, tokens, rate: options.rate, seconds, pages: String(listed / 100) };
  const child = spawn(
    process.execPath,
    [loadScript, ...Object.entries(given).flatMap(([name, value]) => [`--${name}`, value])],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const moments: Moment[] = [];
  let total: Total | undefined;
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const told = parsed(line);
      if (Value.Check(TotalSchema, told)) total = told;
      if (!Value.Check(SecondSchema, told)) continue;
      const moment = { ...told, ...(await sampler.sample()) };
      moments.push(moment);
      if (moments.length % 15 === 0) progress(moment);
    }
  } finally {
    child.kill('SIGKILL');
  }
  if (total === undefined) throw new Error('The load ended without a word.');
  return { moments, total };
};

const patienceMs = 180_000;

const isUnrest = "due_at is not null or (state = 'succeeded' and mobile like '%99')";

/** Waits until no order is in flight, and every reversal of the operator has happened. */
const untilAtRest = async ({ count }: SoakBooks): Promise<void> => {
  const begin = performance.now();
  while ((await count(isUnrest)) > 0 && performance.now() - begin < patienceMs) await rest(1000);
};

const run = async (data: string) => {
  const place = await booksPlace(options.engine === 'postgres' ? 'postgres' : 'sqlite');
  const tokens = await fill(data, place);
  const simulator = options.operator === 'process' ? await simulatorProcess(data) : undefined;
  // There the figures of all workers are added up.
  const metricsPort = await freePort();
  const served = await serve(data, {
    METRICS_TOKEN: metricsToken,
    METRICS_PORT: String(metricsPort),
    WORKERS: options.workers,
    ...place,
    ...(simulator === undefined ? {} : { OPERATOR_URL: simulator.url }),
  });
  const books = await openBooks(data, place);
  const sampler = createServerSampler(
    { pid: served.pid, metrics: `http://127.0.0.1:${metricsPort}` },
    books,
  );
  const { moments, total } = await runLoad(served.url, tokens, sampler);
  await untilAtRest(books);
  const delaySource = sampler.source();
  sampler.close();
  const exitStatus = await served.stop();
  await simulator?.stop();
  const delivered = simulator && (await deliveriesIn(join(data, 'book.jsonl')));
  const { out } = await simgate(data, ['verify', '--json'], place);
  const found = parsed(out);
  const verified = { ok: at(found, 'ok') === true, detail: JSON.stringify(at(found, 'states')) };
  const { db } = books;
  const verdicts = await judge({ db, total, samples: moments, delivered, exitStatus, verified });
  await books.close();
  return { verdicts, total, delaySource, moments };
};

const mark = ({ ok }: SoakResult): string =>
  ok === undefined ? 'not judged' : ok ? 'ok' : 'FAILED';

const report = ({ verdicts, total, moments }: Awaited<ReturnType<typeof run>>): void => {
  const most = (of: (moment: Moment) => number): number => Math.max(...moments.map(of));
  const rows: readonly (readonly [string, string])[] = [
    ['purchases', `${total.sent}, ${total.sold} sold`],
    ['healthy: p50, p99, p99.9, max', `${total.p50}, ${total.p99}, ${total.p999}, ${total.max} ms`],
    ['memory, most', `${most(({ memoryMb }) => memoryMb).toFixed(0)} MB`],
    [
      'database and its log, most',
      `${most(({ databaseMb }) => databaseMb).toFixed(0)} and ${most(({ logMb }) => logMb).toFixed(0)} MB`,
    ],
    ['delay of the event loop, most', `${most(({ delayMs }) => delayMs).toFixed(1)} ms`],
    [
      'pending and in review, most',
      `${most(({ pending }) => pending)} and ${most(({ review }) => review)}`,
    ],
    ['everything final after', `${total.settledAfter} s`],
    ['the load itself', `${(total.processor * 100).toFixed(0)} % of a core`],
  ];
  for (const [name, value] of rows) console.log(`${name.padEnd(32)} ${value}`);
  for (const verdict of verdicts) {
    console.log(`${mark(verdict).padEnd(10)} ${verdict.what}: ${verdict.detail}`);
  }
};

const write = (folder: string, result: Awaited<ReturnType<typeof run>>): void => {
  mkdirSync(folder, { recursive: true });
  const where = { node: process.version, processors: cpus().length, ...options };
  writeFileSync(join(folder, 'soak.json'), `${JSON.stringify({ ...where, ...result }, null, 1)}\n`);
  const about = `${options.rate} purchases a second for ${options.minutes} min, Node.js ${process.version}, ${cpus().length} cores; 5 % of the orders go wrong`;
  writeFileSync(join(folder, 'soak.svg'), drawSoak(result.moments, about));
};

const data = emptyFolder();
let ok = false;
try {
  const result = await run(data);
  report(result);
  if (options.out !== undefined) write(options.out, result);
  ok = result.verdicts.every((verdict) => verdict.ok !== false);
} finally {
  endServers();
  endProcesses();
  // A failed run is worth inspecting.
  if (ok) rmSync(data, { recursive: true, force: true });
  else console.error(`The data is kept in ${data}.`);
  await endAll();
}
process.exit(ok ? 0 : 1);
