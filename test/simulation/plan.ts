/** Plans what is special about a seed's world: few rare features each, so that a seed stays short. */
import { type ClientRules, noRules } from '../../src/clients/rules/rules.ts';
import type { RecoveryConfig } from '../../src/purchases/terms.ts';
import { createDraw, type Draw } from './draw.ts';

export type Plan = {
  /** One server at a time, as on an SQLite file; else several that share the database. */
  readonly alone: boolean;
  readonly instances: number;
  /** The multiple of the ordinary number of faults. */
  readonly databaseRate: number;
  readonly operatorRate: number;
  /** The database is unavailable for seconds. */
  readonly outages: boolean;
  /** The database's clock steps when the database, or the one server, starts again. */
  readonly clockSteps: boolean;
  /** An operator whose deadline is longer than any lease. */
  readonly slowOperator: boolean;
  /** Whether that one reports what it delivers. */
  readonly slowReports: boolean;
  /** Some instances do not know one of the operators. */
  readonly partialConfiguration: boolean;
  /** Operators get other settings, and instances learn of it late. */
  readonly moves: boolean;
  /** The deduplicating operator judges refused orders again. */
  readonly judgesAgain: boolean;
  /** More reports than fit on a page. */
  readonly manyReports: boolean;
  readonly webhooks: boolean;
  /** A person decides what is in review or disputed. */
  readonly people: boolean;
  /** Operators tell by themselves what became of orders. */
  readonly callbacks: boolean;
  /** How many suppliers one of the operators has. */
  readonly suppliers: number;
  /** The supplier that takes no inquiries, so that orders are sent again; 0 if there is none. */
  readonly resendsTo: number;
  /** A person changes the clients' credit limits. */
  readonly credit: boolean;
  /** The job that counts what was sold runs, and is killed. */
  readonly counts: boolean;
  /** The clients that are test clients. */
  readonly tests: ReadonlySet<string>;
  /** Price lists change while purchases begin. */
  readonly prices: boolean;
  readonly restore: 'none' | 'backup' | 'standby';
  /** Instances monitor the database's place. */
  readonly watchesPlace: boolean;
  /** A commit arrives together with the last statement of its transaction, not behind it. */
  readonly pipelines: boolean;
  /** Only operators that report what they deliver. */
  readonly reportingOnly: boolean;
  readonly rules: ReadonlyMap<string, ClientRules>;
  readonly recovery: RecoveryConfig;
  readonly purchases: number;
  /** From then on everything ends undisturbed. */
  readonly faultsLastMs: number;
};

/** Shorter than the defaults in every respect, so that a seed ends soon; in the same proportions. */
const recovery: RecoveryConfig = {
  sendWithinMs: 1000,
  firstInquiryMs: 400,
  widestInquiryMs: 4000,
  reviewAfterMs: 45_000,
};

/** So short that people decide while faults still happen. */
const earlyReviewMs = 5000;

const drawRules = (draw: Draw): ClientRules => ({
  ...noRules,
  products: draw.chance(0.3) ? [1, 2, 3, 510] : null,
  repeatSeconds: draw.chance(0.6) ? draw.whole(2, 20) : null,
  dailyLimit: draw.chance(0.7) ? draw.whole(2, 6) * 200 : null,
});

// Drawn apart: worlds without callbacks take the course that they took before there were any.
const callbacksIn = (seed: number): boolean => createDraw(seed + 0x10_0000).chance(0.15);

/** Drawn apart, for the same reason. */
const suppliersIn = (seed: number): number => {
  const draw = createDraw(seed + 0x2a_0000);
  return draw.chance(0.3) ? draw.whole(2, 4) : 1;
};

/** Drawn apart, for the same reason. */
const resendsIn = (seed: number): number => {
  const draw = createDraw(seed + 0x51_0000);
  const further = [11, 12].slice(0, suppliersIn(seed) - 1);
  return draw.chance(0.25) ? draw.pick([1, 2, 2, 1, ...further]) : 0;
};

