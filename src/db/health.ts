/** Tracks database faults: logs them at a limited rate, and reports the current one. */
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log/log.ts';
import { fieldOf, isRecord } from '../lib/record.ts';
import { databaseFaultOf } from './errors.ts';

export type DatabaseHealth = {
  /** The log, in which a fault of every request does not become a flood. */
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** The most recent fault; undefined if there was none for a while. */
  readonly now: () => string | undefined;
};

// Seldom enough to leave room for other lines, often enough to see that it continues.
const tellEveryMs = 10_000;

// As long as `Retry-After` tells clients to wait. It must expire: a load balancer that sees a fault sends no
// more work, and nothing else would show that it has passed.
const lastsMs = 5000;

export const createDatabaseHealth = (
  log: Pick<Log, 'warn' | 'error'>,
  clock: Pick<Clock, 'monotonic'>,
): DatabaseHealth => {
  let last: { readonly trouble: string; readonly at: number } | undefined;
  const told = new Map<string, { readonly at: number; readonly leftOut: number }>();

  const tell = (trouble: string, details: object, text: string): void => {
    const now = clock.monotonic();
    last = { trouble, at: now };
    const before = told.get(text);
    if (before !== undefined && now - before.at < tellEveryMs) {
      told.set(text, { at: before.at, leftOut: before.leftOut + 1 });
      return;
    }
    told.set(text, { at: now, leftOut: 0 });
    log.error({ trouble, ...details, leftOut: before?.leftOut ?? 0 }, text);
  };

  return {
    log: {
      warn: (details: unknown, text?: unknown) => log.warn(details, String(text)),
      error: (details: unknown, text?: unknown) => {
        const trouble = databaseFaultOf(fieldOf(details, 'err'));
        if (trouble === undefined || !isRecord(details)) log.error(details, String(text));
        else tell(trouble, details, String(text));
      },
    },
    now: () =>
      last !== undefined && clock.monotonic() - last.at < lastsMs ? last.trouble : undefined,
  };
};
