/** Runs the crash test: kills a real server under load again and again, and checks every key against the operators' records. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { createDraw, type Draw } from '../simulation/draw.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { freePort } from '../support/port.ts';
import { simgate } from '../support/process.ts';
import { createDepositor, fundedBy } from './deposits.ts';
import { type FileStruck, putBackFiles, restoreBackup } from './file-faults.ts';
import { type GatewayDeps, type Life, startGateway, tearWal } from './gateway.ts';
import {
  type CrashResult,
  judge,
  purchasesBy,
  queryFile,
  type ReadPurchases,
  type Row,
} from './judge.ts';
import { createPerson } from './person.ts';
import { passingOf, points } from './points.ts';
import { type Loose, openShop, type Shop } from './shop.ts';
import { type Suppliers, startSuppliers } from './suppliers.ts';
import {
  checkBooks,
  clientsOf,
  config,
  countsOf,
  type Report,
  type RunCommand,
  untilOver,
  waresOf,
} from './world.ts';

export type CrashOptions = {
  readonly folder: string;
  readonly seed: number;
  readonly kills: number;
  readonly buyers: number;
  /** How many of the named points to die at; the other kills come at random times. */
  readonly points: readonly string[];
  /** How often it is asked to stop, and how often it is suspended for longer than a lease. */
  readonly terms: number;
  readonly halts: number;
  /** How often a backup is restored, and how often earlier files are put back manually. */
  readonly restores: number;
  readonly putBacks: number;
  /** How long to wait for a point before the server is killed without it. */
  readonly pointMs: number;
  readonly say: (line: string) => void;
};

export type CrashReport = Report & {
  /** Kills at a named point. */
  readonly byPoint: number;
};

/** The faults of the server: in random order, each followed by a new life. */
type Blow =
  | { readonly kind: 'kill' }
  | { readonly kind: 'point'; readonly point: string }
  | { readonly kind: 'term' | 'halt' | 'restore' | 'put back' };

const blowsOf = (options: CrashOptions, draw: Draw): Blow[] => {
  const named = options.points.slice(0, options.kills);
  const blows: Blow[] = [
    ...named.map((point): Blow => ({ kind: 'point', point })),
    ...Array.from({ length: options.kills - named.length }, (_, index): Blow => {
      const point = points[draw.whole(0, points.length - 1)];
      return index % 2 === 0 || point === undefined ? { kind: 'kill' } : { kind: 'point', point };
    }),
    ...Array.from({ length: options.terms }, (): Blow => ({ kind: 'term' })),
    ...Array.from({ length: options.halts }, (): Blow => ({ kind: 'halt' })),
    ...Array.from({ length: options.restores }, (): Blow => ({ kind: 'restore' })),
    ...Array.from({ length: options.putBacks }, (): Blow => ({ kind: 'put back' })),
  ];
  return blows
    .map((blow) => ({ blow, lot: draw.next() }))
    .sort((one, other) => one.lot - other.lot)
    .map(({ blow }) => blow);
};

/** Longer than the longest lease. */
const haltMs = 22_000;
/** Longer than any wait that the server promises. */
const patienceMs = 40_000;

type Run = {
  readonly options: CrashOptions;
  readonly draw: Draw;
  readonly gateway: GatewayDeps;
  readonly shop: Shop;
  readonly read: ReadPurchases;
  readonly file: Omit<FileStruck, 'start'>;
  readonly counted: { lives: number; byPoint: number; torn: number };
  readonly cutOff: string[];
  readonly died: string[];
};

const start = async (run: Run, point = ''): Promise<Life> => {
  run.counted.lives += 1;
  const passing = point === '' ? '' : `${point}#${passingOf(point, run.draw.next())}`;
  return startGateway(run.gateway, passing);
};

/**
 * Whether it went from supplier to supplier for longer than a request waits. Each may be silent until its
 * quiet time is over, so that several take longer than one ever does.
 */
const isStillUnderWay = ({ how, afterMs }: Loose, { suppliers }: Row): boolean =>
  how.startsWith('202 ') && afterMs >= config.purchases.pendingAfterMs && suppliers.length > 1;

/** What was first sent in this life, had begun, and got no final answer from it. */
const findCutOff = async ({ shop, read, counted, cutOff }: Run): Promise<void> => {
  const purchases = await read();
  for (const loose of shop.loose) {
    const { wanted, life, how } = loose;
    if (life !== counted.lives || wanted.life !== life || wanted.answer !== undefined) continue;
    const row = purchases.get(`${wanted.client.id} ${wanted.key}`);
    if (row === undefined || isStillUnderWay(loose, row)) continue;
    cutOff.push(`${wanted.key}: ${how}, and it is ${row.state}`);
  }
};

