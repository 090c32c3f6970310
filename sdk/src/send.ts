/** Sends requests, and retries them until there is a final answer. */
import { isErrorBody, SimgateError, UnfinishedError, UnreachableError } from './errors.ts';
import { failureOf, reasonOf } from './failures.ts';

/** An attempt that is repeated after a pause. */
export type Retry = {
  /** The number of the attempt that failed, from 1. */
  readonly attempt: number;
  /** Why it failed: a `SimgateError`, or what `fetch` rejected with. */
  readonly cause: unknown;
  /** How long the library waits before the next attempt. */
  readonly waitMs: number;
  /** The idempotency key of the purchase; undefined for other requests. */
  readonly key: string | undefined;
};

export type Settings = {
  /** The address of the gateway, without a slash at its end. */
  readonly url: string;
  readonly token: string;
  readonly userAgent: string;
  readonly timeoutMs: number;
  readonly retryPurchasesForMs: number;
  readonly retryReadsForMs: number;
  readonly onRetry: (retry: Retry) => void;
  readonly fetch: typeof fetch;
  /** Waits, or rejects when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Milliseconds that never go back. */
  readonly now: () => number;
  /** From 0 to below 1, so that many clients do not retry at one moment. */
  readonly random: () => number;
};

export type Outgoing = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly json?: unknown;
  /** The idempotency key of a purchase. */
  readonly key?: string;
  /** A change that must not be made twice, and has no key: it is retried only if it was certainly not made. */
  readonly once?: true;
  readonly signal?: AbortSignal | undefined;
};

export type Incoming = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
};

export type Send = (request: Outgoing) => Promise<Incoming>;

const firstPauseMs = 200;
const longestPauseMs = 10_000;

const queryOf = (query: Outgoing['query'] = {}): string => {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${String(new URLSearchParams(given))}`;
};

/** One exchange. It rejects if there is no whole answer. */
const exchange = async (
  settings: Settings,
  { method, path, query, json, key, signal }: Outgoing,
  timeoutMs: number,
): Promise<Incoming> => {
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await settings.fetch(settings.url + path + queryOf(query), {
    method,
    // The token must not go elsewhere.
    redirect: 'manual',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    headers: {
      authorization: `Bearer ${settings.token}`,
      accept: 'application/json',
      'user-agent': settings.userAgent,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
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

type Failed = {
  readonly kind: 'failed';
  readonly cause: unknown;
  /** What the request did: nothing, as it was not sent; nothing, as the gateway says; or that is unknown. */
  readonly effect: 'unsent' | 'none' | 'unknown';
  readonly isPassing: boolean;
  readonly afterMs: number;
};

type Judgement =
  | { readonly kind: 'final'; readonly answer: Incoming }
  | { readonly kind: 'refused'; readonly error: SimgateError }
  | Failed;

const retryAfterMs = (headers: Headers): number => {
  const text = headers.get('retry-after') ?? '';
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now());
};

/** 202 is final for all but purchases. A page that says "welcome" under 200 has sold nothing: a sale has an ID. */
const isFinal = ({ status, headers, text }: Incoming, { key }: Outgoing): boolean => {
  if (status < 200 || status >= 300) return false;
  if (key === undefined) return status === 204 || parsed(text) !== undefined;
  return status !== 202 && headers.has('purchase-id') && parsed(text) !== undefined;
};

/** The answer of something else: a proxy, or another server at this address. */
const judgeForeign = ({ status, headers }: Incoming): Failed => {
  const target = headers.get('location');
  const advice = target === null ? '' : ` It redirects to ${target}: is that the URL to use?`;
  return {
    kind: 'failed',
    cause: new Error(`The answer is not the gateway's: HTTP ${status}.${advice}`),
    effect: 'unknown',
    // What a proxy may answer while the gateway restarts.
    isPassing: status < 300 || status >= 500 || status === 408 || status === 429,
    afterMs: retryAfterMs(headers),
  };
};

