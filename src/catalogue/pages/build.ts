/** Builds a page of the product list, or of its changes. */
import {
  type PageAddress,
  type PageRequest,
  type Paging,
  pageBounds,
  pageLinks,
  pageMeta,
  urlWith,
} from '../../lib/page.ts';
import { formatMicros } from '../../lib/time.ts';
import { changeFields } from '../changes/wire.ts';
import type { ListingQuery } from '../filter.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Page } from './cache.ts';

export type PageSpec = {
  readonly query: ListingQuery;
  readonly paging: PageRequest | 'all';
  readonly address: PageAddress;
};

/** Only what changed since a moment, in epoch microseconds. */
export type ChangesSpec = PageSpec & {
  readonly since: number;
  /** Whether it comes from the address, and not from a body: then the next page's address can carry it. */
  readonly isInAddress: boolean;
};

const pagingOf = (asked: PageSpec['paging'], total: number): Paging =>
  asked === 'all' ? { total, page: 1, perPage: Math.max(total, 1) } : { total, ...asked };

const tailOf = (paging: Paging, address: PageAddress, more = ''): string => {
  const links = JSON.stringify(pageLinks(paging, address));
  const meta = JSON.stringify(pageMeta(paging, address));
  return `,"links":${links},"meta":${meta}${more},"balance":`;
};

export const buildPage = (snapshot: Snapshot, { query, paging, address }: PageSpec): Page => {
  const listing = snapshot.list(query);
  const place = pagingOf(paging, listing.total);
  const { start, end } = pageBounds(place);
  return {
    version: snapshot.version,
    key: JSON.stringify([snapshot.version, start, end, query]),
    address,
    data: () => listing.data(start, end),
    tail: tailOf(place, address),
  };
};

/**
 * The next page begins at a time, not at a number: a change or removal during reading would shift later
 * products to an earlier page, and the client would miss some.
 */
export const buildChangesPage = (snapshot: Snapshot, wanted: ChangesSpec): Page => {
  const { query, paging, address, since } = wanted;
  const changes = snapshot.changes(query, since);
  const place = pagingOf(paging, changes.total);
  const { start, end } = pageBounds(place);
  const span = changes.span(start, end);
  const next = urlWith(address, 'updated_since', formatMicros(span.next));
  return {
    version: snapshot.version,
    key: JSON.stringify([snapshot.version, start, end, query, since]),
    address,
    data: () => changes.data(start, end),
    tail: tailOf(place, wanted.isInAddress ? { ...address, next } : address, changeFields(span)),
  };
};
