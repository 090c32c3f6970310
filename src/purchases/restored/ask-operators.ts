/** Asks the operators what a restored database has forgotten, and opens it when nothing is missing. */
import { lockSetUp } from '../../db/engine.ts';
import { type Clock, repeat } from '../../lib/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import type { NewId } from '../../lib/random.ts';
import type { Registry } from '../../operators/registry.ts';
import { type AskDeps, askOperator, quietMs, type Reading, whySilent } from './ask-operator.ts';
import { openUnaided } from './close.ts';
import {
  type AskedOperator,
  addOperator,
  askSilentAgain,
  countForgotten,
  type Restore,
  readOperators,
  updateOperator,
} from './store.ts';

export type OperatorPollDeps = Omit<AskDeps, 'found'> & {
  readonly clock: Clock;
  readonly newId: NewId;
  readonly registry: Registry;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
};

// Seldom enough not to overload an operator that is down.
const askEveryMs = 2000;
// Another instance may know it: as long as recovery leaves its purchases to that one.
const unknownOperatorMs = 600_000;

/** Every operator that sells here or ever did, with its answers so far. */
const operatorsOf = async (deps: OperatorPollDeps, restore: Restore): Promise<AskedOperator[]> => {
  const known = await readOperators(deps.db, restore.id);
  const missing = deps.registry.all.filter(
    ({ id }) => !known.some(({ operator_id }) => operator_id === id),
  );
  for (const { id } of missing) known.push(await addOperator(deps.db, restore.id, id));
  return known;
};

/** The inquiry about one restore. */
type Round = {
  /** When it began, by the process's monotonic clock. */
  readonly since: number;
  readonly readings: Map<number, Reading>;
  readonly going: () => boolean;
};

/** Asks the operators without an answer, once orders sent before the start have appeared. */
const askAll = async (
  deps: OperatorPollDeps,
  restore: Restore,
  { since, readings, going }: Round,
): Promise<void> => {
  const found: AskDeps['found'] = ({ operator_id, ref, kind, at, mobile, amount }) =>
    deps.log.warn(
      { operator: operator_id, ref, kind, at, mobile, amount },
      'the operator knows of a purchase that the restored database does not',
    );
  const ask = async (asked: AskedOperator): Promise<void> => {
    const operator = deps.registry.byId(asked.operator_id);
    const asked_at = deps.clock.now();
    const now = deps.clock.monotonic();
    if (operator === undefined && now - since < unknownOperatorMs) return;
    const silent = whySilent(operator);
    if (operator?.connection.reports === undefined) {
      if (silent !== undefined) await updateOperator(deps.db, asked, { ...silent, asked_at });
      return;
    }
    if (now - since < quietMs(operator, deps.recovery)) return;
    const reading = readings.get(operator.id) ?? { cursor: asked.cursor, tookMs: 0 };
    readings.set(operator.id, reading);
    const told = await askOperator({ ...deps, found }, operator, { asked, reading }, going);
    await updateOperator(deps.db, asked, { ...told, asked_at });
  };
  // An operator that another instance does not know may answer here.
  const isToBeAsked = ({ state, operator_id }: AskedOperator): boolean =>
    state === 'waiting' ||
    (state === 'silent' && whySilent(deps.registry.byId(operator_id)) === undefined);
  await Promise.all((await operatorsOf(deps, restore)).filter(isToBeAsked).map(ask));
};

/** Opens if all have answered and nothing is missing; returns whether a person has to decide. */
const openOrLeave = (deps: OperatorPollDeps, restore: Restore): Promise<'asking' | 'person'> =>
  deps.db.transaction().execute(async (db) => {
    // An instance may be recording what it saw committed.
    await lockSetUp(db);
    const operators = await readOperators(db, restore.id);
    if (operators.some(({ state }) => state === 'waiting')) return 'asking';
    const forgotten = await countForgotten(db, restore);
    const silent = operators.filter(({ state }) => state === 'silent');
    if (forgotten > 0 || silent.length > 0) return 'person';
    const at = deps.clock.now();
    const evidence = `operators ${operators.map(({ operator_id }) => operator_id).join(', ')} have told all`;
    await openUnaided(db, deps, restore, { at, evidence, reason: 'nothing was forgotten' });
    return 'asking';
  });

export type OperatorPoll = {
  /** Asks about this restore from now on, and about no other. */
  readonly begin: (restore: Restore) => Promise<void>;
  readonly end: () => void;
  /** Resolves when no inquiry runs any more. */
  readonly whenIdle: () => Promise<void>;
};

export const createOperatorPoll = (deps: OperatorPollDeps): OperatorPoll => {
  let current: string | undefined;
  let stop: (() => Promise<void>) | undefined;
  let running = Promise.resolve();
  let told = false;

  const ask = async (restore: Restore, round: Round): Promise<void> => {
    await askAll(deps, restore, round);
    const before = told;
    told = (await openOrLeave(deps, restore)) === 'person';
    if (!told || before) return;
    const forgotten = await countForgotten(deps.db, restore);
    deps.log.warn(
      { forgotten },
      'a person has to decide: see "simgate restore status", then "simgate restore accept"',
    );
  };
  const end = (): void => {
    void stop?.();
    stop = undefined;
    current = undefined;
  };

  return {
    begin: async (restore) => {
      end();
      current = restore.id;
      told = false;
      const round: Round = {
        since: deps.clock.monotonic(),
        readings: new Map(),
        going: () => current === restore.id,
      };
      await askSilentAgain(deps.db, restore.id);
      if (current !== restore.id) return;
      stop = repeat(deps.clock, askEveryMs, () => {
        running = ask(restore, round).catch((err: unknown) =>
          deps.log.error({ err }, 'cannot see what was forgotten'),
        );
        return running;
      });
    },
    end,
    whenIdle: () => running,
  };
};
