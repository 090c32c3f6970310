/** Runs the simulator as an HTTP server: many operators, one book on disk, configurable faults. */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isSupplierId } from '../../../config/sections/operators.ts';
import { type Clock, sleep } from '../../../lib/clock.ts';
import { UsageError } from '../../../lib/errors.ts';
import { createServer } from '../../../lib/http/node-http.ts';
import { perKey } from '../../../lib/memo.ts';
import type { NewId } from '../../../lib/random.ts';
import { keepBook } from '../book/book.ts';
import { type BookFile, openBookFile } from '../book/file.ts';
import {
  defaultLateMs,
  type FaultPlan,
  isFaulty,
  noFaultPlan,
  planFaults,
  type Rates,
  type RequestKind,
} from '../faults.ts';
import { createOperator } from '../operator.ts';
import { type ServerAnswer, sendAnswer } from './answer.ts';
import { type CallbackOptions, type Caller, createCaller, type Delivery } from './callbacks.ts';
import { type Asked, deliveredIn, type OperatorsById, parseRequest, problem } from './requests.ts';

export type SimulatorOptions = {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The file of the book. */
  readonly book: string;
  readonly seed: number;
  readonly rates: Rates;
  /** The kinds of requests that get faults. */
  readonly only: readonly RequestKind[];
  readonly delayMs: number;
  readonly lagMs: number;
  readonly reversesAfter: number;
  /** When a late order is delivered; 20 seconds by default, beyond what a gateway expects here. */
  readonly lateMs?: number;
  readonly deduplicates: boolean;
  /** What the operators take for a delivery, as a percentage off the price; they do not say by default. */
  readonly discountPercent?: number;
  /** What we have with each operator before its first delivery; they say no balance by default. */
  readonly float?: number;
  /** The operators that deliver to numbers that end in 88; by default those with the IDs of suppliers. */
  readonly second?: readonly number[];
  /** How it calls a gateway back about deliveries; it does not by default. */
  readonly callbacks?: CallbackOptions;
};

export type SimulatorServer = {
  readonly url: string;
  readonly close: () => Promise<void>;
};

type Simulator = {
  readonly options: SimulatorOptions;
  readonly clock: Clock;
  readonly operators: OperatorsById;
  readonly caller: Caller | undefined;
  /** The number of the current request; the first is 1. */
  readonly next: () => number;
};

// Some 200 bytes each. Forgotten ones are looked up in the book, so that the answer stays true.
const mostRemembered = 100_000;

// Node's five seconds would end connections between two bursts, and a new one costs more than a request. The
// gateway learns the timeout from each answer, and closes an idle connection before the simulator does.
const keepAliveMs = 60_000;

// An order has some hundred.
const mostBodyBytes = 65_536;

const openOperators = async (
  file: BookFile,
  options: SimulatorOptions,
  deps: { readonly clock: Clock; readonly newId: NewId },
): Promise<OperatorsById> => {
  // Each begins with its first line or request: most of the possible ones are never used.
  const bookOf = perKey((id: number) => {
    const journal = file.journalOf(id);
    return keepBook({ clock: deps.clock, journal, most: mostRemembered });
  });
  await file.load(({ operator, line }) => bookOf(operator).load(line));
  const { reversesAfter, deduplicates, discountPercent, float, second } = options;
  const operatorOf = perKey((id: number) =>
    createOperator({
      ...deps,
      book: bookOf(id),
      offers: true,
      reversesAfter,
      deduplicates,
      discountPercent,
      float,
      second: second?.includes(id) ?? isSupplierId(id),
    }),
  );
  return { get: (id) => (/^[1-9]\d{0,2}$/.test(id) ? operatorOf(Number(id)) : undefined) };
};

/** The body as text, or undefined if it is too long. */
const readBody = (request: IncomingMessage): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= mostBodyBytes) chunks.push(chunk);
    });
    request.on('end', () => {
      resolve(bytes > mostBodyBytes ? undefined : Buffer.concat(chunks).toString('utf8'));
    });
    request.on('error', reject);
  });

type Fate = FaultPlan & { readonly nth: number };

