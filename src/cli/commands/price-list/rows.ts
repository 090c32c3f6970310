/** Shares what the commands for price lists need: lists and entries as rows, changes with their audit. */
import type { PriceActing } from '../../../admin/pricing/actions.ts';
import { createDatabaseTime } from '../../../db/engine.ts';
import type { Db } from '../../../db/types.ts';
import { systemClock } from '../../../lib/clock.ts';
import { UsageError } from '../../../lib/errors.ts';
import { readPositive } from '../../../lib/page.ts';
import { readTime } from '../../../lib/time.ts';
import type { Problems } from '../../../pricing/change.ts';
import { printEntry } from '../../../pricing/csv.ts';
import type { EntryTerms } from '../../../pricing/price-list.ts';
import { readLists, type StoredList } from '../../../pricing/store.ts';
import { runAudited } from '../../audited.ts';
import { type Arguments, InvalidUsage, textOption } from '../../definition.ts';

export const databaseTime = createDatabaseTime(systemClock);

export const runOnPrices = <T>(
  args: Arguments,
  work: (acting: PriceActing) => Promise<T>,
): Promise<T> => runAudited(args, (acting) => work({ ...acting, databaseTime }));

export const readId = (text: string, name: string): number => {
  const id = readPositive(text);
  if (id === undefined) throw new InvalidUsage(`${name} must be a positive ID, not "${text}".`);
  return id;
};

export const timeOption = (args: Arguments, name: string): number | undefined => {
  const text = textOption(args, name);
  if (text === undefined) return undefined;
  const moment = readTime(text);
  if (moment !== undefined) return moment;
  throw new InvalidUsage(`--${name} must be a time such as 2026-01-31T09:30:00Z, not "${text}".`);
};

export const findList = async (db: Db, id: number): Promise<StoredList> => {
  const list = (await readLists(db)).find((one) => one.id === id);
  if (list === undefined) throw new UsageError(`There is no price list ${id}.`);
  return list;
};

/** A change that was not made. */
export const refused = ({ problems }: Problems): UsageError =>
  new UsageError(problems[0]?.message.en ?? 'Nothing was changed.');

const scopeOf = (terms: EntryTerms): string => {
  const cells = printEntry(terms);
  const parts = Object.entries({
    product: cells.product_id,
    category: cells.category_id,
    operator: cells.operator_id,
    type: cells.product_type,
  }).flatMap(([name, value]) => (value === '' ? [] : [`${name} ${value}`]));
  return parts.join(', ') || 'everything';
};

export const entryColumns = { FOR: 'scope', COMMISSION: 'commission' } as const;

export const entryRow = (terms: EntryTerms) => ({
  scope: scopeOf(terms),
  commission: printEntry(terms).commission,
});
