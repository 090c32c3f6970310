/** Waits for a request to stop: a signal, or under npx the exit of the parent process. */
import { systemClock } from './clock.ts';

const signals = ['SIGTERM', 'SIGINT'] as const;

// A terminal and a service manager signal all processes of a group, and some of these pass it on.
const sameMs = 1000;

/** Resolves with the signal to stop. A second one, at least a second later, ends the process at once. */
export const stopSignal = (): Promise<string> =>
  new Promise((resolve) => {
    let first: number | undefined;
    const hear = (signal: string): void => {
      const now = systemClock.monotonic();
      first ??= now;
      if (now - first > sameMs) process.exit(130);
      resolve(signal);
    };
    for (const signal of signals) process.on(signal, hear);
  });

// A person who has pressed a key waits no longer than that for the first sign.
const lookEveryMs = 500;

// Taken as early as possible, to notice a parent that exits during the start.
const parent = process.ppid;

/**
 * Resolves when the parent process is gone. `npx` runs a command in a shell that ends at a signal without
 * passing it on; another parent may detach the server on purpose.
 */
const untilOrphaned = (): Promise<string> => {
  if (process.env['npm_command'] !== 'exec') return new Promise(() => {});
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      resolve('its parent is gone');
    }, lookEveryMs);
    timer.unref();
  });
};

/** Resolves with the reason to stop. */
export const untilStopped = (): Promise<string> => Promise.race([stopSignal(), untilOrphaned()]);

// What is left to do by then takes one turn of the event loop: the last lines of the log, and the exit status.
const exitSoonMs = 200;

/** Ends the process in a moment, whatever it still waits for; nothing is kept waiting by it. */
export const exitSoon = (): void => {
  setTimeout(() => process.exit(), exitSoonMs).unref();
};
