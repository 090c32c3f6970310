/** Tests that numbers are masked in any text, however they are written, and that nothing else changes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { latinDigits } from '../lib/digits.ts';
import { readTypedMobile } from '../lib/mobile.ts';
import {
  maskAllNumbers,
  maskFor,
  maskNumber,
  maskNumbers,
  maskWithin,
  withoutSeparators,
} from './mask.ts';
import { maskQuery } from './purchases/filter.ts';

const format = { prefix: '98', digits: 10 };
const ownDrawn = fc.stringMatching(/^9[0-9]{9}$/);

/** The zeros of some scripts: Latin, Arabic, Persian, full-width, Devanagari. */
const zeros = [0x30, 0x660, 0x6f0, 0xff10, 0x966];

const inScript = (digit: string, script: number): string =>
  String.fromCodePoint((zeros[script] ?? 0x30) + Number(digit));

const separators = ['', ' ', '-', '.', '/', ' - ', ') ', '\u200e', '\u00a0', '_'];

/** A number as people may write it. */
const writtenDrawn = (own: string): fc.Arbitrary<string> =>
  fc
    .record({
      before: fc.constantFrom('', '0', '98', '+98', '0098', '+98 ', '(0'),
      scripts: fc.array(fc.nat(zeros.length - 1), { minLength: 14, maxLength: 14 }),
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
  test('is masked except its last four digits, and everything around it stays', () => {
    fc.assert(
      fc.property(drawn, ({ own, written, before, after }) => {
        const text = before + written + after;
        for (const mask of [maskNumber(`98${own}`, format), maskAllNumbers(format)]) {
          const masked = mask(text);
          assert.ok(!withoutSeparators(masked).includes(own), masked);
          assert.ok(!latinDigits(masked).replaceAll(/\D/g, '').includes(own), masked);
          assert.equal(mask(masked), masked, 'masking twice changes nothing more');
          // A text that is only a number is written in the standard form.
          if (readTypedMobile(text, format) !== undefined) continue;
          assert.ok(masked.startsWith(before) && masked.endsWith(after), masked);
          assert.equal(masked.length, text.length);
        }
        assert.equal(starsIn(maskNumber(`98${own}`, format)(text)), 6);
      }),
      { numRuns: 500 },
    );
  });

  test('is masked even if its digits take two code units each, or are circled', () => {
    const mask = maskNumber('989121234567', format);
    const bold = Array.from('9121234567', (one) => inScript(one, 0)).map((one) =>
      String.fromCodePoint(0x1d7ce + Number(one)),
    );
    assert.equal(mask(bold.join('')), `******${bold.slice(6).join('')}`);
    assert.equal(mask('⑨①②①②③④⑤⑥⑦'), '******④⑤⑥⑦');
    assert.equal(mask('⑨⑫⑫③④⑤⑥⑦'), '****④⑤⑥⑦');
    assert.equal(mask('九一二一二三四五六七'), '******四五六七');
  });

  test('is masked in the digits of every script, even if digits of two adjoin', () => {
    const mask = maskNumber('989121234567', format);
    const isDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(code));
    let scripts = 0;
    for (let zero = 0; zero < 0x20000; zero += 1) {
      if (!isDigit(zero) || isDigit(zero - 1)) continue;
      for (let start = zero; isDigit(start); start += 10) {
        const written = Array.from('9121234567', (one) =>
          String.fromCodePoint(start + Number(one)),
        );
        assert.equal(
          mask(written.join('')),
          `******${written.slice(6).join('')}`,
          written.join(''),
        );
        scripts += 1;
      }
    }
    assert.ok(scripts > 60, String(scripts));
  });

  test('is masked each time, and others are not', () => {
    const mask = maskNumber('989121234567', format);
    assert.equal(mask('0912 123 45 67, ۰۹۱۲۱۲۳۴۵۶۷'), '0*** *** 45 67, ۰******۴۵۶۷');
    for (const other of ['0912 123 45 68', 'order 9121-23456', '912123x4567', '9½2½234567', '']) {
      assert.equal(mask(other), other);
    }
  });

  test('is masked in recorded searches, in every field', () => {
    fc.assert(
      fc.property(
        drawn,
        fc.constantFrom('q', 'key', 'code', 'id', 'client_id', 'number'),
        ({ own, written, before, after }, name) => {
          const asked = maskQuery({ [name]: before + written + after }, format);
          const { [name]: told = '' } = asked;
          assert.ok(!withoutSeparators(told).includes(own), told);
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

/** A number as people write it in a note, in groups. */
const noted = fc
  .record({
    own: ownDrawn,
    lead: fc.constantFrom('', '0', '98', '+98', '0098', '+98 ', '+98 (0)', '(0', '00 98 '),
    sizes: fc.constantFrom([10], [3, 7], [3, 3, 4], [3, 3, 2, 2], [1, 3, 3, 3]),
    gap: fc.constantFrom(' ', '-', '.', ') ', ' - ', '\u200e', '\u00a0', '_'),
    script: fc.nat(zeros.length - 1),
    before: fc.constantFrom('', 'for ', 'order', 'paid 5000 ', '2026-10-05 12:30 ', 'مشترک '),
    after: fc.constantFrom('', ' is barred', 'x7', ', 300,000', ' است'),
  })
  .map(({ own, lead, sizes, gap, script, before, after }) => {
    let at = 0;
    const groups = sizes.map((size) => own.slice(at, (at += size)));
    const digits = Array.from(lead + groups.join(gap), (one) =>
      /[0-9]/.test(one) ? inScript(one, script) : one,
    );
    return { own, text: before + digits.join('') + after, before, after };
  });

/** After a prefix that only numbers have, with any separators between digits. */
const spelled = fc
  .record({
    own: ownDrawn,
    lead: fc.constantFrom('0', '98', '+98', '0098', '098', '+980', '00980', '000'),
    gaps: fc.array(
      fc.constantFrom('', ',', ':', ';', '\n', '، ', '٬', ' / ', '|', '*', ' -- ', '.', ') ', '\t'),
      { minLength: 15, maxLength: 15 },
    ),
    script: fc.nat(zeros.length - 1),
    before: fc.constantFrom('', 'for ', 'مشترک ', '2026-10-05 '),
  })
  .map(({ own, lead, gaps, script, before }) => {
    const digits = Array.from(lead + own, (one, at) =>
      /[0-9]/.test(one) ? inScript(one, script) + (gaps[at] ?? '') : one,
    );
    return { own, before, written: digits.join('') };
  })
  // What could also be a date or an amount stays.
  .filter(({ written }) => {
    const latin = latinDigits(written);
    return (
      !/[0-9]{1,2}([-/.])[0-9]{1,2}\1[0-9]{4}/.test(latin) &&
      !/(?:1[34]|19|20)[0-9]{2}([-/.])[0-3]?[0-9]\1[0-3]?[1-9]/.test(latin) &&
      !/^[0-9]{1,3}([,،٬][0-9]{3}){3}/.test(latin) &&
      !/^[0-9]{2}:[0-9]{2}:[0-9]{2}/.test(latin)
    );
  });

describe('A text that people write', () => {
  const mask = maskNumbers(format);

  test('hides a number after its prefix, whatever separates the digits', () => {
    fc.assert(
      fc.property(spelled, ({ own, before, written }) => {
        const masked = mask(before + written);
        assert.ok(!withoutSeparators(masked).includes(own), masked);
        assert.ok(masked.startsWith(before), masked);
        assert.equal(mask(masked), masked, 'masking twice changes nothing more');
      }),
      { numRuns: 500 },
    );
  });

  test('hides a number whose end only looks like a date', () => {
    assert.equal(mask('+980900 / 1300.00.0'), '+980*** / ***0.00.0');
    assert.equal(mask('paid on 1405/07/30'), 'paid on 1405/07/30');
  });

  test('hides a number disguised as an id', () => {
    for (const [text, shown] of [
      ['00000000-0000-0000-0000-009121234567', '00000000-0000-0000-0000-00******4567'],
      ['12345678-1234-1234-1234-989121234567', '12345678-1234-1234-1234-98******4567'],
      ['0989121234567', '098******4567'],
    ] as const) {
      assert.equal(mask(text), shown);
    }
  });

  test('hides every number, and nothing else', () => {
    fc.assert(
      fc.property(noted, ({ own, text, before, after }) => {
        const masked = mask(text);
        assert.ok(!withoutSeparators(masked).includes(own), masked);
        assert.ok(withoutSeparators(masked).includes(own.slice(-4)), masked);
        assert.equal(starsIn(masked), 6, masked);
        assert.ok(masked.startsWith(before) && masked.endsWith(after), masked);
        assert.equal(mask(masked), masked, 'masking twice changes nothing more');
      }),
      { numRuns: 300 },
    );
  });

  test('keeps dates, times, amounts, references of banks, cards, accounts and ids', () => {
    for (const text of [
      '2026-10-05 12:30',
      '2026-09-12 12:34:56.7',
      '09/12/2026 123',
      '۱۴۰۵/۰۷/۱۳ ساعت ۱۲:۳۰',
      '1,250,000 - 300,000',
      '1250000000 + 98000000',
      '1,098,912,123,456',
      'balance 989,121,234,567',
      '2026-01-31 09:30:00 50000',
      'order 6f1e0c52-93d4-4b7a-8e25-989121234567',
      'transfer 1234567890',
      'reference 140509121234567890',
      'IR820540102680020817909002',
      'IR82 0540 1026 8002 0817 9090 02',
      'card 6037 9912 3456 7890',
      'correction for purchase 01912345-6789-7012-8345-678901234567',
      'purchase 019a8f3e-6c1d-7b52-9891-212345678901 again',
      '2026-01-31T09:30:00.000000Z',
      '',
    ]) {
      assert.equal(mask(text), text);
    }
  });

  test('is masked for a role without the right to numbers, at any depth, and for no other', () => {
    const kept = { note: ['0912 123 4567', 7, null], more: { reason: '+989121234567' } };
    const shown = { note: ['0*** *** 4567', 7, null], more: { reason: '+98******4567' } };
    assert.deepEqual(maskWithin(kept, maskFor('viewer', format)), shown);
    for (const role of ['support', 'manager', 'owner'] as const) {
      assert.deepEqual(maskWithin(kept, maskFor(role, format)), kept);
    }
  });
});
