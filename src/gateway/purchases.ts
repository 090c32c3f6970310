/** Builds purchases: buying, checking and recovery, and starts and stops them together. */
import { maskNumbers } from '../admin/mask.ts';
import type { Config } from '../config/config.ts';
import { withoutSecrets } from '../connector/settings/mask.ts';
import { sqlOf } from '../db/engine.ts';
import type { LockRetry } from '../db/lock-retry.ts';
import type { DayAt } from '../lib/business-day.ts';
import { createSystemThrottle, nextTurn } from '../lib/clock.ts';
import { UsageError } from '../lib/errors.ts';
import { type Log, maskText } from '../lib/log/log.ts';
import { maskMobile } from '../lib/mobile.ts';
import { readDecimal } from '../lib/money.ts';
import { measuredBatches } from '../metrics/batch.ts';
import type { Meter } from '../metrics/meter.ts';
import type { BatchName } from '../metrics/metrics.ts';
import { findSupplier } from '../operators/registry.ts';
import type { LiveOperators } from '../operators/settings/live.ts';
import { createBuying } from '../purchases/buy.ts';
import { createCallbacks, type ReceiveCallback } from '../purchases/callbacks/receive.ts';
import { startCallbackSweep } from '../purchases/callbacks/sweep.ts';
import { createCheck } from '../purchases/check/check.ts';
import { measuredTransact } from '../purchases/commit/measure.ts';
import { notifyingTransact } from '../purchases/commit/notify.ts';
import { createTransact, type Patience, type Transact } from '../purchases/commit/transact.ts';
import type { PurchaseConfig, PurchaseDeps } from '../purchases/deps.ts';
import { type Day, readDay } from '../purchases/guard/guard.ts';
import { createRecovery, keepRecovering, type Recovery, takeOver } from '../purchases/recover.ts';
import { createGate } from '../purchases/restored/gate.ts';
import type { ExamineDeps } from '../purchases/restored/place/examine.ts';
import {
  createPlaceMonitor,
  type PlaceMonitor,
  type PlaceMonitorDeps,
} from '../purchases/restored/place/monitor.ts';
import { readPlace } from '../purchases/restored/place/store.ts';
import {
  createWitness,
  type Witness,
  witnessedTransact,
} from '../purchases/restored/place/witness.ts';
import { openWitnessFile } from '../purchases/restored/place/witness-file.ts';
import { askOperator } from '../purchases/review/ask-operator.ts';
import type { Asked } from '../purchases/review/evidence.ts';
import type { Undecided } from '../purchases/review/undecided.ts';
import type { Tally } from '../purchases/stats/tally.ts';
import type { Webhooks } from './webhooks.ts';

// A commit costs as much for one purchase as for ten: under load they come no closer than this.
const pauseMs = 3;
const makePause = (): (() => Promise<void>) => createSystemThrottle(pauseMs);

export const purchaseConfig = (config: Config): PurchaseConfig => {
  const { pendingAfterMs, callbackDays: _days, ...recovery } = config.purchases;
  const vatPercent = readDecimal(config.vatPercent);
  if (vatPercent === undefined) throw new UsageError('vatPercent must be a decimal such as "10".');
  const personalOffers = Object.values(config.personalOffers);
  return { vatPercent, personalOffers, pendingAfterMs, recovery };
};

/** Recovery waits its turn: its work may be repeated if the database was locked. */
const patientRecovery = (recovery: Recovery, retryLocked: LockRetry): Recovery => ({
  ...recovery,
  claim: () => retryLocked(recovery.claim),
  claimAbandoned: () => retryLocked(recovery.claimAbandoned),
  readReports: (going) => retryLocked(() => recovery.readReports(going)),
  askAboutLeft: () => retryLocked(recovery.askAboutLeft),
});

// Some megabyte at most. A loss affects the last writes, which the most recent entries show.
const sizes = { clients: 5000, held: 5000 } as const;
// A file is either older or not: a few entries are enough, and little is written.
const fileSizes = { clients: 500, held: 0 } as const;

type PlaceOfDeps = Omit<PlaceMonitorDeps, 'instanceId' | 'sendWithinMs' | 'readPlace'> & {
  readonly config: PurchaseConfig;
  /** Called with the id by which other instances know this one. */
  readonly named: (id: string) => void;
};

/** Monitors the database's place; a file never changes its own. */
const placeOf = (deps: PlaceOfDeps): PlaceMonitor | undefined => {
  if (sqlOf(deps.db).name === 'sqlite') return undefined;
  const instanceId = deps.newId();
  deps.named(instanceId);
  const { sendWithinMs } = deps.config.recovery;
  return createPlaceMonitor({ ...deps, instanceId, sendWithinMs, readPlace });
};

type Given = Omit<PurchaseDeps, 'transact' | 'gate' | 'place' | 'log'> & {
  readonly log: Log;
  readonly limitDayAt: DayAt;
  readonly throttledLog: PurchaseDeps['log'];
  readonly retryLocked: LockRetry;
  readonly patience: Patience;
  readonly meter: Meter;
  readonly tally: Tally;
  readonly webhooks: Pick<Webhooks, 'listeners' | 'wake'>;
  readonly onLoss: ExamineDeps['onLoss'];
  readonly live: Pick<LiveOperators, 'inUse'>;
  readonly callbackDays: number;
  /** Whether every commit is on a standby before it is acknowledged. */
  readonly synchronous: boolean;
};

