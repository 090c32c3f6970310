/** Caches compressed pages: each is compressed on first use, one at a time, within a limit. */
import { boundedCache } from '../../lib/bounded-cache.ts';
import {
  type CompressedStart,
  createCompressor,
  type Encoding,
} from '../../lib/http/compression.ts';

/** What can be compressed: the beginning of an answer, and a unique key. */
export type Compressible = { readonly key: string; readonly data: () => Buffer };

export type CompressedPages = {
  /** A page in an encoding, if it is cached. */
  readonly find: (page: Compressible, encoding: Encoding) => CompressedStart | undefined;
  /**
   * Compresses a new page, unless another one is being compressed: a burst of pages must not take the memory
   * and threads of as many compressions. A skipped page is compressed at its next request.
   */
  readonly prepare: (page: Compressible, encoding: Encoding) => Promise<void>;
};

// Some eight pages of 100 products. Compressing a whole catalogue would take as much memory as storing it.
const mostPacked = 1024 * 1024;
// An empty page would grow, and a single product saves little.
const worthwhile = 0.75;
// For each encoding some 500 pages of 100 products, which compress to a twentieth.
const keptBytes = 4 * 1024 * 1024;

type Kept = { readonly packed: CompressedStart | undefined };
const asItIs: Kept = { packed: undefined };

export const createCompressedPages = (): CompressedPages => {
  const kept = {
    br: boundedCache<Kept>(keptBytes),
    gzip: boundedCache<Kept>(keptBytes),
  } as const satisfies Record<Encoding, unknown>;
  const pack = createCompressor();
  let isBusy = false;

  const judge = async (data: Buffer, encoding: Encoding): Promise<Kept> => {
    if (data.length > mostPacked) return asItIs;
    // Without memory for it, the answer is still correct.
    const packed = await pack(data, encoding).catch(() => undefined);
    return packed === undefined || packed.start.length > worthwhile * data.length
      ? asItIs
      : { packed };
  };

  return {
    find: ({ key }, encoding) => kept[encoding].get(key)?.packed,
    prepare: async ({ key, data }, encoding) => {
      if (isBusy || kept[encoding].get(key) !== undefined) return;
      isBusy = true;
      try {
        const judged = await judge(data(), encoding);
        const weight = (judged.packed?.start.length ?? 0) + 2 * key.length + 1024;
        kept[encoding].set(key, judged, weight);
      } finally {
        isBusy = false;
      }
    },
  };
};
