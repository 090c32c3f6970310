/** Defines the commands for the settings: currency, business time zone, company name, invoices. */
import { updateSettings } from '../../admin/settings/settings.ts';
import { settingsToWire } from '../../admin/settings/wire.ts';
import { isTimeZone } from '../../lib/business-day.ts';
import { calendars } from '../../lib/calendar-month.ts';
import {
  type Currency,
  currencyOf,
  isCode,
  isCurrency,
  longestName,
  longestSymbol,
  positions,
  tidyCurrency,
  writeAmount,
} from '../../settings/currency.ts';
import { type InvoiceTerms, isTaxPercent, longestSeller } from '../../settings/invoice-terms.ts';
import {
  longestCompanyName,
  readSettings,
  type Settings,
  type SettingValues,
} from '../../settings/settings.ts';
import { byOption, runAudited } from '../audited.ts';
import {
  type Arguments,
  type Command,
  choiceOption,
  InvalidUsage,
  type Result,
  readAmount,
  table,
  textOption,
  withDatabase,
} from '../definition.ts';

const example = 1_500_000;

const shown = (settings: Settings): Result => {
  const { companyName, currency, timeZone, lowBalanceBelow } = settings;
  const rows = [
    { setting: 'company-name', value: companyName },
    { setting: 'currency', value: currency?.code ?? 'off' },
    ...(currency === null
      ? []
      : [
          { setting: 'name-en', value: currency.names.en },
          { setting: 'name-fa', value: currency.names.fa },
          { setting: 'symbol-en', value: currency.written.en.symbol },
          { setting: 'symbol-fa', value: currency.written.fa.symbol },
          { setting: 'position-en', value: currency.written.en.position },
          { setting: 'position-fa', value: currency.written.fa.position },
        ]),
    { setting: 'time-zone', value: timeZone },
    { setting: 'seller-name', value: settings.invoices.sellerName },
    { setting: 'seller-number', value: settings.invoices.sellerNumber },
    { setting: 'seller-address', value: settings.invoices.sellerAddress },
    { setting: 'tax-percent', value: settings.invoices.taxPercent },
    { setting: 'invoice-calendar', value: settings.invoices.calendar },
    { setting: 'low-balance-below', value: writeAmount(currency, lowBalanceBelow) },
  ];
  const written = currency === null ? '' : `\n\nAn amount: ${writeAmount(currency, example)}`;
  return {
    data: settingsToWire(settings),
    text: table({ SETTING: 'setting', VALUE: 'value' }, rows) + written,
  };
};

const currencyOptions = {
  'name-en': { value: 'NAME', about: 'The name of the currency in English.' },
  'name-fa': { value: 'NAME', about: 'The name of the currency in Persian.' },
  'symbol-en': { value: 'TEXT', about: 'What is written beside an amount in English.' },
  'symbol-fa': { value: 'TEXT', about: 'What is written beside an amount in Persian.' },
  'position-en': { value: 'WHERE', about: 'Where: before or after the amount.' },
  'position-fa': { value: 'WHERE', about: 'The same in Persian.' },
} as const;

/** The currency that the options describe, based on the one in use if the code stays the same. */
const currencyIn = (args: Arguments, before: Currency | null): Currency | null | undefined => {
  const code = textOption(args, 'currency')?.trim();
  const isDescribed = Object.keys(currencyOptions).some((name) => args.options.has(name));
  if (code === 'off') return null;
  if (code === undefined && !isDescribed) return undefined;
  const wanted = code ?? before?.code;
  if (wanted === undefined) throw new InvalidUsage('Missing: --currency CODE.');
  if (!isCode(wanted)) {
    throw new InvalidUsage(
      `--currency must be a code of capital letters such as IRR, or "off", not "${wanted}".`,
    );
  }
  const base = before?.code === wanted ? before : currencyOf(wanted);
  const writtenIn = (locale: 'en' | 'fa') => ({
    symbol: textOption(args, `symbol-${locale}`) ?? base.written[locale].symbol,
    position: choiceOption(args, `position-${locale}`, positions) ?? base.written[locale].position,
  });
  const currency = tidyCurrency({
    code: wanted,
    names: {
      en: textOption(args, 'name-en') ?? base.names.en,
      fa: textOption(args, 'name-fa') ?? base.names.fa,
    },
    written: { en: writtenIn('en'), fa: writtenIn('fa') },
  });
  if (isCurrency(currency)) return currency;
  throw new InvalidUsage(
    `A name has 1 to ${longestName} characters, a symbol 1 to ${longestSymbol}.`,
  );
};

