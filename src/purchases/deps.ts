/** Defines what buying, ordering and recovery need. */
import type { Snapshot } from '../catalogue/snapshot.ts';
import type { Call } from '../connector/call.ts';
import type { DatabaseTime, Db } from '../db/types.ts';
import type { DayAt } from '../lib/business-day.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log/log.ts';
import type { Decimal } from '../lib/money.ts';
import type { NewId, Random } from '../lib/random.ts';
import type { Offers } from '../offers/offers.ts';
import type { Admission } from '../operators/admission.ts';
import type { Registry } from '../operators/registry.ts';
import type { Spans } from '../tracing/spans.ts';
import type { Transact } from './commit/transact.ts';
import type { Promises } from './left/promises.ts';
import type { Pricing } from './pricing.ts';
import type { Gate } from './restored/gate.ts';
import type { PlaceMonitor } from './restored/place/monitor.ts';
import type { Routing } from './routing.ts';
import type { RecoveryConfig } from './terms.ts';

export type PurchaseConfig = {
  readonly vatPercent: Decimal;
  /** The products whose price is that of a personal offer. */
  readonly personalOffers: readonly number[];
  /** After this long, waiting requests get 202. */
  readonly pendingAfterMs: number;
  readonly recovery: RecoveryConfig;
};

export type PurchaseDeps = {
  readonly db: Db;
  readonly databaseTime: DatabaseTime;
  /** The day of limits that contains a moment; in UTC by default. */
  readonly limitDayAt?: DayAt;
  readonly transact: Transact;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: Random;
  readonly call: Call;
  /** Records the steps of a purchase; none without it. */
  readonly spans?: Spans;
  readonly registry: Registry;
  /** Without it each operator is its own and only supplier. */
  readonly routing?: Routing | undefined;
  /** Without it each client pays the price. */
  readonly pricing?: Pricing | undefined;
  readonly catalogue: () => Pick<Snapshot, 'product'>;
  readonly offers: Offers;
  readonly admission: Admission;
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly config: PurchaseConfig;
  /** If prefixes decide: the operator that assigned a number; undefined if unknown. */
  readonly ownerByPrefix?: ((mobile: string) => number | undefined) | undefined;
  /**
   * A number in a form that people may recognize and we may keep; without it reports are kept without
   * numbers.
   */
  readonly mask?: (mobile: string) => string;
  /** Called for each report of an order that is unknown here, with its operator. */
  readonly unmatched?: (operatorId: number) => void;
  /** Awaited within long work, so that requests are answered meanwhile; nothing by default. */
  readonly nextTurn?: () => Promise<void>;
  /** The promises that suppliers broke; none by default. */
  readonly promises?: Promises;
  /** Admits new purchases, or throws; without one all are admitted. */
  readonly gate?: Pick<Gate, 'pass' | 'shut' | 'closed'>;
  /** The place of a database that may have been replaced. */
  readonly place?: Pick<PlaceMonitor, 'signature' | 'registered' | 'within'> | undefined;
};
