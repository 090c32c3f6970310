/** Tests that the search finds what a plain filter over all purchases finds, each once, page by page. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { CompiledQuery } from 'kysely';
import { onSqlite, openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { readerOf, registerReader } from '../../db/reader.ts';
import { openAccount } from '../../ledger/store.ts';
import { idLowerBound } from '../../lib/random.ts';
import { noTurn } from '../../lib/time-slices.ts';
import { states } from '../../purchases/purchase.ts';
import type { PurchaseRow } from '../../purchases/rows.ts';
import { printPurchases } from './csv.ts';
import type { Filter } from './filter.ts';
import { filterOf, search, totalsOf } from './search.ts';
import type { Bounds, Order } from './store.ts';

const mobile = { prefix: '98', digits: 10 };
const clients = ['client a', 'client b', 'client c'];
const numbers = ['989121234500', '989121234501', '989121234502'];
const codes = ['order 1', 'order 2', '989121234501'];
const products = new Map<number, 'cell_internet' | 'cell_direct_charge'>([
  [11, 'cell_internet'],
  [12, 'cell_direct_charge'],
]);
const removedProduct = 13;
const start = Date.UTC(2026, 0, 31);
const minute = 60_000;

const idOf = (time: number, index: number): string =>
  `${idLowerBound(time)}7000-8000-${index.toString(16).padStart(12, '0')}`;

type Drawn = {
  readonly client: string;
  readonly number: string;
  readonly code: string;
  readonly state: PurchaseRow['state'];
  readonly disputed: boolean;
  readonly minutes: number;
  readonly skewMs: number;
  readonly operator: number | null;
  readonly product: number;
  readonly amount: number;
  readonly reason: string;
};

const drawn: fc.Arbitrary<Drawn> = fc.record({
  client: fc.constantFrom(...clients),
  number: fc.constantFrom(...numbers),
  code: fc.constantFrom(...codes),
  state: fc.constantFrom(...states),
  disputed: fc.boolean(),
  minutes: fc.nat(60),
  skewMs: fc.integer({ min: -4 * minute, max: 4 * minute }),
  operator: fc.constantFrom(1, 2, null),
  product: fc.constantFrom(...products.keys(), removedProduct),
  amount: fc.constantFrom(10_000, 20_000, 30_000),
  reason: fc.constantFrom('OPERATOR_DECLINED', 'INSUFFICIENT_BALANCE'),
});

const rowOf = (one: Drawn, index: number): PurchaseRow => {
  const beganAt = start + one.minutes * minute;
  const isOpen = one.state === 'submitted' || one.state === 'unknown';
  const isSettled = !isOpen && one.state !== 'review';
  return {
    client_id: one.client,
    id: idOf(beganAt + one.skewMs, index),
    idempotency_key: `key ${index}`,
    fingerprint: '1:0',
    state: one.state,
    product_id: one.product,
    operator_id: one.operator,
    mobile: one.number,
    amount: one.amount,
    offer_code: null,
    offer_type: null,
    profile_id: null,
    webservice_code: one.code,
    request_id: 'request',
    fence: 1,
    attempts: 1,
    inquiries: 0,
    notes: 0,
    began_at: beganAt,
    sent_to: null,
    trace: null,
    send_before: beganAt,
    quiet_at: beganAt,
    due_at: isOpen ? beganAt : null,
    settled_at: isSettled ? beganAt : null,
    answer_status: isSettled ? 200 : null,
    answer_body: isSettled ? '{}' : null,
    operator_ref: null,
    reason: one.state === 'failed' || one.state === 'refused' ? one.reason : null,
    reason_values: null,
    disputed: one.state === 'failed' && one.disputed ? 'late_delivered' : null,
    disputed_values: one.state === 'failed' && one.disputed ? '{}' : null,
    supplier_id: one.operator,
    route_id: null,
    supplier_code: null,
    passed_over: null,
    left_suppliers: null,
    charged_amount: null,
    price_entry_id: null,
    cost: null,
    told_cost: null,
  };
};

const aProduct = {
  name: 'A package',
  description: '',
  price: 10_000,
  dimension: 'null',
  score: 0,
  status: 1,
  options: 'null',
  deliverable: 0,
  third_party_id: 'null',
  capacity: 'null',
  sim_card_type: 'credit',
  operator_id: 1,
  sort_order: 0,
  changed_at: 0,
} as const;

let database: TestDatabase;
const rows = fc
  .sample(drawn, { numRuns: 150, seed: 7 })
  .map(rowOf)
  .sort((one, other) => (one.id < other.id ? 1 : -1));

before(async () => {
  database = await openTestDatabase();
  const { db } = database;
  for (const id of clients) {
    const row = { id, name: `The ${id}`, status: 'active', created_at: 0, test: 0 } as const;
    await db.insertInto('clients').values(row).execute();
    await openAccount(db, id);
  }
  for (const [id, type] of products) {
    const product = { ...aProduct, id, type } as const;
    await db.insertInto('products').values(product).execute();
  }
  for (const row of rows) await db.insertInto('purchases').values(row).execute();
});
after(() => database.close());

const fits = (row: PurchaseRow, filter: Filter): boolean =>
  (filter.id === undefined || row.id === filter.id) &&
  (filter.key === undefined || row.idempotency_key === filter.key) &&
  (filter.number === undefined || row.mobile === filter.number) &&
  (filter.code === undefined || row.webservice_code === filter.code) &&
  (filter.clientId === undefined || row.client_id === filter.clientId) &&
  (filter.state === undefined ||
    (filter.state === 'open' ? row.due_at !== null : row.state === filter.state)) &&
  (!filter.needsReview || row.state === 'review' || row.disputed !== null) &&
  (filter.disputed !== true || row.disputed !== null) &&
  (filter.operatorId === undefined || row.operator_id === filter.operatorId) &&
  (filter.productId === undefined || row.product_id === filter.productId) &&
  (filter.type === undefined || products.get(row.product_id) === filter.type) &&
  (filter.reason === undefined || row.reason === filter.reason) &&
  (filter.minAmount === undefined || row.amount >= filter.minAmount) &&
  (filter.maxAmount === undefined || row.amount <= filter.maxAmount) &&
  (filter.from === undefined || row.began_at >= filter.from) &&
  (filter.to === undefined || row.began_at < filter.to);

/** One time in this many. */
const maybe = <T>(one: fc.Arbitrary<T>, times = 2): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 1, arbitrary: one }, { weight: times - 1, arbitrary: fc.constant(undefined) });
const moment = fc.nat(60).map((minutes) => start + minutes * minute);

