/** Owns the composition of purchases: buying, checking and recovery built, begun and ended together. */
import type { Webhooks } from './gateway-webhooks.ts';
import { turnsAtPace } from './lib/clock.ts';
import type { Config } from './lib/config.ts';
import { sqlOf } from './lib/db-engine.ts';
import type { Patiently } from './lib/db-patience.ts';
import { UsageError } from './lib/errors.ts';
import type { Log } from './lib/log.ts';
import { measuredBatches } from './lib/measured-batch.ts';
import type { Meter } from './lib/meter.ts';
import type { Metrics } from './lib/metrics.ts';
import { maskMobile } from './lib/mobile.ts';
import { readDecimal } from './lib/money.ts';
import { createBuying } from './purchases/buy.ts';
import { createCheck } from './purchases/check/check.ts';
import { type Day, readDay } from './purchases/guard/guard.ts';
import { measuredTransact } from './purchases/measure/transact.ts';
import type { PurchaseConfig, PurchaseDeps } from './purchases/order.ts';
import { createRecovery, keepRecovering, type Recovery, takeOver } from './purchases/recover.ts';
import { createGate } from './purchases/restored/gate.ts';
import { askOperator } from './purchases/review/ask.ts';
import type { Asked } from './purchases/review/evidence.ts';
import type { Undecided } from './purchases/review/resolve.ts';
import type { Tally } from './purchases/stats/tally.ts';
import { tellingTransact } from './purchases/telling.ts';
import { createTransact, type Transact } from './purchases/transact.ts';

/** Makes what writes purchases. */
export type MakeTransact = (metrics: Pick<Metrics, 'batch'>) => Transact;

// A commit costs as much for one purchase as for ten: under load they come no closer than this.
const pauseMs = 3;
const makePause = (): (() => Promise<void>) => turnsAtPace(pauseMs);

export const purchaseConfig = (config: Config): PurchaseConfig => {
  const { pendingAfterMs, ...recovery } = config.purchases;
  const vatPercent = readDecimal(config.vatPercent);
  if (vatPercent === undefined) throw new UsageError('vatPercent must be a decimal, as "10".');
  const personalOffers = Object.values(config.personalOffers);
  return { vatPercent, personalOffers, pendingAfterMs, recovery };
};

/** Recovery that waits its turn: what it does may be done again where the database was locked. */
const patientRecovery = (recovery: Recovery, patiently: Patiently): Recovery => ({
  ...recovery,
  claim: () => patiently(recovery.claim),
  claimAbandoned: () => patiently(recovery.claimAbandoned),
  readReports: (going) => patiently(() => recovery.readReports(going)),
});

/** Buying and recovery, and how both begin and end. */
export const createPurchases = (
  given: Omit<PurchaseDeps, 'transact' | 'gate' | 'log'> & {
    readonly transact: MakeTransact | undefined;
    readonly log: Log;
    readonly calmLog: PurchaseDeps['log'];
    readonly patiently: Patiently;
    readonly meter: Meter;
    readonly tally: Tally;
    readonly webhooks: Pick<Webhooks, 'listeners' | 'wake'>;
  },
  mobile: Config['mobile'],
) => {
  const { metrics } = given.meter;
  const makeBatch = measuredBatches(given.clock, metrics);
  const measured = measuredTransact(
    given.transact?.(metrics) ?? createTransact({ ...given, makePause, makeBatch }),
    metrics,
    given.tally,
  );
  const transact = tellingTransact(measured, { ...given.webhooks, newId: given.newId });
  const mask = (number: string): string => maskMobile(number, mobile);
  const gate = createGate({ ...given, recovery: given.config.recovery, mask });
  const deps = { ...given, transact, gate, log: given.calmLog };
  const buying = createBuying(deps);
  const recovery = patientRecovery(createRecovery(deps), given.patiently);
  let stopRecovering = async (): Promise<void> => {};
  return {
    buying,
    check: createCheck(deps),
    /** What a client has spent on the day that it is. */
    dayOf: async (clientId: string): Promise<Day> =>
      readDay(given.db, clientId, await given.databaseTime(given.db)),
    closed: gate.closed,
    lookAtRestores: gate.look,
    /** What the back office does with one purchase. */
    office: {
      driveOn: recovery.driveOn,
      canAsk: (operatorId: number): boolean =>
        (given.registry.byId(operatorId)?.system ?? null) !== null,
      ask: (purchase: Undecided): Promise<Asked> =>
        askOperator(
          {
            ...given,
            recovery: given.config.recovery,
            now: () => given.databaseTime(given.db),
          },
          purchase,
        ),
    },
    start: async (): Promise<void> => {
      await gate.start();
      // The lock on the file proves that no other server lives; on PostgreSQL leases tell it in time.
      if (sqlOf(given.db).name === 'sqlite') await takeOver(deps);
      stopRecovering = keepRecovering(deps, recovery);
    },
    stop: async (): Promise<void> => {
      await stopRecovering();
      await gate.stop();
      await buying.idle();
      await recovery.idle();
    },
  };
};

export type Purchases = ReturnType<typeof createPurchases>;
