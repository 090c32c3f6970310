/** Generates a simulated subscriber's offers from the number alone. */
import { createHash } from 'node:crypto';
import type { Offer } from '../../connector/connector.ts';

/** The same words for the two descriptions. */
type Words = { readonly latin: string; readonly local: string };

const kinds = {
  '1': { latin: 'data', local: 'اینترنت' },
  '2': { latin: 'night data, 02:00 to 07:00', local: 'اینترنت شبانه، ساعت ۲ تا ۷' },
  '3': { latin: 'domestic data', local: 'اینترنت داخلی' },
  '4': { latin: 'social network data', local: 'اینترنت شبکه‌های اجتماعی' },
} as const satisfies Record<string, Words>;

type Plan = {
  readonly code: string;
  readonly type: keyof typeof kinds;
  readonly megabytes: number;
  /** Absent if the package lasts until it is used up. */
  readonly days?: number;
  readonly listPrice: number;
};

const plans: readonly Plan[] = [
  { code: '70101', type: '1', megabytes: 500, days: 1, listPrice: 12_000 },
  { code: '70102', type: '1', megabytes: 1_000, days: 1, listPrice: 18_000 },
  { code: '70103', type: '1', megabytes: 2_000, days: 3, listPrice: 30_000 },
  { code: '70104', type: '1', megabytes: 3_000, days: 7, listPrice: 52_000 },
  { code: '70105', type: '1', megabytes: 5_000, days: 7, listPrice: 75_000 },
  { code: '70106', type: '1', megabytes: 7_000, days: 30, listPrice: 118_000 },
  { code: '70107', type: '1', megabytes: 12_000, days: 30, listPrice: 170_000 },
  { code: '70108', type: '1', megabytes: 20_000, days: 30, listPrice: 245_000 },
  { code: '70109', type: '1', megabytes: 40_000, days: 60, listPrice: 420_000 },
  { code: '70110', type: '1', megabytes: 75_000, days: 90, listPrice: 640_000 },
  { code: '70111', type: '1', megabytes: 150_000, days: 180, listPrice: 900_000 },
  { code: '70201', type: '2', megabytes: 3_000, days: 1, listPrice: 15_000 },
  { code: '70202', type: '2', megabytes: 10_000, days: 7, listPrice: 60_000 },
  { code: '70203', type: '2', megabytes: 30_000, days: 30, listPrice: 145_000 },
  { code: '70301', type: '3', megabytes: 6_000, days: 7, listPrice: 48_000 },
  { code: '70302', type: '3', megabytes: 15_000, days: 30, listPrice: 110_000 },
  { code: '70303', type: '3', megabytes: 50_000, days: 90, listPrice: 310_000 },
  { code: '70401', type: '4', megabytes: 1_000, listPrice: 25_000 },
  { code: '70402', type: '4', megabytes: 4_000, listPrice: 86_000 },
  { code: '70403', type: '4', megabytes: 10_000, days: 30, listPrice: 135_000 },
];

// 20,000, 50,000, 100,000 and 200,000 without 10 percent VAT: real operators quote such amounts, and a client
// that rounds them wrongly should find out here.
const fractionalAmounts = ['18181.82', '45454.55', '90909.09', '181818.18'] as const;

const fewest = 3;
const most = 12;

// Discounts in steps of five percent, up to thirty: personal, yet plausible.
const discountStep = 5;
const discounts = 7;

const leastAmount = 10_000;
const thousand = 1_000;

const personalAmount = (listPrice: number, taste: number): string => {
  const percent = 100 - (taste % discounts) * discountStep;
  const rounded = Math.round((listPrice * percent) / 100 / thousand) * thousand;
  return String(Math.max(rounded, leastAmount));
};

const localDigits = (text: string): string =>
  text.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0x06f0 - 0x30));

const volumeOf = (megabytes: number): Words => {
  const inGigabytes = megabytes >= thousand;
  const count = String(inGigabytes ? megabytes / thousand : megabytes);
  return {
    latin: `${count} ${inGigabytes ? 'GB' : 'MB'}`,
    local: `${localDigits(count)} ${inGigabytes ? 'گیگابایت' : 'مگابایت'}`,
  };
};

const validityOf = (days: number | undefined): Words => {
  if (days === undefined) return { latin: 'until used up', local: 'بدون محدودیت زمانی' };
  return {
    latin: days === 1 ? '1 day' : `${days} days`,
    local: `${localDigits(String(days))} روزه`,
  };
};

const offerOf = (plan: Plan, amount: string): Offer => {
  const volume = volumeOf(plan.megabytes);
  const validity = validityOf(plan.days);
  const kind = kinds[plan.type];
  return {
    code: plan.code,
    type: plan.type,
    amount,
    name: `بسته ${volume.local} ${validity.local}`,
    description: `${volume.latin} ${kind.latin}, ${validity.latin}`,
    descriptionLocal: `${volume.local} ${kind.local}، ${validity.local}`,
    validityDays: plan.days === undefined ? '' : String(plan.days),
  };
};

/** The offers of one subscriber, in the order of the operator's own list. */
export const offersOf = (mobile: string): readonly Offer[] => {
  // 64 bytes decide everything: a rank and a preference for each plan from the two ends, the rest from the
  // middle.
  const bytes = createHash('sha512').update(mobile).digest();
  const byte = (index: number): number => bytes.at(index) ?? 0;
  const count = fewest + (byte(30) % (most - fewest + 1));
  const ranked = plans.map((plan, index) => ({ plan, rank: byte(index), taste: byte(-1 - index) }));
  const chosen = ranked.toSorted((one, other) => one.rank - other.rank).slice(0, count);
  const fractional =
    byte(31) % 8 === 0 ? fractionalAmounts[byte(32) % fractionalAmounts.length] : undefined;
  const offers = chosen.map(({ plan, taste }, index) =>
    offerOf(plan, (index === 0 ? fractional : undefined) ?? personalAmount(plan.listPrice, taste)),
  );
  return offers.toSorted((one, other) => one.code.localeCompare(other.code, 'en'));
};
