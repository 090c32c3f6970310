/** Simulates the person who runs the gateway after a restore: reads the status, settles, accepts. */
import { setTimeout as rest } from 'node:timers/promises';
import { at, listOf } from '../support/answers.ts';
import { parsed } from '../support/live.ts';
import {
  endOf,
  type Listed,
  type Query,
  type ReadPurchases,
  type Row,
  readBooks,
  wronglyListed,
} from './judge.ts';
import type { Shop, Wanted } from './shop.ts';
import type { RunCommand } from './world.ts';

export type PersonDeps = {
  readonly shop: Shop;
  /** The suppliers' books: they show which numbers were served. */
  readonly books: readonly string[];
  readonly command: RunCommand;
  readonly query: Query;
  readonly read: ReadPurchases;
};

type Status = {
  readonly selling: boolean;
  /** Whether every operator has reported its deliveries, or cannot. */
  readonly asked: boolean;
  readonly refs: readonly string[];
  /** The same with the supplier that reported each. */
  readonly orders: readonly Listed[];
  /** `client key` of each purchase that an instance remembered. */
  readonly keys: ReadonlySet<string>;
  readonly listedAll: boolean;
};

const textAt = (value: unknown, name: string): string => {
  const text = at(value, name);
  return typeof text === 'string' ? text : '';
};

const statusOf = (shown: unknown): Status => {
  const listed = (name: string): readonly unknown[] => listOf(at(shown, name) ?? []);
  const forgotten = listed('forgotten');
  const refs = forgotten.map((one) => textAt(one, 'ref'));
  const operators = listed('operators');
  return {
    selling: at(shown, 'selling') === true,
    asked: operators.length > 0 && operators.every((one) => at(one, 'state') !== 'waiting'),
    refs,
    orders: forgotten.map((one) => ({
      ref: textAt(one, 'ref'),
      supplierId: Number(at(one, 'operator_id')),
    })),
    keys: new Set(
      forgotten.map((one) => `${textAt(one, 'client_id')} ${textAt(one, 'idempotency_key')}`),
    ),
    listedAll: new Set(refs).size === Number(at(shown, 'forgotten_count') ?? 0),
  };
};

/** The result of a change of the database. */
export type Passage = {
  /** It sold nothing new for a time. */
  readonly closed: boolean;
  /** A person had to open it. */
  readonly accepted: boolean;
};

/** Far more than a busy machine needs: it separates "late" from "never". */
const patienceMs = 900_000;
/** How long a gate that only waits for its next check may stay closed, even on a busy machine. */
const leisureMs = 180_000;

export const createPerson = ({ shop, books, command, query, read }: PersonDeps) => {
  /** References that a person was shown as missing. */
  const told = new Set<string>();
  const faults: string[] = [];
  /** What the database held when it was put back. */
  let held: ReadonlyMap<string, Row> = new Map();

  const restores = async (): Promise<number> => (await query('select id from restores')).length;

  /** Undefined if the database was unavailable, or a row locked by a paused instance. */
  const status = async (): Promise<Status | undefined> => {
    const ended = await command('restore', 'status', '--json');
    return ended.status === 0 ? statusOf(parsed(ended.out)) : undefined;
  };

  /** Settles with the clients what the database lacks, and checks that it is on the list. */
  const settle = async ({ refs, orders, keys, listedAll }: Status): Promise<void> => {
    for (const ref of refs) told.add(ref);
    if (!listedAll) faults.push('the list of forgotten purchases is shorter than its count');
    const deliveries = readBooks(books);
    const purchases = await read();
    const known = new Set([...purchases.values()].map(({ id }) => id));
    const unknown = deliveries.filter(({ ref }) => !known.has(ref));
    for (const { ref } of unknown.filter(({ ref }) => !told.has(ref))) {
      faults.push(`${ref} was delivered, is not known, and is not on the list`);
    }
    for (const { ref, supplierId } of wronglyListed(orders, held, purchases)) {
      faults.push(`${ref} is on the list of forgotten purchases, and is known at ${supplierId}`);
    }
    const served = new Set(unknown.map(({ mobile }) => mobile));
    const isForgotten = ({ client, key, mobile }: Wanted): boolean =>
      served.has(mobile) || keys.has(`${client.id} ${key}`);
    await shop.settle(
      shop.all.filter((one) => !one.settled && isForgotten(one)),
      (wanted) => endOf(purchases, wanted) !== undefined,
    );
  };

  /** Refused if more was found since: then it looks again. */
  const accept = async ({ refs }: Status, ...more: readonly string[]): Promise<boolean> => {
    const seen = ['--forgotten', String(new Set(refs).size)];
    const reason = ['--reason', 'settled with the clients by the book'];
    return (await command('restore', 'accept', ...seen, ...reason, ...more)).status === 0;
  };

  return {
    told,
    faults,
    restores,
    /** A database with these purchases was put back. */
    putBack: (purchases: ReadonlyMap<string, Row>): void => {
      held = purchases;
    },
    /** Tells the gateway what the database cannot show: that it was put back. */
    mark: async (): Promise<void> => {
      const reason = ['--reason', 'a snapshot of the volume was put back'];
      const { status: ended, err } = await command('restore', 'mark', ...reason);
      if (ended !== 0) faults.push(`mark is refused: ${err}`);
    },
    /**
     * Waits until something wanted since `mark` is newly sold, and opens the gate if a person has to.
     * `before` is how many restores the database knew.
     */
    seeThrough: async (mark: number, before: number): Promise<Passage> => {
      const began = performance.now();
      const sells = (): boolean =>
        shop.all.slice(mark).some(({ answer }) => answer?.status === 200);
      let accepted = false;
      let asked: number | undefined;
      while (!sells()) {
        shop.over.throwIfAborted();
        await rest(500);
        const now = performance.now();
        const seen = await status();
        if (seen === undefined) continue;
        if (seen.selling || !seen.asked) asked = undefined;
        else asked ??= now;
        const stuck = now - began > patienceMs;
        const waits = asked !== undefined && (seen.refs.length > 0 || now - asked > leisureMs);
        if (stuck) faults.push('the gate never came to a decision');
        // Also once more: an instance's testimony after the opening closes it again.
        if (!seen.selling && (waits || stuck)) {
          await settle(seen);
          accepted = (await accept(seen, ...(stuck ? ['--force'] : []))) || accepted;
        }
        if (stuck) break;
      }
      return { closed: (await restores()) > before, accepted };
    },
  };
};

export type Person = ReturnType<typeof createPerson>;
