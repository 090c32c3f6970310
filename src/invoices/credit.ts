/** Makes credit notes: each gives an amount of an invoice back to the client. */

import type { ClientDeps } from '../clients/errors.ts';
import { correct } from '../clients/money.ts';
import { type CreditNote, type Invoice, taxIn } from './invoice.ts';
import { insertCreditNote, lockNumbers, readCreditNotes, writeLastNumber } from './store.ts';

/** What credit notes have left of an invoice's total. */
export const creditable = (
  { total }: Pick<Invoice, 'total'>,
  notes: readonly Pick<CreditNote, 'amount'>[],
): number => notes.reduce((left, { amount }) => left - amount, Math.max(0, total));

/** Within a transaction; undefined if the invoice has less left than that. */
export const makeCreditNote = async (
  deps: Pick<ClientDeps, 'db' | 'clock'>,
  invoice: Invoice,
  { amount, reason }: { readonly amount: number; readonly reason: string },
): Promise<CreditNote | undefined> => {
  const { db } = deps;
  const number = (await lockNumbers(db, 'credit_note')) + 1;
  const notes = await readCreditNotes(db, [invoice.number]);
  if (amount > creditable(invoice, notes)) return undefined;
  const posted = await correct(deps, { clientId: invoice.clientId, amount, reason });
  const note: CreditNote = {
    number,
    invoiceNumber: invoice.number,
    clientId: invoice.clientId,
    amount,
    tax: taxIn(amount, invoice.taxPercent),
    reason,
    postingSeq: posted.after.seq,
    createdAt: posted.at,
  };
  await insertCreditNote(db, note);
  await writeLastNumber(db, 'credit_note', number);
  return note;
};
