/** Parses amounts as exact decimals, rounds them to whole currency units, and adds VAT. */
import { latinDigits } from './digits.ts';

/** An exact decimal: `digits` divided by ten to the power of `scale`. */
export type Decimal = { readonly digits: bigint; readonly scale: number };

// Longer than any double prints, short enough that a hostile field costs nothing.
const longestNumber = 100;

/** Reads a plain decimal from a request's field, or undefined if it is anything else. */
export const readDecimal = (value: unknown): Decimal | undefined => {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const raw = String(value);
  if (raw.length > longestNumber) return undefined;
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(latinDigits(raw.trim()));
  if (parts === null) return undefined;
  const [, whole = '', fraction = ''] = parts;
  return { digits: BigInt(whole + fraction), scale: fraction.length };
};

/** A whole number of at most fifteen Latin digits, as nearly all are; undefined means try the general way. */
export const readPlainWhole = (value: unknown): number | undefined =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined;

const tenTo = (power: number): bigint => 10n ** BigInt(power);

/** Divides rounding half up; both numbers are positive or zero. */
const divideHalfUp = (dividend: bigint, divisor: bigint): bigint =>
  (2n * dividend + divisor) / (2n * divisor);

/** The whole amount nearest to a decimal, half up; undefined beyond the safe integers. */
export const roundToUnit = (decimal: Decimal): number | undefined => {
  const rounded = divideHalfUp(decimal.digits, tenTo(decimal.scale));
  return rounded > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(rounded);
};

/**
 * Reads a price from a request's field. Clients compute `amount * 1.1` in floating point, so it is rounded to
 * the unit before any comparison.
 */
export const readPrice = (value: unknown): number | undefined => {
  const plain = readPlainWhole(value);
  if (plain !== undefined) return plain;
  const decimal = readDecimal(value);
  return decimal === undefined ? undefined : roundToUnit(decimal);
};

/** An amount plus VAT, computed exactly and rounded half up; undefined beyond the safe integers. */
export const withVat = (amount: Decimal, vatPercent: Decimal): number | undefined => {
  const hundred = 100n * tenTo(vatPercent.scale);
  return roundToUnit({
    digits: amount.digits * (hundred + vatPercent.digits),
    scale: amount.scale + vatPercent.scale + 2,
  });
};

/** Money that is not a positive whole amount must never reach the ledger. */
export const assertAmount: (amount: number) => asserts amount is number = (amount) => {
  if (!Number.isSafeInteger(amount) || amount <= 0) {
    throw new RangeError(`An amount must be a positive safe integer, not ${amount}.`);
  }
};
