/** Calculates the price of a personal offer: its amount plus tax, exact, rounded half up. */

type Decimal = { readonly digits: bigint; readonly scale: number };

const readDecimal = (text: string): Decimal => {
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(text.trim());
  if (parts === null) throw new RangeError(`"${text}" is not an amount.`);
  const [, whole = '', fraction = ''] = parts;
  return { digits: BigInt(whole + fraction), scale: fraction.length };
};

/** The price of an offer; throws if its amount cannot be read, or the price is not exact. */
export const offerPrice = (amount: string, vatPercent: string): number => {
  const [net, vat] = [readDecimal(amount), readDecimal(vatPercent)];
  const dividend = net.digits * (100n * 10n ** BigInt(vat.scale) + vat.digits);
  const divisor = 10n ** BigInt(net.scale + vat.scale + 2);
  const rounded = (2n * dividend + divisor) / (2n * divisor);
  if (rounded > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError(`"${amount}" is too much.`);
  return Number(rounded);
};