const filterDrawn: fc.Arbitrary<Filter> = fc.record({
  id: maybe(fc.constantFrom(...rows.map(({ id }) => id)), 10),
  key: maybe(fc.constantFrom('key 1', 'key 2', 'no key'), 10),
  number: maybe(fc.constantFrom(...numbers, '989121234599'), 3),
  code: maybe(fc.constantFrom(...codes, 'no code'), 3),
  clientId: maybe(fc.constantFrom(...clients, 'unknown-client')),
  state: maybe(fc.constantFrom(...states, 'open' as const)),
  needsReview: maybe(fc.constant(true), 4).map((one) => one ?? false),
  disputed: maybe(fc.constant(true), 6),
  operatorId: maybe(fc.constantFrom(1, 2, 3), 4),
  productId: maybe(fc.constantFrom(...products.keys(), removedProduct, 14), 6),
  type: maybe(fc.constantFrom(...products.values(), 'td_lte_internet' as const), 5),
  reason: maybe(fc.constantFrom('OPERATOR_DECLINED', 'INSUFFICIENT_BALANCE', 'NO_SUCH'), 5),
  minAmount: maybe(fc.constantFrom(10_000, 20_000, 30_001), 6),
  maxAmount: maybe(fc.constantFrom(9999, 20_000, 30_000), 6),
  from: maybe(moment),
  to: maybe(moment),
});

const boundsDrawn: fc.Arbitrary<Bounds> = fc.record({
  sorted: fc.constantFrom(1, 5000),
  walked: fc.constantFrom(3, 17, 4000),
  steps: fc.constantFrom(1, 5),
});

/** All pages, one after another. */
const walkAll = async (
  filter: Filter,
  limit: number,
  bounds?: Bounds,
  order?: Order,
): Promise<string[]> => {
  const found: string[] = [];
  for (let before: string | undefined; ; ) {
    const page = await search(database.db, filter, { before, limit, piece: 'page', order }, bounds);
    assert.ok(page.rows.length <= limit);
    found.push(...page.rows.map(({ id }) => id));
    if (page.next === null) return found;
    const isOn =
      before === undefined || (order === 'oldest' ? page.next > before : page.next < before);
    assert.ok(isOn, 'it continues');
    before = page.next;
  }
};

