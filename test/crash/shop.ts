/** Generates the load of a crash test: buyers who retry each key until it is final, and record every answer. */
import { setTimeout as rest } from 'node:timers/promises';
import type { Draw } from '../simulation/draw.ts';
import { at } from '../support/answers.ts';
import { parsed } from '../support/live.ts';

export type Client = { readonly id: string; readonly token: string; readonly balance: number };

export type Ware = { readonly id: number; readonly price: number; readonly path: string };

export type Answer = {
  readonly status: number;
  readonly body: string;
  /** The purchase that it is about: a lost key that is sold again is another one. */
  readonly purchase: string;
};

/** One purchase: a key and its own number, which identifies it in the operators' book. */
export type Wanted = {
  readonly client: Client;
  readonly key: string;
  readonly mobile: string;
  readonly ware: Ware;
  /** The life of the server in which it was first sent, and when. */
  readonly life: number;
  readonly wantedAt: number;
  /** The final answer, once there is one. */
  answer: Answer | undefined;
  /** Final answers from before a restore, which the restored database may lack. */
  readonly forgotten: Answer[];
  /**
   * The history of the database from which on answers count: one to an earlier request may be of a lost one.
   */
  since: number;
  /** A person has settled it with the client, who does not send it again. */
  settled: boolean;
  /** Which restore lost what is settled. */
  forgottenBy: number;
};

/** When a request was sent: the history of the database, and the number of restores. */
type Moment = { readonly history: number; readonly restores: number };

/** How a request ended without a final answer. */
export type Loose = {
  readonly wanted: Wanted;
  readonly life: number;
  readonly how: string;
  /** How long after its first request. */
  readonly afterMs: number;
};

export type ShopDeps = {
  readonly url: () => string;
  readonly clients: readonly [Client, ...Client[]];
  readonly wares: readonly [Ware, ...Ware[]];
  readonly draw: Draw;
  /** How often the server has been started. */
  readonly life: () => number;
  /** How long a buyer waits for an answer before it retries. */
  readonly patienceMs: () => number;
  /** Ends the buyers, and all their waits. */
  readonly over?: AbortSignal;
};

const isFinal = (status: number, body: string): boolean => {
  if (status === 200) return true;
  const { retry } = parsedError(body);
  return [402, 404, 409, 422].includes(status) && retry !== 'same_key';
};

const parsedError = (body: string): { code: unknown; retry: unknown } => {
  try {
    const read = parsed(body);
    return { code: at(read, 'code'), retry: at(read, 'retry') };
  } catch {
    return { code: undefined, retry: 'same_key' };
  }
};

