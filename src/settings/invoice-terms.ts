/** Defines the settings of invoices: who sells, the tax, and the calendar of the months. */
import { type Calendar, calendars } from '../lib/calendar-month.ts';
import { isRecord } from '../lib/record.ts';

export type InvoiceTerms = {
  /** The seller as it is registered; empty: the name of the company. */
  readonly sellerName: string;
  /** Its number for taxes. */
  readonly sellerNumber: string;
  readonly sellerAddress: string;
  /** What charged amounts include, in percent such as "10"; "0" for none. */
  readonly taxPercent: string;
  /** Whose months are billed. */
  readonly calendar: Calendar;
};

export const defaultTerms: InvoiceTerms = {
  sellerName: '',
  sellerNumber: '',
  sellerAddress: '',
  taxPercent: '0',
  calendar: 'gregorian',
};

export const longestSeller = { name: 200, number: 50, address: 500 } as const;

/** From 0 to below 100, with at most four decimals. */
export const isTaxPercent = (text: string): boolean => /^\d{1,2}(\.\d{1,4})?$/.test(text);

export const termsText = (terms: InvoiceTerms): string =>
  JSON.stringify({
    seller_name: terms.sellerName,
    seller_number: terms.sellerNumber,
    seller_address: terms.sellerAddress,
    tax_percent: terms.taxPercent,
    calendar: terms.calendar,
  });

export const readTerms = (text: string): InvoiceTerms => {
  const value: unknown = JSON.parse(text);
  const stored = isRecord(value) ? value : {};
  const read = (name: string, otherwise: string): string => {
    const found = stored[name];
    return typeof found === 'string' ? found : otherwise;
  };
  const calendar = read('calendar', '');
  return {
    sellerName: read('seller_name', ''),
    sellerNumber: read('seller_number', ''),
    sellerAddress: read('seller_address', ''),
    taxPercent: read('tax_percent', '0'),
    calendar: calendars.find((one) => one === calendar) ?? defaultTerms.calendar,
  };
};
