/** Tests commissions: which entry decides, how a percentage is rounded, and what a client pays at least. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { productTypes } from '../catalogue/product.ts';
import { costOf } from '../routing/route.ts';
import {
  allowsBelowCost,
  chargeOf,
  chooseEntry,
  compilePrices,
  explainEntries,
  type PricedProduct,
  type PriceRequest,
} from './choose.ts';
import {
  chargedOf,
  commissionOf,
  defaultListId,
  type Entry,
  type ListVersion,
  type PriceList,
} from './price-list.ts';

const percent = (text: string) => ({ kind: 'percent', percent: text }) as const;
const fixed = (amount: number) => ({ kind: 'fixed', amount }) as const;

const entry = (id: number, parts: Partial<Entry> = {}): Entry => ({
  id,
  productId: null,
  categoryId: null,
  operatorId: null,
  productType: null,
  commission: percent('4'),
  ...parts,
});

const version = (number: number, from: number, ...entries: Entry[]): ListVersion => ({
  number,
  from,
  entries,
});

const list = (id: number, parts: Partial<PriceList> = {}): PriceList => ({
  id,
  name: `list ${id}`,
  parentId: null,
  allowBelowCost: false,
  versions: [],
  ...parts,
});

const product: PricedProduct = {
  id: 101,
  operator_id: 2,
  type: 'cell_internet',
  categories: [{ id: 9 }, { id: 7 }],
};
const request = (parts: Partial<PriceRequest> = {}): PriceRequest => ({
  product,
  clientId: 'reseller',
  moment: 100,
  ...parts,
});

const bookOf = (lists: readonly PriceList[], listId = defaultListId) =>
  compilePrices(lists, new Map([['reseller', listId]]));

const chosenFrom = (...entries: Entry[]): number | undefined =>
  chooseEntry(bookOf([list(1, { versions: [version(1, 0, ...entries)] })]), request())?.id;

describe('The entry that decides', () => {
  test('is the most specific one: product, category, operator, type, everything', () => {
    const entries = [
      entry(1),
      entry(2, { productType: 'cell_internet' }),
      entry(3, { operatorId: 2 }),
      entry(4, { operatorId: 2, productType: 'cell_internet' }),
      entry(5, { categoryId: 7 }),
      entry(6, { categoryId: 7, productType: 'cell_internet' }),
      entry(7, { categoryId: 7, operatorId: 2 }),
      entry(8, { productId: 101 }),
    ];
    for (const { id } of entries) assert.equal(chosenFrom(...entries.slice(0, id)), id);
  });

  test('is of the category with the lower id, where a product is in two', () => {
    assert.equal(chosenFrom(entry(1, { categoryId: 9 }), entry(2, { categoryId: 7 })), 2);
  });

  test('is none where no scope fits', () => {
    const others = [
      entry(1, { productId: 102 }),
      entry(2, { categoryId: 8 }),
      entry(3, { operatorId: 1 }),
      entry(4, { productType: 'cell_direct_charge' }),
      entry(5, { operatorId: 2, productType: 'td_lte_internet' }),
      entry(6, { categoryId: 7, operatorId: 1 }),
    ];
    assert.equal(chosenFrom(...others), undefined);
  });

  test('is the parent’s only where the list has none that fits, however general', () => {
    const parent = list(1, { versions: [version(1, 0, entry(1, { productId: 101 }))] });
    const own = (...entries: Entry[]) =>
      bookOf([parent, list(2, { parentId: 1, versions: [version(1, 0, ...entries)] })], 2);
    assert.equal(chooseEntry(own(entry(2)), request())?.id, 2);
    assert.equal(chooseEntry(own(entry(2, { operatorId: 1 })), request())?.id, 1);
    assert.equal(chooseEntry(own(), request())?.id, 1);
  });

  test('is of the version in force: from its moment on, until the next one', () => {
    const book = bookOf([
      list(1, {
        versions: [version(1, 100, entry(1)), version(2, 200, entry(2)), version(3, 300)],
      }),
    ]);
    const at = (moment: number) => chooseEntry(book, request({ moment }))?.id;
    assert.deepEqual([99, 100, 199, 200, 299, 300].map(at), [undefined, 1, 1, 2, 2, undefined]);
  });

  test('is of the default list for a client that is assigned to no other', () => {
    const book = bookOf(
      [
        list(1, { versions: [version(1, 0, entry(1))] }),
        list(2, { versions: [version(1, 0, entry(2))] }),
      ],
      2,
    );
    assert.equal(chooseEntry(book, request())?.id, 2);
    assert.equal(chooseEntry(book, request({ clientId: 'another' }))?.id, 1);
  });

  test('is explained by each list that was looked at', () => {
    const [one, two] = [entry(1), entry(2, { operatorId: 2 })];
    const parent = list(1, { versions: [version(1, 0, one, two)] });
    const child = list(2, { parentId: 1, versions: [version(1, 500, entry(3))] });
    const steps = explainEntries(bookOf([parent, child], 2), request());
    assert.deepEqual(
      steps.map(({ list: { id }, version: at, entries }) => [id, at?.number, entries]),
      [
        [2, undefined, []],
        [1, 1, [two, one]],
      ],
    );
  });
});

describe('What a client pays', () => {
  test('rounds a percentage down to a whole unit: no client gets more than the list says', () => {
    assert.equal(commissionOf(percent('2.5'), 999), 24);
    assert.equal(commissionOf(percent('0.0001'), 999_999), 0);
    assert.equal(commissionOf(percent('0.0001'), 1_000_000), 1);
    assert.equal(commissionOf(percent('33.3333'), 9_007_199_254_740_991), 3_002_396_749_180_578);
    assert.equal(commissionOf(fixed(500), 999), 500);
  });

  test('is the price without an entry, at least 1, and never above the price', () => {
    assert.equal(chargedOf(1000, undefined, 1200), 1000);
    assert.equal(chargedOf(1000, percent('4'), undefined), 960);
    assert.equal(chargedOf(1000, percent('100'), undefined), 1);
    assert.equal(chargedOf(1000, fixed(5000), undefined), 1);
    assert.equal(chargedOf(1000, percent('4'), 1200), 1000);
  });

  test('is at least the cost of the route, unless the list allows less or the cost is not known', () => {
    const charged = (cost: number | undefined, allowBelowCost: boolean) => {
      const book = bookOf([list(1, { allowBelowCost, versions: [version(1, 0, entry(1))] })]);
      return chargeOf(book, { ...request(), price: 1000, cost });
    };
    assert.deepEqual(charged(975, false), { charged: 975, priceEntryId: 1 });
    assert.deepEqual(charged(900, false), { charged: 960, priceEntryId: 1 });
    assert.deepEqual(charged(undefined, false), { charged: 960, priceEntryId: 1 });
    assert.deepEqual(charged(975, true), { charged: 960, priceEntryId: 1 });
  });

  test('may be below cost by the client’s own list, whatever its parent allows', () => {
    const lists = [list(1, { allowBelowCost: true }), list(2, { parentId: 1 })];
    assert.equal(allowsBelowCost(bookOf(lists, 2), 'reseller'), false);
    assert.equal(allowsBelowCost(bookOf(lists, 2), 'another'), true);
  });

  test('never is below the cost of a route with the same percentage', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 0, max: 999_999 }),
        (price, parts) => {
          const same = percent((parts / 10_000).toFixed(4));
          assert.ok(chargedOf(price, same, undefined) >= Math.max(1, costOf(same, price) ?? 0));
        },
      ),
    );
  });
});

/** A second computation, by other means: every entry is tried against every rule, and decimals by hand. */
const again = (
  lists: readonly PriceList[],
  listId: number,
  { moment, price, cost }: { moment: number; price: number; cost: number | undefined },
): number => {
  const own = lists.find(({ id }) => id === listId);
  const narrowest = (one: Entry): string =>
    [one.productId, one.categoryId, one.operatorId, one.productType]
      .map((part) => (part === null ? '1' : '0'))
      .join('') + String(one.categoryId ?? 0).padStart(5, '0');
  let found: Entry | undefined;
  for (let at = own; at !== undefined && found === undefined; ) {
    const [latest] = at.versions
      .filter(({ from }) => from <= moment)
      .toSorted((one, other) => other.from - one.from);
    [found] = (latest?.entries ?? [])
      .filter((one) => one.productId === null || one.productId === product.id)
      .filter((one) => one.operatorId === null || one.operatorId === product.operator_id)
      .filter((one) => one.productType === null || one.productType === product.type)
      .filter(
        ({ categoryId }) =>
          categoryId === null || product.categories.map(({ id }) => id).includes(categoryId),
      )
      .toSorted((one, other) => (narrowest(one) < narrowest(other) ? -1 : 1));
    const { parentId } = at;
    at = lists.find(({ id }) => id === parentId);
  }
  if (found === undefined) return price;
  const { commission } = found;
  const [units = '', decimals = ''] =
    commission.kind === 'percent' ? commission.percent.split('.') : [];
  const given =
    commission.kind === 'fixed'
      ? commission.amount
      : Number((BigInt(price) * BigInt(units + decimals.padEnd(4, '0'))) / 1_000_000n);
  let charged = price - given;
  if (charged < 1) charged = 1;
  if (own?.allowBelowCost === false && cost !== undefined && charged < cost) charged = cost;
  return charged > price ? price : charged;
};

