/** Keeps the settings in memory, for paths that must not query for them. */
import type { Db } from '../db/types.ts';
import { type DayAt, daysIn } from '../lib/business-day.ts';
import { defaults, limitDays, readSettings, type Settings } from './settings.ts';

export type CurrentSettings = {
  readonly current: () => Settings;
  /** The business day of a moment, for charts. */
  readonly dayAt: DayAt;
  /** The same for limits, which a change of the time zone does not renew. */
  readonly limitDayAt: DayAt;
  /** Reads them from the database; also when their version moves. */
  readonly reload: () => Promise<void>;
};

export const createCurrentSettings = (db: Db): CurrentSettings => {
  let settings = defaults;
  let days = daysIn(settings.timeZone);
  let daysOfLimits = limitDays(settings);
  return {
    current: () => settings,
    dayAt: (moment) => days(moment),
    limitDayAt: (moment) => daysOfLimits(moment),
    reload: async () => {
      settings = await readSettings(db);
      days = daysIn(settings.timeZone);
      daysOfLimits = limitDays(settings);
    },
  };
};
