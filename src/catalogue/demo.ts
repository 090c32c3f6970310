/** Owns the demo catalogue: what a first start sells, so that every route can be tried at once. */
import {
  type Category,
  type ImportedProduct,
  productModel,
  simCardTypes,
  tdLteOperator,
} from './product.ts';

type SimCardType = (typeof simCardTypes)[number];

const gigabyte = 1024;
const madeAt = '2026-01-01T00:00:00.000000Z';
const changedAt = '2026-01-31T09:30:00.000000Z';

const sims = {
  credit: { fa: 'اعتباری', en: 'prepaid', code: 'CR' },
  permanent: { fa: 'دائمی', en: 'postpaid', code: 'PE' },
} as const;

/** Operators ask different prices for the same package, in percent of the tables below. */
const operators = [
  { id: 1, percent: 100 },
  { id: 2, percent: 95 },
  { id: 3, percent: 110 },
  { id: 4, percent: 88 },
  { id: 5, percent: 92 },
] as const;

/** Days, megabytes, price. */
const dataPlans = [
  [1, gigabyte, 55_000],
  [1, 3 * gigabyte, 88_000],
  [3, 2 * gigabyte, 99_000],
  [7, 3 * gigabyte, 154_000],
  [7, 8 * gigabyte, 253_000],
  [30, 512, 77_000],
  [30, 5 * gigabyte, 286_000],
  [30, 10 * gigabyte, 440_000],
  [30, 30 * gigabyte, 880_000],
  [90, 30 * gigabyte, 1_210_000],
  [90, 60 * gigabyte, 1_980_000],
  [365, 120 * gigabyte, 4_400_000],
] as const;

const tdLtePlans = [
  [30, 20 * gigabyte, 550_000],
  [30, 50 * gigabyte, 990_000],
  [90, 150 * gigabyte, 2_420_000],
  [365, 500 * gigabyte, 6_600_000],
] as const;

const topUps = [50_000, 100_000, 200_000] as const;
const topUpRange = { from: 10_000, to: 2_000_000 } as const;

const periods = [
  { days: 1, fa: 'یک‌روزه', parent: 10, sub: 11 },
  { days: 3, fa: 'سه‌روزه', parent: 10, sub: 12 },
  { days: 7, fa: 'هفتگی', parent: 10, sub: 13 },
  { days: 30, fa: 'ماهانه', parent: 20, sub: 21 },
  { days: 90, fa: 'سه‌ماهه', parent: 20, sub: 22 },
  { days: 365, fa: 'سالانه', parent: 20, sub: 23 },
] as const;

const periodTree = [
  { id: 10, text: 'کوتاه‌مدت', parent: 0 },
  { id: 20, text: 'بلندمدت', parent: 0 },
  ...periods.map(({ sub, fa, parent }) => ({ id: sub, text: fa, parent })),
];

const fixedAmount = 31;
const openAmount = 32;
const personal = 41;
const bestseller = 42;

const categories = {
  data: { id: 1, name: 'بسته‌های اینترنت', tree: periodTree },
  tdLte: { id: 2, name: 'بسته‌های TD-LTE', tree: periodTree },
  topUp: {
    id: 3,
    name: 'شارژ مستقیم',
    tree: [
      { id: fixedAmount, text: 'مبلغ ثابت', parent: 0 },
      { id: openAmount, text: 'مبلغ دلخواه', parent: 0 },
    ],
  },
  special: {
    id: 4,
    name: 'پیشنهادهای ویژه',
    tree: [
      { id: personal, text: 'ویژه‌ی شما', parent: 0 },
      { id: bestseller, text: 'پرفروش‌ها', parent: 0 },
    ],
  },
} as const;

const inCategory = (
  productId: number,
  { id, name, tree }: (typeof categories)[keyof typeof categories],
  sub: number,
): Category => ({
  id,
  name,
  data: JSON.stringify(tree),
  created_at: madeAt,
  updated_at: madeAt,
  pivot: {
    categorizable_type: productModel,
    categorizable_id: productId,
    category_id: id,
    address: String(sub),
  },
});

const grouped = (value: number, separator: string): string =>
  String(value).replace(/\B(?=(?:\d{3})+$)/g, separator);
const english = (value: number): string => grouped(value, ',');

