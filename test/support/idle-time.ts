/** Measures the processors' idle time. */
import { cpus } from 'node:os';

type Times = { readonly idle: number; readonly all: number };

const timesNow = (): Times => {
  const each = cpus().map(({ times }) => times);
  return {
    idle: each.reduce((sum, { idle }) => sum + idle, 0),
    all: each.reduce((sum, times) => sum + Object.values(times).reduce((a, b) => a + b, 0), 0),
  };
};

/** Returns a function for the idle share, from 0 to 1, since its last call. */
export const measureIdleTime = (): (() => number) => {
  let before = timesNow();
  return () => {
    const now = timesNow();
    const [idle, all] = [now.idle - before.idle, now.all - before.all];
    before = now;
    return all === 0 ? 0 : idle / all;
  };
};
