/** Defines the kinds of alarms: what raises one, how steadily, and its words. One entry for each. Pure. */
import { keysOf } from '../../lib/record.ts';
import { sameText, type Text } from '../../lib/text.ts';
import { type Float, hoursOf, levelOf } from '../../purchases/floats/float.ts';
import type { Alert, AlertKind } from '../overview/alerts.ts';
import type { CreditUse, LowBalance } from '../overview/store.ts';

/** What an alarm says besides its kind. */
export type Facts = {
  /** Of the operator, supplier or client. */
  readonly name?: Text;
  /** How many purchases. */
  readonly count?: number;
  readonly available?: number;
  readonly below?: number;
};

/** What is seen of a subject now. What is not seen at all is clear. */
export type Observation = {
  /** An operator, a supplier or a client; empty where there is only one. */
  readonly subject: string;
  /** `near` raises nothing, and keeps what is raised. */
  readonly level: 'bad' | 'near';
  readonly facts: Facts;
};

export type Seen = {
  /** What the overview shows. */
  readonly alerts: readonly Alert[];
  /** Clients whose balance is low, or nearly. */
  readonly low: readonly LowBalance[];
  readonly lowBelow: number;
  readonly credit: CreditUse;
  /** Of the suppliers whose float is watched. */
  readonly floats: readonly { readonly id: number; readonly name: Text; readonly float: Float }[];
  readonly reviewAtLeast: number;
};

/** Facts as a language writes them. */
export type Written = Readonly<Record<keyof Facts, string>>;
type Words = Readonly<Record<keyof Text, (written: Written) => string>>;

type Kind = {
  /** How long it is seen before it is raised, and gone before it is resolved. */
  readonly raiseAfterMs: number;
  readonly resolveAfterMs: number;
  readonly observe: (seen: Seen) => readonly Observation[];
  /** The page of the console where one acts on it. */
  readonly page: (subject: string) => string;
  readonly raised: Words;
  readonly resolved: Words;
};

const minutes = (count: number): number => count * 60_000;

const ofOperators = (kind: AlertKind, { alerts }: Seen): Observation[] =>
  alerts.flatMap((alert): Observation[] => {
    const { operator, count } = alert;
    if (alert.kind !== kind || operator === undefined) return [];
    const facts = { name: operator.names, ...(count === undefined ? {} : { count }) };
    return [{ subject: String(operator.id), level: 'bad', facts }];
  });

// A quarter more than a threshold: a float that sinks and rises around it is one alarm.
const enoughAgain = 1.25;

/**
 * At its own level it is raised. A worse one keeps it, and so does one that is hardly better: after
 * "low" people hear of it again only when it is empty, or has recovered.
 */
const floatsAt =
  (level: 'approaching' | 'low' | 'empty', worse: readonly string[]) =>
  ({ floats }: Seen): Observation[] =>
    floats.flatMap(({ id, name, float }): Observation[] => {
      const now = levelOf(float);
      const hours = float.coverHours ?? Number.POSITIVE_INFINITY;
      const isNear =
        worse.includes(now) ||
        (level === 'empty'
          ? float.free <= float.perHour / 4
          : hours < hoursOf[level] * enoughAgain);
      if (now !== level && !isNear) return [];
      const count = Number.isFinite(hours) ? { count: Math.floor(hours) } : {};
      const facts = { name, ...count };
      return [{ subject: String(id), level: now === level ? 'bad' : 'near', facts }];
    });

const clients = (some: CreditUse['usedUp'], level: Observation['level']): Observation[] =>
  some.map(({ id, name }) => ({ subject: id, level, facts: { name: sameText(name) } }));

/** A balance must rise this far above the threshold before it counts as enough again. */
export const enoughFrom = (below: number): number => below + Math.ceil(below / 10);

