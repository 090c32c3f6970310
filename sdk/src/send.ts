/** Sends requests, and retries them until there is a final answer. */
import { isErrorBody, SimgateError, UnfinishedError } from './errors.ts';

export type Settings = {
  /** Where the gateway is, as `https://gateway.example`. */
  readonly url: string;
  readonly token: string;
  /** How long one answer may take before it is asked for again, in milliseconds. */
  readonly timeoutMs: number;
  /** How long a request is repeated before it is given up, in milliseconds. */
  readonly patienceMs: number;
  readonly fetch: typeof fetch;
  /** Waits, or rejects where the signal says so. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Milliseconds that never go back. */
  readonly now: () => number;
  /** From 0 to below 1, so that many clients do not come again at one moment. */
  readonly random: () => number;
};

export type Outgoing = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly json?: unknown;
  /** Of a purchase: by it a repeat is known. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Gives up when it says so. */
  readonly signal?: AbortSignal | undefined;
};

export type Incoming = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
};

const firstPauseMs = 200;
const longestPauseMs = 10_000;

const queryOf = (query: Outgoing['query'] = {}): string => {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${String(new URLSearchParams(given))}`;
};

/** One exchange. It rejects where no whole answer came. */
const exchange = async (settings: Settings, request: Outgoing): Promise<Incoming> => {
  const { method, path, query, json, key, headers, signal } = request;
  const timeout = AbortSignal.timeout(settings.timeoutMs);
  const response = await settings.fetch(settings.url + path + queryOf(query), {
    method,
    // The answer is ours to judge: elsewhere a token has no business.
    redirect: 'error',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    headers: {
      authorization: `Bearer ${settings.token}`,
      accept: 'application/json',
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...headers,
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

type Judgement =
  | { readonly kind: 'final'; readonly answer: Incoming }
  | { readonly kind: 'no'; readonly error: SimgateError }
  | { readonly kind: 'again'; readonly cause: unknown; readonly afterMs: number };

const retryAfterMs = (headers: Headers): number => {
  const text = headers.get('retry-after') ?? '';
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now());
};

const isSuccess = (status: number): boolean => status >= 200 && status < 300 && status !== 202;

/** A page that says "welcome" under 200 has sold nothing: a sale names its purchase. */
const isOurs = ({ headers, text }: Incoming, { key }: Outgoing): boolean =>
  parsed(text) !== undefined && (key === undefined || headers.has('purchase-id'));

const judge = (answer: Incoming, request: Outgoing): Judgement => {
  const { status, headers, text } = answer;
  if (isSuccess(status) && isOurs(answer, request)) return { kind: 'final', answer };
  const body = parsed(text);
  const afterMs = retryAfterMs(headers);
  if (!isErrorBody(body)) {
    const cause = new Error(`The answer is not the gateway's: HTTP ${status}.`);
    // What stands before the gateway may say so while the gateway is away.
    const passing = status < 300 || status >= 500 || status === 408 || status === 429;
    if (passing) return { kind: 'again', cause, afterMs };
    throw request.key === undefined ? cause : unfinished(cause, request.key);
  }
  const error = new SimgateError(status, body);
  // What is not allowed is for a person to see, also where it passes with the day.
  return body.retry === 'same_key' && status !== 403
    ? { kind: 'again', cause: error, afterMs }
    : { kind: 'no', error };
};

const tryOnce = async (settings: Settings, request: Outgoing): Promise<Judgement> => {
  let answer: Incoming;
  try {
    answer = await exchange(settings, request);
  } catch (cause) {
    if (request.signal?.aborted === true) throw endedBy(cause, request);
    return { kind: 'again', cause, afterMs: 0 };
  }
  return judge(answer, request);
};

const unfinished = (cause: unknown, key: string | undefined): UnfinishedError => {
  const why = cause instanceof Error ? cause.message : 'There was no answer.';
  const message =
    key === undefined
      ? `No final answer in time. ${why}`
      : `No final answer in time: it is not known whether this was bought. Buy again with the same fields and the key ${key} to find out. ${why}`;
  return new UnfinishedError({ message, key, cause });
};

/** The caller has ended it. What became of a purchase is then as unknown as after a lost answer. */
const endedBy = (cause: unknown, { key }: Outgoing): unknown =>
  key === undefined ? cause : unfinished(cause, key);

/** Sends until there is a final answer, with the same key each time; throws where that is no, or none came. */
export const send = async (settings: Settings, request: Outgoing): Promise<Incoming> => {
  const until = settings.now() + settings.patienceMs;
  for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
    const judgement = await tryOnce(settings, request);
    if (judgement.kind === 'final') return judgement.answer;
    if (judgement.kind === 'no') throw judgement.error;
    const ms = Math.max(judgement.afterMs, pause * (0.5 + settings.random() / 2));
    if (settings.now() + ms > until) throw unfinished(judgement.cause, request.key);
    try {
      await settings.wait(ms, request.signal);
    } catch (cause) {
      throw endedBy(cause, request);
    }
  }
};
