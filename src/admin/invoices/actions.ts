/** Makes invoices and credit notes with an entry in the audit log. */
import type { DatabaseTime, Db } from '../../db/types.ts';
import { makeCreditNote } from '../../invoices/credit.ts';
import type { CreditNote, Invoice } from '../../invoices/invoice.ts';
import { type BilledMonth, makeInvoice } from '../../invoices/make.ts';
import { listBilledClients } from '../../invoices/store.ts';
import { type AuditContext, auditChange } from '../audit/audit.ts';
import type { ActionContext } from '../clients/act.ts';

const subjectOf = ({ number }: Pick<Invoice, 'number'>): string => `invoice ${number}`;

export type BillDeps = {
  readonly db: Db;
  readonly databaseTime: DatabaseTime;
  /** One transaction by an actor. */
  readonly run: <T>(work: (acting: AuditContext) => Promise<T>) => Promise<T>;
};

/** What became of the invoices of a month. */
export type Billed = {
  readonly made: readonly Invoice[];
  readonly existed: readonly Invoice[];
  /** Clients whose earlier month has no invoice, or whose later month has one. */
  readonly outOfOrder: readonly string[];
};

/** Makes the invoices of a month, for one client or all of them. Each is a transaction of its own. */
export const bill = async (
  { db, databaseTime, run }: BillDeps,
  month: BilledMonth,
  clientId: string | null,
): Promise<Billed> => {
  const clients = await listBilledClients(db);
  const made: Invoice[] = [];
  const existed: Invoice[] = [];
  const outOfOrder: string[] = [];
  for (const client of clients.filter(({ id }) => clientId === null || id === clientId)) {
    const done = await makeInvoice(
      {
        db,
        databaseTime,
        transact: (work) =>
          run((acting) =>
            work(acting.db, (invoice) =>
              auditChange(acting, {
                action: 'invoice create',
                subject: subjectOf(invoice),
                after: {
                  client_id: invoice.clientId,
                  month: invoice.month.name,
                  total: invoice.total,
                },
              }),
            ),
          ),
      },
      client,
      month,
    );
    if (done.outcome === 'made') made.push(done.invoice);
    if (done.outcome === 'existed') existed.push(done.invoice);
    if (done.outcome === 'out_of_order') outOfOrder.push(client.id);
  }
  return { made, existed, outOfOrder };
};

/** Within a transaction; undefined if the invoice has less left than that. */
export const credit = async (
  acting: ActionContext,
  invoice: Invoice,
  wanted: { readonly amount: number; readonly reason: string },
): Promise<CreditNote | undefined> => {
  const note = await makeCreditNote(acting, invoice, wanted);
  if (note === undefined) return undefined;
  await auditChange(acting, {
    action: 'invoice credit',
    subject: subjectOf(invoice),
    after: {
      credit_note: note.number,
      client_id: note.clientId,
      amount: note.amount,
      reason: note.reason,
      seq: note.postingSeq,
    },
  });
  return note;
};