export const alarmKinds = {
  operator_down: {
    raiseAfterMs: minutes(1),
    resolveAfterMs: minutes(5),
    observe: (seen) => ofOperators('operator_down', seen),
    page: (subject) => `/operators/${subject}`,
    raised: {
      en: ({ name }) => `${name} is down.`,
      fa: ({ name }) => `${name} قطع است.`,
    },
    resolved: {
      en: ({ name }) => `${name} is up again.`,
      fa: ({ name }) => `${name} دوباره فعال است.`,
    },
  },
  failures: {
    raiseAfterMs: 0,
    resolveAfterMs: minutes(10),
    observe: (seen) => ofOperators('failures', seen),
    page: () => '/purchases?state=failed',
    raised: {
      en: ({ name, count }) => `Many purchases of ${name} fail: ${count} in five minutes.`,
      fa: ({ name, count }) => `خریدهای ناموفق ${name} زیاد است: ${count} مورد در پنج دقیقه.`,
    },
    resolved: {
      en: ({ name }) => `Purchases of ${name} no longer fail more than usual.`,
      fa: ({ name }) => `خریدهای ناموفق ${name} به حد عادی بازگشت.`,
    },
  },
  review: {
    raiseAfterMs: 0,
    resolveAfterMs: minutes(5),
    observe: ({ alerts, reviewAtLeast }) =>
      alerts.flatMap(({ kind, count = 0 }): Observation[] => {
        if (kind !== 'review') return [];
        return [{ subject: '', level: count < reviewAtLeast ? 'near' : 'bad', facts: { count } }];
      }),
    page: () => '/purchases?needs_person=1',
    raised: {
      en: ({ count }) => `Purchases need review: ${count}.`,
      fa: ({ count }) => `تعداد خریدهای نیازمند بررسی: ${count}.`,
    },
    resolved: {
      en: () => 'No purchase needs review any more.',
      fa: () => 'دیگر خریدی نیازمند بررسی نیست.',
    },
  },
  low_balance: {
    raiseAfterMs: 0,
    resolveAfterMs: minutes(5),
    observe: ({ low, lowBelow: below }) =>
      low.map(({ id, name, available }) => ({
        subject: id,
        level: available < below ? 'bad' : 'near',
        facts: { name: sameText(name), available, below },
      })),
    page: (subject) => `/clients/${subject}`,
    raised: {
      en: ({ name, available, below }) =>
        `The balance of ${name} is low: ${available}, below ${below}.`,
      fa: ({ name, available, below }) => `موجودی ${name} کم است: ${available}، کمتر از ${below}.`,
    },
    resolved: {
      en: ({ name }) => `The balance of ${name} is no longer low.`,
      fa: ({ name }) => `موجودی ${name} دیگر کم نیست.`,
    },
  },
  credit_used_up: {
    raiseAfterMs: 0,
    resolveAfterMs: minutes(5),
    observe: ({ credit }) => [...clients(credit.usedUp, 'bad'), ...clients(credit.nearly, 'near')],
    page: (subject) => `/clients/${subject}`,
    raised: {
      en: ({ name }) => `${name} has used up its credit.`,
      fa: ({ name }) => `اعتبار ${name} تمام شده است.`,
    },
    resolved: {
      en: ({ name }) => `${name} has credit again.`,
      fa: ({ name }) => `${name} دوباره اعتبار دارد.`,
    },
  },
  float_approaching: {
    raiseAfterMs: 0,
    resolveAfterMs: minutes(5),
    observe: floatsAt('approaching', ['low', 'empty']),
    page: (subject) => `/operators/${subject}`,
    raised: {
      en: ({ name, count }) => `The float at ${name} lasts for about ${count} hours.`,
      fa: ({ name, count }) => `اعتبار نزد ${name} حدود ${count} ساعت کافی است.`,
    },
    resolved: {
      en: ({ name }) => `The float at ${name} has recovered.`,
      fa: ({ name }) => `اعتبار نزد ${name} دوباره کافی است.`,
    },
  },
  float_low: {
    raiseAfterMs: 0,
    resolveAfterMs: minutes(5),
    observe: floatsAt('low', ['empty']),
    page: (subject) => `/operators/${subject}`,
    raised: {
      en: ({ name, count }) => `The float at ${name} is low: it lasts for about ${count} hours.`,
      fa: ({ name, count }) => `اعتبار نزد ${name} کم است: حدود ${count} ساعت کافی است.`,
    },
    resolved: {
      en: ({ name }) => `The float at ${name} is no longer low.`,
      fa: ({ name }) => `اعتبار نزد ${name} دیگر کم نیست.`,
    },
  },
  float_empty: {
    raiseAfterMs: 0,
    resolveAfterMs: minutes(1),
    observe: floatsAt('empty', []),
    page: (subject) => `/operators/${subject}`,
    raised: {
      en: ({ name }) => `The float at ${name} is used up. Nothing is ordered there.`,
      fa: ({ name }) => `اعتبار نزد ${name} تمام شده است و سفارشی به آن فرستاده نمی‌شود.`,
    },
    resolved: {
      en: ({ name }) => `There is float at ${name} again.`,
      fa: ({ name }) => `نزد ${name} دوباره اعتبار هست.`,
    },
  },
  margin_below_zero: {
    raiseAfterMs: 0,
    resolveAfterMs: minutes(5),
    observe: (seen) => ofOperators('margin_below_zero', seen),
    page: (subject) => `/operators/${subject}`,
    raised: {
      en: ({ name, count }) => `Deliveries by ${name} cost more than was charged: ${count}.`,
      fa: ({ name, count }) => `هزینهٔ ${count} تحویل ${name} بیشتر از مبلغ کسرشده بود.`,
    },
    resolved: {
      en: ({ name }) => `Deliveries by ${name} no longer cost more than was charged.`,
      fa: ({ name }) => `هزینهٔ تحویل‌های ${name} دیگر بیشتر از مبلغ کسرشده نیست.`,
    },
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type AlarmKind = keyof typeof alarmKinds;

/** Those about money at suppliers, which only who may see costs learns in the console. */
export const costKinds: ReadonlySet<AlarmKind> = new Set([
  'float_approaching',
  'float_low',
  'float_empty',
  'margin_below_zero',
]);
export const alarmKindNames = keysOf(alarmKinds);

export const isAlarmKind = (name: unknown): name is AlarmKind =>
  alarmKindNames.some((kind) => kind === name);

export const alarmKind = (kind: AlarmKind): Kind => alarmKinds[kind];
