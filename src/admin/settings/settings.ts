/** Reads and changes the console's settings: company name, low-balance limit, and time zone. */

import type { Db } from '../../db/types.ts';
import { GatewayError } from '../../lib/errors.ts';
import { mustBe } from '../../lib/field-texts.ts';
import { type Actor, type AdminDeps, transact, writeAudit } from '../audit/audit.ts';
import { readSettings, writeSetting } from './store.ts';

export type ConsoleSettings = {
  readonly company_name: string;
  /** An available balance below this is shown as low. */
  readonly low_balance_below: number;
  /** A name of the IANA list. */
  readonly time_zone: string;
};

const defaults: ConsoleSettings = {
  company_name: '',
  low_balance_below: 1_000_000,
  time_zone: 'UTC',
};

const names = ['company_name', 'low_balance_below', 'time_zone'] as const;

export const readConsoleSettings = async (db: Db): Promise<ConsoleSettings> => {
  const set = await readSettings(db);
  const below = set.get('low_balance_below');
  return {
    company_name: set.get('company_name') ?? defaults.company_name,
    low_balance_below: below === undefined ? defaults.low_balance_below : Number(below),
    time_zone: set.get('time_zone') ?? defaults.time_zone,
  };
};

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

const assertTimeZone = (name: string | undefined): void => {
  // Intl also accepts an offset such as +03:30, which has no daylight-saving rules.
  if (name === undefined || (/^[A-Za-z]/.test(name) && isTimeZone(name))) return;
  const text = mustBe('time_zone', {
    en: 'an IANA time zone such as Europe/Berlin',
    fa: 'یک منطقهٔ زمانی IANA مانند Asia/Tehran',
  });
  throw new GatewayError('VALIDATION_FAILED', { errors: { time_zone: [text] } });
};

/** Changes the named settings; audits those that changed. */
export const updateConsoleSettings = async (
  deps: Pick<AdminDeps, 'db' | 'retryLocked' | 'clock' | 'newId'>,
  actor: Actor,
  wanted: Partial<ConsoleSettings>,
): Promise<ConsoleSettings> => {
  const { company_name: company, ...others } = wanted;
  const change = company === undefined ? others : { ...others, company_name: company.trim() };
  assertTimeZone(change.time_zone);
  return transact(deps, async (db) => {
    const before = await readConsoleSettings(db);
    const after = { ...before, ...change };
    const changed = names.filter((name) => after[name] !== before[name]);
    if (changed.length === 0) return before;
    for (const name of changed) await writeSetting(db, name, String(after[name]));
    const some = (of: ConsoleSettings) =>
      Object.fromEntries(changed.map((name) => [name, of[name]]));
    await writeAudit(db, deps, actor, {
      action: 'settings change',
      subject: 'settings',
      before: some(before),
      after: some(after),
    });
    return after;
  });
};
