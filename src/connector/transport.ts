/** Sends HTTP requests to an operator, with limits, and reports whether anything was sent. */
import { Client, type Dispatcher } from 'undici';
import type { Clock } from '../lib/clock.ts';
import { type CallContext, contextHeaders } from '../lib/http/trace.ts';
import { createReader, type Reply, type WireAnswer } from './answer-reader.ts';
import { type Unknown, unknownBecause } from './cause.ts';
import type { OrderOutcome } from './connector.ts';
import { createSlots } from './slots.ts';
import type { TransportSettings } from './transport-settings.ts';

/** Part of the transport's interface, also for connectors elsewhere. */
export type { WireAnswer } from './answer-reader.ts';

export type TransportRequest = {
  readonly method: 'GET' | 'POST';
  /** Appended to the base URL; begins with a slash, encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The request that it belongs to, sent as `X-Request-Id` and `traceparent`. */
  readonly context?: CallContext | undefined;
};

export type Transport = {
  /** Never throws, and never takes longer than `answerMs`. */
  readonly send: (request: TransportRequest) => Promise<Reply>;
  readonly close: () => Promise<void>;
};

type Wire = {
  readonly clock: Clock;
  readonly settings: TransportSettings;
};

type Outgoing = {
  readonly options: Dispatcher.DispatchOptions;
  /** By the monotonic clock: nothing is sent or waited for after it. */
  readonly until: number;
};

type Lane = { readonly client: Client; readonly released: () => void };

/** The end of one attempt; `again` if no connection could be made, so that another may. */
type Try = { readonly reply: Reply; readonly again: boolean };

const notSent = (detail: string) => ({ kind: 'not_sent', detail }) as const;
const unknown = (detail: string): Unknown => ({ kind: 'unknown', detail });

/** The code says enough, and unlike a message it never repeats what was sent. */
const nameOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.name;

// Not a connection problem, so a retry would fail too.
const hopeless: ReadonlySet<string> = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
]);

/**
 * One attempt on one connection. Whether something was sent does not depend on error types: `onRequestStart`
 * runs right before the first byte is written, so an error without it proves that nothing was sent. After it
 * every error is unknown, including a reused connection that the operator was just closing, and the request
 * is never written a second time.
 */
const tryOnce = (wire: Wire, { options, until }: Outgoing, lane: Lane): Promise<Try> => {
  const { clock, settings } = wire;
  const { client, released } = lane;
  const { promise, resolve } = Promise.withResolvers<Try>();
  const reader = createReader(settings.answerBytes);
  let running: Dispatcher.DispatchController | undefined;
  let settled = false;
  let cancelPhase = (): void => {};
  const settle = (reply: Reply, again = false): void => {
    if (settled) return;
    settled = true;
    cancelPhase();
    cancelWhole();
    resolve({ reply, again });
  };
  const giveUp = (detail: string, why = unknown(detail)): void => {
    settle(running === undefined ? notSent(detail) : why);
    running?.abort(new Error(detail));
  };
  const giveUpAfter = (ms: number, detail: string) => clock.after(ms, () => giveUp(detail));
  const timedOut = unknownBecause({ code: 'no_answer_within', values: { ms: settings.answerMs } });
  const cancelWhole = clock.after(until - clock.monotonic(), () =>
    giveUp(timedOut.detail, timedOut),
  );
  cancelPhase = giveUpAfter(settings.connectMs, `no connection within ${settings.connectMs} ms`);
  client.dispatch(options, {
    onRequestStart: (controller) => {
      // Given up while it waited; or late after the process was suspended, before the timers fired; or about
      // to be written again. None of them may be sent.
      if (clock.monotonic() >= until) giveUp(`no connection within ${settings.answerMs} ms`);
      if (settled || running !== undefined) return controller.abort(new Error('given up'));
      running = controller;
      cancelPhase();
      cancelPhase = giveUpAfter(
        settings.headersMs,
        `no answer began within ${settings.headersMs} ms`,
      );
    },
    onResponseStart: (_controller, status, headers) => {
      // Interim answers, which are not final.
      if (status < 200) return;
      cancelPhase();
      const fault = reader.begin(status, headers);
      if (fault !== undefined) giveUp(fault);
    },
    onResponseData: (_controller, chunk) => {
      const fault = reader.take(chunk);
      if (fault !== undefined) giveUp(fault);
    },
    onResponseEnd: () => {
      released();
      settle(reader.end());
    },
    onResponseError: (_controller, error) => {
      released();
      const name = nameOf(error);
      const failed = { code: 'connection_failed', values: { name: name.slice(0, 100) } } as const;
      if (running !== undefined) return settle(unknownBecause(failed));
      return settle(notSent(`not sent: ${name}`), !hopeless.has(name));
    },
  });
  return promise;
};

