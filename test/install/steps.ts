/** Runs the steps of a check one after another, and prints each with what it found and how long it took. */
import { setTimeout as rest } from 'node:timers/promises';

/** Far more than a step takes on a busy machine; a step that hangs ends the check. */
const mostMs = 600_000;

const timedOut = async (name: string, signal: AbortSignal): Promise<never> => {
  await rest(mostMs, undefined, { signal });
  throw new Error(`"${name}" took longer than ${mostMs / 60_000} minutes.`);
};

/** Runs one step; `found` says in a few words what it found. */
export const step = async <T>(
  name: string,
  work: () => Promise<T>,
  found: (result: T) => string = () => '',
): Promise<T> => {
  const began = performance.now();
  const over = new AbortController();
  const limit = timedOut(name, over.signal);
  // It rejects when the step is over, and nothing waits for it then.
  limit.catch(() => {});
  try {
    const result = await Promise.race([work(), limit]);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`✔ ${name.padEnd(58)} ${seconds.padStart(6)} s  ${found(result)}`.trimEnd());
    return result;
  } catch (cause) {
    console.log(`✖ ${name}`);
    throw cause;
  } finally {
    over.abort();
  }
};

/** Reports that something was not checked, and why: a skipped check must be visible. */
export const skip = (name: string, why: string): void => console.log(`- ${name}: SKIPPED. ${why}`);

type End = () => unknown;

const ends: End[] = [];

/** Runs when the check is over, the last one first, also if it fails or is interrupted. */
export const atEnd = (end: End): void => void ends.push(end);

const endAll = async (): Promise<void> => {
  for (const end of ends.splice(0).toReversed()) {
    try {
      await end();
    } catch (cause) {
      console.error('Something could not be removed.', cause);
    }
  }
};

/** Runs a whole check, and exits with 0, or with 1 if a step failed. */
export const runCheck = async (title: string, work: () => Promise<void>): Promise<void> => {
  const began = performance.now();
  const interrupted = (): void => void endAll().then(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted);
  console.log(title);
  let status = 0;
  try {
    await work();
    console.log(`Done in ${Math.round((performance.now() - began) / 1000)} s.`);
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : cause);
    status = 1;
  }
  await endAll();
  process.exit(status);
};
