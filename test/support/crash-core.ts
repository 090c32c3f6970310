/** Provides the core of the crash tests: purchases on a real file, an operator with file records, named points. */
import { appendFileSync, existsSync, fsyncSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompiledQuery, DatabaseConnection, Dialect, Driver } from 'kysely';
import { Type } from 'typebox';
import { callWithin } from '../../src/connector/call.ts';
import { defineConnector } from '../../src/connector/connector.ts';
import type { Db } from '../../src/db/types.ts';
import { steadyTime, systemClock } from '../../src/lib/clock.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import { createOffers } from '../../src/offers/offers.ts';
import { openRegistry } from '../../src/operators/registry.ts';
import { type Buying, type BuyRequest, createBuying } from '../../src/purchases/buy.ts';
import { createTransact } from '../../src/purchases/commit/transact.ts';
import type { PurchaseDeps } from '../../src/purchases/deps.ts';
import { createRecovery, type Recovery } from '../../src/purchases/recover.ts';
import { sampleProduct } from '../contract/sample-product.ts';
import { wideAdmission } from './admission.ts';
import { statementName } from './statements.ts';

export const price = 10_000;

/** Called at each point that the work reaches, with its name. */
export type Passing = (point: string) => void;

/** The operator's behaviour: it answers, delivers without an answer, or gets the order after the crash. */
export type Manner = 'answers' | 'silent' | 'late';

/** The copy of a data folder that is made at a point. */
export const copyAt = (copies: string, point: string): string =>
  join(copies, point.replaceAll(/\W+/g, '-'));

export type Delivery = { readonly ref: string; readonly at: number };

const bookOf = (folder: string): string => join(folder, 'book.jsonl');

/** Every delivery in the operator's book, including those still pending. */
export const readBook = (folder: string): Delivery[] => {
  if (!existsSync(bookOf(folder))) return [];
  const lines = readFileSync(bookOf(folder), 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => {
    const [ref = '', at = ''] = line.split(' ');
    return { ref, at: Number(at) };
  });
};

/** On the disk before it is acknowledged, as an operator's book has to be. */
const deliver = (folder: string, ref: string, at: number): void => {
  const file = openSync(bookOf(folder), 'a');
  appendFileSync(file, `${ref} ${at}\n`);
  fsyncSync(file);
};

// Short, so that a test sees the end of the quiet time; long compared with a busy machine's calls.
const deadlineMs = 400;
const settlesWithin = 100;
/**
 * Data written into a socket may arrive after its process has died: late enough to see the death on a busy
 * machine.
 */
const lateByMs = 3000;

const fileOperator = (options: {
  readonly folder: string;
  readonly manner: Manner;
  readonly deduplicates: boolean;
  readonly inquiryMs?: number;
  readonly passing: Passing;
}) => {
  const { folder, manner, passing, inquiryMs = 30 } = options;
  const knows = (ref: string): boolean =>
    readBook(folder).some((one) => one.ref === ref && one.at <= Date.now());
  return defineConnector({
    name: 'file',
    settings: Type.Object({}),
    // As late as its operator promises at most.
    settlesWithin: settlesWithin + (manner === 'late' ? lateByMs : 0),
    deduplicates: options.deduplicates,
    inquiries: {
      firstInquiryMs: inquiryMs,
      widestInquiryMs: Math.max(inquiryMs, 100),
      reviewAfterMs: 600_000,
    },
    connect: () => ({
      buy: async ({ ref }) => {
        passing('order: before it is sent');
        if (!(options.deduplicates && readBook(folder).some((one) => one.ref === ref))) {
          deliver(folder, ref, Date.now() + (manner === 'late' ? lateByMs : 0));
        }
        passing('order: after the delivery, before the answer');
        if (manner === 'silent') throw new Error('the answer was lost');
        return { kind: 'done', ref: `receipt of ${ref}` };
      },
      status: async (ref) => {
        passing('inquiry: before it is sent');
        const outcome = knows(ref)
          ? ({ kind: 'done', ref: `receipt of ${ref}` } as const)
          : ({ kind: 'not_found' } as const);
        passing('inquiry: after the answer');
        return outcome;
      },
      deadlineMs,
      close: async () => {},
    }),
  });
};

