/** Owns the pages that were asked for before: all of an answer but the balance, ready to be sent. */
import { hash } from 'node:crypto';
import { type BoundedCache, boundedCache } from '../lib/bounded-cache.ts';
import type { PageAddress } from '../lib/page.ts';
import type { Snapshot } from './snapshot.ts';

/** An answer but for the balance, which comes after `tail` and before the last brace. */
export type Page = {
  readonly version: string;
  readonly address: PageAddress;
  readonly data: () => Buffer;
  readonly tail: string;
};

export type PageAnswer = {
  readonly head: string;
  readonly data: Buffer;
  readonly tail: string;
  readonly etag: string;
};

const head = '{"data":';

/** Everything of one page counts, and the balance too: whoever has this tag has these bytes. */
const etagOf = ({ version, address: { path, query } }: Page, balance: number): string =>
  `"${hash('sha1', JSON.stringify([version, path, query, balance]), 'base64url')}"`;

type End = { readonly tail: string; readonly etag: string };

const endOf = (page: Page, balance: number): End => ({
  tail: `${page.tail}${balance}}`,
  etag: etagOf(page, balance),
});

export const pageAnswer = (page: Page, balance: number): PageAnswer => ({
  head,
  data: page.data(),
  ...endOf(page, balance),
});

/** All by which a request for a page differs from another: its addresses, and its body as Latin-1. */
export type Asked = { readonly base: string; readonly url: string; readonly body: string };

export type Pages = {
  /** The answer of the catalogue as it is now, where just this was asked for before. */
  readonly find: (asked: Asked) => ((balance: number) => PageAnswer) | undefined;
  /** Remembers what a request that was found right leads to. */
  readonly remember: (asked: Asked, page: Page) => void;
};

// Some thousand addresses; the rendered products are in the catalogue's own bounds.
const keptBytes = 8 * 1024 * 1024;

// An address has no blanks.
const keyOf = ({ base, url, body }: Asked): string => `${base} ${url} ${body}`;

type Kept = { readonly page: Page; balance: number; end: End };

export const createPages = (catalogue: () => Snapshot): Pages => {
  // They go with the catalogue that they are of.
  const bySnapshot = new WeakMap<Snapshot, BoundedCache<Kept>>();
  const keptNow = (): BoundedCache<Kept> => {
    const snapshot = catalogue();
    const kept = bySnapshot.get(snapshot) ?? boundedCache<Kept>(keptBytes);
    bySnapshot.set(snapshot, kept);
    return kept;
  };
  return {
    find: (asked) => {
      const found = keptNow().get(keyOf(asked));
      if (found === undefined) return undefined;
      return (balance) => {
        // Most of the time nothing was bought in between.
        if (found.balance !== balance) {
          found.balance = balance;
          found.end = endOf(found.page, balance);
        }
        return { head, data: found.page.data(), ...found.end };
      };
    },
    remember: (asked, page) => {
      const key = keyOf(asked);
      const weight = 2 * (2 * key.length + page.tail.length) + 1024;
      keptNow().set(key, { page, balance: 0, end: endOf(page, 0) }, weight);
    },
  };
};
