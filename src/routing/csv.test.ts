/** Tests routes as CSV: what is written reads back, and every fault is reported with its line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { productTypes } from '../catalogue/product.ts';
import { printRoutes, readRoutesFile, routeColumns } from './csv.ts';
import { type Route, weekdays } from './route.ts';

const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const id = fc.integer({ min: 1, max: 99_999 });
const time = fc.integer({ min: 0, max: 4_000_000_000_000 });
const plain = { noNullPrototype: true };
const text = fc.string({ minLength: 1, maxLength: 20 }).map((one) => `x${one}`.trim());

const routes = fc.uniqueArray(
  fc
    .record({
      id,
      operatorId: id,
      productId: orNull(id),
      categoryId: orNull(id),
      productType: orNull(fc.constantFrom(...productTypes)),
      clientId: orNull(fc.uuid()),
      supplierId: id,
      productCode: orNull(fc.oneof(text, fc.constantFrom('=1+1', '-7', '"', 'a,b', '\u06f7'))),
      cost: fc.oneof(
        fc.constant({ kind: 'none' } as const),
        fc.record({ kind: fc.constant('fixed' as const), amount: fc.nat() }, plain),
        fc.record(
          {
            kind: fc.constant('percent' as const),
            percent: fc.nat({ max: 1_000_000 }).map((steps) => String(steps / 10_000)),
          },
          plain,
        ),
      ),
      allowDearer: fc.boolean(),
      priority: fc.integer({ min: 1, max: 1000 }),
      weight: fc.integer({ min: 1, max: 1000 }),
      hours: orNull(
        fc
          .record({ from: fc.nat({ max: 1439 }), to: fc.integer({ min: 1, max: 1440 }) }, plain)
          .filter(({ from, to }) => from !== to),
      ),
      days: fc.subarray([...weekdays], { maxLength: 6 }),
      validFrom: orNull(time),
      validUntil: orNull(time),
      enabled: fc.boolean(),
    })
    .map((one): Route => {
      const [from, until] = [one.validFrom, one.validUntil];
      return from !== null && until !== null && until <= from
        ? { ...one, validUntil: null }
        : { ...one };
    }),
  { selector: (one) => one.id, maxLength: 5 },
);

test('routes that are printed read back the same', () => {
  fc.assert(
    fc.property(routes, (given) => {
      const { rows, problems } = readRoutesFile([...printRoutes(given)].join(''));
      assert.deepEqual(problems, []);
      assert.deepEqual(
        rows.map((row) => ({ ...row.terms, id: row.id })),
        given,
      );
    }),
    { numRuns: 200 },
  );
});

test('a short file needs three columns, and the rest has defaults', () => {
  const { rows, problems } = readRoutesFile('operator_id,supplier_id,priority\r\n1,2,5\r\n');
  assert.deepEqual(problems, []);
  assert.deepEqual(rows[0], {
    line: 2,
    id: null,
    terms: {
      operatorId: 1,
      supplierId: 2,
      priority: 5,
      productId: null,
      categoryId: null,
      productType: null,
      clientId: null,
      productCode: null,
      cost: { kind: 'none' },
      allowDearer: false,
      weight: 1,
      hours: null,
      days: [],
      validFrom: null,
      validUntil: null,
      enabled: true,
    },
  });
});

test('cells are read as people write them', () => {
  const header = 'operator_id,supplier_id,priority,cost,hours,days,enabled\n';
  const { rows, problems } = readRoutesFile(
    `${header}1,2,5, ۲.۵ %,22:00 – 06:00,"Sat, sun",FALSE\n1,2,5,0,00:00-24:00,mon tue wed thu fri sat sun,\n`,
  );
  assert.deepEqual(problems, []);
  const [first, second] = rows.map(({ terms }) => terms);
  assert.deepEqual(first?.cost, { kind: 'percent', percent: '2.5' });
  assert.deepEqual(first?.hours, { from: 1320, to: 360 });
  assert.deepEqual([first?.days, first?.enabled], [['sat', 'sun'], false]);
  assert.deepEqual([second?.cost, second?.days], [{ kind: 'fixed', amount: 0 }, []]);
});

test('every fault is reported with its line and column', () => {
  const valid = { operator_id: '1', supplier_id: '2', priority: '5' };
  const cases: readonly (readonly [Readonly<Record<string, string>>, string, RegExp])[] = [
    [{ operator_id: '' }, 'operator_id', /is missing/],
    [{ priority: '0' }, 'priority', /must be 1 or more/],
    [{ priority: '1001' }, 'priority', /must be 1000 or less/],
    [{ weight: '1.5' }, 'weight', /must be a whole number/],
    [{ product_type: 'sms' }, 'product_type', /must be one of cell_internet/],
    [{ product_code: 'x'.repeat(101) }, 'product_code', /1 to 100 characters/],
    [{ cost: '101%' }, 'cost', /must be an amount such as 90000/],
    [{ cost: '-1' }, 'cost', /must be an amount/],
    [{ cost: '1.00001%' }, 'cost', /must be an amount/],
    [{ hours: '8-22' }, 'hours', /such as 08:00-22:30/],
    [{ hours: '08:00-08:00' }, 'hours', /such as/],
    [{ hours: '24:00-08:00' }, 'hours', /such as/],
    [{ hours: '08:00-24:01' }, 'hours', /such as/],
    [{ hours: '08:00' }, 'hours', /such as/],
    [{ days: 'sat sat' }, 'days', /such as sat sun mon/],
    [{ days: 'weekend' }, 'days', /such as sat sun mon/],
    [{ valid_from: 'tomorrow' }, 'valid_from', /must be a date and time/],
    [
      { valid_from: '2026-01-02T00:00Z', valid_until: '2026-01-02T00:00Z' },
      'valid_until',
      /later than valid_from/,
    ],
    [{ enabled: 'perhaps' }, 'enabled', /must be 1 or 0/],
  ];
  const lines = cases.map(([cells]) => {
    const all: Readonly<Record<string, string>> = { ...valid, ...cells };
    return routeColumns.map((column) => all[column] ?? '').join(',');
  });
  const file = [routeColumns.join(','), ...lines].join('\n');
  const { rows, problems } = readRoutesFile(file);
  assert.deepEqual(rows, []);
  assert.equal(problems.length, cases.length);
  for (const [index, [, field, said]] of cases.entries()) {
    assert.equal(problems[index]?.line, index + 2);
    assert.equal(problems[index]?.field, field);
    assert.match(problems[index]?.message.en ?? '', said);
    assert.notEqual(problems[index]?.message.fa ?? '', '');
  }
});

test('an id that stands twice and an unknown column are faults', () => {
  const { problems } = readRoutesFile(
    'id,operator_id,supplier_id,priority,speed\n7,1,2,3,\n7,1,2,4,\n',
  );
  assert.deepEqual(
    problems.map(({ line, message }) => [line, message.en]),
    [
      [1, 'The column "speed" is not known. Is it misspelt?'],
      [3, 'id 7 stands on line 2 and again on line 3.'],
    ],
  );
});
