/** Simulates a person who decides what is in review or disputed, with and against the evidence. */
import { callWithin } from '../../src/connector/call.ts';
import { OutcomeUnknown } from '../../src/db/transaction.ts';
import type { Db } from '../../src/db/types.ts';
import { sleep } from '../../src/lib/clock.ts';
import { UsageError } from '../../src/lib/errors.ts';
import { PurchaseMissing } from '../../src/purchases/commit/advance.ts';
import { acceptRestore, restoreStatus } from '../../src/purchases/restored/accept.ts';
import { askOperator } from '../../src/purchases/review/ask-operator.ts';
import type { Evidence, ReviewOutcome } from '../../src/purchases/review/evidence.ts';
import { preview, type ResolveDeps, resolve } from '../../src/purchases/review/resolve.ts';
import { NotResolved } from '../../src/purchases/review/undecided.ts';
import { type Database, InjectedFault } from './database.ts';
import { type Model, person } from './model.ts';
import type { Plan } from './plan.ts';
import { createProcess } from './process.ts';
import type { Registries } from './registries.ts';
import type { World } from './world.ts';

export type PeopleDeps = {
  readonly world: World;
  readonly model: Model;
  readonly database: Database;
  readonly plan: Plan;
  readonly newId: () => string;
  readonly registryFor: Registries['registryFor'];
  /** By which the one server decides; undefined while none runs. */
  readonly serverTime: () => number | undefined;
};

/** The outcome that the evidence supports; undefined for none, or both. */
const supportedBy = (evidence: readonly Evidence[]): ReviewOutcome | undefined => {
  const says = new Set(evidence.map((one) => one.says));
  const sold = says.has('delivered') || says.has('taken_back');
  if (sold === says.has('not_delivered')) return undefined;
  return sold ? 'succeeded' : 'failed';
};

const other = (verdict: ReviewOutcome): ReviewOutcome =>
  verdict === 'failed' ? 'succeeded' : 'failed';

export const createPerson = (given: PeopleDeps): void => {
  const { world, model, database, plan, newId, registryFor, serverTime } = given;
  const { draw } = world;
  const process = createProcess(world, person);
  process.onDeath(() => world.after(1000, () => createPerson(given)));
  const db: Db = database.connect(process);
  // On a file the console is a part of the server, with the same clock.
  let last = process.clock.now();
  const time = (): number => {
    last = plan.alone ? (serverTime() ?? last) : database.time();
    return last;
  };
  const databaseTime = async (): Promise<number> => time();
  const registry = registryFor(process, { db, databaseTime });
  model.knows(process.name, time);
  const deps: ResolveDeps = {
    db,
    databaseTime,
    clock: process.clock,
    newId,
    // Its transaction waits for others, and the evidence may change in between.
    retryLocked: async (work) => {
      if (draw.chance(0.5)) await sleep(process.clock, draw.whole(50, 4000));
      return work();
    },
    ask: async (purchase) => {
      if (draw.chance(0.3)) {
        return { kind: 'asked', outcome: { kind: 'unknown', detail: 'silence' }, quiet: false };
      }
      const call = callWithin(process.clock);
      const { recovery } = plan;
      return askOperator({ registry, call, recovery, now: databaseTime }, purchase);
    },
  };

  /** Decides one, on the current evidence. */
  const decide = async (id: string): Promise<void> => {
    const before = world.now();
    const rewinds = model.rewinds();
    const { evidence, version } = await preview(deps, id, 'succeeded');
    if (model.rewinds() === rewinds && evidence.some(({ says }) => says === 'delivered')) {
      model.showSold(id);
      if (evidence.some(({ fact }) => fact.code === 'now_delivered')) model.toldPerson(id);
    }
    if (evidence.some(({ fact }) => fact.code === 'now_not_found')) model.shownProof(id);
    const supported = supportedBy(evidence);
    // It knows what it is shown, even if the operator took long to answer.
    const isShown = evidence.some(({ says }) => says === 'delivered' || says === 'taken_back');
    const at = isShown ? world.now() : before;
    if (supported === undefined && draw.chance(0.7)) return;
    const against = supported !== undefined && draw.chance(0.6);
    const guess: ReviewOutcome = draw.pick(['succeeded', 'failed']);
    const verdict = supported === undefined ? guess : against ? other(supported) : supported;
    const force = (against || supported === undefined) && draw.chance(0.5);
    // A decision by command has seen no version, and forces nothing.
    const ground = force || draw.chance(0.5) ? { force, version } : { force: false as const };
    world.happened(against ? 'decision against the evidence' : 'decision');
    world.say(`office decides ${id} ${verdict}${force ? ' by force' : ''}`);
    // A closed dispute leaves the recorded end, whatever is true.
    const isOpen = model.purchases().get(id)?.state === 'review';
    model.intend(id, { at, supported: isOpen && verdict === supported });
    const resolution = { verdict, reason: 'a call', actor: person, ...ground };
    const done = await resolve(deps, id, resolution);
    if (done.forced && !force) world.violate(`${id} was decided against the evidence, unforced`);
    if (verdict === 'failed' && !force && model.isToldSold(id)) {
      world.violate(`${id} was decided as failed, unforced, after its delivery was reported`);
    }
  };

  /** What was seen of a restore. */
  let looked: { readonly restore: string; readonly count: number } | undefined;

  const accept = async (): Promise<void> => {
    const seen = await restoreStatus(db);
    if (seen?.restore.opened_at !== null) return;
    const { restore, operators, count } = seen;
    // It settles with the clients what it has seen, and does not always check again.
    if (looked?.restore !== restore.id || draw.chance(0.3)) looked = { restore: restore.id, count };
    const isUnasked = operators.length === 0 || operators.some(({ state }) => state === 'waiting');
    if (isUnasked && !draw.chance(0.03)) return;
    const forgotten = looked.count;
    world.say(`office accepts the restore${isUnasked ? ' by force' : ''}`);
    model.accept(isUnasked);
    const opened = await acceptRestore(
      { db, clock: process.clock, newId },
      { actor: person, reason: 'known', forgotten, force: isUnasked },
    );
    if (opened.count !== forgotten) {
      world.violate(
        `it was opened over ${opened.count} forgotten purchases, and ${forgotten} seen`,
      );
    }
  };

  const expected = (error: unknown): boolean =>
    error instanceof InjectedFault ||
    error instanceof NotResolved ||
    error instanceof OutcomeUnknown ||
    // The database was restored while a person decided.
    error instanceof PurchaseMissing ||
    error instanceof UsageError;

  const work = async (): Promise<void> => {
    if (plan.restore !== 'none') await accept();
    if (!plan.people || (plan.alone && serverTime() === undefined)) return;
    const [first, ...others] = [...model.purchases().values()].filter(
      ({ state, disputed }) => state === 'review' || disputed !== null,
    );
    if (first !== undefined) await decide(draw.pick([first, ...others]).id);
  };

  const again = (): void => {
    process.after(draw.whole(300, 2500), () => {
      work()
        .catch((error: unknown) => {
          if (!expected(error)) world.fail(`office: ${String(error)}`);
        })
        .finally(again);
    });
  };
  again();
};
