/** Runs the load of a drill: buyers who retry by the guide, through the client library, and record every answer. */
import { setTimeout as rest } from 'node:timers/promises';
import { createClient, SimgateError } from '../../sdk/src/index.ts';
import type { Answer, Client, Wanted, Ware } from '../crash/shop.ts';
import type { Draw } from '../simulation/draw.ts';

export type BuyersDeps = {
  readonly url: string;
  readonly clients: readonly [Client, ...Client[]];
  readonly wares: readonly [Ware, ...Ware[]];
  readonly draw: Draw;
  /** The number of the first key: above those of earlier buyers. */
  readonly firstNumber?: number;
};

/** One purchase as its buyer saw it: with all retries of the library. */
export type Bought = {
  readonly at: number;
  readonly ms: number;
  readonly repeats: number;
  /** Not a key that was bought before. */
  readonly isNew: boolean;
};

// This many a second keep two cores busy and leave each instance some work in flight at all times.
const pauseMs = 20;

const wish = (number: number, { clients, wares, draw }: BuyersDeps): Wanted => ({
  client: draw.pick(clients),
  key: `key-${number}`,
  // Even: a prepaid SIM. Not among the last ten: those misbehave by design.
  mobile: `98${String(9_000_000 + number).padStart(8, '9')}${String(2 * draw.whole(0, 44)).padStart(2, '0')}`,
  ware: draw.pick(wares),
  life: 0,
  wantedAt: 0,
  answer: undefined,
  forgotten: [],
  since: 0,
  settled: false,
  forgottenBy: 0,
});

/** How an exchange ended that the library retries. */
const inWords = (answer: Answer): string => {
  const [, code = 'of the front'] = /"code":"(\w+)"/.exec(answer.body) ?? [];
  return answer.status === 200 ? '200' : `${answer.status} ${code}`;
};

export const openBuyers = (deps: BuyersDeps) => {
  const { firstNumber = 0 } = deps;
  const all: Wanted[] = [];
  const bought: Bought[] = [];
  const answers = new Map<string, number>();
  /** The library's final error, or an answer taken for final although nothing was sold. */
  const errors: string[] = [];
  /** Final answers that the order was not sent in time: nothing was charged, and a new key may buy. */
  const notOrdered: string[] = [];
  const contradictions: string[] = [];
  const closed = new AbortController();
  const over = new AbortController();

  const count = (what: string): void => {
    answers.set(what, (answers.get(what) ?? 0) + 1);
  };

  /** Buys it with the library; returns the last answer, and the number of exchanges. */
  const buy = async ({ client, key, mobile, ware }: Wanted) => {
    const seen: (Answer | undefined)[] = [];
    const library = createClient({
      url: deps.url,
      token: client.token,
      fetch: async (...asked) => {
        seen.push(undefined);
        try {
          const response = await fetch(...asked);
          const [{ status, headers }, body] = [response, await response.text()];
          const answer = { status, body, purchase: headers.get('purchase-id') ?? '' };
          seen[seen.length - 1] = answer;
          count(inWords(answer));
          return new Response(body, { status, headers });
        } catch (error) {
          count('no answer');
          throw error;
        }
      },
    });
    const fields = { productId: ware.id, mobile, price: ware.price, webserviceCode: key };
    const options = { key, signal: over.signal };
    try {
      await (ware.path.includes('package') ? library.buy : library.topUp)(fields, options);
    } catch (error) {
      if (!(error instanceof SimgateError && error.code === 'ORDER_NOT_RECEIVED')) throw error;
    }
    return { answer: seen.at(-1), exchanges: seen.length };
  };

  const buyOnce = async (wanted: Wanted): Promise<void> => {
    const at = performance.now();
    try {
      const { answer, exchanges } = await buy(wanted);
      const { answer: before } = wanted;
      const isNew = before === undefined;
      const ms = performance.now() - at;
      if (answer?.status === 200) bought.push({ at, ms, repeats: exchanges - 1, isNew });
      else if (isNew) notOrdered.push(`${wanted.key}: ${answer?.body}`);
      if (
        before !== undefined &&
        (before.body !== answer?.body || before.purchase !== answer.purchase)
      ) {
        contradictions.push(`${wanted.key} was ${before.body} and is now ${answer?.body}`);
      }
      wanted.answer = before ?? answer;
    } catch (error) {
      errors.push(`${wanted.key}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };

  const buyer = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      const old = all[deps.draw.whole(0, Math.max(all.length - 1, 0))];
      // Occasionally an earlier purchase again, as after a lost answer.
      const wanted = old?.answer !== undefined && deps.draw.chance(0.1) ? old : undefined;
      const next = wanted ?? wish(firstNumber + all.length, deps);
      if (wanted === undefined) all.push(next);
      await buyOnce(next);
      await rest(pauseMs);
    }
  };

  return {
    all,
    bought,
    answers,
    errors,
    notOrdered,
    contradictions,
    /** Sends a purchase of earlier buyers again, until it has its answer. */
    retry: buyOnce,
    /** Runs this many buyers; resolves when each has the answer to its last purchase. */
    serve: async (buyers: number): Promise<void> => {
      await Promise.all(Array.from({ length: buyers }, buyer));
    },
    /** Nothing new from now on. */
    close: (): void => {
      closed.abort();
    },
    /** Ends them immediately, whatever they wait for. */
    abort: (): void => {
      closed.abort();
      over.abort();
    },
  };
};

export type Buyers = ReturnType<typeof openBuyers>;
