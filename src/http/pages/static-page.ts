/** Serves static pages: each is rendered and compressed once, with an ETag. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Encoding, encodingFor, encodings } from '../../lib/http/compression.ts';

type Make = () => Promise<Buffer> | Buffer;

export type StaticPage = {
  readonly type: string;
  readonly make: Make;
  /** The encodings in which it was built; otherwise it is compressed here. */
  readonly built?: ReadonlyMap<Encoding, Make>;
  readonly headers?: Readonly<Record<string, string>>;
};

const pieceBytes = 65_536;

type Form = { readonly bytes: Buffer; readonly etag: string };

// The highest level takes seconds for a large script.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** In another thread. */
const compress: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, brotliOptions),
  gzip: promisify(gzip),
};

const formOf = (bytes: Buffer): Form => ({
  bytes,
  etag: `"${createHash('sha1').update(bytes).digest('base64url')}"`,
});

/** Runs once, and again only after a failure. */
const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
};

const knows = ({ headers }: FastifyRequest, etag: string): boolean =>
  (headers['if-none-match'] ?? '')
    .split(',')
    .some((one) => one.trim().replace(/^W\//, '') === etag);

/** The page in each encoding, created on first use. */
const formsOf = ({ make, built }: StaticPage) => {
  const plain = once(async () => formOf(await make()));
  const compressed = (encoding: Encoding) => async (): Promise<Buffer> =>
    compress[encoding]((await plain()).bytes);
  const given = built ?? new Map(encodings.map((one) => [one, compressed(one)] as const));
  const others = new Map(
    [...given].map(([encoding, bytes]) => [encoding, once(async () => formOf(await bytes()))]),
  );
  return { plain, others };
};

/** Splits bytes without copying them. */
function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += pieceBytes)
    yield bytes.subarray(from, from + pieceBytes);
}

/** Creates a handler that sends a page in the caller's preferred encoding, or 304 if it has it already. */
export const sendStatic = (page: StaticPage) => {
  const { plain, others } = formsOf(page);
  const vary = others.size === 0 ? {} : { vary: 'accept-encoding' };
  const common = { ...vary, 'cache-control': 'private, no-cache', ...page.headers };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const wanted = encodingFor(request.headers['accept-encoding']);
    const other = wanted === undefined ? undefined : others.get(wanted);
    const { bytes, etag } = await (other ?? plain)();
    // A 304 in place of an error would hide its status, and with it a browser's password prompt.
    if (reply.statusCode === 200) {
      void reply.headers({ ...common, etag });
      if (knows(request, etag)) return reply.code(304).send();
    } else void reply.headers(page.headers ?? {});
    if (wanted !== undefined && other !== undefined) void reply.header('content-encoding', wanted);
    void reply.type(page.type).header('content-length', bytes.length);
    // In chunks of one buffer, so that callers who do not read take no memory.
    return reply.send(Readable.from(piecesOf(bytes)));
  };
};

export type ApiTexts = {
  /** The page of an API document; it can be built once the server is ready. */
  readonly page: (describe: () => unknown) => StaticPage;
  /** Builds all of them now: that takes too long beside purchases. */
  readonly make: () => void;
};

/** The API documents, each built once. */
export const createApiTexts = (): ApiTexts => {
  const all: (() => Buffer)[] = [];
  return {
    page: (describe) => {
      let text: Buffer | undefined;
      const make = (): Buffer => (text ??= Buffer.from(JSON.stringify(describe())));
      all.push(make);
      return { type: 'application/json; charset=utf-8', make };
    },
    make: () => {
      for (const make of all) make();
    },
  };
};
