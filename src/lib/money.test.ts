/** Tests that amounts are parsed exactly, rounded half up, and taxed exactly. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../test/support/text.ts';
import {
  assertAmount,
  type Decimal,
  readDecimal,
  readPrice,
  roundToUnit,
  withVat,
} from './money.ts';

const largest = BigInt(Number.MAX_SAFE_INTEGER);
const tenPercent: Decimal = { digits: 10n, scale: 0 };
const wholeAmount = (amount: number): Decimal => ({ digits: BigInt(amount), scale: 0 });

/** Half up by comparing remainders of exact fractions, unlike the code under test. */
const roundedFraction = (top: bigint, bottom: bigint): number | undefined => {
  const floor = top / bottom;
  const remainder = top % bottom;
  const rounded = remainder >= bottom - remainder ? floor + 1n : floor;
  return rounded > largest ? undefined : Number(rounded);
};

const amounts = fc.maxSafeNat();
const scale = fc.integer({ min: 0, max: 18 });
const decimal = fc.record(
  { digits: fc.bigInt({ min: 0n, max: 10n ** 30n }), scale },
  { noNullPrototype: true },
);

const printed = ({ digits, scale }: Decimal): string => {
  const text = digits.toString().padStart(scale + 1, '0');
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
};

test('a printed decimal reads back with the same digits and scale', () => {
  fc.assert(
    fc.property(decimal, (value) => {
      assert.deepEqual(readDecimal(printed(value)), value);
    }),
  );
});

test('a decimal in any mixture of the three scripts, with space around it, reads the same', () => {
  const scripts = ['0123456789', '٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹'];
  const choices = fc.array(fc.nat({ max: 2 }), { minLength: 60, maxLength: 60 });
  const space = fc.constantFrom('', ' ', '\t', '\n', '\u00A0', '  ');
  fc.assert(
    fc.property(decimal, choices, space, space, (value, choices, before, after) => {
      const text = printed(value).replace(
        /\d/g,
        (digit, at: number) => scripts[choices[at] ?? 0]?.charAt(Number(digit)) ?? digit,
      );
      assert.deepEqual(readDecimal(before + text + after), value);
    }),
  );
});

test('a JSON number reads as JavaScript prints it', () => {
  assert.equal(readPrice(33000), 33000);
  assert.equal(readPrice(3300.0000000000005), 3300);
  assert.deepEqual(readDecimal(3300.0000000000005), { digits: 33000000000000005n, scale: 13 });
  fc.assert(
    fc.property(amounts, (amount) => {
      assert.equal(readPrice(amount), amount);
      assert.equal(readPrice(String(amount)), amount);
      assert.equal(readPrice(`${amount}.0`), amount);
    }),
  );
});

test('exponents, signs, separators and anything that is not a plain decimal are refused', () => {
  const refused: readonly unknown[] = [
    '',
    ' ',
    '+1',
    '-1',
    '-0',
    '1e3',
    '1E3',
    '3.3e4',
    '33,000',
    '33_000',
    '33 000',
    '٣٣٬٠٠٠',
    '33٫5',
    '.5',
    '5.',
    '1.2.3',
    '0x10',
    '0b1',
    '1n',
    'NaN',
    'Infinity',
    '½',
    '１２',
    '10%',
    '$10',
    '1\u200C0',
    '1\n2',
    '9'.repeat(101),
    1e21,
    1e-7,
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    false,
    null,
    undefined,
    10n,
    [],
    ['1'],
    {},
    { valueOf: () => 1 },
  ];
  for (const value of refused) {
    assert.equal(readDecimal(value), undefined, String(value));
    assert.equal(readPrice(value), undefined, String(value));
  }
});

test('any text with a character that no plain decimal has is refused', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      fc.pre(!/^[\d٠-٩۰-۹]+(\.[\d٠-٩۰-۹]+)?$/.test(text.trim()));
      assert.equal(readPrice(text), undefined);
    }),
  );
});