const judge = (answer: Incoming, request: Outgoing): Judgement => {
  if (isFinal(answer, request)) return { kind: 'final', answer };
  const { status, headers } = answer;
  const body = parsed(answer.text);
  if (!isErrorBody(body)) return judgeForeign(answer);
  const error = new SimgateError(status, body);
  // A forbidden request is for a person to fix, even if it passes with the day.
  if (body.retry !== 'same_key' || status === 403) return { kind: 'refused', error };
  return {
    kind: 'failed',
    cause: error,
    effect: status === 429 || status === 503 ? 'none' : 'unknown',
    isPassing: true,
    afterMs: retryAfterMs(headers),
  };
};

const judgeFailure = (cause: unknown, hasAnswered: boolean): Failed => {
  const failure = failureOf(cause);
  return {
    kind: 'failed',
    cause,
    effect: failure === 'lost' ? 'unknown' : 'unsent',
    // The name of a container is gone while it restarts; one that never resolved is misspelt.
    isPassing: failure === 'unresolved' ? hasAnswered : failure !== 'untrusted',
    afterMs: 0,
  };
};

const unfinished = (cause: unknown, { key, once }: Outgoing): UnfinishedError => {
  const reason = reasonOf(cause);
  if (key !== undefined) {
    const message = `There was no final answer: it is not known whether this was bought. Buy again with the same fields and the key ${key} to find out. ${reason}`;
    return new UnfinishedError({ message, key, cause });
  }
  const unknown = once === true ? ' It is not known whether the change was made.' : '';
  return new UnfinishedError({ message: `There was no answer.${unknown} ${reason}`, cause });
};

/** What a call rejects with after its last attempt. */
const finalError = ({ cause }: Failed, request: Outgoing, wasSent: boolean): unknown => {
  const { key } = request;
  if (!wasSent) {
    const message = `The gateway could not be reached, and nothing was sent. ${reasonOf(cause)}`;
    return new UnreachableError({ message, key, cause });
  }
  return key === undefined && cause instanceof SimgateError ? cause : unfinished(cause, request);
};

/** The caller has ended it. The outcome of a purchase is then as unknown as after a lost answer. */
const endedBy = (cause: unknown, request: Outgoing): unknown =>
  request.key === undefined ? cause : unfinished(cause, request);

/** A log that fails must not end a purchase. */
const report = ({ onRetry }: Settings, retry: Retry): void => {
  try {
    onRetry(retry);
  } catch {
    // As documented.
  }
};

/** Sends until there is a final answer, with the same key each time; throws if that is a refusal, or if none comes. */
export const createSend = (settings: Settings): Send => {
  let hasAnswered = false;

  const attemptOnce = async (request: Outgoing, timeoutMs: number): Promise<Judgement> => {
    try {
      const answer = await exchange(settings, request, timeoutMs);
      hasAnswered = true;
      return judge(answer, request);
    } catch (cause) {
      if (request.signal?.aborted === true) throw endedBy(cause, request);
      return judgeFailure(cause, hasAnswered);
    }
  };

  return async (request) => {
    const { key, once, signal } = request;
    const { timeoutMs, retryPurchasesForMs, retryReadsForMs, now } = settings;
    const until = now() + (key === undefined ? retryReadsForMs : retryPurchasesForMs);
    let wasSent = false;
    for (let attempt = 1, pauseMs = firstPauseMs; ; attempt += 1) {
      // A purchase that was sent late still gets its time: its answer is worth more than the limit.
      const leftMs = key === undefined ? Math.max(1, Math.ceil(until - now())) : timeoutMs;
      const judgement = await attemptOnce(request, Math.min(timeoutMs, leftMs));
      if (judgement.kind === 'final') return judgement.answer;
      if (judgement.kind === 'refused') throw judgement.error;
      const { cause, effect, isPassing, afterMs } = judgement;
      wasSent ||= effect !== 'unsent';
      const waitMs = Math.max(afterMs, pauseMs * (0.5 + settings.random() / 2));
      const isRepeatable = isPassing && (once !== true || effect !== 'unknown');
      if (!isRepeatable || now() + waitMs > until) throw finalError(judgement, request, wasSent);
      report(settings, { attempt, cause, waitMs, key });
      pauseMs = Math.min(2 * pauseMs, longestPauseMs);
      try {
        await settings.wait(waitMs, signal);
      } catch (cause) {
        throw endedBy(cause, request);
      }
    }
  };
};
