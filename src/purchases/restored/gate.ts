/** Owns the gate of a restored database: nothing new is sold until it is known what the backup forgot. */
import { type Clock, repeat } from '../../lib/clock.ts';
import { GatewayError } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { NewId } from '../../lib/random.ts';
import type { Registry } from '../../operators/registry.ts';
import { insertDecision } from '../review/store.ts';
import { type AskDeps, askOperator, quietMs, whySilent } from './ask.ts';
import {
  type AskedOperator,
  addOperator,
  askSilentAgain,
  countForgotten,
  findRestore,
  openRestore,
  type Restore,
  readOperators,
  updateOperator,
} from './store.ts';

export type GateDeps = Omit<AskDeps, 'found'> & {
  readonly clock: Clock;
  readonly newId: NewId;
  readonly registry: Registry;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
};

export type Gate = {
  /** Why nothing new is sold, or undefined where it is. */
  readonly closed: () => string | undefined;
  /** Lets a new purchase pass, or throws `DATABASE_UNAVAILABLE`: then nothing was done. */
  readonly pass: () => void;
  /** Looks how things stand, and begins to ask where it has to. Closed until then. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const why =
  'This gateway was restored from a backup, and it is not known yet what was sold since. Until it is, it sells nothing new.';

// A person has to act before a repeat can do any good, or the operators have to answer.
const retryAfterSeconds = 30;

// A person who has accepted sees the effect within a second.
const lookEveryMs = 500;
// Seldom enough not to press on an operator that is away.
const askEveryMs = 2000;

/** Every operator that sells here or ever did, with what it has told so far. */
const operatorsOf = async (deps: GateDeps, restore: Restore): Promise<AskedOperator[]> => {
  const known = await readOperators(deps.db, restore.id);
  const missing = deps.registry.all.filter(
    ({ id }) => !known.some(({ operator_id }) => operator_id === id),
  );
  for (const { id } of missing) known.push(await addOperator(deps.db, restore.id, id));
  return known;
};

/** Asks those who have not told yet, as soon as what was sent before the start has surfaced. */
const askAll = async (
  deps: GateDeps,
  restore: Restore,
  startedAt: number,
  going: () => boolean,
): Promise<void> => {
  const found: AskDeps['found'] = ({ operator_id, ref, kind, at, mobile, amount }) =>
    deps.log.warn(
      { operator: operator_id, ref, kind, at, mobile, amount },
      'the operator knows of a purchase that the restored database does not',
    );
  const ask = async (asked: AskedOperator): Promise<void> => {
    const operator = deps.registry.byId(asked.operator_id);
    const asked_at = deps.clock.now();
    if (operator?.connection.reports === undefined) {
      const detail = whySilent(operator) ?? '';
      await updateOperator(deps.db, asked, { state: 'silent', detail, asked_at });
      return;
    }
    if (deps.clock.monotonic() - startedAt < quietMs(operator, deps.recovery)) return;
    const told = await askOperator({ ...deps, found }, operator, asked, going);
    await updateOperator(deps.db, asked, { ...told, asked_at });
  };
  const waiting = (await operatorsOf(deps, restore)).filter(({ state }) => state === 'waiting');
  await Promise.all(waiting.map(ask));
};

/** Opens where all have told and nothing was forgotten; tells whether that is for a person to do. */
const openOrLeave = async (deps: GateDeps, restore: Restore): Promise<'asking' | 'person'> => {
  const operators = await readOperators(deps.db, restore.id);
  if (operators.some(({ state }) => state === 'waiting')) return 'asking';
  const forgotten = await countForgotten(deps.db, restore.id);
  const silent = operators.filter(({ state }) => state === 'silent');
  if (forgotten > 0 || silent.length > 0) return 'person';
  await deps.db.transaction().execute(async (db) => {
    const at = deps.clock.now();
    if (!(await openRestore(db, restore.id, { at, by: 'simgate' }))) return;
    const evidence = `operators ${operators.map(({ operator_id }) => operator_id).join(', ')} have told all`;
    await insertDecision(db, {
      id: deps.newId(),
      at,
      actor: 'simgate',
      action: 'restore open',
      subject: restore.id,
      before: { selling: false },
      after: { selling: true },
      evidence,
      forced: false,
      reason: 'nothing was forgotten',
    });
  });
  return 'asking';
};

export const createGate = (deps: GateDeps): Gate => {
  let reason: string | undefined = 'The server is starting.';
  let stopped = false;
  let told = false;
  let asking = Promise.resolve();
  let stops: readonly (() => void)[] = [];

  const halt = (): void => {
    stopped = true;
    for (const stop of stops) stop();
  };
  const logged = (work: () => Promise<void>) => (): Promise<void> =>
    work().catch((err: unknown) => deps.log.error({ err }, 'cannot see what was forgotten'));

  const look = async (): Promise<void> => {
    const restore = await findRestore(deps.db);
    if (restore?.opened_at === null) return;
    halt();
    reason = undefined;
    deps.log.info(
      { by: restore?.opened_by },
      'the restored database is open: new purchases are sold',
    );
  };

  const ask = async (restore: Restore, startedAt: number): Promise<void> => {
    await askAll(deps, restore, startedAt, () => !stopped);
    if (told || (await openOrLeave(deps, restore)) === 'asking') return;
    told = true;
    const forgotten = await countForgotten(deps.db, restore.id);
    deps.log.warn(
      { forgotten },
      'a person has to decide: see "simgate restore status", then "simgate restore accept"',
    );
  };

  return {
    closed: () => reason,
    pass: () => {
      if (reason === undefined) return;
      throw new GatewayError('DATABASE_UNAVAILABLE', {
        message: `${reason} Nothing was done; send the same again later.`,
        headers: { 'retry-after': String(retryAfterSeconds) },
      });
    },
    start: async () => {
      const restore = await findRestore(deps.db);
      if (restore === undefined || restore.opened_at !== null) {
        reason = undefined;
        return;
      }
      reason = why;
      deps.log.warn({ restored: new Date(restore.at).toISOString() }, why);
      await askSilentAgain(deps.db, restore.id);
      const startedAt = deps.clock.monotonic();
      stops = [
        repeat(deps.clock, lookEveryMs, logged(look)),
        repeat(deps.clock, askEveryMs, () => {
          asking = logged(() => ask(restore, startedAt))();
          return asking;
        }),
      ];
    },
    stop: async () => {
      halt();
      await asking;
    },
  };
};
