/** Releases what a test has started when the test ends, even if it fails. */
import { getTestContext } from 'node:test';

type End = () => unknown;

const ends = new WeakMap<object, End[]>();

/**
 * The last first: what was started later may stand on what was started before. The runner keeps each test to the end
 * of the process: what has ended is not kept with it.
 */
const endAll = async (all: End[]): Promise<void> => {
  for (const end of all.splice(0).toReversed()) await end();
};

/**
 * Calls it when the test that runs is over; in a hook, when all is over that the hook is for. Where no test
 * runs nothing is called: a bench ends what it starts.
 */
export const cleanUpAfterTest = (end: End): void => {
  const context = getTestContext();
  if (context === undefined || !('after' in context)) return;
  if (context.signal.aborted) {
    // A test goes on after its timeout; nothing that it starts then is ended later. One that passed is over:
    // the test after it may be shown its context, and ends what it starts itself.
    if (!context.passed) void end();
    return;
  }
  const known = ends.get(context);
  if (known !== undefined) {
    known.push(end);
    return;
  }
  const all = [end];
  ends.set(context, all);
  context.after(() => endAll(all));
};

/** Does it once, however often it is called. */
export const onlyOnce = <T>(work: () => T): (() => T) => {
  let done: { readonly result: T } | undefined;
  return () => {
    done ??= { result: work() };
    return done.result;
  };
};
