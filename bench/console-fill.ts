/** Fills a database for the console's bench: purchases of many clients in every state, by one SQL for both engines. */
import { DatabaseSync } from 'node:sqlite';
import { createAccount } from '../src/admin/access/accounts.ts';
import { createPasswords } from '../src/admin/access/passwords/password.ts';
import { openSession } from '../src/admin/access/sign-in.ts';
import { createClient } from '../src/clients/client.ts';
import { readConfig } from '../src/config/config.ts';
import { createLockRetry } from '../src/db/lock-retry.ts';
import { openForCommand } from '../src/db/open.ts';
import { databaseFile } from '../src/db/sqlite/open.ts';
import { systemClock } from '../src/lib/clock.ts';
import { systemRandom, uuidV7 } from '../src/lib/random.ts';
import { sampleProduct } from '../test/contract/sample-product.ts';
import { importProducts } from '../test/support/import-products.ts';
import { runSql } from './pgbench.ts';
import { postgres } from './resources.ts';

export const clients = 300;
const monthMs = 30 * 24 * 60 * 60 * 1000;
const openOnes = 200;

export type Engine = 'sqlite' | 'postgres';
type Env = Readonly<Record<string, string>>;

/** Where the database is; on PostgreSQL it is created. */
export const placeOf = async (engine: Engine, folder: string): Promise<Env> => {
  if (engine === 'sqlite') return { DATA_DIR: folder };
  await runSql('postgres', 'create database console');
  return { DATABASE_URL: (await postgres()).url('console') };
};

/** The token of an owner's session. */
export const openOwner = async (env: Env): Promise<string> => {
  const { db, close } = await openForCommand(readConfig(env), systemClock);
  const newId = uuidV7(systemClock, systemRandom);
  const admin = {
    db,
    clock: systemClock,
    newId,
    random: systemRandom,
    passwords: createPasswords({ random: systemRandom }),
    retryLocked: createLockRetry(systemClock),
    limits: { idleMs: 86_400_000, absoluteMs: 86_400_000 },
  };
  const command = { accountId: null, name: 'bench', address: null };
  const { account } = await createAccount(admin, command, { name: 'bench', role: 'owner' });
  const visitor = { address: '127.0.0.1', agent: 'bench', token: undefined };
  const { token } = await db
    .transaction()
    .execute((db) => openSession(db, admin, account, { visitor, stage: 'full' }));
  await close();
  return token;
};

/** An owner's session, and clients with an account, in a new database. */
export const fillOffice = async (env: Env): Promise<string> => {
  const { db, close } = await openForCommand(readConfig(env), systemClock);
  const newId = uuidV7(systemClock, systemRandom);
  const deps = { db, clock: systemClock, newId, random: systemRandom };
  await importProducts(deps, [sampleProduct({ id: 1 })]);
  await db.transaction().execute(async (db) => {
    for (let made = 0; made < clients; made += 1) {
      await createClient({ ...deps, db }, { name: `client ${made}`, balance: 1_000_000 });
    }
  });
  await close();
  return openOwner(env);
};

/** The engine-specific parts of the statement that writes the past. */
export const words = {
  sqlite: {
    numbers: (to: number, from = 0): string =>
      `numbers as (with recursive n (i) as (select ${from} union all select i + 1 from n where i + 1 < ${to}) select i from n)`,
    hex: (value: string, digits: number): string => `printf('%0${digits}x', ${value})`,
    padded: (value: string, digits: number): string => `printf('%0${digits}d', ${value})`,
    /** 32 hexadecimal digits. */
    random: 'lower(hex(randomblob(16)))',
  },
  postgres: {
    numbers: (to: number, from = 0): string =>
      `numbers as (select cast(i as bigint) as i from generate_series(${from}, ${to - 1}) as g (i))`,
    hex: (value: string, digits: number): string =>
      `lpad(to_hex(cast(${value} as bigint)), ${digits}, '0')`,
    padded: (value: string, digits: number): string =>
      `lpad(cast(${value} as text), ${digits}, '0')`,
    random: "replace(cast(gen_random_uuid() as text), '-', '')",
  },
} as const;

/**
 * Spread over the last month in the order of their ids. Of a hundred five are refused, three failed, one was
 * reversed; some hundreds need review or are open; one client has a third of all, one tracking code a tenth,
 * and one number a fiftieth. Open ones name no operator, so that none is inquired about.
 */
