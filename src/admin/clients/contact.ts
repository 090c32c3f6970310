/** Changes a client's contact and who is billed, and adds notes in the caller's transaction, each with an audit entry. */
import { isDeepStrictEqual } from 'node:util';
import { invalidField, lockExisting } from '../../clients/errors.ts';
import { recordOf } from '../../lib/record.ts';
import { persianDigits } from '../../lib/text.ts';
import { auditChange, type Person } from '../audit/audit.ts';
import type { ActionContext } from './act.ts';
import { type ContactRow, findContact, insertNote, type NoteRow, upsertContact } from './store.ts';

/** What invoices say of the client. */
export const billingFields = ['legal_name', 'tax_number', 'address'] as const;
export const contactFields = ['name', 'email', 'phone', 'about', ...billingFields] as const;
export type Contact = Pick<ContactRow, (typeof contactFields)[number]>;
/** Callers that do not know of billing leave it as it is. */
export type GivenContact = Omit<Contact, (typeof billingFields)[number]> &
  Partial<Pick<Contact, (typeof billingFields)[number]>>;

export const longest = {
  name: 255,
  email: 254,
  phone: 40,
  about: 2000,
  legal_name: 255,
  tax_number: 60,
  address: 500,
  note: 2000,
} as const;

export const noContact: Contact = recordOf(contactFields, () => '');

export const contactOf = (row: ContactRow | undefined): Contact =>
  row === undefined ? noContact : recordOf(contactFields, (field) => row[field]);

const assertEmail = (email: string): void => {
  if (email === '' || /^[^\s@]+@[^\s@]+$/.test(email)) return;
  throw invalidField('email', {
    en: 'The e-mail address is not valid.',
    fa: 'نشانی ایمیل معتبر نیست.',
  });
};

/** Replaces the contact, and what is given of the billing. */
export const setContact = async (
  acting: ActionContext,
  clientId: string,
  given: GivenContact,
): Promise<Contact> => {
  assertEmail(given.email.trim());
  await lockExisting(acting.db, clientId);
  const before = contactOf(await findContact(acting.db, clientId));
  const after = recordOf(contactFields, (field) => (given[field] ?? before[field]).trim());
  if (isDeepStrictEqual(before, after)) return after;
  await upsertContact(acting.db, { client_id: clientId, ...after });
  await auditChange(acting, {
    action: 'client contact',
    subject: clientId,
    before: { contact: before },
    after: { contact: after },
  });
  return after;
};

export const addNote = async (
  acting: ActionContext & { readonly actor: Person },
  clientId: string,
  given: string,
): Promise<NoteRow> => {
  const note = given.trim();
  if (note === '') {
    throw invalidField('note', {
      en: `The note must have 1 to ${longest.note} characters.`,
      fa: `یادداشت باید ۱ تا ${persianDigits(longest.note)} نویسه داشته باشد.`,
    });
  }
  await lockExisting(acting.db, clientId);
  const { accountId, name } = acting.actor;
  const row: NoteRow = {
    id: acting.newId(),
    client_id: clientId,
    at: acting.clock.now(),
    account_id: accountId,
    author: name,
    note,
  };
  await insertNote(acting.db, row);
  await auditChange(acting, { action: 'client note', subject: clientId, after: { note } });
  return row;
};