const scopes = fc
  .record({
    productId: fc.constantFrom(null, null, 101, 102),
    categoryId: fc.constantFrom(null, null, 7, 8, 9),
    operatorId: fc.constantFrom(null, 1, 2),
    productType: fc.constantFrom(null, ...productTypes),
  })
  .map((scope) =>
    scope.productId === null
      ? scope
      : { ...scope, categoryId: null, operatorId: null, productType: null },
  );

const commissions = fc.oneof(
  fc.integer({ min: 0, max: 2000 }).map(fixed),
  fc.integer({ min: 0, max: 1_000_000 }).map((parts) => percent((parts / 10_000).toFixed(4))),
);

const entriesOf = fc.uniqueArray(fc.record({ scope: scopes, commission: commissions }), {
  maxLength: 12,
  selector: ({ scope }) => JSON.stringify(scope),
});

const versionsOf = fc.uniqueArray(fc.record({ from: fc.nat(50), entries: entriesOf }), {
  maxLength: 4,
  selector: ({ from }) => from,
});

test('a second computation gives the same for random lists, parents, versions and moments', () => {
  let ids = 0;
  const listsOf = fc.array(fc.record({ versions: versionsOf, allowBelowCost: fc.boolean() }), {
    minLength: 1,
    maxLength: 4,
  });
  const cases = fc.record({
    listed: listsOf,
    moment: fc.nat(60),
    price: fc.integer({ min: 1, max: 3000 }),
    cost: fc.option(fc.integer({ min: 0, max: 3000 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(cases, ({ listed, ...at }) => {
      const lists = listed.map(({ versions, allowBelowCost }, index) =>
        list(index + 1, {
          allowBelowCost,
          parentId: index === 0 ? null : index,
          versions: versions.map(({ from, entries }, number) =>
            version(
              number + 1,
              from,
              ...entries.map(({ scope, commission }) => {
                ids += 1;
                return entry(ids, { ...scope, commission });
              }),
            ),
          ),
        }),
      );
      const { charged } = chargeOf(bookOf(lists, lists.length), { ...request(), ...at });
      assert.equal(charged, again(lists, lists.length, at));
    }),
    { numRuns: 2000 },
  );
});
