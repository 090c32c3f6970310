/** Blocks new purchases on a restored database until everything the backup forgot is known. */
import { repeat } from '../../lib/clock.ts';
import { GatewayError } from '../../lib/errors.ts';
import { joinTexts, type Text } from '../../lib/text.ts';
import { createOperatorPoll, type OperatorPollDeps } from './ask-operators.ts';
import type { PlaceMonitor } from './place/monitor.ts';
import { findRestore, type Restore, rememberOperators } from './store.ts';

export type GateDeps = OperatorPollDeps & {
  /** The place of a database that may have been replaced. */
  readonly place?: PlaceMonitor | undefined;
};

export type Gate = {
  /** Why nothing new is sold, or undefined if it is. */
  readonly closed: () => Text | undefined;
  /** Admits a new purchase, or throws `DATABASE_UNAVAILABLE`: then nothing was done. */
  readonly pass: () => void;
  /** Closes now and checks again; returns the error for the caller that found the gate closed. */
  readonly shut: (cause?: keyof typeof causes) => GatewayError;
  /** Checks the state: closes, opens, and asks operators as needed. */
  readonly refresh: () => Promise<void>;
  /** The first check. Closed until then. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const moved: Text = {
  en: 'The database has moved, and it is being checked for missing purchases.',
  fa: 'پایگاه داده جابه‌جا شده و کامل بودن خریدهای آن در حال بررسی است.',
};

/** Why it is closed, by the cause of the restore. */
const causes = {
  backup: {
    en: 'This gateway was restored from a backup, and later purchases are not known yet.',
    fa: 'این درگاه از نسخهٔ پشتیبان بازیابی شده و خریدهای پس از آن هنوز معلوم نیست.',
  },
  marked: {
    en: 'The database was marked as restored, and it is being checked for missing purchases.',
    fa: 'پایگاه داده بازیابی‌شده علامت خورده و کامل بودن خریدهای آن در حال بررسی است.',
  },
  place_changed: moved,
  witness_missing: moved,
  witness_contradicted: {
    en: 'The database lacks purchases, and it is not known yet which.',
    fa: 'برخی خریدها در پایگاه داده نیست و هنوز معلوم نیست کدام‌ها.',
  },
  suspected: {
    en: 'The database was restarted or replaced, and is being checked.',
    fa: 'پایگاه داده دوباره راه‌اندازی یا جایگزین شده و در حال بررسی است.',
  },
  closed: {
    en: 'The database was just closed, and it is being checked for missing purchases.',
    fa: 'پایگاه داده به‌تازگی بسته شده و کامل بودن خریدهای آن در حال بررسی است.',
  },
} as const satisfies Record<Restore['cause'] | 'suspected' | 'closed', Text>;

const sellsNothing: Text = {
  en: 'New purchases are refused until this is resolved.',
  fa: 'تا روشن شدن وضعیت، خرید جدید پذیرفته نمی‌شود.',
};

/** Why it is closed, and whether that ends within seconds, without the operators or a person. */
type Reason = { readonly text: Text; readonly isBrief: boolean };

const briefCauses: ReadonlySet<keyof typeof causes> = new Set([
  // The instances vouch for a promoted standby within seconds, or within half a minute if one is dead.
  'place_changed',
  'suspected',
  'closed',
]);

const whyClosed = ({ cause }: { readonly cause: keyof typeof causes }): Reason => ({
  text: joinTexts(causes[cause], sellsNothing),
  isBrief: briefCauses.has(cause),
});

const silent: Reason = {
  text: joinTexts(
    {
      en: 'The database has had no contact with this instance for a while.',
      fa: 'پایگاه داده مدتی است با این سرور ارتباطی نداشته است.',
    },
    sellsNothing,
  ),
  isBrief: true,
};

const nothingDone: Text = {
  en: 'Nothing was done. Send the same request again later.',
  fa: 'کاری انجام نشد؛ همین درخواست را بعداً دوباره بفرستید.',
};

const unavailable = ({ text, isBrief }: Reason): GatewayError =>
  new GatewayError('DATABASE_UNAVAILABLE', {
    message: joinTexts(text, nothingDone),
    headers: { 'retry-after': isBrief ? '2' : '30' },
  });

// A person who has accepted sees the effect within a second.
const refreshEveryMs = 500;
/** The last restore, after the place is examined and known results are settled. */
const examined = async ({ db, place }: GateDeps): Promise<Restore | undefined> => {
  let now = await findRestore(db);
  if (place === undefined) return now;
  if (place.needsExamination(now)) {
    await place.examine();
    now = await findRestore(db);
  }
  if (now?.opened_at !== null || now.cause !== 'place_changed') return now;
  await place.settle(now);
  return findRestore(db);
};

/** Whether the place needs no further examination, by this instance or another. */
const isReady = async ({ place }: GateDeps, restore: Restore | undefined): Promise<boolean> =>
  place === undefined || (!place.needsExamination(restore) && (await place.othersHaveExamined()));

/**
 * Checks in the order of the calls, since older readings must not be acted on later; repeats if necessary.
 */
const createRefresher = (
  { clock, log }: Pick<GateDeps, 'clock' | 'log'>,
  work: () => Promise<void>,
) => {
  let last = Promise.resolve();
  let stop: (() => Promise<void>) | undefined;
  const refresh = (): Promise<void> => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };
  const refreshLogged = (): Promise<void> =>
    refresh().catch((err: unknown) => log.error({ err }, 'cannot see what was forgotten'));
  return {
    refresh,
    refreshLogged,
    keepRefreshing: (): void => {
      stop ??= repeat(clock, refreshEveryMs, refreshLogged);
    },
    halt: (): void => {
      void stop?.();
      stop = undefined;
    },
    whenIdle: () => last,
  };
};