const deal = async (
  { options, clock, caller }: Simulator,
  asked: Asked,
  fate: Fate,
  response: ServerResponse,
): Promise<void> => {
  const { operatorId, kind } = asked;
  const deliveryIn = (answer: ServerAnswer): Delivery | undefined => {
    const ref = kind === 'orders' ? deliveredIn(answer) : undefined;
    return ref === undefined || operatorId === undefined
      ? undefined
      : { operatorId, ref, nth: fate.nth };
  };
  const callBack = async (answer: ServerAnswer, when: 'beforeAnswer' | 'afterAnswer') => {
    const delivery = deliveryIn(answer);
    if (delivery !== undefined) await caller?.[when](delivery);
  };
  if (fate.isLost) return;
  if (fate.delayed === 'before') await sleep(clock, options.delayMs);
  const circumstances = {
    ...(fate.isReversed ? { reverseAfter: options.reversesAfter } : {}),
    ...(fate.lags ? { hiddenFor: options.lagMs } : {}),
    ...(fate.refusal === null ? {} : { refusal: fate.refusal }),
  };
  if (fate.isLate && asked.kind === 'orders') {
    clock.after(options.lateMs ?? defaultLateMs, () => {
      // A book that cannot be written delivers nothing.
      asked
        .deal(circumstances)
        .then(({ answer }) => callBack(answer, 'afterAnswer'))
        .catch(() => {});
    });
    return;
  }
  const { answer, manner } = await asked.deal(circumstances);
  if (fate.isDoubled && asked.kind === 'orders') {
    await asked.deal({ ...circumstances, copy: true });
  }
  if (fate.delayed === 'after') await sleep(clock, options.delayMs);
  await callBack(answer, 'beforeAnswer');
  sendAnswer(response, answer, manner ?? fate.manner, clock);
  await callBack(answer, 'afterAnswer');
};

const handle = async (
  simulator: Simulator,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { options, clock, operators } = simulator;
  const body = await readBody(request);
  const { method = '', url = '' } = request;
  const asked =
    body === undefined
      ? problem(413, 'The request is too large.')
      : parseRequest(operators, { method, url, body });
  if ('answer' in asked) return sendAnswer(response, asked.answer, 'whole', clock);
  const nth = simulator.next();
  const isSpared = !isFaulty(options.rates) || !options.only.includes(asked.kind);
  const fate = isSpared ? noFaultPlan : planFaults(options.seed, options.rates, nth);
  return deal(simulator, asked, { ...fate, nth }, response);
};

/** A clock whose timers all end with the server: a slow answer must not keep a stopped process alive. */
const stoppable = (clock: Clock): { readonly clock: Clock; readonly stop: () => void } => {
  const cancels = new Set<() => void>();
  const after: Clock['after'] = (ms, run) => {
    const cancel = clock.after(ms, () => {
      cancels.delete(cancel);
      run();
    });
    cancels.add(cancel);
    return () => {
      cancels.delete(cancel);
      cancel();
    };
  };
  return {
    clock: { ...clock, after },
    stop: () => {
      for (const cancel of cancels) cancel();
    },
  };
};

const listen = async (server: Server, { host, port }: SimulatorOptions): Promise<string> => {
  server.listen({ host, port });
  await once(server, 'listening').catch((cause: unknown) => {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
    throw new UsageError(`Cannot listen at port ${port} of ${host}: ${code}. Choose another one.`, {
      cause,
    });
  });
  const address = server.address();
  const listensAt = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${listensAt}`;
};

/** Starts the server; resolves when it listens and its book is loaded. */
export const startSimulator = async (
  options: SimulatorOptions,
  deps: { readonly clock: Clock; readonly newId: NewId },
): Promise<SimulatorServer> => {
  const { clock, stop } = stoppable(deps.clock);
  const file = await openBookFile(options.book);
  let count = 0;
  const next = (): number => (count += 1);
  const { seed, lateMs = defaultLateMs } = options;
  const caller = options.callbacks && createCaller({ ...options.callbacks, seed, lateMs }, clock);
  const server = createServer({ keepAliveTimeout: keepAliveMs });
  try {
    const operators = await openOperators(file, options, { clock, newId: deps.newId });
    const simulator = { options, clock, operators, caller, next };
    server.on('request', (request, response) => {
      handle(simulator, request, response).catch(() => {
        const { answer } = problem(500, 'The request could not be dealt with.');
        if (!response.headersSent) sendAnswer(response, answer, 'whole', clock);
      });
    });
    const url = await listen(server, options);
    return {
      url,
      close: async () => {
        stop();
        server.closeAllConnections();
        await server[Symbol.asyncDispose]();
        await caller?.close();
        await file.close();
      },
    };
  } catch (error) {
    await file.close();
    throw error;
  }
};
