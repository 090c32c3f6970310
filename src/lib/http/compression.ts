/** Compresses the start of an answer once, and appends each tail uncompressed. */
import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliCompress,
  constants,
  crc32,
  createDeflateRaw,
  type DeflateRaw,
} from 'node:zlib';

export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** A compressed start; `end` returns the bytes that complete it with a tail. */
export type CompressedStart = {
  readonly start: Buffer;
  readonly end: (rest: string) => Buffer;
};

const toBrotli = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);

// Most starts take one or two of these, while the usual 16 KB would stay half empty.
const chunkSize = 4096;

/** In their own buffers: a slice of Node's pool, or of a chunk, would keep all of it alive. */
const together = (...pieces: readonly Buffer[]): Buffer => {
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  let length = 0;
  for (const piece of pieces) length += piece.copy(bytes, length);
  return bytes;
};

// Both formats take this many uncompressed bytes in one block.
const mostAsTheyAre = 65_535;

const inPieces = (bytes: Buffer): Buffer[] => {
  const count = Math.max(1, Math.ceil(bytes.length / mostAsTheyAre));
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * mostAsTheyAre, (index + 1) * mostAsTheyAre),
  );
};

// RFC 1952: deflate, no flags, no time, no system.
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** RFC 1951, 3.2.4: an uncompressed block. */
const storedBlock = (piece: Buffer, isLast: boolean): Buffer => {
  const block = Buffer.alloc(5 + piece.length);
  block.writeUInt8(isLast ? 1 : 0, 0);
  block.writeUInt16LE(piece.length, 1);
  block.writeUInt16LE(~piece.length & 0xffff, 3);
  piece.copy(block, 5);
  return block;
};

/** Flushed and not finished, it ends at a whole byte, and blocks may follow. */
const deflate = (stream: DeflateRaw, bytes: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const take = (chunk: Buffer): void => void chunks.push(chunk);
    stream.on('data', take).once('error', reject);
    stream.write(bytes);
    stream.flush(constants.Z_SYNC_FLUSH, () => {
      stream.off('data', take).off('error', reject).reset();
      resolve(Buffer.concat(chunks));
    });
  });

const packGzip = async (stream: DeflateRaw, beginning: Buffer): Promise<CompressedStart> => {
  const packed = await deflate(stream, beginning);
  const sum = crc32(beginning);
  // The compressed bytes must not keep the original in memory.
  const { length } = beginning;
  return {
    start: together(gzipHeader, packed),
    end: (rest) => {
      const bytes = Buffer.from(rest);
      const pieces = inPieces(bytes);
      const blocks = pieces.map((piece, index) => storedBlock(piece, index === pieces.length - 1));
      const trailer = Buffer.alloc(8);
      trailer.writeUInt32LE(crc32(bytes, sum), 0);
      trailer.writeUInt32LE((length + bytes.length) % 2 ** 32, 4);
      return Buffer.concat([...blocks, trailer]);
    },
  };
};

// RFC 7932, 9.2: the last meta-block, and empty.
const brotliEnd = Buffer.from([3]);

/** RFC 7932, 9.2: not the last, a length of four nibbles, not compressed. */
const uncompressedBlock = (piece: Buffer): Buffer => {
  if (piece.length === 0) return piece;
  const header = Buffer.alloc(3);
  header.writeUIntLE((1 << 19) | ((piece.length - 1) << 3), 0, 3);
  return Buffer.concat([header, piece]);
};

// The highest level takes a hundred times as long for a fifth less.
const brotliQuality = 5;
// A window of 64 KB: twice that makes a page of 100 products 3 % smaller, and takes more memory.
const brotliWindowBits = 16;

const packBrotli = async (beginning: Buffer): Promise<CompressedStart> => {
  const packed = await toBrotli(beginning, {
    finishFlush: constants.BROTLI_OPERATION_FLUSH,
    chunkSize,
    params: {
      [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
      [constants.BROTLI_PARAM_LGWIN]: brotliWindowBits,
      [constants.BROTLI_PARAM_SIZE_HINT]: beginning.length,
    },
  });
  return {
    start: together(packed),
    end: (rest) =>
      Buffer.concat([...inPieces(Buffer.from(rest)).map(uncompressedBlock), brotliEnd]),
  };
};

/** Compresses one start after another, never two at once. */
export type Compressor = (beginning: Buffer, encoding: Encoding) => Promise<CompressedStart>;

export const createCompressor = (): Compressor => {
  // Shared by all: one for each would leave more behind than the pages take.
  let stream: DeflateRaw | undefined;
  return (beginning, encoding) => {
    // Brotli's reset would forget its quality setting.
    if (encoding === 'br') return packBrotli(beginning);
    if (stream === undefined || stream.destroyed) stream = createDeflateRaw({ chunkSize });
    return packGzip(stream, beginning);
  };
};

/**
 * A client's preferred encoding of ours, by its Accept-Encoding; brotli if it likes both. Undefined if it
 * names none of them, or prefers a plain answer.
 */
export const encodingFor = (accepted: string | undefined): Encoding | undefined => {
  if (accepted === undefined || accepted === 'identity') return undefined;
  const weights = new Map(
    accepted.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, weight === undefined ? 1 : Number(weight.slice(2))] as const;
    }),
  );
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const plain = weights.get('identity') ?? 0;
  return encodings
    .filter((encoding) => weightOf(encoding) > 0 && weightOf(encoding) >= plain)
    .toSorted((one, other) => weightOf(other) - weightOf(one))[0];
};
