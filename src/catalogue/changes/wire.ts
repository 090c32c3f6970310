/** Defines the wire format of changes: `updated_since`, removals and the next cursor. */

import { Type } from 'typebox';
import { readTimeField } from '../../lib/http/query.ts';
import { formatMicros, readQueryMicros } from '../../lib/time.ts';
import type { ChangedSpan } from './changes.ts';

export const RemovalSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The ID of the product.', examples: [101] }),
    removed_at: Type.String({ format: 'date-time', description: 'When it was removed.' }),
  },
  { title: 'RemovedProduct', description: 'A product that is no longer in the list.' },
);

/** The extra fields of an answer to `updated_since`. */
export const changeSchemas = {
  removed: Type.Optional(
    Type.Array(RemovalSchema, {
      description:
        'Only with `updated_since`: the products to delete from your copy. In the list, those that were removed. In a filter, also those that changed and do not match it.',
    }),
  ),
  next_updated_since: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'Only with `updated_since`: the value for your next request. Send it at once if `links.next` is not null: there are more changes.',
    }),
  ),
} as const;

export const sinceText =
  'Return only products that changed at or after this time, oldest change first; `order` and `type_order` are ignored. A date (00:00 UTC), or a date and time. Begin with `1970-01-01`, then send the `next_updated_since` of each response.';

/** Epoch microseconds, or throws an error about the value. */
export const readSince = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : readTimeField('updated_since', text, readQueryMicros);

/** The fields after `meta`. */
export const changeFields = ({ removed, next }: ChangedSpan): string => {
  const rows = removed.map(({ id, removedAt }) => ({ id, removed_at: formatMicros(removedAt) }));
  return `,"removed":${JSON.stringify(rows)},"next_updated_since":"${formatMicros(next)}"`;
};
