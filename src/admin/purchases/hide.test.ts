/** Proves that a number is masked within any text, however people write it, and that nothing else is touched. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { latinDigits } from '../../lib/digits.ts';
import { readTypedMobile } from '../../lib/mobile.ts';
import { maskQuery } from './filter.ts';
import { closedUp, hiding, hidingAll } from './hide.ts';

const format = { prefix: '98', digits: 10 };
const ownDrawn = fc.stringMatching(/^9[0-9]{9}$/);

/** A digit in one of the three scripts. */
const inScript = (digit: string, script: number): string =>
  script === 0 ? digit : String.fromCharCode((script === 1 ? 0x660 : 0x6f0) + Number(digit));

const separators = ['', ' ', '-', '.', '/', ' - ', ') ', '\u200e', '\u00a0', '_'];

/** A number as somebody may write it. */
const writtenDrawn = (own: string): fc.Arbitrary<string> =>
  fc
    .record({
      before: fc.constantFrom('', '0', '98', '+98', '0098', '+98 ', '(0'),
      scripts: fc.array(fc.nat(2), { minLength: 14, maxLength: 14 }),
      gaps: fc.array(fc.constantFrom(...separators), { minLength: 10, maxLength: 10 }),
    })
    .map(({ before, scripts, gaps }) => {
      const lead = Array.from(before, (one, at) =>
        /\d/.test(one) ? inScript(one, scripts[at] ?? 0) : one,
      );
      const digits = Array.from(
        own,
        (one, at) => inScript(one, scripts[at + 4] ?? 0) + (at < 9 ? (gaps[at] ?? '') : ''),
      );
      return [...lead, ...digits].join('');
    });

const drawn = ownDrawn.chain((own) =>
  fc.record({
    own: fc.constant(own),
    written: writtenDrawn(own),
    before: fc.constantFrom('', 'for ', 'order', '{"subscriber":"', 'مشترک ', '\n'),
    after: fc.constantFrom('', ' is barred', 'x7', '"}', ' است'),
  }),
);

const starsIn = (text: string): number => text.match(/\*/g)?.length ?? 0;

describe('A number within a text', () => {
  test('is masked but for its last four digits, and all around it stays', () => {
    fc.assert(
      fc.property(drawn, ({ own, written, before, after }) => {
        const text = before + written + after;
        for (const hide of [hiding(`98${own}`, format), hidingAll(format)]) {
          const hidden = hide(text);
          assert.ok(!closedUp(hidden).includes(own), hidden);
          assert.ok(!latinDigits(hidden).replaceAll(/\D/g, '').includes(own), hidden);
          assert.equal(hide(hidden), hidden, 'once is enough');
          // What is nothing but a number is written as all numbers are.
          if (readTypedMobile(text, format) !== undefined) continue;
          assert.ok(hidden.startsWith(before) && hidden.endsWith(after), hidden);
          assert.equal(hidden.length, text.length);
        }
        assert.equal(starsIn(hiding(`98${own}`, format)(text)), 6);
      }),
      { numRuns: 500 },
    );
  });

  test('is masked each time, and others are not', () => {
    const hide = hiding('989121234567', format);
    assert.equal(hide('0912 123 45 67, ۰۹۱۲۱۲۳۴۵۶۷'), '0*** *** 45 67, ۰******۴۵۶۷');
    for (const other of ['0912 123 45 68', 'order 9121-23456', '912123x4567', '']) {
      assert.equal(hide(other), other);
    }
  });

  test('is masked in what is asked for and written down, whichever field it stands in', () => {
    fc.assert(
      fc.property(
        drawn,
        fc.constantFrom('q', 'key', 'code', 'id', 'client_id', 'number'),
        ({ own, written, before, after }, name) => {
          const asked = maskQuery({ [name]: before + written + after }, format);
          const { [name]: told = '' } = asked;
          assert.ok(!closedUp(told).includes(own), told);
        },
      ),
    );
    const kept = {
      id: '01912345-6789-7012-8345-678901234567',
      from: '2026-01-31 09:30:00',
      to: '2026-01-31T09:30:00.000Z',
      code: 'order 77',
      state: 'failed',
    } as const;
    assert.deepEqual(maskQuery(kept, format), kept);
  });
});
