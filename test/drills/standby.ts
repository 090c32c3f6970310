/** Runs the drill of a lost primary: killed under load, its standby promoted, and no acknowledged purchase missing. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Life, startGateway } from '../crash/gateway.ts';
import { judge, purchasesBy, queryPostgres } from '../crash/judge.ts';
import { openShop, type Shop, type Wanted } from '../crash/shop.ts';
import {
  checkBooks,
  clientsOf,
  config,
  faults,
  type RunCommand,
  untilOver,
  waresOf,
} from '../crash/world.ts';
import { createDraw } from '../simulation/draw.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { freePort } from '../support/port.ts';
import { simgate, simulatorProcess } from '../support/process.ts';
import { type Cluster, findTools, openCluster, type Server } from './system-postgres.ts';

const { values } = parseArgs({
  options: {
    bin: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    connections: { type: 'string', default: '32' },
    seed: { type: 'string', default: '1' },
  },
});

const bin = findTools(values.bin);
if (bin === undefined) {
  console.error(
    'This drill needs a PostgreSQL of the system with its tools (initdb, postgres, pg_basebackup, pg_ctl), and finds none. Install one, or name their folder with --bin.',
  );
  process.exit(2);
}

const nameOf = ({ client, key }: Wanted): string => `${client.id} ${key}`;

/** What was acknowledged before the primary died and is missing or different on the new one. */
const missingOn = async (standby: Server, acknowledged: readonly Wanted[]): Promise<string[]> => {
  const rows = await purchasesBy(queryPostgres(() => standby.url))();
  return acknowledged
    .filter((one) => {
      const row = rows.get(nameOf(one));
      return row?.status !== one.answer?.status || row?.body !== one.answer?.body;
    })
    .map(({ key, answer }) => `${key} was answered ${answer?.status}`);
};

const answered = ({ all }: Shop): Wanted[] => all.filter(({ answer }) => answer !== undefined);

/** From the kill to the first new sale, in milliseconds. */
const untilSold = async (shop: Shop, since: number): Promise<number> => {
  const before = shop.answers.get('200') ?? 0;
  const latest = since + 600_000;
  while ((shop.answers.get('200') ?? 0) === before) {
    if (performance.now() > latest) throw new Error('Nothing is sold on the new primary.');
    await rest(10);
  }
  return Math.round(performance.now() - since);
};

const drill = async (cluster: Cluster, folder: string): Promise<boolean> => {
  const primary = await cluster.startPrimary();
  const standby = await cluster.startStandby(primary);
  // Represents an address that follows the primary: a virtual one, a name, a balancer.
  const proxy = await startDatabaseProxy(primary.port);
  const database = { DATABASE_URL: primary.url.replace(`:${primary.port}/`, `:${proxy.port}/`) };
  const configFile = join(folder, 'config.json');
  writeFileSync(configFile, JSON.stringify(config));
  const simulator = await simulatorProcess(folder, '--seed', values.seed, ...faults);
  process.once('exit', () => simulator.child.kill('SIGKILL'));
  const dataDir = join(folder, 'gateway');
  mkdirSync(dataDir);
  const port = await freePort();
  const life: Life = await startGateway({
    dataDir,
    port,
    env: {
      ...database,
      SIMGATE_CONFIG: configFile,
      OPERATOR_URL: simulator.url,
      LOG_LEVEL: 'warn',
    },
    logFile: join(folder, 'gateway.log'),
  });
  const url = `http://127.0.0.1:${port}`;
  const command: RunCommand = (...args) => simgate(folder, args, database);
  const clients = await clientsOf(command);
  const draw = createDraw(Number(values.seed));
  const shop = openShop({
    url: () => url,
    clients,
    wares: await waresOf(url, clients[0].token),
    draw,
    life: () => 0,
    patienceMs: () => 40_000,
  });
  const served = shop.serve(Number(values.connections));

  await rest((Number(values.seconds) * 1000) / 2);
  const killed = performance.now();
  await primary.kill();
  standby.promote();
  const promotedMs = Math.round(performance.now() - killed);
  // Before anything new is written. Answers in between were committed before too.
  const acknowledged = answered(shop);
  const missing = await missingOn(standby, acknowledged);
  const selling = untilSold(shop, killed);
  proxy.pointTo(standby.port);
  const soldMs = await selling;
  await rest((Number(values.seconds) * 1000) / 2);

  const read = purchasesBy(queryPostgres(() => standby.url));
  await untilOver(shop, read);
  await served;
  life.child.kill('SIGTERM');
  const end = await life.ended;
  await simulator.stop();
  const verdict = judge(shop.all, [join(folder, 'book.jsonl')], await read());
  const books = await checkBooks(command, read, clients);
  await proxy.close();
  const sold = acknowledged.filter(({ answer }) => answer?.status === 200).length;
  console.log(`${cluster.version}, a synchronous standby, ${values.connections} connections.
${acknowledged.length} final answers before the primary was killed, ${sold} of them sales; ${promotedMs} ms until the standby was promoted, ${soldMs} ms until the first new sale.
${shop.all.length} keys in all, ${verdict.deliveries} deliveries; the same gateway process throughout.
`);
  for (const [answer, count] of [...shop.answers].sort(([, one], [, other]) => other - one)) {
    console.log(`  ${count} ${answer}`);
  }
  const faulty = [
    ['acknowledged purchases missing on the new primary', missing],
    ['doubles', verdict.doubles],
    ['lost', verdict.lost],
    ['contradictions', [...shop.contradictions(), ...verdict.contradictions]],
    ['neither final nor in review', verdict.open],
    ['wrong in the books', books],
    ['exited unexpectedly', end === 0 ? [] : [`the gateway ended with ${end}`]],
  ] as const;
  console.log('');
  for (const [name, list] of faulty) console.log(`${list.length} ${name}`);
  console.log(`${verdict.review.length} in review`);
  for (const line of faulty.flatMap(([, list]) => list).slice(0, 50)) console.log(`  ${line}`);
  return faulty.every(([, list]) => list.length === 0) && sold > 0;
};

const folder = mkdtempSync(join(tmpdir(), 'simgate-standby-'));
const cluster = openCluster(bin);
let good = false;
try {
  good = await drill(cluster, folder);
} finally {
  await cluster.remove();
  if (good) rmSync(folder, { recursive: true, force: true });
  else console.log(`Everything is kept in ${folder}`);
}
process.exit(good ? 0 : 1);