export const openShop = (deps: ShopDeps) => {
  const { draw, over = new AbortController().signal } = deps;
  const all: Wanted[] = [];
  const loose: Loose[] = [];
  const contradictions: {
    readonly of: Wanted;
    readonly restores: number;
    readonly text: string;
  }[] = [];
  const counted = { requests: 0, repeats: 0 };
  const answers = new Map<string, number>();
  const inFlight = new Set<Promise<void>>();
  /** Keys that were final and are open again, for any buyer to send. */
  const reopened: Wanted[] = [];
  // Each restore from a copy, and each promotion, begins a history of the database, and so does its settling.
  const state = { open: true, givenUp: false, history: 0, restores: 0 };

  const count = (what: string): void => {
    answers.set(what, (answers.get(what) ?? 0) + 1);
  };

  const leaveLoose = (wanted: Wanted, life: number, how: string): void => {
    loose.push({ wanted, life, how, afterMs: performance.now() - wanted.wantedAt });
  };

  const want = (): Wanted => {
    const number = all.length;
    const wanted: Wanted = {
      client: draw.pick(deps.clients),
      key: `key-${number}`,
      // Even: a prepaid SIM. Not among the last ten: those misbehave by design.
      mobile: `98${String(9_000_000 + number).padStart(8, '9')}${String(2 * draw.whole(0, 44)).padStart(2, '0')}`,
      ware: draw.pick(deps.wares),
      life: deps.life(),
      wantedAt: performance.now(),
      answer: undefined,
      forgotten: [],
      since: 0,
      settled: false,
      forgottenBy: 0,
    };
    all.push(wanted);
    return wanted;
  };

  const isSame = (one: Answer, other: Answer): boolean =>
    one.status === other.status && one.body === other.body && one.purchase === other.purchase;

  /**
   * A paused instance repeats the answer of a lost history until it notices that the database was replaced.
   */
  const isOfLostHistory = ({ forgotten }: Wanted, answer: Answer): boolean =>
    forgotten.some((one) => isSame(one, answer));

  /** Records a final answer, and compares it with a known one. */
  const keep = (wanted: Wanted, answer: Answer, { history, restores }: Moment): void => {
    if (wanted.settled || history < wanted.since) {
      wanted.forgotten.push(answer);
      return;
    }
    const known = wanted.answer;
    const before = known === undefined || isOfLostHistory(wanted, known) ? answer : known;
    if (!isSame(before, answer)) {
      const inWords = ({ status, body, purchase }: Answer): string =>
        `${status} ${body} (${purchase})`;
      const text = `${wanted.key} was ${inWords(before)} and is now ${inWords(answer)}`;
      contradictions.push({ of: wanted, restores, text });
    }
    wanted.answer = before;
  };

  const post = async ({ client, key, mobile, ware }: Wanted): Promise<Answer> => {
    const response = await fetch(deps.url() + ware.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}`, 'idempotency-key': key },
      body: new URLSearchParams({
        product_id: String(ware.id),
        mobile,
        price: String(ware.price),
        webservice_code: key,
      }),
    });
    const purchase = response.headers.get('purchase-id') ?? '';
    return { status: response.status, body: await response.text(), purchase };
  };

  /** Sends once, and judges the answer whenever it comes. */
  const send = async (wanted: Wanted): Promise<void> => {
    counted.requests += 1;
    const life = deps.life();
    const { history, restores } = state;
    const { answer: before } = wanted;
    try {
      const answer = await post(wanted);
      const { status, body } = answer;
      const { code } = parsedError(body);
      count(status === 200 ? '200' : `${status} ${String(code)}`);
      if (isFinal(status, body)) return keep(wanted, answer, { history, restores });
      leaveLoose(wanted, life, `${status} ${String(code)}`);
      if (before !== undefined && isOfLostHistory(wanted, before)) {
        wanted.answer = undefined;
        if (!wanted.settled) reopened.push(wanted);
      } else if (before !== undefined && status !== 503 && history >= wanted.since) {
        const text = `${wanted.key} was ${before.status} and is now ${status}`;
        contradictions.push({ of: wanted, restores, text });
      }
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'cut off';
      count(code);
      // Nothing was sent if nothing listens.
      if (code !== 'ECONNREFUSED') leaveLoose(wanted, life, code);
    }
    // Most of these reach no server, or one without its database: more frequent retries only take its time.
    await rest(500);
  };

  /**
   * Sends, and waits until the buyer's timeout. The request stays open beyond it: one in a paused process
   * counts as in flight until it is answered or its process dies.
   */
  const sendPatiently = async (wanted: Wanted): Promise<void> => {
    const sent = send(wanted).finally(() => inFlight.delete(sent));
    inFlight.add(sent);
    const patience = new AbortController();
    await Promise.race([
      sent,
      rest(deps.patienceMs(), undefined, { signal: patience.signal }).catch(() => {}),
    ]);
    patience.abort();
  };

  /** A buyer: something new, or what is not final yet, or occasionally what has long been final. */
  const buyer = async (): Promise<void> => {
    const waiting: Wanted[] = [];
    const known: Wanted[] = [];
    while (state.open || (waiting.length + reopened.length > 0 && !state.givenUp)) {
      if (over.aborted) return;
      const again = known[draw.whole(0, known.length - 1)];
      // In turn: a key that needs review must not block those that are open again.
      const old = draw.chance(0.5)
        ? () => reopened.shift() ?? waiting.shift()
        : () => waiting.shift() ?? reopened.shift();
      const next =
        state.open && waiting.length < 4 && (waiting.length === 0 || draw.chance(0.7))
          ? undefined
          : old();
      const wanted = next ?? (again !== undefined && draw.chance(0.1) ? again : want());
      if (wanted.settled) continue;
      if (wanted.answer !== undefined) counted.repeats += 1;
      await sendPatiently(wanted);
      if (wanted.answer === undefined) waiting.push(wanted);
      else if (wanted !== again) known.push(wanted);
    }
  };

  /** Lets a key be sent until it is final once more. */
  const reopen = (wanted: Wanted): void => {
    wanted.since = state.history;
    if (wanted.answer === undefined) return;
    wanted.forgotten.push(wanted.answer);
    wanted.answer = undefined;
    if (!wanted.settled) reopened.push(wanted);
  };

  const beginHistory = (holdsEnd: (wanted: Wanted) => boolean): void => {
    state.history += 1;
    for (const wanted of all) if (!holdsEnd(wanted)) reopen(wanted);
  };

  return {
    all,
    loose,
    over,
    /**
     * Answers that differ. An instance may repeat the answer of a lost key until it notices that the database
     * was replaced, while the others answer pending: only after the restore that lost it.
     */
    contradictions: (): string[] =>
      contradictions
        .filter(({ of, restores }) => !of.settled || restores < of.forgottenBy)
        .map(({ text }) => text),
    counted,
    answers,
    /** Runs this many buyers; resolves when everything they wanted is final, or given up. */
    serve: async (buyers: number): Promise<void> => {
      await Promise.all(Array.from({ length: buyers }, buyer));
      await Promise.all(inFlight);
    },
    /**
     * Another history of the database begins, which holds the ends of some keys. All others are open: it may
     * lack earlier answers to them, and later ones to earlier requests.
     */
    restore: (holdsEnd: (wanted: Wanted) => boolean): void => {
      state.restores += 1;
      beginHistory(holdsEnd);
    },
    /**
     * Keys that are not sent again; resolves when no request for any of them is in flight. An instance's
     * answers before it noticed the replaced database do not count either.
     */
    settle: async (
      keys: readonly Wanted[],
      holdsEnd: (wanted: Wanted) => boolean,
    ): Promise<void> => {
      for (const wanted of keys) {
        wanted.settled = true;
        wanted.forgottenBy = state.restores;
        reopen(wanted);
      }
      await Promise.all(inFlight);
      beginHistory(holdsEnd);
    },
    /** Resolves when every request that is in flight now has ended. */
    answered: async (): Promise<void> => {
      await Promise.all(inFlight);
    },
    /** Nothing new from now on. */
    close: (): void => {
      state.open = false;
    },
    /** What is not final by now never will be. */
    giveUp: (): void => {
      state.givenUp = true;
    },
  };
};

export type Shop = ReturnType<typeof openShop>;