/** Runs one fault, to the death or exit that it causes. */
const strike = async (run: Run, blow: Blow): Promise<void> => {
  const { draw, options, gateway } = run;
  if (blow.kind === 'restore' || blow.kind === 'put back') {
    const change = blow.kind === 'restore' ? restoreBackup : putBackFiles;
    await change({ ...run.file, start: () => start(run) });
    return;
  }
  const life = await start(run, blow.kind === 'point' ? blow.point : '');
  const moment = (): Promise<void> => rest(draw.whole(100, 900));
  switch (blow.kind) {
    case 'point': {
      const late = rest(options.pointMs, 'late' as const, { ref: false });
      if ((await Promise.race([life.ended, late])) === 'late') {
        options.say(`never passed ${blow.point}`);
        life.child.kill('SIGKILL');
      } else run.counted.byPoint += 1;
      break;
    }
    case 'kill':
      await moment();
      life.child.kill('SIGKILL');
      break;
    case 'term':
      await moment();
      life.child.kill('SIGTERM');
      await life.ended;
      await run.shop.answered();
      await findCutOff(run);
      return;
    case 'halt':
      await moment();
      life.child.kill('SIGSTOP');
      await rest(haltMs);
      life.child.kill('SIGCONT');
      await rest(3000);
      life.child.kill('SIGKILL');
      break;
  }
  const end = await life.ended;
  if (end !== 'SIGKILL') run.died.push(`${end} instead of ${blow.kind}`);
  if (draw.chance(0.15) && tearWal(gateway.dataDir, draw)) run.counted.torn += 1;
};

const strikeInTurn = async (run: Run): Promise<void> => {
  const { options, draw, shop } = run;
  let struck = 0;
  for (const blow of blowsOf(options, draw)) {
    await strike(run, blow);
    struck += 1;
    if (struck % 10 === 0) {
      options.say(`${struck} blows, ${shop.all.length} keys, ${shop.counted.requests} requests`);
    }
  }
};

const runCrash = async (options: CrashOptions, over: AbortSignal): Promise<CrashReport> => {
  const began = performance.now();
  const draw = createDraw(options.seed);
  const { folder } = options;
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { recursive: true });
  const suppliers = await startSuppliers(folder, options.seed);
  const gateway: GatewayDeps = {
    dataDir,
    port: await freePort(),
    env: { ...suppliers.env, LOG_LEVEL: 'warn' },
    logFile: join(folder, 'gateway.log'),
    over,
  };
  const url = `http://127.0.0.1:${gateway.port}`;
  const first = await startGateway(gateway);
  if (first.child.exitCode !== null) throw new Error(`It does not start: ${gateway.logFile}`);
  const command: RunCommand = (...args) => simgate(dataDir, args, suppliers.env);
  const query = queryFile(join(dataDir, 'simgate.db'));
  const read = purchasesBy(query);
  const clients = await clientsOf(command);
  await suppliers.addRoutes(command);
  const wares = await waresOf(url, clients[0].token);
  const counted = { lives: 0, byPoint: 0, torn: 0 };
  const shop = openShop({
    url: () => url,
    clients,
    wares,
    draw,
    life: () => counted.lives,
    patienceMs: () => patienceMs,
    over,
  });
  const { books } = suppliers;
  const person = createPerson({ shop, books, command, query, read });
  const money = createDepositor(command, query, clients[2]);
  const file = { folder, dataDir, draw, shop, read, command, person, money };
  const run: Run = { options, draw, gateway, shop, read, file, counted, cutOff: [], died: [] };
  first.child.kill('SIGTERM');
  await first.ended;

  const served = shop.serve(options.buyers);
  await strikeInTurn(run);
  const verdict = await finish(run, suppliers, served);
  const { kills, terms, halts, restores, putBacks } = options;
  return {
    ...verdict,
    contradictions: [...shop.contradictions(), ...verdict.contradictions],
    blows: `${kills} kills, ${counted.byPoint} of them at a named point (there are ${points.length}), ${counted.torn} torn tails, ${terms} stops, ${halts} halts longer than a lease, ${restores} backups restored, ${putBacks} earlier files put back by hand`,
    byPoint: counted.byPoint,
    ...countsOf(shop),
    cutOff: run.cutOff,
    died: run.died,
    moves: (await query('select seq from attempts')).length,
    books: await checkBooks(command, read, fundedBy(money, clients)),
    gate: person.faults,
    seconds: (performance.now() - began) / 1000,
  };
};

/** One more life without a fault: every key reaches its end, and all is judged. */
const finish = async (
  run: Run,
  { books, stop }: Suppliers,
  served: Promise<void>,
): Promise<CrashResult> => {
  const life = await start(run);
  await untilOver(run.shop, run.read);
  await served;
  life.child.kill('SIGTERM');
  await life.ended;
  await stop();
  return judge(run.shop.all, books, await run.read(), run.file.person.told);
};

export const crash = async (options: CrashOptions): Promise<CrashReport> => {
  const over = new AbortController();
  // A test that times out keeps running: this ends what it has started.
  cleanUpAfterTest(() => over.abort());
  try {
    return await runCrash(options, over.signal);
  } finally {
    over.abort();
  }
};