test('a price is rounded to the nearest unit, and a half goes up', () => {
  for (const [text, price] of [
    ['0.4', 0],
    ['0.5', 1],
    ['0.49999999999999999999', 0],
    ['1.5', 2],
    ['2.5', 3],
    ['2.4999999999', 2],
    ['33000.000', 33000],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740991.4', Number.MAX_SAFE_INTEGER],
    ['9007199254740991.5', undefined],
    ['9007199254740992', undefined],
    ['000033000', 33000],
  ] as const) {
    assert.equal(readPrice(text), price, text);
  }
});

test('rounding agrees with exact fractions for every decimal', () => {
  fc.assert(
    fc.property(decimal, (value) => {
      assert.equal(roundToUnit(value), roundedFraction(value.digits, 10n ** BigInt(value.scale)));
    }),
    { numRuns: 1000 },
  );
});

/** How clients of different languages write "plus ten percent" in floating point. */
const floatFormulas: readonly ((amount: number) => number)[] = [
  (amount) => amount * 1.1,
  (amount) => amount + amount * 0.1,
  (amount) => (amount * 110) / 100,
  (amount) => amount + amount / 10,
  (amount) => amount / 10 + amount,
];

const assertFloatsAgree = (amount: number): void => {
  const exact = withVat(wholeAmount(amount), tenPercent);
  for (const formula of floatFormulas) {
    const sent = formula(amount);
    if (readPrice(sent) !== exact || readPrice(String(sent)) !== exact) {
      assert.fail(`${amount}: ${sent} reads as ${readPrice(sent)} and costs ${exact}`);
    }
  }
};

test('a client’s amount * 1.1 is the exact price, for every amount up to 100,000', () => {
  for (let amount = 1; amount <= 100_000; amount += 1) assertFloatsAgree(amount);
});

test('a client’s amount * 1.1 is the exact price, for amounts up to a trillion', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 1_000_000_000_000 }), assertFloatsAgree), {
    numRuns: 5000,
  });
});

test('an offer of 30,000 costs 33,000', () => {
  assert.equal(withVat(wholeAmount(30_000), tenPercent), 33_000);
});

test('VAT agrees with exact fractions for every whole amount and percentage', () => {
  const ends = fc.constantFrom(0, 1, 4, 5, 9, 8_188_362_958_855_446, Number.MAX_SAFE_INTEGER);
  fc.assert(
    fc.property(fc.oneof(amounts, ends), fc.nat({ max: 100 }), (amount, percent) => {
      const exact = roundedFraction(BigInt(amount) * BigInt(100 + percent), 100n);
      assert.equal(withVat(wholeAmount(amount), wholeAmount(percent)), exact);
    }),
    { numRuns: 5000 },
  );
});

test('VAT agrees with exact fractions for fractional amounts and fractional percentages', () => {
  fc.assert(
    fc.property(decimal, decimal, (amount, percent) => {
      const amountBottom = 10n ** BigInt(amount.scale);
      const percentBottom = 10n ** BigInt(percent.scale);
      const top = amount.digits * (100n * percentBottom + percent.digits);
      const exact = roundedFraction(top, amountBottom * percentBottom * 100n);
      assert.equal(withVat(amount, percent), exact);
    }),
    { numRuns: 2000 },
  );
});

test('half a unit of VAT is rounded up, and less is rounded down', () => {
  for (const [amount, percent, price] of [
    ['5', '10', 6],
    ['4', '10', 4],
    ['15', '10', 17],
    ['1000.5', '9.5', 1096],
    ['0.45454545', '10', 0],
    ['0.45454546', '10', 1],
    ['100', '0', 100],
    ['8188362958855446.3', '10', 9007199254740991],
    ['8188362958855446.9', '10', undefined],
  ] as const) {
    const [base, vat] = [readDecimal(amount), readDecimal(percent)];
    assert.ok(base !== undefined && vat !== undefined);
    assert.equal(withVat(base, vat), price, `${amount} plus ${percent} percent`);
  }
});

test('only positive safe integers pass as amounts', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (amount) => {
      assertAmount(amount);
    }),
  );
  const wrong = [0, -0, -1, 0.5, 1.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN];
  for (const amount of [...wrong, Number.POSITIVE_INFINITY, Number.MIN_SAFE_INTEGER]) {
    assert.throws(() => assertAmount(amount), RangeError, String(amount));
  }
});
