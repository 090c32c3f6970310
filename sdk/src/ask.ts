/** Asks the gateway, and returns the body of its answer. */
import type { Outgoing, Send } from './send.ts';

export type Ask = <T>(request: Outgoing) => Promise<T>;

/** Options of every function. */
export type CallOptions = {
  /** Ends the call when it aborts. */
  readonly signal?: AbortSignal;
};

/** The gateway guarantees that answers match their schemas. */
const haveForm = <T>(answers: readonly unknown[]): answers is T[] => answers.length > 0;

export const createAsk =
  (send: Send): Ask =>
  async <T>(request: Outgoing): Promise<T> => {
    const answers: unknown[] = [JSON.parse((await send(request)).text)];
    const [answer] = haveForm<T>(answers) ? answers : [];
    if (answer === undefined) throw new Error('There is no answer.');
    return answer;
  };