const rememberAll = ({ db, registry }: GateDeps): Promise<void> =>
  rememberOperators(
    db,
    registry.all.map(({ id }) => id),
  );

const starting: Reason = {
  text: { en: 'The server is starting.', fa: 'سرور در حال راه‌اندازی است.' },
  isBrief: true,
};

export const createGate = (deps: GateDeps): Gate => {
  const operatorPoll = createOperatorPoll(deps);
  let reason: Reason | undefined = starting;
  let closedFor: string | undefined;
  let stopped = false;

  const halt = (): void => {
    operatorPoll.end();
    refresher.halt();
  };

  const open = (restore: Restore | undefined): void => {
    halt();
    reason = undefined;
    deps.place?.opened();
    if (closedFor === undefined) return;
    closedFor = undefined;
    const by = restore?.opened_by;
    deps.log.info({ by }, 'the restored database is open: new purchases are sold');
  };

  const close = async (restore: Restore): Promise<void> => {
    reason = whyClosed(restore);
    refresher.keepRefreshing();
    const { id, cause, at } = restore;
    if (closedFor === `${id} ${cause}`) return;
    deps.log.warn({ cause, restored: new Date(at).toISOString() }, reason.text.en);
    // The instances have to vouch for a changed place.
    if (cause !== 'place_changed') await operatorPoll.begin(restore);
    closedFor = `${id} ${cause}`;
  };

  /** Sells nothing new until a check opens it. */
  const keepClosed = (cause: keyof typeof causes): Reason => {
    reason ??= whyClosed({ cause });
    if (!stopped) refresher.keepRefreshing();
    return reason;
  };

  const refresher = createRefresher(deps, async () => {
    const restore = await examined(deps);
    if (stopped) return;
    if (restore?.opened_at === null) await close(restore);
    else if (await isReady(deps, restore)) open(restore);
    else keepClosed('suspected');
  });

  const reasonNow = (): Reason | undefined =>
    reason ?? (deps.place?.registered() === false ? silent : undefined);

  return {
    closed: () => reasonNow()?.text,
    pass: () => {
      const why = reasonNow();
      if (why !== undefined) throw unavailable(why);
    },
    shut: (cause = 'closed') => {
      const why = keepClosed(cause);
      if (!stopped) void refresher.refreshLogged();
      return unavailable(why);
    },
    refresh: refresher.refresh,
    start: () => rememberAll(deps).then(refresher.refresh),
    stop: async () => {
      stopped = true;
      halt();
      await Promise.all([operatorPoll.whenIdle(), refresher.whenIdle()]);
    },
  };
};