/** The transactions of purchases: measured, remembered by the witness, and announced to clients. */
const transactOf = (
  given: Given,
  { place, witness }: { readonly place: PlaceMonitor | undefined; readonly witness: Witness },
): Transact => {
  const { metrics } = given.meter;
  const makeBatch = measuredBatches(given.clock, metrics);
  const trusts = place?.trusts;
  const onLocked = (client: string, batch: BatchName): void => {
    metrics.lockedRows(batch);
    given.log.warn({ client, batch }, 'another transaction keeps rows of a client locked');
  };
  const measured = measuredTransact(
    createTransact({ ...given, trusts, makePause, makeBatch, onLocked }),
    metrics,
    given.tally,
  );
  const witnessed = witnessedTransact(measured, witness, () => place?.suspect());
  return notifyingTransact(witnessed, { ...given.webhooks, newId: given.newId });
};

/** The operators' callbacks, received and stored. */
const callbacksOf = (
  given: Given,
  deps: Omit<PurchaseDeps, 'log'>,
  mobile: Config['mobile'],
): ReceiveCallback => {
  const [maskAll, maskTokens] = [maskNumbers(mobile), maskText(mobile)];
  const receive = createCallbacks({
    ...deps,
    log: given.log,
    calledBack: given.meter.metrics.calledBack,
    maskMessage: ({ id, connector }, text) => {
      const settings = given.live.inUse(id)?.settings ?? {};
      return maskAll(maskTokens(withoutSecrets(connector, settings, text)));
    },
  });
  return (operator, request) => given.retryLocked(() => receive(operator, request));
};

const dayOf =
  ({ db, databaseTime, limitDayAt }: Given) =>
  async (clientId: string): Promise<Day> =>
    readDay(db, clientId, limitDayAt(await databaseTime(db)));

/** Why a person cannot ask a supplier from here; undefined if it is possible. */
const whyNotAsked =
  ({ registry }: Pick<PurchaseDeps, 'registry'>) =>
  (supplierId: number): 'OPERATOR_NOT_CONFIGURED' | 'NO_INQUIRIES' | undefined => {
    const supplier = findSupplier(registry, supplierId);
    if (supplier === undefined || supplier.system === null) return 'OPERATOR_NOT_CONFIGURED';
    return typeof supplier.connection.status === 'function' ? undefined : 'NO_INQUIRIES';
  };

/** Buying and recovery, and how both begin and end. */
export const createPurchases = (given: Given, mobile: Config['mobile']) => {
  const mask = (number: string): string => maskMobile(number, mobile);
  const witness = createWitness(sqlOf(given.db).name === 'sqlite' ? fileSizes : sizes);
  const sendWithinMs = given.config.recovery.sendWithinMs;
  const witnessFile = openWitnessFile({ ...given, witness, sendWithinMs });
  const place = placeOf({
    ...given,
    log: given.throttledLog,
    witness,
    mask,
    suspected: () => void gate.shut('suspected'),
    named: (id) => given.log.info({ id }, 'the other instances know this one by its id'),
  });
  const transact = transactOf(given, { place, witness });
  const gate = createGate({ ...given, recovery: given.config.recovery, mask, place });
  const { unmatched } = given.meter.metrics;
  const more = { log: given.throttledLog, mask, unmatched, nextTurn };
  const deps = { ...given, transact, gate, place, ...more };
  const buying = createBuying(deps);
  const recovery = patientRecovery(createRecovery(deps), given.retryLocked);
  let stopRecovering = async (): Promise<void> => {};
  let stopSweeping = async (): Promise<void> => {};
  return {
    buying,
    receiveCallback: callbacksOf(given, deps, mobile),
    check: createCheck(deps),
    /** A client's spending today. */
    dayOf: dayOf(given),
    closed: gate.closed,
    lookAtRestores: gate.refresh,
    /** The back office's actions on one purchase. */
    office: {
      recoverOne: recovery.recoverOne,
      whyNotAsked: whyNotAsked(given),
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
      await given.promises?.refresh();
      await witnessFile.start();
      await gate.start();
      place?.start();
      // The lock on the file proves that no other server lives; on PostgreSQL leases expire in time.
      if (sqlOf(given.db).name === 'sqlite') await takeOver(deps);
      stopRecovering = keepRecovering(deps, recovery);
      stopSweeping = startCallbackSweep({
        ...given,
        log: given.throttledLog,
        keepDays: given.callbackDays,
      });
    },
    stop: async (): Promise<void> => {
      await stopSweeping();
      await stopRecovering();
      await gate.stop();
      await buying.whenIdle();
      await recovery.whenIdle();
      // Only now: until here it may have received something.
      await place?.stop();
      await witnessFile.stop();
    },
  };
};

export type Purchases = ReturnType<typeof createPurchases>;
