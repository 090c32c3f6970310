/** Caches finished pages: the whole answer except the balance. */
import { hash } from 'node:crypto';
import { type BoundedCache, boundedCache } from '../../lib/bounded-cache.ts';
import type { Encoding } from '../../lib/http/compression.ts';
import type { PageAddress } from '../../lib/page.ts';
import type { Snapshot } from '../snapshot.ts';
import { type CompressedPages, type Compressible, createCompressedPages } from './compressed.ts';

/** An answer without the balance, which comes after `tail` and before the last brace. */
export type Page = Compressible & {
  readonly version: string;
  readonly address: PageAddress;
  readonly tail: string;
};

/** An answer as it is sent. */
export type SentPage = {
  readonly parts: readonly (string | Buffer)[];
  readonly etag: string;
  /** Undefined if it is uncompressed. */
  readonly encoding: Encoding | undefined;
};

/** The headers of every page: revalidate each time, and vary by encoding. */
export const pageHeaders = {
  'cache-control': 'private, no-cache',
  vary: 'accept-encoding',
} as const;

/** Everything of one page counts, including the balance: the same tag means the same bytes. */
const etagOf = ({ version, address: { path, query } }: Page, balance: number): string =>
  `"${hash('sha1', JSON.stringify([version, path, query, balance]), 'base64url')}"`;

/** Other bytes, another tag. */
const packedEtag = (etag: string, encoding: Encoding): string =>
  `${etag.slice(0, -1)}-${encoding}"`;

/** The tags under which a client that accepts an encoding may know a page. */
export const etagsOf = (page: Page, balance: number, encoding: Encoding | undefined): string[] => {
  const etag = etagOf(page, balance);
  return encoding === undefined ? [etag] : [etag, packedEtag(etag, encoding)];
};

type End = { readonly tail: string; readonly etag: string };

const endOf = (page: Page, balance: number): End => ({
  tail: `${page.tail}${balance}}`,
  etag: etagOf(page, balance),
});

const asItIs = (page: Page, { tail, etag }: End): SentPage => ({
  parts: [page.data(), tail],
  etag,
  encoding: undefined,
});

/** Compressed if that is cached, otherwise plain. */
const sentPage = (
  packing: CompressedPages,
  page: Page,
  end: End,
  encoding: Encoding | undefined,
): SentPage => {
  const packed = encoding === undefined ? undefined : packing.find(page, encoding);
  if (encoding === undefined || packed === undefined) return asItIs(page, end);
  const parts = [packed.start, packed.end(end.tail)];
  return { parts, etag: packedEtag(end.etag, encoding), encoding };
};

/** All that distinguishes page requests: the addresses, and the body as Latin-1. */
export type Asked = { readonly base: string; readonly url: string; readonly body: string };

export type PageCache = {
  /**
   * The answer of the current catalogue, if the same was requested before. It never waits: a page that is not
   * compressed yet is sent plain, and is compressed for the next request.
   */
  readonly find: (
    asked: Asked,
  ) => ((balance: number, encoding: Encoding | undefined) => SentPage) | undefined;
  /** Remembers the page of a valid request. */
  readonly remember: (asked: Asked, page: Page) => void;
  /** The answer of a page, which is compressed first unless another one is being compressed. */
  readonly answer: (
    page: Page,
    balance: number,
    encoding: Encoding | undefined,
  ) => Promise<SentPage>;
};

// Some thousand addresses; the rendered products have the catalogue's own limits.
const keptBytes = 8 * 1024 * 1024;

// An address contains no spaces.
const keyOf = ({ base, url, body }: Asked): string => `${base} ${url} ${body}`;

type Kept = { readonly page: Page; balance: number; end: End };

export const createPageCache = (catalogue: () => Snapshot): PageCache => {
  const packing = createCompressedPages();
  // They are dropped with their catalogue.
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
      return (balance, encoding) => {
        // Mostly nothing was bought in between.
        if (found.balance !== balance) {
          found.balance = balance;
          found.end = endOf(found.page, balance);
        }
        const sent = sentPage(packing, found.page, found.end, encoding);
        if (encoding !== undefined && sent.encoding === undefined) {
          void packing.prepare(found.page, encoding);
        }
        return sent;
      };
    },
    remember: (asked, page) => {
      const key = keyOf(asked);
      const weight = 2 * (2 * key.length + page.key.length + page.tail.length) + 1024;
      keptNow().set(key, { page, balance: 0, end: endOf(page, 0) }, weight);
    },
    answer: async (page, balance, encoding) => {
      if (encoding !== undefined) await packing.prepare(page, encoding);
      return sentPage(packing, page, endOf(page, balance), encoding);
    },
  };
};
