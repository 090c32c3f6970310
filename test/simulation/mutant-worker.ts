/** Runs mutations in a thread: reloads the modules that import the changed text for each one. */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { perKey } from '../../src/lib/memo.ts';
import { type Mutation, MutationSchema } from './mutations.ts';
import type { SeedResult } from './seed.ts';
import type { Store } from './store.ts';

export const TrialSchema = Type.Object({
  mutation: MutationSchema,
  from: Type.Integer(),
  seeds: Type.Integer(),
});

export type Trial = Static<typeof TrialSchema>;

/** The seed that broke an invariant, how many only raised errors, or why it could not be tried. */
export const OutcomeSchema = Type.Object({
  caught: Type.Union([Type.Object({ seed: Type.Integer(), text: Type.String() }), Type.Null()]),
  errors: Type.Integer(),
  failure: Type.Union([Type.String(), Type.Null()]),
});

export type Outcome = Static<typeof OutcomeSchema>;

const source = new URL('../../src/', import.meta.url).href;
const here = new URL('./', import.meta.url).href;

/** Modules of the program and of the simulation; packages are loaded once. */
const isOurs = (url: string): boolean => url.startsWith(source) || url.startsWith(here);

const texts = new Map<string, string>();

const textOf = (url: string): string => {
  const known = texts.get(url);
  if (known !== undefined) return known;
  const text = readFileSync(fileURLToPath(url), 'utf8');
  texts.set(url, text);
  return text;
};

const stripped = new Map<string, string>();

/** Without its types: stripping them again for each mutation would take longest. */
const plainTextOf = (url: string): string => {
  const known = stripped.get(url) ?? stripTypeScriptTypes(textOf(url));
  stripped.set(url, known);
  return known;
};

const mutated = (url: string, { file, find, replace }: Mutation): string => {
  const parts = textOf(url).split(find);
  if (parts.length !== 2) {
    throw new Error(`${file} has ${parts.length - 1} places to change, not one.`);
  }
  return stripTypeScriptTypes(parts.join(replace));
};

const known = new Map<string, readonly string[]>();

const importsOf = (url: string): readonly string[] => {
  const imports =
    known.get(url) ??
    [...textOf(url).matchAll(/(?:from|import\() ?'(\.[^']+)'/g)]
      .map(([, target = '']) => new URL(target, url).href)
      .filter(isOurs);
  known.set(url, imports);
  return imports;
};

/** Whether a module is the changed one or imports it. All others are the same for every mutation. */
const leadsTo = (url: string, goal: string, seen = new Set<string>()): boolean => {
  if (url === goal) return true;
  if (seen.has(url)) return false;
  seen.add(url);
  return importsOf(url).some((target) => leadsTo(target, goal, seen));
};

type Change = { readonly mutation: Mutation; readonly reaches: (url: string) => boolean };

const changeOf = (mutation: Mutation): Change => {
  const goal = new URL(mutation.file, source).href;
  const found = new Map<string, boolean>();
  return {
    mutation,
    reaches: (url) => {
      const reached = found.get(url) ?? (isOurs(url) && leadsTo(url, goal));
      found.set(url, reached);
      return reached;
    },
  };
};

const trials = new Map<string, Change>();

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const found = nextResolve(specifier, context);
    const [query, number = ''] = /\?trial=(\d+)$/.exec(context.parentURL ?? '') ?? [];
    return trials.get(number)?.reaches(found.url) === true
      ? { ...found, url: `${found.url}${query}`, format: 'module' }
      : found;
  },
  load: (url, context, nextLoad) => {
    const [file = '', number] = url.split('?trial=');
    const mutation = trials.get(number ?? '')?.mutation;
    if (mutation === undefined) return nextLoad(url, context);
    const isWanted = file === new URL(mutation.file, source).href;
    const text = isWanted ? mutated(file, mutation) : plainTextOf(file);
    return { format: 'module', source: text, shortCircuit: true };
  },
});

type Program = {
  readonly runSeed: (store: Store, seed: number) => Promise<SeedResult>;
  readonly openStore: () => Promise<Store>;
};

const has = (value: unknown, name: keyof Program): boolean =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function';

const isProgram = (value: unknown): value is Program =>
  has(value, 'runSeed') && has(value, 'openStore');

/** Loads the program with a mutation in it. */
const load = async (mutation: Mutation): Promise<Program> => {
  const number = String(trials.size + 1);
  const change = changeOf(mutation);
  trials.set(number, change);
  const modules: unknown[] = [];
  for (const url of [`${here}seed.ts`, `${here}store.ts`]) {
    modules.push(await import(change.reaches(url) ? `${url}?trial=${number}` : url));
  }
  const program: unknown = Object.assign({}, ...modules);
  if (!isProgram(program)) throw new Error('The program has other parts.');
  return program;
};

// Opening one runs all migrations: mutations that do not reach it share it.
const storeOf = perKey((openStore: Program['openStore']) => openStore());

const attempt = async ({ mutation, from, seeds }: Trial): Promise<Outcome> => {
  const { runSeed, openStore } = await load(mutation);
  const store = await storeOf(openStore);
  let errors = 0;
  for (let seed = from; seed < from + seeds; seed += 1) {
    const { violation } = await runSeed(store, seed);
    // A mutant that breaks something else has proved nothing about its own fault.
    if (violation?.kind === 'invariant' && violation.text.includes(mutation.breaks)) {
      return { caught: { seed, text: violation.text }, errors, failure: null };
    }
    // Nor has one that only raises an error.
    if (violation?.kind === 'error') errors += 1;
  }
  return { caught: null, errors, failure: null };
};

const failed = (error: unknown): Outcome => ({
  caught: null,
  errors: 0,
  failure: error instanceof Error ? error.message : String(error),
});

const tell = (outcome: Outcome): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has none
  parentPort?.postMessage(outcome);
};

parentPort?.on('message', (message: unknown) => {
  if (Value.Check(TrialSchema, message)) void attempt(message).catch(failed).then(tell);
});
