/** Describes the settings as the back office's API shows them. */
import { type Static, Type } from 'typebox';
import { calendars } from '../../lib/calendar-month.ts';
import { type InvoiceTerms, longestSeller } from '../../settings/invoice-terms.ts';
import { longestCompanyName, type Settings, type SettingValues } from '../../settings/settings.ts';
import { CurrencyOrNull, currencyToWire, exampleCurrency } from '../../settings/wire.ts';
import { closed, exampleTime, textOrNull, timeOrNull } from '../wire.ts';

const company = {
  name: Type.String({
    maxLength: longestCompanyName,
    description: 'The name at the top of every page.',
  }),
  currency: CurrencyOrNull,
  time_zone: Type.String({
    maxLength: 64,
    description:
      'The business time zone, as an IANA name: of displayed times, of daily limits and of days in charts.',
  }),
};

export const CompanySchema = Type.Object(company, {
  title: 'Company',
  description: 'What every page shows.',
});

const InvoiceTermsSchema = Type.Object(
  {
    seller_name: Type.String({
      maxLength: longestSeller.name,
      description: 'The seller as it is registered; empty for the name of the company.',
    }),
    seller_number: Type.String({
      maxLength: longestSeller.number,
      description: 'Its number for taxes.',
    }),
    seller_address: Type.String({
      maxLength: longestSeller.address,
      description: 'Its address.',
    }),
    tax_percent: Type.String({
      maxLength: 7,
      description: 'The tax that charged amounts include, in percent; `0` for none.',
    }),
    calendar: Type.Enum([...calendars], { description: 'Whose months are billed.' }),
  },
  { ...closed, title: 'InvoiceSettings', description: 'What invoices say.' },
);

const exampleTerms: Static<typeof InvoiceTermsSchema> = {
  seller_name: 'Example Mobile Ltd.',
  seller_number: '4711',
  seller_address: '1 Example Street',
  tax_percent: '10',
  calendar: 'gregorian',
};

const termsToWire = (terms: InvoiceTerms): Static<typeof InvoiceTermsSchema> => ({
  seller_name: terms.sellerName,
  seller_number: terms.sellerNumber,
  seller_address: terms.sellerAddress,
  tax_percent: terms.taxPercent,
  calendar: terms.calendar,
});

const termsFromWire = (wire: Static<typeof InvoiceTermsSchema>): InvoiceTerms => ({
  sellerName: wire.seller_name.trim(),
  sellerNumber: wire.seller_number.trim(),
  sellerAddress: wire.seller_address.trim(),
  taxPercent: wire.tax_percent.trim(),
  calendar: wire.calendar,
});

export const changeable = {
  company_name: company.name,
  low_balance_below: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'A client that can spend less than this is shown as low.',
  }),
  currency: company.currency,
  time_zone: company.time_zone,
  invoices: InvoiceTermsSchema,
};

export const ConsoleSchema = Type.Object(
  {
    ...changeable,
    time_zone_since: textOrNull('When the time zone was last changed; null if never.'),
  },
  { title: 'ConsoleSettings', description: 'Settings of the console.' },
);

export type ConsoleSettings = Static<typeof ConsoleSchema>;

export const exampleChange = {
  company_name: 'Example Mobile',
  low_balance_below: 500_000,
  currency: exampleCurrency,
  time_zone: 'Asia/Tehran',
  invoices: exampleTerms,
};

export const exampleSettings: ConsoleSettings = { ...exampleChange, time_zone_since: exampleTime };

export const exampleCompany: Static<typeof CompanySchema> = {
  name: exampleChange.company_name,
  currency: exampleCurrency,
  time_zone: exampleChange.time_zone,
};

export const settingsToWire = (settings: Settings): ConsoleSettings => ({
  company_name: settings.companyName,
  low_balance_below: settings.lowBalanceBelow,
  currency: currencyToWire(settings.currency),
  time_zone: settings.timeZone,
  invoices: termsToWire(settings.invoices),
  time_zone_since: timeOrNull(settings.zoneChange?.at),
});

export const companyToWire = (settings: Settings): Static<typeof CompanySchema> => ({
  name: settings.companyName,
  currency: currencyToWire(settings.currency),
  time_zone: settings.timeZone,
});

type WireChange = Partial<Omit<ConsoleSettings, 'time_zone_since'>>;

export const changeFromWire = (wire: WireChange): Partial<SettingValues> => ({
  ...(wire.company_name === undefined ? {} : { companyName: wire.company_name }),
  ...(wire.low_balance_below === undefined ? {} : { lowBalanceBelow: wire.low_balance_below }),
  ...(wire.currency === undefined ? {} : { currency: wire.currency }),
  ...(wire.time_zone === undefined ? {} : { timeZone: wire.time_zone }),
  ...(wire.invoices === undefined ? {} : { invoices: termsFromWire(wire.invoices) }),
});
