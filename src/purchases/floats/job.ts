/** Reads the floats again and again, and asks suppliers for their balances. */
import { type Clock, repeat } from '../../lib/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import { type AskDeps, askBalances, askEveryMs } from './ask.ts';
import type { Floats } from './live.ts';

export type FloatJobDeps = AskDeps & {
  readonly clock: Clock;
  readonly floats: Pick<Floats, 'refresh'>;
  readonly log: Pick<Log, 'error'>;
};

// A supplier that runs empty in between refuses for lack of funds, and is left.
export const readEveryMs = 5000;

/** Runs until the returned function ends it. */
export const startFloats = (deps: FloatJobDeps): (() => Promise<void>) => {
  const { clock, floats, log } = deps;
  const logged = (work: () => Promise<void>, text: string) => async (): Promise<void> =>
    work().catch((err: unknown) => log.error({ err }, text));
  const refresh = logged(floats.refresh, 'cannot read the floats of suppliers');
  const ask = logged(() => askBalances(deps), 'cannot ask suppliers for their balances');
  const first = Promise.all([refresh(), ask()]);
  const stops = [repeat(clock, readEveryMs, refresh), repeat(clock, askEveryMs, ask)];
  return async () => {
    await Promise.all([first, ...stops.map((stop) => stop())]);
  };
};