export type Core = {
  readonly deps: PurchaseDeps;
  readonly buying: Buying;
  readonly recovery: Recovery;
};

/** Purchases and their recovery on a database, with one product of one operator. */
export const createCore = (
  db: Db,
  options: {
    readonly folder: string;
    readonly manner: Manner;
    readonly deduplicates: boolean;
    /** The pause before the first inquiry. */
    readonly inquiryMs?: number;
    readonly passing: Passing;
    /** How long a buyer waits for the end. */
    readonly pendingAfterMs: number;
  },
): Core => {
  const clock = systemClock;
  const newId = uuidV7(clock, systemRandom);
  const call = callWithin(clock);
  const now = steadyTime(clock);
  const databaseTime = async (): Promise<number> => now();
  const registry = openRegistry(
    [{ id: 1, name: 'operator_1', connector: 'file', settings: {} }],
    [fileOperator(options)],
    (operatorId) => ({ operatorId, clock, random: systemRandom, newId, call }),
  );
  const admission = wideAdmission(clock);
  const offers = createOffers({
    clock,
    call,
    admission,
    settings: { deadlineMs, rememberMs: 1000, rememberAtMost: 10 },
  });
  const product = { ...sampleProduct({ id: 1, price }), created_at: null, updated_at: null };
  const deps: PurchaseDeps = {
    db,
    databaseTime,
    clock,
    newId,
    random: systemRandom,
    call,
    registry,
    admission,
    offers,
    transact: createTransact({ db, databaseTime, clock }),
    catalogue: () => ({ product: (id) => (id === product.id ? product : undefined) }),
    log: { warn: () => {}, error: () => {} },
    config: {
      vatPercent: { digits: 10n, scale: 0 },
      personalOffers: [],
      pendingAfterMs: options.pendingAfterMs,
      recovery: {
        sendWithinMs: 2000,
        firstInquiryMs: 30,
        widestInquiryMs: 100,
        reviewAfterMs: 600_000,
      },
    },
  };
  return { deps, buying: createBuying(deps), recovery: createRecovery(deps) };
};

export const requestOf = (clientId: string): BuyRequest => ({
  clientId,
  key: 'the only key',
  requestId: 'a request',
  trace: null,
  test: false,
  fields: {
    path: 'package',
    productId: 1,
    mobile: '989121234500',
    price,
    offer: null,
    profileId: null,
    webserviceCode: 'order 1',
  },
});

/** Every statement has a name; a new one has to be given one first. */
const nameOf = (sql: string): string => {
  const name = statementName(sql);
  if (name === undefined) throw new Error(`A statement without a name: ${sql}`);
  return name;
};

/** Within a transaction, before a statement is the same as after the previous one. */
const watchedConnection = (inner: DatabaseConnection, passing: Passing): DatabaseConnection => {
  let inside = false;
  return {
    executeQuery: async <Row>(query: CompiledQuery) => {
      const name = nameOf(query.sql);
      if (!inside) passing(`before ${name}`);
      const result = await inner.executeQuery<Row>(query);
      if (name === 'begin' || name === 'commit') inside = name === 'begin';
      passing(`after ${name}`);
      return result;
    },
    streamQuery: (query, chunkSize) => inner.streamQuery(query, chunkSize),
  };
};

const watchedDriver = (inner: Driver, passing: Passing): Driver => ({
  init: () => inner.init(),
  acquireConnection: async () => watchedConnection(await inner.acquireConnection(), passing),
  beginTransaction: (connection, settings) => inner.beginTransaction(connection, settings),
  commitTransaction: (connection) => inner.commitTransaction(connection),
  rollbackTransaction: (connection) => inner.rollbackTransaction(connection),
  releaseConnection: async () => {},
  destroy: () => inner.destroy(),
});

/** A database that calls back before and after each of its statements. */
export const watchedDialect = (inner: Dialect, passing: Passing): Dialect => ({
  createDriver: () => watchedDriver(inner.createDriver(), passing),
  createQueryCompiler: () => inner.createQueryCompiler(),
  createAdapter: () => inner.createAdapter(),
  createIntrospector: (db) => inner.createIntrospector(db),
});