/**
 * A client for each slot, and one connection for each client. The library's own pool is not enough: a request
 * that it cannot write leaves it waiting forever for a connection that was never taken.
 */
const createClients = (settings: TransportSettings) => {
  const { origin } = new URL(settings.baseUrl);
  const clients = new Map<number, Client>();
  return {
    at: (place: number): Client => {
      const known = clients.get(place);
      if (known !== undefined) return known;
      const client = new Client(origin, {
        // One request at a time on a connection: a reset then affects that one alone.
        pipelining: 1,
        allowH2: false,
        connect: { timeout: settings.connectMs },
        // Both are kept by the clock, to the millisecond.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      clients.set(place, client);
      return client;
    },
    destroy: async (): Promise<void> => {
      await Promise.all([...clients.values()].map((client) => client.destroy()));
    },
  };
};

/** Opens nothing yet: connections are made on demand, and kept for a while. */
export const openTransport = (settings: TransportSettings, clock: Clock): Transport => {
  const url = new URL(settings.baseUrl);
  const prefix = url.pathname.replace(/\/+$/, '');
  const clients = createClients(settings);
  const slots = createSlots(settings.connections, settings.pending, clock);
  const wire = { clock, settings };

  const attempt = async (outgoing: Outgoing): Promise<Try> => {
    const patience = Math.min(settings.connectMs, outgoing.until - clock.monotonic());
    const slot = await slots.enter(patience);
    if (slot.kind === 'none') return { reply: notSent(slot.detail), again: false };
    return tryOnce(wire, outgoing, { client: clients.at(slot.place), released: slot.leave });
  };

  return {
    send: async ({ method, path, headers, body, context }) => {
      const options = {
        method,
        path: `${prefix}${path}`,
        headers: { ...contextHeaders(context), ...headers, 'accept-encoding': 'identity' },
        body: body ?? null,
        // Irrelevant on a connection with one request at a time, and true for an order.
        idempotent: false,
      };
      const outgoing = { options, until: clock.monotonic() + settings.answerMs };
      const first = await attempt(outgoing);
      // Once more, since nothing was sent: an address that refuses need not be the only one.
      const { reply } = first.again ? await attempt(outgoing) : first;
      const status = reply.kind === 'answer' ? reply.status : undefined;
      context?.exchanged?.({ method, url, status });
      return reply;
    },
    close: async () => {
      slots.close();
      await clients.destroy();
    },
  };
};

/** The outcome of an order: an unsent one is refused for certain, a lost one is unknown, the rest is read. */
export const ordered = (reply: Reply, read: (answer: WireAnswer) => OrderOutcome): OrderOutcome => {
  if (reply.kind === 'answer') return read(reply);
  return reply.kind === 'unknown'
    ? reply
    : {
        kind: 'refused',
        code: 'unreachable',
        blame: 'supplier',
        reason: 'it could not be reached',
      };
};

/** The outcome of a question: without an answer it is unknown, sent or not. */
export const asked = <T>(reply: Reply, read: (answer: WireAnswer) => T): T | Unknown => {
  if (reply.kind === 'answer') return read(reply);
  return reply.kind === 'unknown' ? reply : unknown(reply.detail);
};
