/** Tests that every query on a grown PostgreSQL uses an index, and stays within one client's rows. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import type { Filter } from '../../src/admin/purchases/filter.ts';
import { search, totalsOf } from '../../src/admin/purchases/search.ts';
import { findTokenByHash, updateLastUse } from '../../src/clients/store.ts';
import { readConfig } from '../../src/config/config.ts';
import { readVersions } from '../../src/db/changes/versions.ts';
import { openForServer } from '../../src/db/open.ts';
import type { Db } from '../../src/db/types.ts';
import { readEntries, readEntry } from '../../src/ledger/entries.ts';
import { readAccount, writePostings } from '../../src/ledger/store.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { bringForward, claimDue, findUnclaimed } from '../../src/purchases/claims.ts';
import { advanceAll } from '../../src/purchases/commit/advance.ts';
import { type BeginItem, beginAll } from '../../src/purchases/commit/begin.ts';
import { textFact } from '../../src/purchases/facts/facts.ts';
import {
  countPurchases,
  findPurchase,
  listPurchases,
  readNotes,
  readPostings,
} from '../../src/purchases/inquiry/store.ts';
import { fail, type Purchase } from '../../src/purchases/purchase.ts';
import { findUnsettledBy } from '../../src/purchases/reports/store.ts';
import { closeFor } from '../../src/purchases/restored/close.ts';
import { knownRefs } from '../../src/purchases/restored/store.ts';
import { countUnsettled } from '../../src/purchases/stats/unsettled.ts';
import { findByIds, findByKeys } from '../../src/purchases/store.ts';
import { type FreshPostgres, freshPostgres, openBesideTest } from '../support/database.ts';
import { price, purchaseRequestOf, termsOfWorld } from '../support/purchase-world.ts';

const clients = 1000;
const purchases = 100_000;

/** Every hundredth purchase is open and due, every hundredth needs review. */
const fill = async (db: Db): Promise<void> => {
  const numbers = sql`generate_series(0, ${sql.lit(purchases - 1)}) as g (i)`;
  // One client has a third of all.
  const client = sql`'client ' || case when i % 3 = 0 then 0 else i % ${sql.lit(clients)} end`;
  const id = sql`'01990000-0000-7000-8000-' || lpad(to_hex(i), 12, '0')`;
  // Correctly generated rows need no constraint checks one by one.
  await sql`set local session_replication_role = replica`.execute(db);
  await sql`insert into clients select 'client ' || i, 'name', 'active', 0, 0
    from generate_series(0, ${sql.lit(clients - 1)}) as g (i)`.execute(db);
  await sql`insert into tokens (id, client_id, name, hash, ending, scopes, networks, created_at)
    select 'token ' || i, 'client ' || i, '', lpad(to_hex(i), 64, '0'), '', '[]', '[]', 0
    from generate_series(0, ${sql.lit(clients - 1)}) as g (i)`.execute(db);
  await sql`insert into accounts select id, 1000000000, 0, ${sql.lit(3 * purchases)} from clients`.execute(
    db,
  );
  await sql`insert into client_rules select id, null, null, 60, 1, 202 from clients`.execute(db);
  await sql`insert into client_days select id, -1, 0, 0 from clients`.execute(db);
  await sql`insert into purchases (client_id, id, idempotency_key, fingerprint, state, product_id,
      operator_id, mobile, amount, webservice_code, request_id, fence, attempts, inquiries, notes,
      began_at, send_before, quiet_at, due_at, settled_at, answer_status, answer_body)
    select ${client}, ${id}, 'key ' || i, '1:0',
      case i % 100 when 1 then 'unknown' when 2 then 'review' else 'succeeded' end,
      1, 1 + i % 5, '989121234500', 10000, 'code ' || i / 2000, 'request', 1, 1, 0, 1,
      i, i, i, case i % 100 when 1 then i end,
      case when i % 100 not in (1, 2) then i end,
      case when i % 100 not in (1, 2) then 200 end,
      case when i % 100 not in (1, 2) then '{"message":"The purchase was successful."}' end
    from ${numbers}`.execute(db);
  await sql`insert into purchase_notes
    select ${client}, ${id}, 1, 'order', 'order_pending', '{}', i from ${numbers}`.execute(db);
  await sql`insert into postings (client_id, seq, kind, from_account, to_account, amount,
      available_after, held_after, purchase_id, at)
    select ${client}, 2 * i + k, kind, source, target, 10000, 1, 1, ${id}, i
    from ${numbers}, (values (1, 'hold', 'available', 'held'), (2, 'capture', 'held', 'sales'))
      as kinds (k, kind, source, target)`.execute(db);
};