describe('the search', () => {
  test('finds each matching purchase once, in either order, by every index', async () => {
    await fc.assert(
      fc.asyncProperty(
        filterDrawn,
        fc.integer({ min: 1, max: 100 }),
        boundsDrawn,
        fc.constantFrom('newest' as const, 'oldest' as const),
        async (filter, limit, bounds, order) => {
          const expected = rows.filter((row) => fits(row, filter)).map(({ id }) => id);
          if (order === 'oldest') expected.reverse();
          assert.deepEqual(await walkAll(filter, limit, bounds, order), expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('adds up all matches, or those that it examined', async () => {
    const sumOf = (some: readonly PurchaseRow[]) => ({
      count: some.length,
      amount: some.reduce((sum, { amount }) => sum + amount, 0),
    });
    await fc.assert(
      fc.asyncProperty(filterDrawn, async (filter) => {
        const expected = { ...sumOf(rows.filter((row) => fits(row, filter))), complete: true };
        assert.deepEqual(await totalsOf(database.db, filter), expected);
        const bounds = { sorted: 5000, walked: 17, steps: 20 };
        assert.deepEqual(await totalsOf(database.db, filter, bounds), expected);
      }),
      { numRuns: 100 },
    );
    const bounds = { sorted: 1, walked: 20, steps: 2 };
    assert.deepEqual(await totalsOf(database.db, { needsReview: false }, bounds), {
      ...sumOf(rows.slice(0, 40)),
      complete: false,
    });
  });

  test('finds by each filter alone, and by none, with the usual bounds', async () => {
    const alone: Filter[] = [
      { needsReview: false },
      { needsReview: true },
      ...[...states, 'open' as const].map((state) => ({ state, needsReview: false })),
      ...clients.map((clientId) => ({ clientId, needsReview: false })),
      ...numbers.map((number) => ({ number, needsReview: false })),
      { from: start + 20 * minute, to: start + 30 * minute, needsReview: false },
    ];
    for (const filter of alone) {
      const expected = rows.filter((row) => fits(row, filter)).map(({ id }) => id);
      assert.deepEqual(await walkAll(filter, 7), expected, JSON.stringify(filter));
    }
  });

  test('tries a text as an id, a key, a code and a number in turn', async () => {
    const take = (text: string, more: Partial<Filter> = {}) =>
      filterOf(database.db, { needsReview: false, ...more, text }, { mobile, numbers: true });
    const [first] = rows;
    const plain = { needsReview: false };
    assert.deepEqual(await take(first?.id.toUpperCase() ?? ''), { ...plain, id: first?.id });
    assert.deepEqual(await take('key 3'), { ...plain, key: 'key 3' });
    assert.deepEqual(await take('order 2'), { ...plain, code: 'order 2' });
    assert.deepEqual(await take('989121234501'), { ...plain, code: '989121234501' });
    assert.deepEqual(await take('۰۹۱۲ ۱۲۳ ۴۵۰۰'), { ...plain, number: '989121234500' });
    assert.equal(await take('nothing of it'), undefined);
    assert.equal(await take('key 3', { key: 'key 4' }), undefined, 'both cannot be');
  });
});

describe('who sees no numbers', () => {
  const seeing = { mobile, numbers: false };
  const plain = { needsReview: false };
  const found = async (wanted: Parameters<typeof filterOf>[1]): Promise<string[]> => {
    const filter = await filterOf(database.db, wanted, seeing);
    return filter === undefined ? [] : walkAll(filter, 7);
  };
  const [own = '', other = ''] = numbers;

  test('finds nothing by a code or key that contains the purchase’s number, and finds others by it', async () => {
    // A code that is the number of some purchases, and a code of others.
    const withCode = rows.filter((row) => row.webservice_code === '989121234501');
    const expected = withCode.filter((row) => row.mobile !== '989121234501').map(({ id }) => id);
    assert.ok(expected.length > 0 && expected.length < withCode.length);
    assert.deepEqual(await found({ ...plain, code: '989121234501' }), expected);
    assert.deepEqual(await found({ ...plain, text: '989121234501' }), expected);
    for (const bounds of [{ sorted: 1, walked: 3, steps: 1 }, undefined]) {
      const filter = await filterOf(database.db, { ...plain, code: '989121234501' }, seeing);
      assert.deepEqual(await walkAll(filter ?? plain, 2, bounds), expected);
    }
  });

  test('gets the same answer whether or not the number exists: numbers are not searched', async () => {
    for (const text of [own, `0${other.slice(2)}`, '۰۹۱۲ ۹۹۹ ۹۹ ۹۹', '+98 912 999 9999']) {
      await assert.rejects(found({ ...plain, text }), { code: 'NUMBER_SEARCH_REFUSED' }, text);
    }
    assert.deepEqual(await found({ ...plain, text: 'nothing of it' }), []);
    const [first] = rows;
    assert.deepEqual(await found({ ...plain, text: first?.id ?? '' }), [first?.id]);
  });
});

/** The statements of some work, as SQLite would run them. */
const plansOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  const { db } = database;
  const reader = readerOf(db);
  const heard: { readonly text: string; readonly values: readonly unknown[] }[] = [];
  registerReader(db, (text, values) => {
    heard.push({ text, values });
    return reader?.(text, values);
  });
  await work();
  if (reader !== undefined) registerReader(db, reader);
  const plans: string[] = [];
  for (const { text, values } of heard) {
    const explained = CompiledQuery.raw(`explain query plan ${text}`, [...values]);
    const { rows } = await db.executeQuery<{ detail: string }>(explained);
    plans.push(rows.map(({ detail }) => detail).join('; '));
  }
  return plans;
};

onSqlite(() => {
  test('each query uses its index, and sorts only small results', async () => {
    const [clientId, number, code, state] = ['client a', 'n', 'c', 'failed'] as const;
    const from = start;
    const ways: readonly (readonly [Partial<Filter>, string])[] = [
      [{}, 'sqlite_autoindex_purchases_1 (id>'],
      [{ from, state: 'succeeded' }, 'sqlite_autoindex_purchases_1 (id>'],
      [{ clientId }, 'sqlite_autoindex_purchases_2 (client_id=? AND id>'],
      [{ clientId, from }, 'sqlite_autoindex_purchases_2 (client_id=? AND id>'],
      [{ state }, 'purchases_by_state (state=? AND id>'],
      [{ state, from }, 'purchases_by_state (state=? AND id>'],
      [{ clientId, state }, 'purchases_by_client_state (client_id=? AND state=? AND id>'],
      [{ clientId, state, from }, 'purchases_by_client_state (client_id=? AND state=? AND id>'],
      [{ needsReview: true }, 'purchases_for_person (id>'],
      [{ clientId, needsReview: true }, 'purchases_for_review (client_id=? AND id>'],
      [{ disputed: true }, 'purchases_for_person (id>'],
      [
        { operatorId: 1, state, reason: 'OPERATOR_DECLINED' },
        'purchases_by_state (state=? AND id>',
      ],
      [{ id: 'i', state }, 'sqlite_autoindex_purchases_1 (id=?)'],
      [{ key: 'k', state }, 'sqlite_autoindex_purchases_3 (client_id=? AND idempotency_key=?)'],
      [{ number, state }, 'purchases_by_mobile (client_id=? AND mobile=?)'],
      [{ code, from }, 'purchases_by_code (client_id=? AND webservice_code=?)'],
      [{ state: 'submitted' }, 'purchases_due'],
      [{ state: 'open' }, 'purchases_due'],
      [{ state: 'open', clientId, from }, 'purchases_due'],
    ];
    for (const [filter, index] of ways) {
      const wanted = { needsReview: false, ...filter };
      const plans = await plansOf(async () => {
        for (const order of ['newest', 'oldest'] as const) {
          await search(database.db, wanted, { limit: 50, piece: 'page', order });
        }
        await totalsOf(database.db, wanted);
      });
      assert.ok(plans.length > 0);
      for (const plan of plans) {
        assert.ok(plan.includes(index), `${JSON.stringify(filter)}: ${plan}`);
        assert.equal(plan.includes('TEMP B-TREE'), isSorted(index) && plan.includes('found'), plan);
      }
    }
  });
});

/** Whether what an index gives has to be sorted. */
const isSorted = (index: string): boolean => !index.includes('id>');

const names = {
  mobile,
  product: () => ({ name: '=1+1', name_en: null }),
  others: (text: string) => text,
};

const linesOf = async (filter: Filter | undefined, most?: number): Promise<string[]> => {
  let text = '';
  const how = { names, gone: () => false, rest: noTurn, ...(most === undefined ? {} : { most }) };
  for await (const part of printPurchases(database.db, filter, how)) text += part;
  return text.trimEnd().split('\r\n');
};

describe('the file', () => {
  test('has a line per match, without full numbers and without formulas', async () => {
    const lines = await linesOf({ needsReview: false });
    assert.equal(lines.length, rows.length + 1);
    assert.match(lines[0] ?? '', /^id,began_at,/);
    assert.deepEqual(
      lines.slice(1).map((line) => line.split(',')[0]),
      rows.map(({ id }) => id),
    );
    for (const [index, { mobile: number }] of rows.entries()) {
      const line = lines[index + 1] ?? '';
      assert.ok(!line.includes(number.slice(2)) && !line.includes(',='), line);
    }
    assert.ok(lines[1]?.includes(",'=1+1,"));
    assert.equal((await linesOf(undefined)).length, 1);
  });

  test('says if it is cut off, and is complete if it just fits', async () => {
    const filter: Filter = { needsReview: false };
    const cut = await linesOf(filter, 100);
    assert.equal(cut.length, 102);
    assert.match(cut.at(-1) ?? '', /^only the newest/);
    assert.equal((await linesOf(filter, rows.length)).length, rows.length + 1);
  });

  test('is read no further once its reader has left', async () => {
    let gone = false;
    const how = { names, gone: () => gone, rest: noTurn };
    const parts = printPurchases(database.db, { needsReview: false }, how);
    await parts.next();
    gone = true;
    assert.equal((await parts.next()).done, true);
  });
});