const invoiceOptions = {
  'seller-name': { value: 'NAME', about: 'Who sells, on invoices (default: the company name).' },
  'seller-number': { value: 'NUMBER', about: "The seller's number for taxes." },
  'seller-address': { value: 'TEXT', about: "The seller's address." },
  'tax-percent': { value: 'PERCENT', about: 'The tax that charged amounts include, such as 10.' },
  'invoice-calendar': { value: 'NAME', about: 'Whose months are billed: gregorian or persian.' },
} as const;

const invoicesIn = (args: Arguments, before: InvoiceTerms): InvoiceTerms => ({
  sellerName: textOption(args, 'seller-name')?.trim() ?? before.sellerName,
  sellerNumber: textOption(args, 'seller-number')?.trim() ?? before.sellerNumber,
  sellerAddress: textOption(args, 'seller-address')?.trim() ?? before.sellerAddress,
  taxPercent: textOption(args, 'tax-percent')?.trim() ?? before.taxPercent,
  calendar: choiceOption(args, 'invoice-calendar', calendars) ?? before.calendar,
});

const changeIn = (args: Arguments, before: Settings): Partial<SettingValues> => {
  const currency = currencyIn(args, before.currency);
  const timeZone = textOption(args, 'time-zone')?.trim();
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw new InvalidUsage(
      `--time-zone must be an IANA time zone such as Asia/Tehran, not "${timeZone}".`,
    );
  }
  const companyName = textOption(args, 'company-name')?.trim();
  if (companyName !== undefined && companyName.length > longestCompanyName) {
    throw new InvalidUsage(`--company-name must have at most ${longestCompanyName} characters.`);
  }
  const invoices = invoicesIn(args, before.invoices);
  const { sellerName: name, sellerNumber: number, sellerAddress: address } = invoices;
  for (const [part, text] of Object.entries({ name, number, address })) {
    const most = new Map(Object.entries(longestSeller)).get(part) ?? 0;
    if (text.length > most) {
      throw new InvalidUsage(`--seller-${part} must have at most ${most} characters.`);
    }
  }
  if (!isTaxPercent(invoices.taxPercent)) {
    throw new InvalidUsage('--tax-percent must be from 0 to below 100, such as 10 or 9.5.');
  }
  const below = textOption(args, 'low-balance-below');
  return {
    ...(currency === undefined ? {} : { currency }),
    ...(timeZone === undefined ? {} : { timeZone }),
    invoices,
    ...(companyName === undefined ? {} : { companyName }),
    ...(below === undefined ? {} : { lowBalanceBelow: readAmount(below, '--low-balance-below') }),
  };
};

export const settingsShow: Command = {
  name: 'settings show',
  summary: 'Show the settings: currency, business time zone, company name, invoices.',
  run: async () => shown(await withDatabase(({ db }) => readSettings(db))),
};

export const settingsChange: Command = {
  name: 'settings change',
  summary: 'Change the currency, the business time zone, the company name or what invoices say.',
  options: {
    currency: {
      value: 'CODE',
      about: 'The currency of all amounts: IRR, IRT (toman), another code, or "off".',
    },
    ...currencyOptions,
    'time-zone': {
      value: 'ZONE',
      about: 'The business time zone such as Asia/Tehran: of daily limits and days in charts.',
    },
    'company-name': { value: 'NAME', about: 'The name at the top of the console.' },
    ...invoiceOptions,
    'low-balance-below': {
      value: 'AMOUNT',
      about: 'Clients with less than this are shown as low.',
    },
    ...byOption,
  },
  run: async (args) =>
    shown(
      await runAudited(args, async (acting) =>
        updateSettings(acting, changeIn(args, await readSettings(acting.db))),
      ),
    ),
};