type Heard = Pick<CompiledQuery, 'sql' | 'parameters'>;

let database: FreshPostgres;
let asked: Db;
let close: () => Promise<void>;
let heard: Heard[] = [];
before(async () => {
  // In byte order, which fills indexes many times faster.
  database = await freshPostgres('empty');
  const config = readConfig({ DATABASE_URL: database.url });
  const longTimeouts = { ...config, database: { ...config.database, statementMs: 60_000 } };
  const filling = await openForServer(longTimeouts, systemClock);
  await filling.db.transaction().execute(fill);
  await sql`vacuum`.execute(filling.db);
  await filling.db.transaction().execute(async (db) => {
    // Every row is analysed, not a sample: the plans are the same each time.
    await sql`set local default_statistics_target = 1000`.execute(db);
    await sql`analyze`.execute(db);
  });
  await filling.close();
  const opened = openBesideTest(database.url, (query) => heard.push(query));
  [asked, close] = [opened.db, opened.close];
});
after(async () => {
  await close();
  await database.remove();
});

const idOf = (index: number): string =>
  `01990000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`;
const clientId = 'client 7';
const name = { clientId, id: idOf(7) };
const now = 1_000_000;
/** With the gateway's lock timeout. */
const waitMs = 50;

const deps = (db: Db) => ({ db, databaseTime: async () => now, clock: systemClock });

const itemsOf = (count: number): BeginItem[] =>
  Array.from({ length: count }, (_, index) => ({
    requested: purchaseRequestOf({ clientId: `client ${index}`, id: `new ${count} ${index}` }),
    decision: { kind: 'order', terms: termsOfWorld },
  }));

const guarded = (count: number, kind = 'guarded'): BeginItem[] =>
  itemsOf(count).map((item) => ({
    ...item,
    requested: purchaseRequestOf({
      ...item.requested,
      id: `${kind} ${item.requested.id}`,
      key: `${kind} ${item.requested.key}`,
      mobile: `9891212345${count}${kind.length}`,
    }),
    guard: { repeatMs: 1000, dailyLimit: 2 * purchases * price },
  }));

const release = (purchase: Purchase, at: number) =>
  purchase.state === 'submitted'
    ? fail(purchase, {
        at,
        answer: { status: 422, body: '' },
        reason: 'no',
        note: { kind: 'order', fact: textFact('no') },
      })
    : undefined;

const settle = (db: Db, count: number) =>
  advanceAll(
    deps(db),
    itemsOf(count).map(({ requested }) => ({ name: requested, fence: 1, step: release })),
    waitMs,
  );

const own = { clientId } as const;
const page = { offset: 0, limit: 100 };
const claim = { now: 5000, leaseUntil: 9000, most: 16 };

