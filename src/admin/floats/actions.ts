/** Records top-ups at suppliers, and corrections of their floats, with an audit entry. */
import type { Static } from 'typebox';
import { heldIn } from '../../purchases/floats/float.ts';
import type { Floats } from '../../purchases/floats/live.ts';
import {
  emptyBooks,
  type FloatEntry,
  insertEntry,
  readBooks,
} from '../../purchases/floats/store.ts';
import { afterCommit, auditChange, type Person } from '../audit/audit.ts';
import { type ActDeps, type ActionContext, actOnce, fieldFault } from '../clients/act.ts';
import { EntrySchema, entryToWire } from './wire.ts';

export type Recording = Pick<FloatEntry, 'kind' | 'amount'> & {
  readonly supplierId: number;
  /** Of the transfer; empty where there is none. */
  readonly reference: string;
  readonly reason: string;
};

const wrongAmount = (kind: FloatEntry['kind']) =>
  kind === 'top_up'
    ? fieldFault('amount', {
        en: 'The amount of a top-up must be above zero.',
        fa: 'مبلغ شارژ باید بیشتر از صفر باشد.',
      })
    : fieldFault('amount', {
        en: 'The amount must not be zero.',
        fa: 'مبلغ نباید صفر باشد.',
      });

const tooMuch = () =>
  fieldFault('amount', {
    en: 'The float would be too large. Nothing was recorded.',
    fa: 'اعتبار از سقف مجاز بیشتر می‌شود. چیزی ثبت نشد.',
  });

export const record = async (
  acting: ActionContext,
  { supplierId, kind, amount, ...wanted }: Recording,
): Promise<FloatEntry> => {
  if (amount === 0 || (kind === 'top_up' && amount < 0)) throw wrongAmount(kind);
  const [reference, reason] = [wanted.reference.trim(), wanted.reason.trim()];
  const at = acting.clock.now();
  const entry = await insertEntry(acting.db, {
    supplier_id: supplierId,
    kind,
    amount,
    reference,
    reason,
    author: acting.actor.name,
    at,
  });
  const books = (await readBooks(acting.db, at)).get(supplierId) ?? emptyBooks(supplierId);
  const held = heldIn(books);
  if (!Number.isSafeInteger(held) || !Number.isSafeInteger(books.entries)) throw tooMuch();
  await auditChange(acting, {
    action: kind === 'top_up' ? 'supplier top up' : 'supplier float correct',
    subject: `operator ${supplierId}`,
    before: { held: held - amount },
    after: { held, amount, reference, reason, number: entry.number },
  });
  return entry;
};

/** Routing counts it at once here; other instances within seconds. */
export const recordOnce = async (
  deps: ActDeps & { readonly floats: Pick<Floats, 'refresh'> },
  actor: Person,
  { key, ...input }: Recording & { readonly key: string },
): Promise<Static<typeof EntrySchema>> => {
  const { kind } = input;
  const { answer } = await actOnce(
    deps,
    actor,
    { key, action: kind === 'top_up' ? 'supplier top up' : 'supplier float correct', input },
    { answers: EntrySchema, work: (acting) => record(acting, input), answerOf: entryToWire },
  );
  await afterCommit(deps.floats.refresh);
  return answer;
};
