/** Runs the tests of a connector in their own processes, and collects the results. */
import { extname } from 'node:path';

export type Tested = {
  readonly passed: readonly string[];
  readonly skipped: readonly string[];
  readonly failed: readonly { readonly name: string; readonly why: string }[];
};

/** Makes `simgate/connector` known to a process, wherever the tests are. */
const imports = new URL(
  `../../../connector/resolve-imports${extname(import.meta.filename)}`,
  import.meta.url,
).href;

/** The message of the error that a test threw, without the runner's wrapper. */
const whyOf = (error: Error): string => {
  const inner = error.cause instanceof Error ? error.cause : error;
  return inner.message.trim();
};

/** A suite fails with one of its tests, which says more. */
const isOfOthers = (error: Error): boolean =>
  'failureType' in error && error.failureType === 'subtestsFailed';

export const runTests = async (files: readonly string[]): Promise<Tested> => {
  const passed: string[] = [];
  const skipped: string[] = [];
  const failed: { name: string; why: string }[] = [];
  // Only here: every other command and every start would load it for nothing.
  const { run } = await import('node:test');
  const stream = run({ files: [...files], execArgv: ['--import', imports] });
  stream.on('test:pass', ({ name, skip, details }) => {
    if (details.type === 'suite') return;
    (skip === undefined || skip === false ? passed : skipped).push(name);
  });
  stream.on('test:fail', ({ name, details }) => {
    if (!isOfOthers(details.error)) failed.push({ name, why: whyOf(details.error) });
  });
  // It ends when everything was read.
  for await (const _ of stream);
  return { passed, skipped, failed };
};