/** A number in Persian digits. Not by locale, because a small build of Node does not know it. */
const persian = (value: number): string =>
  grouped(value, '٬').replace(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'.charAt(Number(digit)));

const volume = (megabytes: number) =>
  megabytes < gigabyte
    ? { fa: `${persian(megabytes)} مگابایت`, en: `${megabytes} MB` }
    : { fa: `${persian(megabytes / gigabyte)} گیگابایت`, en: `${megabytes / gigabyte} GB` };

const daysInEnglish = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

/** Prices of packages end in full thousands. */
const scaled = (price: number, percent: number): number =>
  Math.round((price * percent) / 100 / 1000) * 1000;

const defaults = {
  description_full: null,
  sku: null,
  second_price: null,
  showable_price: null,
  minimum_sale: null,
  dimension: null,
  score: 0,
  status: 1,
  options: null,
  deliverable: 0,
  third_party_id: null,
  capacity: null,
  period: null,
  created_at: madeAt,
  updated_at: changedAt,
} as const;

// Ids tell operator, SIM type and place, and stay clear of the personal offers' 510 and 511.
const firstId = (operator: number, sim: SimCardType): number =>
  operator * 1000 + (sim === 'credit' ? 0 : 500);

const periodOf = (days: number) => periods.find((period) => period.days === days) ?? periods[0];

const dataPackage = (
  operator: (typeof operators)[number],
  sim: SimCardType,
  [days, megabytes, base]: (typeof dataPlans)[number],
  index: number,
): ImportedProduct => {
  const id = firstId(operator.id, sim) + index + 1;
  const size = volume(megabytes);
  const price = scaled(base, operator.percent);
  const period = periodOf(days);
  const popular = days === 30 && megabytes === 10 * gigabyte;
  const home = inCategory(id, categories.data, period.sub);
  return {
    ...defaults,
    id,
    name: `بسته ${persian(days)} روزه ${size.fa} سیم‌کارت ${sims[sim].fa}`,
    name_en: `${size.en} for ${daysInEnglish(days)}, ${sims[sim].en}`,
    description: `Data package of ${size.en} for ${daysInEnglish(days)}, for ${sims[sim].en} SIM cards of operator ${operator.id}.`,
    sku: `OP${operator.id}-${sims[sim].code}-${days}D-${megabytes}`,
    price,
    // What it cost before: the bestsellers are reduced.
    showable_price: popular ? scaled(base, operator.percent + 15) : null,
    score: popular ? 10 : 0,
    // A client must meet a product that is switched off.
    status: operator.id === 5 && sim === 'permanent' && days === 365 ? 0 : 1,
    type: 'cell_internet',
    capacity: megabytes,
    period: days,
    sim_card_type: sim,
    operator_id: operator.id,
    ...(operator.id === 3 && days === 365 ? { profile_id: `30${index}` } : {}),
    order: 100 + index,
    categories: popular ? [home, inCategory(id, categories.special, bestseller)] : [home],
  };
};

const tdLtePackage = (
  sim: SimCardType,
  [days, megabytes, price]: (typeof tdLtePlans)[number],
  index: number,
): ImportedProduct => {
  const id = firstId(tdLteOperator, sim) + 100 + index + 1;
  const size = volume(megabytes);
  return {
    ...defaults,
    id,
    name: `بسته TD-LTE ${persian(days)} روزه ${size.fa} سیم‌کارت ${sims[sim].fa}`,
    name_en: `TD-LTE ${size.en} for ${daysInEnglish(days)}, ${sims[sim].en}`,
    description: `TD-LTE package of ${size.en} for ${daysInEnglish(days)}, for ${sims[sim].en} SIM cards.`,
    sku: `TDLTE-${sims[sim].code}-${days}D-${megabytes}`,
    price,
    type: 'td_lte_internet',
    capacity: megabytes,
    period: days,
    sim_card_type: sim,
    operator_id: tdLteOperator,
    profile_id: `2${days}`,
    order: 200 + index,
    categories: [inCategory(id, categories.tdLte, periodOf(days).sub)],
  };
};

const topUpCommon = (operator: number, sim: SimCardType) =>
  ({
    ...defaults,
    type: 'cell_direct_charge',
    sim_card_type: sim,
    operator_id: operator,
  }) as const;

const fixedTopUp = (
  operator: number,
  sim: SimCardType,
  price: number,
  index: number,
): ImportedProduct => {
  const id = firstId(operator, sim) + 202 + index;
  return {
    ...topUpCommon(operator, sim),
    id,
    name: `شارژ مستقیم ${persian(price)} سیم‌کارت ${sims[sim].fa}`,
    name_en: `Top-up ${english(price)}, ${sims[sim].en}`,
    description: `Direct top-up of ${english(price)}, for ${sims[sim].en} SIM cards of operator ${operator}.`,
    price,
    order: 301 + index,
    categories: [inCategory(id, categories.topUp, fixedAmount)],
  };
};

const openTopUp = (operator: number, sim: SimCardType): ImportedProduct => {
  const id = firstId(operator, sim) + 201;
  const { from, to } = topUpRange;
  return {
    ...topUpCommon(operator, sim),
    id,
    name: `شارژ دلخواه از ${persian(from)} تا ${persian(to)} سیم‌کارت ${sims[sim].fa}`,
    name_en: `Top-up of any amount, ${sims[sim].en}`,
    description: `Direct top-up of any amount from ${english(from)} to ${english(to)}, for ${sims[sim].en} SIM cards of operator ${operator}.`,
    price: from,
    second_price: to,
    minimum_sale: from,
    order: 300,
    categories: [inCategory(id, categories.topUp, openAmount)],
  };
};

/** A personal offer of operator 2. Its price is the chosen offer's, so it has none here. */
const personalOffer = (id: number, sim: SimCardType): ImportedProduct => ({
  ...defaults,
  id,
  name: `بسته‌های پیشنهادی ویژه‌ی شما، سیم‌کارت ${sims[sim].fa}`,
  name_en: `Personal offers, ${sims[sim].en}`,
  description: `A personal offer of the subscriber, for ${sims[sim].en} SIM cards of operator 2. Its price is the offer's.`,
  price: 0,
  type: 'cell_internet',
  sim_card_type: sim,
  operator_id: 2,
  order: 1,
  categories: [inCategory(id, categories.special, personal)],
});

/** The demo catalogue, the same at every call. */
export const demoCatalogue = (): ImportedProduct[] => {
  const products = [personalOffer(510, 'credit'), personalOffer(511, 'permanent')];
  for (const sim of simCardTypes) {
    for (const operator of operators) {
      products.push(
        ...dataPlans.map((plan, index) => dataPackage(operator, sim, plan, index)),
        openTopUp(operator.id, sim),
        ...topUps.map((price, index) => fixedTopUp(operator.id, sim, price, index)),
      );
    }
    products.push(...tdLtePlans.map((plan, index) => tdLtePackage(sim, plan, index)));
  }
  return products;
};
