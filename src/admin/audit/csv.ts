/** Prints entries of the audit log as CSV: a line for each field that changed. */
import type { Static } from 'typebox';
import { csvLine, escapeFormula } from '../../lib/csv.ts';
import { isRecord } from '../../lib/record.ts';
import type { Turn } from '../../lib/time-slices.ts';
import type { AuditSchema } from '../wire.ts';

type Entry = Static<typeof AuditSchema>;

/** As many as a spreadsheet handles easily. */
export const mostEntries = 100_000;

const entriesAtATime = 200;

const titles = [
  'id',
  'at',
  'actor',
  'action',
  'subject',
  'subject_name',
  'field',
  'before',
  'after',
  'address',
] as const;

/** Each value within another, by its path; a list of plain values is one. */
const leavesOf = (value: unknown, path: string): [path: string, text: string][] => {
  const within = (name: string): string => (path === '' ? name : `${path}.${name}`);
  if (Array.isArray(value) && value.some((one) => typeof one === 'object' && one !== null)) {
    return value.flatMap((one, index) => leavesOf(one, within(String(index + 1))));
  }
  if (Array.isArray(value)) return [[path, value.join(' ')]];
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, within(name)));
  }
  if (value === null || value === undefined) return [[path, '']];
  // Besides texts, only numbers, and true and false, are left.
  return [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
};

export type FieldChange = {
  readonly field: string;
  readonly before: string;
  readonly after: string;
};

/** Every field that changed, or is recorded on one side only. */
export const fieldChangesOf = ({
  before,
  after,
}: Pick<Entry, 'before' | 'after'>): readonly FieldChange[] => {
  const [was, is] = [new Map(leavesOf(before, '')), new Map(leavesOf(after, ''))];
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((field) => was.get(field) !== is.get(field))
    .map((field) => ({ field, before: was.get(field) ?? '', after: is.get(field) ?? '' }));
};

const unchanged: FieldChange = { field: '', before: '', after: '' };

const linesOf = (entry: Entry): string => {
  const changes = fieldChangesOf(entry);
  // What a spreadsheet would evaluate is not ours: names, notes and reasons.
  return (changes.length === 0 ? [unchanged] : changes)
    .map((change) => {
      const cells = { ...entry, ...change };
      return csvLine(titles.map((title) => escapeFormula(cells[title] ?? '')));
    })
    .join('');
};

export async function* printAudit(
  read: (before: string | undefined, limit: number) => Promise<readonly Entry[]>,
  rest: Turn,
): AsyncGenerator<string> {
  yield csvLine(titles);
  let before: string | undefined;
  for (let printed = 0; printed < mostEntries; printed += entriesAtATime) {
    await rest();
    const entries = await read(before, entriesAtATime);
    yield entries.map(linesOf).join('');
    if (entries.length < entriesAtATime) return;
    before = entries.at(-1)?.id;
  }
}