/** Drawn apart, for the same reason. */
const creditIn = (seed: number): boolean => createDraw(seed + 0x11e_6000).chance(0.08);

/** Drawn apart, for the same reason. */
const countsIn = (seed: number): boolean => createDraw(seed + 0x1c_0000).chance(0.08);

/** Drawn apart, for the same reason. */
const pricesIn = (seed: number): boolean => createDraw(seed + 0x179_a400).chance(0.2);

/** Drawn apart, for the same reason. */
const pipelinesIn = (seed: number): boolean => createDraw(seed + 0x615_0000).chance(0.5);

/** One world in twenty-five: orders get lost again and again. */
const faulty = { databaseRate: 3, operatorRate: 2 } as const satisfies Partial<Plan>;

/** One world in ten: many faults, and operators report what a person decides. */
const crowded = {
  people: true,
  recovery: { ...recovery, reviewAfterMs: earlyReviewMs },
  databaseRate: 3,
  operatorRate: 1,
} as const satisfies Partial<Plan>;

/** Drawn apart, for the same reason. */
const testsIn = (clientIds: readonly string[], seed: number): ReadonlySet<string> =>
  new Set(createDraw(seed + 0x48d_0000).chance(0.15) ? clientIds.slice(-1) : []);

/** Three worlds in five are small, and short where nothing in them takes its time. */
const drawSize = (
  draw: Draw,
  plan: Pick<Plan, 'people' | 'alone' | 'moves'>,
  seed: number,
): Pick<Plan, 'purchases' | 'faultsLastMs'> => {
  const many = draw.whole(8, 11);
  // What one person decides on one server is rare enough among many purchases.
  const isSmall = seed % 5 < 3 && !(plan.people && plan.alone);
  const isShort = isSmall && !plan.people && !plan.moves;
  return {
    purchases: isSmall ? Math.floor(many / 3) : many,
    faultsLastMs: isShort ? 9000 : 16_000,
  };
};

export const drawPlan = (draw: Draw, clientIds: readonly string[], seed: number): Plan => {
  const alone = draw.chance(0.5);
  const restores = draw.chance(0.1);
  const restore = restores ? (alone ? 'backup' : 'standby') : 'none';
  const people = draw.chance(0.2);
  const clockSteps = draw.chance(0.2);
  const reportingOnly = restores && draw.chance(0.55);
  const limited = draw.chance(0.2) ? clientIds.filter(() => draw.chance(0.7)) : [];
  const plan = {
    alone,
    instances: alone ? 1 : draw.whole(2, 3),
    databaseRate: draw.pick([0.2, 0.4, 1, 3]),
    operatorRate: draw.pick(restores ? [0.3, 1, 1] : [0.1, 0.3, 1]),
    outages: draw.chance(clockSteps ? 0.7 : 0.2),
    clockSteps,
    slowOperator: draw.chance(people ? 0.4 : restores ? 0.12 : 0.2),
    slowReports: reportingOnly || draw.chance(0.5),
    partialConfiguration: !restores && draw.chance(0.15),
    moves: !restores && draw.chance(0.15),
    judgesAgain: draw.chance(0.4),
    manyReports: draw.chance(0.02),
    webhooks: !restores && draw.chance(people ? 0.15 : 0.04),
    people,
    callbacks: callbacksIn(seed),
    suppliers: suppliersIn(seed),
    resendsTo: resendsIn(seed),
    credit: creditIn(seed),
    counts: countsIn(seed),
    tests: testsIn(clientIds, seed),
    prices: !restores && pricesIn(seed),
    restore,
    watchesPlace: !alone && (restores || clockSteps),
    pipelines: !alone && pipelinesIn(seed),
    reportingOnly,
    rules: new Map(limited.map((id) => [id, drawRules(draw)])),
    recovery: people ? { ...recovery, reviewAfterMs: earlyReviewMs } : recovery,
    ...(seed % 25 === 4 ? faulty : {}),
    ...(seed % 10 === 9 ? crowded : {}),
  } satisfies Partial<Plan>;
  return { ...plan, ...drawSize(draw, plan, seed) };
};