/** The statements of a purchase, and those of clients' inquiries: each reads one client's rows. */
const byClient = {
  'whose token it is': (db: Db) => findTokenByHash(db, '7'.padStart(64, '0')),
  'the balance': (db: Db) => readAccount(db, clientId),
  'a deposit': (db: Db) =>
    db
      .transaction()
      .execute((db) => writePostings(db, 'client 999', [{ kind: 'deposit', amount: price }], now)),
  'the look for a key': (db: Db) => findByKeys(db, [{ clientId, key: 'key 7' }]),
  'the look at what others drive': (db: Db) => findByIds(db, [name]),
  'the beginning of one': (db: Db) => beginAll(deps(db), itemsOf(1), waitMs),
  'the beginning of three': (db: Db) => beginAll(deps(db), itemsOf(3), waitMs),
  'the beginning of one with a limit and a guard': (db: Db) =>
    beginAll(deps(db), guarded(1), waitMs),
  'the beginning of three with a limit and a guard': (db: Db) =>
    beginAll(deps(db), guarded(3), waitMs),
  'another after it': (db: Db) => beginAll(deps(db), guarded(1, 'more'), waitMs),
  'the settling of one': (db: Db) => settle(db, 1),
  'the settling of three': (db: Db) => settle(db, 3),
  'an inquiry': (db: Db) => findPurchase(db, name.id, clientId),
  'a list': (db: Db) => listPurchases(db, own, page),
  'the count of a list': (db: Db) => countPurchases(db, own),
  'a list by code': (db: Db) => listPurchases(db, { ...own, webserviceCode: 'code 7' }, page),
  'a list by key': (db: Db) => listPurchases(db, { ...own, key: 'key 7' }, page),
  'a list by state': (db: Db) => listPurchases(db, { ...own, state: 'unknown' }, page),
  'a list of a client with many': (db: Db) => listPurchases(db, { clientId: 'client 0' }, page),
  'a list by number': (db: Db) => listPurchases(db, { ...own, mobile: '989112345607' }, page),
  'a list of some time': (db: Db) =>
    listPurchases(db, { clientId: 'client 0', from: 100, to: 200 }, page),
  'a list after one of it': (db: Db) =>
    listPurchases(db, { clientId: 'client 0', before: { beganAt: 5000, id: idOf(7) } }, page),
  'an entry of a statement': (db: Db) => readEntry(db, clientId, 7),
  'the entries of a statement': (db: Db) => readEntries(db, clientId, { after: 7, upTo: 107 }),
  'the notes of one': (db: Db) => readNotes(db, name),
  'the money of one': (db: Db) => readPostings(db, name),
} as const;

const find = (filter: Partial<Filter>) => (db: Db) =>
  search(db, { needsReview: false, ...filter }, { limit: 50, piece: 'page' });

/** Searches among the purchases of all clients, each by its index. */
const office = {
  'a search for nothing special': find({}),
  'a search by id': find({ id: idOf(7) }),
  'a search by key': find({ key: 'key 7' }),
  'a search by number': find({ number: '989112345607' }),
  'a search by a number of all': find({ number: '989121234500' }),
  'a search by code': find({ code: 'code 7' }),
  'a search by state': find({ state: 'unknown' }),
  'a search by state within some time': find({ state: 'unknown', from: 100, to: 200 }),
  'a search by a state of most': find({ state: 'succeeded' }),
  'a search by a state of few who are open': find({ state: 'submitted' }),
  'a search for all that are open': find({ state: 'open' }),
  'a search for those in review': find({ needsReview: true }),
  'a search by client': find({ clientId }),
  'a search by client and state': find({ clientId, state: 'unknown' }),
  'a search by client for those in review': find({ clientId, needsReview: true }),
  'a search within some time': find({ from: 100, to: 200 }),
  'a search from the oldest on': (db: Db) =>
    search(db, { needsReview: false }, { limit: 50, piece: 'page', order: 'oldest' }),
  'a search by operator from the oldest on': (db: Db) =>
    search(
      db,
      { needsReview: false, operatorId: 1 },
      { limit: 50, piece: 'page', order: 'oldest' },
    ),
  'totals of a type': (db: Db) => totalsOf(db, { needsReview: false, type: 'cell_internet' }),
  'totals of all that are open': (db: Db) => totalsOf(db, { needsReview: false, state: 'open' }),
};

const closing = {
  clock: systemClock,
  newId: () => 'restore',
  sendWithinMs: termsOfWorld.sendWithinMs,
  onLoss: async () => {},
};
const restored = { cause: 'marked', changed: null, now, evidence: 'none' } as const;

