/** Tests the arithmetic of the curves: scales, round ticks, peaks that stay, and a well-formed drawing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { draw, type Point, scaleOf, thinned, ticksUpTo } from '../../bench/svg.ts';

const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const points: fc.Arbitrary<Point[]> = fc.array(fc.tuple(value, value), {
  minLength: 1,
  maxLength: 500,
});

test('a scale maps ends to ends, and keeps the order between them', () => {
  fc.assert(
    fc.property(value, value, fc.double({ min: 0, max: 1, noNaN: true }), (from, to, share) => {
      fc.pre(Math.abs(to - from) > 1e-3);
      const scale = scaleOf([from, to], [100, 20]);
      assert.ok(Math.abs(scale(from) - 100) < 1e-6 && Math.abs(scale(to) - 20) < 1e-6);
      assert.ok(Math.abs(scale(from + (to - from) * share) - (100 - 80 * share)) < 1e-3);
    }),
  );
});

test('ticks begin at zero, are evenly spaced by 1, 2 or 5, and reach the highest value', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-3, max: 1e9, noNaN: true }), (max) => {
      const ticks = ticksUpTo(max, 4);
      const [first, step = 0] = ticks;
      assert.equal(first, 0);
      assert.ok((ticks.at(-1) ?? 0) >= max * (1 - 1e-6));
      assert.ok(ticks.length >= 2 && ticks.length <= 6);
      assert.match(step.toExponential(6), /^[125]\.0+e/);
    }),
  );
  assert.deepEqual(ticksUpTo(800, 4), [0, 200, 400, 600, 800]);
});

test('thinning leaves few of the original points, the highest among them', () => {
  fc.assert(
    fc.property(points, fc.integer({ min: 1, max: 100 }), (all, most) => {
      const few = thinned(all, most);
      assert.ok(few.length <= most && few.every((point) => all.includes(point)));
      const highest = (list: typeof few): number => Math.max(...list.map(([, y]) => y));
      assert.equal(highest(few), highest(all));
    }),
  );
});

test('a drawing is well-formed, names everything it shows, and loads nothing from outside', () => {
  const svg = draw({
    title: 'A < B & C',
    subtitle: 'about',
    timeUnit: 'minutes',
    panels: [
      {
        title: 'Rate',
        unit: 'a second',
        limit: 5,
        series: [
          {
            name: 'one',
            points: [
              [0, 1],
              [9, 7],
            ],
          },
        ],
      },
      { title: 'Empty', unit: 'MB', series: [{ name: 'two', points: [] }] },
    ],
  });
  const said: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => assert.fail(error.message));
  parser.on('text', (text) => said.push(text));
  parser.write(svg).close();
  for (const wanted of [
    'A < B & C',
    'Rate, a second',
    'one',
    'Empty, MB',
    'two',
    'time, minutes',
  ]) {
    assert.ok(said.includes(wanted), wanted);
  }
  assert.doesNotMatch(svg, /NaN|Infinity|href|url\(/);
});
