/** Describes what a new version of a price list would do, also to past sales. */
import { type Static, Type } from 'typebox';
import type { FileProblem } from '../../catalogue/file/lines.ts';
import type { Locale } from '../../lib/text.ts';
import { formatTime } from '../../lib/time.ts';
import type { VersionPreview } from '../../pricing/change.ts';
import type { Effect } from '../../purchases/sales/effect.ts';
import { orNull } from '../wire.ts';
import { countsOf } from './actions.ts';
import { counts, EntrySchema, entryToWire } from './wire.ts';

/** As many as a person reads. */
const mostShown = 500;

const sums = {
  sold: Type.Integer({ description: 'How many purchases succeeded.' }),
  price: Type.Integer({ description: 'Their prices, added up.' }),
  charged_before: Type.Integer({ description: 'What they would charge without the change.' }),
  charged_after: Type.Integer({ description: 'What they would charge with it.' }),
};

export const PreviewSchema = Type.Object(
  {
    ...counts,
    valid_from: Type.String({ description: 'From when it would be in force.' }),
    problems: Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'The line of the file.' }),
        message: Type.String({ description: 'What is wrong.' }),
      }),
      { description: 'The first 500 problems. With any, nothing can be imported.' },
    ),
    diff: Type.Array(
      Type.Object({
        kind: Type.Enum(['added', 'changed', 'removed'], { description: 'What happens.' }),
        before: orNull(EntrySchema, 'The entry as it is; null for a new one.'),
        after: orNull(EntrySchema, 'The entry as it will be; null for a removed one.'),
      }),
      { description: 'The first 500 differences.' },
    ),
    last_days: Type.Object(sums, {
      description:
        'The purchases of the last 30 days by the lists as they will be then. Floors by costs are left out.',
    }),
    clients: Type.Array(
      Type.Object({ client_id: Type.String({ description: 'The client.' }), ...sums }),
      { description: 'The same by client: the 500 with the largest difference.' },
    ),
    version: Type.String({
      description: 'The version of all price lists. Send it with the import.',
    }),
  },
  { title: 'PriceListPreview', description: 'What a new version would do.' },
);

type Sums = Omit<Effect, 'clientId'>;

const sumsToWire = ({ sold, price, chargedBefore, chargedAfter }: Sums) => ({
  sold,
  price,
  charged_before: chargedBefore,
  charged_after: chargedAfter,
});

const total = (effects: readonly Effect[]): Sums =>
  effects.reduce<Sums>(
    (sum, one) => ({
      sold: sum.sold + one.sold,
      price: sum.price + one.price,
      chargedBefore: sum.chargedBefore + one.chargedBefore,
      chargedAfter: sum.chargedAfter + one.chargedAfter,
    }),
    { sold: 0, price: 0, chargedBefore: 0, chargedAfter: 0 },
  );

const differenceOf = ({ chargedBefore, chargedAfter }: Effect): number =>
  Math.abs(chargedAfter - chargedBefore);

export const previewToWire = (
  { diff, from }: Pick<VersionPreview, 'diff' | 'from'>,
  problems: readonly FileProblem[],
  {
    effects,
    version,
    locale,
  }: { readonly effects: readonly Effect[]; readonly version: string; readonly locale: Locale },
): Static<typeof PreviewSchema> => ({
  ...countsOf(diff),
  valid_from: formatTime(from),
  problems: problems
    .slice(0, mostShown)
    .map(({ line, message }) => ({ line, message: message[locale] })),
  diff: [
    ...diff.added.map((terms) => ({
      kind: 'added' as const,
      before: null,
      after: entryToWire(terms),
    })),
    ...diff.changed.map(({ before, after }) => ({
      kind: 'changed' as const,
      before: entryToWire(before),
      after: entryToWire(after),
    })),
    ...diff.removed.map((terms) => ({
      kind: 'removed' as const,
      before: entryToWire(terms),
      after: null,
    })),
  ].slice(0, mostShown),
  last_days: sumsToWire(total(effects)),
  clients: effects
    .toSorted((one, other) => differenceOf(other) - differenceOf(one))
    .slice(0, mostShown)
    .map((one) => ({ client_id: one.clientId, ...sumsToWire(one) })),
  version,
});
