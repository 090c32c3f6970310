/** Changes the settings with an entry in the audit log, and shows them as the back office's API does. */
import type { Db } from '../../db/types.ts';
import {
  changeSettings,
  readSettings,
  type Settings,
  type SettingValues,
} from '../../settings/settings.ts';
import { type AuditContext, writeAudit } from '../audit/audit.ts';
import { type ConsoleSettings, settingsToWire } from './wire.ts';

export const readConsoleSettings = async (db: Db): Promise<ConsoleSettings> =>
  settingsToWire(await readSettings(db));

const audited = ['company_name', 'low_balance_below', 'currency', 'time_zone', 'invoices'] as const;

/** Within a transaction: changes the named settings; audits those that changed. */
export const updateSettings = async (
  { actor, ...deps }: AuditContext,
  wanted: Partial<SettingValues>,
): Promise<Settings> => {
  const { before, after } = await changeSettings(deps, wanted);
  const [old, now] = [settingsToWire(before), settingsToWire(after)];
  const changed = audited.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]));
  if (changed.length === 0) return after;
  const some = (of: ConsoleSettings) => Object.fromEntries(changed.map((name) => [name, of[name]]));
  await writeAudit(deps.db, deps, actor, {
    action: 'settings change',
    subject: 'settings',
    before: some(old),
    after: some(now),
  });
  return after;
};