/** Statements about all clients' rows, and why. */
const byNobody = {
  'the claim (due purchases of all clients, by their time)': (db: Db) =>
    claimDue(db, claim, [1, 2, 3, 4, 5]),
  'what no instance claims (all that is open, and seldom)': (db: Db) =>
    findUnclaimed(db, [1, 2, 3, 4, 5], 1000),
  'what a step back of the clock left undue (by its time, as a claim)': (db: Db) =>
    bringForward(db, 1, { now: 1000, furthest: 10_000_000 }),
  'a report of deliveries (operators name a purchase, and not its client)': (db: Db) =>
    findUnsettledBy(db, { kind: 'delivered', supplierId: 1 }, [idOf(1), idOf(2), idOf(3)]),
  'a report of reversals (the same)': (db: Db) =>
    findUnsettledBy(db, { kind: 'reversed', supplierId: 1 }, [idOf(1), idOf(2), idOf(3)]),
  'a report after a restore (the same)': (db: Db) => knownRefs(db, 1, [idOf(1), idOf(2), idOf(3)]),
  'a command that shows one (it gets only the id)': (db: Db) => findPurchase(db, name.id, null),
  'the last use of tokens (a row each, by its own key)': (db: Db) =>
    updateLastUse(db, new Map([['token 7', now]])),
  'the last use of two tokens (the same)': (db: Db) =>
    updateLastUse(
      db,
      new Map([
        ['token 8', now],
        ['token 7', now],
      ]),
    ),
  'the metrics (only what is open or needs review, and seldom)': (db: Db) =>
    countUnsettled(db, now),
  'the versions (two rows)': (db: Db) => readVersions(db),
  ...office,
  'a restore (all that is open, and sums)': (db: Db) =>
    db.transaction().execute((db) => closeFor(db, closing, restored)),
} as const;

const large = ['purchases', 'postings', 'purchase_notes', 'accounts'];
const tableNames = new RegExp(`\\b(?:from|into|update|join) "?(?:${large.join('|')})"?`);

const textOf = ({ sql: text }: Heard): string => text.replace(/\s+/g, ' ').trim();

/** A statement leads with the client if its condition, or the row that it writes, begins with it. */
const leadsWithClient = (text: string): boolean =>
  /\bwhere \(?"?(?:(?:purchases|postings)"?\.)?"?client_id"?|\binsert into \w+ \(client_id,/.test(
    text,
  );

const explain = async (query: Heard): Promise<string> => {
  const explained = CompiledQuery.raw(`explain (costs off) ${query.sql}`, [...query.parameters]);
  const { rows } = await asked.executeQuery<{ 'QUERY PLAN': string }>(explained);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
};

type Explained = { readonly what: string; readonly text: string; readonly plan: string };

/** Runs it, and explains each of its statements with its values. */
const explained = async (
  what: string,
  work: (db: Db) => Promise<unknown>,
): Promise<Explained[]> => {
  heard = [];
  await work(asked);
  const run = heard.filter((query) => !/^(?:begin|commit)\b/.test(query.sql));
  const all: Explained[] = [];
  for (const query of run) all.push({ what, text: textOf(query), plan: await explain(query) });
  assert.ok(all.length > 0, what);
  return all;
};

const kept = new URL('plans.txt', import.meta.url);

/** Statements that differ only in values count once. */
const shapeOf = ({ text, plan }: Explained): string => text + plan.replace(/'[^']*'/g, '');

/** As the file in the repository has it. */
const print = ({ what, text, plan }: Explained): string => `-- ${what}\n${text}\n\n${plan}\n`;

describe('On 100,000 purchases of 1,000 clients', { timeout: 480_000, concurrency: false }, () => {
  let all: Explained[] = [];
  before(async () => {
    for (const [what, work] of Object.entries({ ...byClient, ...byNobody })) {
      all.push(...(await explained(what, work)));
    }
  });

  test('no statement scans a large table', () => {
    const scans = new RegExp(`Seq Scan on (?:${large.join('|')})\\b`);
    for (const { what, text, plan } of all) assert.doesNotMatch(plan, scans, `${what}: ${text}`);
    assert.ok(all.filter(({ plan }) => plan.includes('Index')).length > 20, 'plans were read');
  });

  test('every statement about a client’s rows leads with the client', () => {
    const about = all.filter(({ what, text }) => what in byClient && tableNames.test(text));
    assert.ok(about.length > 20);
    for (const { what, text } of about) assert.ok(leadsWithClient(text), `${what}: ${text}`);
  });

  test('the plans are those in the repository', () => {
    all = all.filter(
      (one, index) => all.findIndex((other) => shapeOf(other) === shapeOf(one)) === index,
    );
    const printed = all.map(print).join('\n');
    if (process.env['SIMGATE_WRITE_PLANS'] !== undefined) writeFileSync(kept, printed);
    assert.equal(printed, readFileSync(kept, 'utf8'), 'SIMGATE_WRITE_PLANS=1 rewrites them');
  });
});