const pastText = (engine: Engine, count: number, start: number): string => {
  const { numbers, hex, padded } = words[engine];
  const settled = (text: string): string =>
    `case when state in ('unknown', 'submitted', 'review') then null else ${text} end`;
  return `insert into purchases (client_id, id, idempotency_key, fingerprint, state, product_id,
      operator_id, mobile, amount, webservice_code, request_id, fence, attempts, inquiries, notes,
      began_at, send_before, quiet_at, due_at, settled_at, answer_status, answer_body, operator_ref, reason, disputed)
    with ${numbers(count)},
    turns as (select row_number() over (order by id) - 1 as turn, id as client from clients),
    timed as (select i, ${start} + i * ${monthMs} / ${count} as at, (i * 2654435761) % 4294967296 as noise,
      case when i % 3 = 0 then 0 else i % ${clients} end as whose,
      case when i >= ${count - openOnes} then case i % 2 when 0 then 'submitted' else 'unknown' end
        when i % 100 < 5 then 'refused' when i % 100 < 8 then 'failed' when i % 100 = 8 then 'reversed'
        when i % 2003 = 77 then 'review' else 'succeeded' end as state from numbers)
    select client, substr(${hex('at', 12)}, 1, 8) || '-' || substr(${hex('at', 12)}, 9) || '-7' || ${hex('noise % 4096', 3)}
        || '-8' || ${hex('noise / 4096 % 4096', 3)} || '-' || ${hex('i', 12)},
      'key-' || ${hex('noise', 8)} || '-' || i, '1:0', state, 1,
      case when state in ('unknown', 'submitted') then null else 1 + i % 5 end,
      case when i % 50 = 11 then '989120000000' else '989' || ${padded('noise % 1000000000', 9)} end,
      10000 + i % 7 * 1000, case when i % 10 = 3 then 'web' else 'order-' || i end, 'request', 1, 1, 0, 0,
      at, at + 2000, at + 10000,
      case when state in ('unknown', 'submitted') then at + ${3 * monthMs} end, ${settled('at + 5')},
      ${settled('200')}, ${settled(`'{"message":"The purchase was successful."}'`)}, null,
      case state when 'failed' then 'OPERATOR_DECLINED' end,
      case when state = 'failed' and i % 5000 = 105 then 'recorded as failed' end
    from timed join turns on turn = whose`;
};

/** How long sums are kept by each span, in parts of it. */
const keptParts = { minute: 4320, hour: 2400, day: 365 } as const;
const partMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** The sums of a busy gateway: five operators in every part, whose times fill forty buckets. */
const sumsText = (engine: Engine, span: keyof typeof keptParts, now: number): string[] => {
  const { numbers } = words[engine];
  const [parts, ms] = [keptParts[span], partMs[span]];
  const first = now - (now % ms) - (parts - 1) * ms;
  const place = `'${span}', ${first} + i / 5 * ${ms}, 1 + i % 5`;
  const placeOfBucket = `'${span}', ${first} + i / 200 * ${ms}, 1 + i / 40 % 5, 40 + i % 40`;
  return [
    `insert into stats (span, at, operator_id, begun, succeeded, failed, refused, reversed, amount)
      with ${numbers(parts * 5)} select ${place}, 100, 92, 3, 5, 1, 920000 from numbers`,
    `insert into stats_times (span, at, operator_id, bucket, calls)
      with ${numbers(parts * 200)} select ${placeOfBucket}, 1 + i % 7 from numbers`,
  ];
};

export const fillPurchases = async (engine: Engine, env: Env, count: number): Promise<void> => {
  const now = Date.now();
  const spans = ['minute', 'hour', 'day'] as const;
  const text = [
    pastText(engine, count, now - monthMs),
    ...spans.flatMap((span) => sumsText(engine, span, now)),
  ].join(';\n');
  const { DATABASE_URL: url, DATA_DIR: data = '' } = env;
  if (url !== undefined) {
    const database = new URL(url).pathname.slice(1);
    await runSql(database, `set session_replication_role = replica; ${text}`);
    await runSql(database, 'vacuum analyze');
    return;
  }
  const database = new DatabaseSync(databaseFile(data), { enableForeignKeyConstraints: false });
  // Durability is not needed: a failed run starts over.
  database.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -500000');
  database.exec(text);
  database.close();
};
