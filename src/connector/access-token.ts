/** Keeps an operator's access token: fetched when it is needed, shared by all calls, renewed once where it is refused. */
import type { Clock } from '../lib/clock.ts';
import type { Reply, WireAnswer } from './answer-reader.ts';

export type AccessToken = {
  readonly value: string;
  /** For how long it can be used. */
  readonly seconds: number;
};

export type TokenOptions = {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Asks for a token; undefined where there is none to be had now. */
  readonly fetch: () => Promise<AccessToken | undefined>;
  /**
   * Whether an answer says that the token is not valid any more, and that nothing was done. Only what the
   * operator documents so: a request that gets such an answer is sent again.
   */
  readonly isRefused: (answer: WireAnswer) => boolean;
};

/** Sends something with a token. Proof that nothing left where there is no token. */
export type SendWithToken = (send: (token: string) => Promise<Reply>) => Promise<Reply>;

// A token must not expire on its way.
const marginMs = 10_000;

export const createTokens = ({ clock, fetch, isRefused }: TokenOptions): SendWithToken => {
  let kept: { readonly value: string; readonly until: number } | undefined;
  let renewal: Promise<void> | undefined;

  const renew = async (): Promise<void> => {
    try {
      const token = await fetch();
      const until = clock.monotonic() + (token?.seconds ?? 0) * 1000;
      kept = token === undefined ? undefined : { value: token.value, until: until - marginMs };
    } finally {
      renewal = undefined;
    }
  };

  /** A token other than the refused one. Calls that need a new one at the same time wait for the same. */
  const tokenOf = async (refused?: string): Promise<string | undefined> => {
    if (kept !== undefined && kept.value !== refused && clock.monotonic() < kept.until) {
      return kept.value;
    }
    renewal ??= renew();
    await renewal;
    return kept?.value;
  };

  return async (send) => {
    const token = await tokenOf();
    if (token === undefined) return { kind: 'not_sent', detail: 'no access token' };
    const reply = await send(token);
    if (reply.kind !== 'answer' || !isRefused(reply)) return reply;
    const next = await tokenOf(token);
    return next === undefined ? reply : send(next);
  };
};
