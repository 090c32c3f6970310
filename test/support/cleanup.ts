/** Releases what a test has started when the test ends, even if it fails. */
import { getTestContext } from 'node:test';

type End = () => unknown;

const ends = new WeakMap<object, End[]>();

/**
 * In reverse order: what was started later may depend on earlier parts. The runner keeps each test to the end
 * of the process: released parts are not kept with it.
 */
const endAll = async (all: End[]): Promise<void> => {
  for (const end of all.splice(0).toReversed()) await end();
};

/**
 * Calls it when the current test ends; in a hook, when the hook's suite ends. Outside of tests nothing is
 * called: a bench ends what it starts.
 */
export const cleanUpAfterTest = (end: End): void => {
  const context = getTestContext();
  if (context === undefined || !('after' in context)) return;
  if (context.signal.aborted) {
    // A test continues after its timeout; nothing that it then starts is ended later. A passed test has
    // ended: the next one may see its context, and ends what it starts itself.
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

/** Runs it once, however often it is called. */
export const onlyOnce = <T>(work: () => T): (() => T) => {
  let done: { readonly result: T } | undefined;
  return () => {
    done ??= { result: work() };
    return done.result;
  };
};
