/** Writes the amounts and months of an invoice as it was made: in its own currency and time zone. */
import type { Answer } from '../api/client.ts';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { type Format, formatFor } from '../writing.ts';
import { monthName } from './month-name.ts';

export type Listed = Answer<'listInvoices'>['data'][number];
export type Invoice = Answer<'getInvoice'>;

/** The format of an invoice; its zone is that of the business unless the invoice has its own. */
export const useInvoiceFormat = (): ((
  invoice: Pick<Listed, 'currency'> & { readonly time_zone?: string },
) => Format) => {
  const { locale, zone } = useFormat();
  return ({ currency, time_zone: own = zone }) => formatFor(locale, own, currency);
};

type Month = Pick<Listed, 'month' | 'begins_at' | 'ends_at'>;

const minuteMs = 60_000;

/** A month with its first and its last day. */
export const useMonthWords = (): ((month: Month, format?: Format) => string) => {
  const say = useText();
  const own = useFormat();
  return ({ month, begins_at: begins, ends_at: ends }, format = own) =>
    say('invoices.monthOf', {
      month: monthName(month, format.locale),
      from: format.time(begins, 'date'),
      to: format.time(Date.parse(ends) - minuteMs, 'date'),
    });
};
