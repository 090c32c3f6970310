/** Reads and changes the settings that people change while the gateway runs. */
import { bumpVersion, lockVersion } from '../db/changes/versions.ts';
import type { Db } from '../db/types.ts';
import { type BusinessDay, type DayAt, daysIn, isTimeZone } from '../lib/business-day.ts';
import type { Clock } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';
import { mustBe } from '../lib/field-texts.ts';
import type { NewId } from '../lib/random.ts';
import { isRecord } from '../lib/record.ts';
import type { Text } from '../lib/text.ts';
import { type Currency, isCurrency, readCurrency, tidyCurrency } from './currency.ts';
import {
  defaultTerms,
  type InvoiceTerms,
  isTaxPercent,
  readTerms,
  termsText,
} from './invoice-terms.ts';
import { readRows, writeSetting } from './store.ts';

/** When the time zone was changed, and from when to when the day of limits was in which that happened. */
type ZoneChange = { readonly at: number; readonly dayBegan: number; readonly dayEnds: number };

/** What people set; each has a default. */
export type SettingValues = {
  readonly companyName: string;
  /** A client that can spend less than this is shown as low. */
  readonly lowBalanceBelow: number;
  /** The currency of all amounts; null: amounts are shown without one. */
  readonly currency: Currency | null;
  /** The business time zone: a name of the IANA list. */
  readonly timeZone: string;
  readonly invoices: InvoiceTerms;
};

export type Settings = SettingValues & {
  /** The last change of the time zone; null if there was none. */
  readonly zoneChange: ZoneChange | null;
};

export const longestCompanyName = 100;

export const defaults: Settings = {
  companyName: '',
  lowBalanceBelow: 1_000_000,
  currency: null,
  timeZone: 'UTC',
  invoices: defaultTerms,
  zoneChange: null,
};

const readZoneChange = (text: string): ZoneChange | null => {
  const value: unknown = JSON.parse(text);
  const { at, day_began, day_ends } = isRecord(value) ? value : {};
  return typeof at === 'number' && typeof day_began === 'number' && typeof day_ends === 'number'
    ? { at, dayBegan: day_began, dayEnds: day_ends }
    : null;
};

const optional = <T>(text: string | undefined, read: (text: string) => T, otherwise: T): T =>
  text === undefined ? otherwise : read(text);

export const readSettings = async (db: Db): Promise<Settings> => {
  const rows = await readRows(db);
  return {
    companyName: rows.get('company_name') ?? defaults.companyName,
    lowBalanceBelow: optional(rows.get('low_balance_below'), Number, defaults.lowBalanceBelow),
    currency: optional(rows.get('currency'), readCurrency, defaults.currency),
    timeZone: rows.get('time_zone') ?? defaults.timeZone,
    invoices: optional(rows.get('invoices'), readTerms, defaults.invoices),
    zoneChange: optional(rows.get('time_zone_change'), readZoneChange, defaults.zoneChange),
  };
};

const zoneChangeText = ({ at, dayBegan, dayEnds }: ZoneChange): string =>
  JSON.stringify({ at, day_began: dayBegan, day_ends: dayEnds });

/** The row of each setting; null where it has its default. */
const rowsOf = (settings: Settings): Readonly<Record<string, string | null>> => ({
  company_name: settings.companyName,
  low_balance_below: String(settings.lowBalanceBelow),
  currency: settings.currency && JSON.stringify(settings.currency),
  time_zone: settings.timeZone,
  invoices: termsText(settings.invoices),
  time_zone_change: settings.zoneChange && zoneChangeText(settings.zoneChange),
});

/**
 * The days of limits. The day on which the time zone changed lasts from the earlier beginning of both days to
 * the later end. The day after it is a whole one of the new zone, even if it began before that end: it counts
 * all that was spent since. So no sequence of changes gives a limit a second time.
 */
export const limitDays = ({ timeZone, zoneChange }: Settings): DayAt => {
  const dayAt = daysIn(timeZone);
  if (zoneChange === null) return dayAt;
  const day = dayAt(zoneChange.at);
  const changed: BusinessDay = {
    ...day,
    begins: Math.min(day.begins, zoneChange.dayBegan),
    ends: Math.max(day.ends, zoneChange.dayEnds),
  };
  return (moment) => (moment >= day.begins && moment < changed.ends ? changed : dayAt(moment));
};

const faultsOf = ({
  timeZone,
  currency,
  invoices,
}: Partial<SettingValues>): Record<string, readonly Text[]> => ({
  ...(timeZone === undefined || isTimeZone(timeZone)
    ? {}
    : {
        time_zone: [
          mustBe('time_zone', {
            en: 'an IANA time zone such as Europe/Berlin',
            fa: 'یک منطقهٔ زمانی IANA مانند Asia/Tehran',
          }),
        ],
      }),
  ...(invoices === undefined || isTaxPercent(invoices.taxPercent)
    ? {}
    : {
        'invoices.tax_percent': [
          mustBe('invoices.tax_percent', {
            en: 'a percentage from 0 to below 100 such as 10 or 9.5',
            fa: 'درصدی از ۰ تا کمتر از ۱۰۰ مانند `10` یا `9.5`',
          }),
        ],
      }),
  ...(!currency || isCurrency(currency)
    ? {}
    : {
        currency: [
          mustBe('currency', {
            en: 'a code such as IRR with a name and a symbol in both languages, or null',
            fa: 'یک کد مانند IRR با نام و نماد به هر دو زبان، یا null',
          }),
        ],
      }),
});

/** Trimmed as people mean it; throws if something is invalid. */
const validated = (change: Partial<SettingValues>): Partial<SettingValues> => {
  const { companyName, currency } = change;
  const tidy = {
    ...change,
    ...(companyName === undefined ? {} : { companyName: companyName.trim() }),
    ...(currency ? { currency: tidyCurrency(currency) } : {}),
  };
  const errors = faultsOf(tidy);
  if (Object.keys(errors).length > 0) throw new GatewayError('VALIDATION_FAILED', { errors });
  return tidy;
};

const zoneChangeOf = (
  before: Settings,
  { timeZone }: Partial<SettingValues>,
  now: number,
): ZoneChange | null => {
  if (timeZone === undefined || timeZone === before.timeZone) return before.zoneChange;
  const { begins, ends } = limitDays(before)(now);
  return { at: now, dayBegan: begins, dayEnds: ends };
};

export type SettingsChange = { readonly before: Settings; readonly after: Settings };

/** Within a transaction: changes the named settings, and notifies every server. */
export const changeSettings = async (
  {
    db,
    clock,
    newId,
  }: { readonly db: Db; readonly clock: Pick<Clock, 'now'>; readonly newId: NewId },
  wanted: Partial<SettingValues>,
): Promise<SettingsChange> => {
  const change = validated(wanted);
  await lockVersion(db, 'settings');
  const before = await readSettings(db);
  const after = { ...before, ...change, zoneChange: zoneChangeOf(before, change, clock.now()) };
  const [old, rows] = [rowsOf(before), rowsOf(after)];
  const changed = Object.entries(rows).filter(([name, value]) => value !== old[name]);
  for (const [name, value] of changed) await writeSetting(db, name, value);
  if (changed.length > 0) await bumpVersion(db, 'settings', newId);
  return { before, after };
};
