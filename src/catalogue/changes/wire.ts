/** Defines the wire format of changes: `updated_since`, removals and the next cursor. */

import { Type } from 'typebox';
import { readTimeField } from '../../lib/http/query.ts';
import { formatMicros, readQueryMicros } from '../../lib/time.ts';
import type { ChangedSpan } from './changes.ts';

export const RemovalSchema = Type.Object(
  {
    id: Type.Integer({ description: "The product's id.", examples: [101] }),
    removed_at: Type.String({ format: 'date-time', description: 'When it left the list.' }),
  },
  { description: 'A product that is not in the list any more.' },
);

/** What an answer has besides where `updated_since` is sent. */
export const changeSchemas = {
  removed: Type.Optional(
    Type.Array(RemovalSchema, {
      description:
        'With `updated_since` only: what to drop from a copy. On the list these are products that were removed; on the filter also those that changed and do not fit it, whether or not they did before.',
    }),
  ),
  next_updated_since: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'With `updated_since` only: the value to send the next time. At once where `links.next` is not null, for the rest of the changes.',
    }),
  ),
} as const;

export const sinceText =
  'Only products that were changed at this moment or later, the longest ago first; `order` and `type_order` do not count then. A date, which means its beginning in UTC, or a date and time: at first `1970-01-01`, then the `next_updated_since` of each answer.';

/** Epoch microseconds, or throws what is wrong. */
export const readSince = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : readTimeField('updated_since', text, readQueryMicros);

/** How it goes on after `meta`. */
export const changeFields = ({ removed, next }: ChangedSpan): string => {
  const rows = removed.map(({ id, removedAt }) => ({ id, removed_at: formatMicros(removedAt) }));
  return `,"removed":${JSON.stringify(rows)},"next_updated_since":"${formatMicros(next)}"`;
};
