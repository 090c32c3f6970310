/** Moves a database of past purchases to PostgreSQL and back, killed again and again on the way. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillPast, fillShop } from '../../bench/growth-fill.ts';
import { sampleProduct } from '../contract/sample-product.ts';
import { at, listOf } from '../support/answers.ts';
import { parsed } from '../support/live.ts';
import { residentMegabytes } from '../support/memory.ts';
import { type Launched, launch, type Program } from '../support/process.ts';

export type MoveDrill = {
  readonly folder: string;
  /** An empty database. */
  readonly databaseUrl: string;
  readonly purchases: number;
  readonly clients: number;
  /** How often each way is interrupted. */
  readonly interruptions: number;
  /** How long after a batch the process is killed; 0: at once, between two batches. */
  readonly killAfterMs: number;
  readonly say: (line: string) => void;
};

export type Way = {
  readonly name: string;
  readonly seconds: number;
  readonly peakMegabytes: number;
  readonly rows: number;
  readonly kills: number;
  /** The digest of each table. */
  readonly digests: ReadonlyMap<string, string>;
};

type Environment = Readonly<Record<string, string>>;

const mover: Program = [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  fileURLToPath(new URL('./mover.ts', import.meta.url)),
];

const lookEveryMs = 100;

/** Waits for its end, and returns its peak memory. */
const ended = async ({ child, closed }: Launched): Promise<number> => {
  let most = 0;
  const look = (): void => {
    const now = child.exitCode === null ? residentMegabytes(child.pid) : 0;
    if (now > most) most = now;
  };
  const looking = setInterval(look, lookEveryMs);
  await closed;
  clearInterval(looking);
  return most;
};

/** The rows of a purchase: itself and two postings. */
const rowsOfPurchase = 3;

/** Moves once, after this many kills; the kills are spread over all rows. */
const moveOnce = async (
  { folder, interruptions, killAfterMs, purchases, say }: MoveDrill,
  { name, to, env }: { readonly name: string; readonly to: string; readonly env: Environment },
): Promise<Way> => {
  const args = ['move', '--to', to, '--reason', 'a drill', '--json'];
  const begun = performance.now();
  let peakMegabytes = 0;
  let kills = 0;
  for (let nth = 1; nth <= interruptions; nth += 1) {
    const killAt = Math.floor((nth * purchases * rowsOfPurchase) / (interruptions + 1));
    const killed = await launch(
      folder,
      args,
      { ...env, DRILL_KILL_AT: String(killAt), DRILL_KILL_AFTER_MS: String(killAfterMs) },
      mover,
    );
    peakMegabytes = Math.max(peakMegabytes, await ended(killed));
    assert.equal(killed.child.signalCode, 'SIGKILL', killed.printed());
    kills += 1;
    say(`${name}: killed after ${killAt} rows`);
  }
  const last = await launch(folder, args, env, mover);
  peakMegabytes = Math.max(peakMegabytes, await ended(last));
  assert.equal(last.child.exitCode, 0, last.printed());
  const result = parsed(last.printed());
  const digests = listOf(at(result, 'tables')).map(
    (one) => [String(at(one, 'table')), String(at(one, 'digest'))] as const,
  );
  const seconds = (performance.now() - begun) / 1000;
  const rows = Number(at(result, 'rows'));
  say(`${name}: ${rows} rows in ${Math.round(seconds)} s`);
  return { name, seconds, peakMegabytes, rows, kills, digests: new Map(digests) };
};

/** Moves there and back, and returns the results of each way. */
export const drillMove = async (drill: MoveDrill): Promise<readonly [there: Way, back: Way]> => {
  const { folder, databaseUrl, purchases, clients, say } = drill;
  const [data, home] = [join(folder, 'data'), join(folder, 'home')];
  for (const made of [data, home]) mkdirSync(made);
  await fillShop({ data }, { products: [sampleProduct({ id: 1, price: 1000 })], clients });
  await fillPast({ data }, { count: purchases, product: 1, operator: 1, price: 1000 });
  say(`${purchases} purchases of ${clients} clients are there`);
  const there = await moveOnce(drill, {
    name: 'to PostgreSQL',
    to: databaseUrl,
    env: { DATA_DIR: data, DATABASE_URL: '' },
  });
  const back = await moveOnce(drill, {
    name: 'back to SQLite',
    to: home,
    env: { DATA_DIR: data, DATABASE_URL: databaseUrl },
  });
  return [there, back];
};

/** The tables whose rows differ after both ways; the audit log has an additional entry for each. */
export const changedTables = (there: Way, back: Way): string[] =>
  [...there.digests]
    .filter(([table, digest]) => table !== 'audit' && back.digests.get(table) !== digest)
    .map(([table]) => table);
