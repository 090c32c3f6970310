/** Measures what a purchase takes on PostgreSQL: bytes of each table and index, as written, vacuumed and packed. */
import { sql } from 'kysely';
import pg from 'pg';
import { readConfig } from '../src/config/config.ts';
import { createDatabaseTime } from '../src/db/engine.ts';
import { openForServer } from '../src/db/open.ts';
import type { Db } from '../src/db/types.ts';
import { systemClock } from '../src/lib/clock.ts';
import { systemRandom, uuidV7 } from '../src/lib/random.ts';
import { noAttempt } from '../src/purchases/attempt.ts';
import { advanceAll, stepsOf } from '../src/purchases/commit/advance.ts';
import { type BeginItem, beginAll } from '../src/purchases/commit/begin.ts';
import { fingerprintOf } from '../src/purchases/request/fingerprint.ts';
import type { Terms } from '../src/purchases/terms.ts';
import { createClient } from '../test/support/clients.ts';
import { hasty, startPostgres } from '../test/support/postgres.ts';

const purchases = Number(process.argv[2] ?? 20_000);
const clients = 100;
const atOnce = 16;
// A large table is vacuumed when a fifth of it has changed; here, each time that a tenth was added.
const rounds = 10;
const price = 1000;

const terms: Terms = {
  sendWithinMs: 60_000,
  deadlineMs: 10_000,
  settlesWithinMs: 15_000,
  deduplicates: false,
  resendWithinMs: undefined,
  firstInquiryMs: 2000,
  widestInquiryMs: 600_000,
  reviewAfterMs: 86_400_000,
};

const newId = uuidV7(systemClock, systemRandom);

const itemOf = (clientId: string, index: number): BeginItem => {
  const fields = {
    path: 'package',
    productId: 1,
    mobile: `98912${String(index).padStart(7, '0')}`,
    price,
    offer: null,
    profileId: null,
    webserviceCode: `order-${index}`,
  } as const;
  return {
    requested: {
      clientId,
      id: newId(),
      key: newId(),
      fingerprint: fingerprintOf(fields),
      productId: 1,
      operatorId: 1,
      ...noAttempt,
      supplierId: 1,
      sentTo: '0123456789abcdef',
      mobile: fields.mobile,
      price,
      offer: null,
      profileId: null,
      webserviceCode: fields.webserviceCode,
      requestId: newId(),
      trace: null,
    },
    decision: { kind: 'order', terms },
  };
};

/** Sells by the gateway's own transactions: begun, ordered, delivered. */
const sell = async (db: Db, clientIds: readonly string[], from: number, to: number) => {
  const deps = { db, databaseTime: createDatabaseTime(systemClock), clock: systemClock };
  for (let at = from; at < to; at += atOnce) {
    const indexes = Array.from({ length: Math.min(atOnce, to - at) }, (_, index) => at + index);
    const items = indexes.map((index) => itemOf(clientIds[index % clients] ?? '', index));
    const begun = await beginAll(deps, items);
    await advanceAll(
      deps,
      begun.map(({ purchase }) =>
        stepsOf({
          name: purchase,
          fence: purchase.fence,
          seen: purchase,
          move: {
            kind: 'order',
            outcome: { kind: 'done', ref: newId() },
            context: { terms, chance: 0, refusal: { code: 'ORDER_NOT_RECEIVED' } },
          },
        }),
      ),
    );
  }
};

type Size = { readonly table: string; readonly name: string; readonly bytes: number };

const sizesOf = async (db: Db): Promise<readonly Size[]> => {
  const { rows } = await sql<Omit<Size, 'bytes'> & { readonly bytes: string }>`
    select t.relname as table, t.relname as name, pg_table_size(t.oid) as bytes
      from pg_class t where t.relname in ('purchases', 'postings')
    union all select t.relname, i.relname, pg_relation_size(i.oid)
      from pg_class t join pg_index x on x.indrelid = t.oid join pg_class i on i.oid = x.indexrelid
      where t.relname in ('purchases', 'postings')
    order by 1, 2`.execute(db);
  return rows.map(({ bytes, ...row }) => ({ ...row, bytes: Number(bytes) }));
};

const measure = async (
  db: Db,
  each: (db: Db) => Promise<void>,
  last: (db: Db) => Promise<void>,
) => {
  const clientIds: string[] = [];
  const deps = { db, clock: systemClock, newId, random: systemRandom };
  for (let count = 0; count < clients; count += 1) {
    const balance = purchases * price;
    clientIds.push((await createClient(deps, { name: `Client ${count}`, balance })).id);
  }
  for (let round = 0; round < rounds; round += 1) {
    const [from, to] = [round, round + 1].map((one) => Math.floor((one * purchases) / rounds));
    await sell(db, clientIds, from ?? 0, to ?? 0);
    await each(db);
  }
  await last(db);
  return sizesOf(db);
};

const nothing = async (): Promise<void> => {};
const vacuum = async (db: Db): Promise<void> => {
  await sql`vacuum analyze purchases, postings`.execute(db);
};
const pack = async (db: Db): Promise<void> => {
  await sql`vacuum full purchases, postings`.execute(db);
};

const manners = {
  'as written, never vacuumed': [nothing, nothing],
  'vacuumed as it grows': [vacuum, nothing],
  packed: [nothing, pack],
} as const;

const createDatabase = async (url: string, name: string): Promise<void> => {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
};

const server = await startPostgres(hasty);
try {
  for (const [manner, [each, last]] of Object.entries(manners)) {
    const name = `sizes_${manner.replaceAll(/\W/g, '_')}`;
    await createDatabase(server.url('postgres'), name);
    const config = readConfig({ DATABASE_URL: server.url(name) });
    const opened = await openForServer(config, systemClock);
    try {
      const sizes = await measure(opened.db, each, last);
      const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
      console.log(`${manner}: ${Math.round(total / purchases)} bytes a purchase`);
      console.table(sizes.map((one) => ({ ...one, each: Math.round(one.bytes / purchases) })));
    } finally {
      await opened.close();
    }
  }
} finally {
  await server.remove();
}
