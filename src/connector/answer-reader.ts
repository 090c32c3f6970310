/** Reads an operator's HTTP answer: limited in size, uncompressed, valid UTF-8. */
import type { Unknown } from './cause.ts';

/**
 * An answer that arrived, with any status. If the operator did not send its length, a truncated one looks
 * complete: parse it with a parser that notices.
 */
export type WireAnswer = {
  readonly kind: 'answer';
  readonly status: number;
  /** Without its parameters, in lower case; empty if there is none. */
  readonly contentType: string;
  readonly text: string;
};

/** The outcome of one request. */
export type Reply =
  | WireAnswer
  /** Proof that not a byte of the request was sent: no connection, or none was free. */
  | { readonly kind: 'not_sent'; readonly detail: string }
  /** Anything else: a reset, a timeout, an answer that is too large, truncated or unreadable. */
  | Unknown;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const headerOf = (headers: Headers, name: string): string => {
  const value = headers[name] ?? '';
  return (typeof value === 'string' ? value : value.join(', ')).trim().toLowerCase();
};

// Shared: it keeps nothing from one answer to the next.
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Collects one answer, or says why it is unusable. */
export const createReader = (answerBytes: number) => {
  const chunks: Buffer[] = [];
  let [status, contentType, bytes] = [0, '', 0];
  const tooLarge = `the answer is longer than ${answerBytes} bytes`;
  return {
    begin: (code: number, headers: Headers): string | undefined => {
      status = code;
      const type = headerOf(headers, 'content-type');
      const parameters = type.indexOf(';');
      contentType = parameters < 0 ? type : type.slice(0, parameters).trimEnd();
      // We did not ask for compression, and a small body may expand into a very large one.
      const encoding = headerOf(headers, 'content-encoding');
      if (encoding !== '' && encoding !== 'identity') return 'the answer came compressed';
      return Number(headerOf(headers, 'content-length')) > answerBytes ? tooLarge : undefined;
    },
    take: (chunk: Buffer): string | undefined => {
      bytes += chunk.length;
      if (bytes > answerBytes) return tooLarge;
      chunks.push(chunk);
      return undefined;
    },
    end: (): Reply => {
      try {
        // Nearly every answer comes in one chunk.
        const [only = Buffer.alloc(0)] = chunks;
        const text = utf8.decode(chunks.length > 1 ? Buffer.concat(chunks) : only);
        return { kind: 'answer', status, contentType, text };
      } catch {
        return { kind: 'unknown', detail: 'the answer is not UTF-8' };
      }
    },
  };
};
