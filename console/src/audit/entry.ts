/** Formats an audit log entry as text. Pure. */
import type { Operations } from '../api/types.ts';
import { isCurrency, withCurrency } from '../currency.ts';
import { own } from '../i18n/en/index.ts';
import type { Say, TextKey } from '../i18n/keys.ts';
import { factWords, isFact } from '../purchases/facts.ts';
import type { Format } from '../writing.ts';

export type Entry = Operations['listAudit']['answer']['data'][number];

const isAction = (action: string): action is keyof typeof own.audit.actions =>
  Object.hasOwn(own.audit.actions, action);
const isField = (field: string): field is keyof typeof own.audit.fields =>
  Object.hasOwn(own.audit.fields, field);

/** Values with their own words, by field. */
const named: Readonly<Record<string, Readonly<Record<string, TextKey>>>> = {
  role: {
    viewer: 'roles.viewer',
    support: 'roles.support',
    manager: 'roles.manager',
    owner: 'roles.owner',
  },
  status: {
    active: 'roles.active',
    disabled: 'roles.disabled',
    suspended: 'clients.suspended',
  },
  state: {
    refused: 'purchaseWords.state.refused',
    submitted: 'purchaseWords.state.submitted',
    unknown: 'purchaseWords.state.unknown',
    review: 'purchaseWords.state.review',
    succeeded: 'purchaseWords.state.succeeded',
    failed: 'purchaseWords.state.failed',
    reversed: 'purchaseWords.state.reversed',
    open: 'purchases.openStates',
    waiting: 'purchaseWords.delivery.waiting',
    delivered: 'purchaseWords.delivery.delivered',
  },
  proof: {
    password: 'audit.proofs.password',
    code: 'audit.proofs.code',
    passkey: 'audit.proofs.passkey',
    confirmation: 'audit.proofs.confirmation',
  },
  settings_from: { file: 'operators.fromFile', console: 'operators.fromConsole' },
  decided: { succeeded: 'purchases.decidedDelivered', failed: 'purchases.decidedNot' },
};

const amounts = new Set(['amount', 'available', 'held', 'daily_limit', 'low_balance_below']);

/** The action; its code if we have no words for it. */
export const actionOf = (say: Say, { action }: Entry): string =>
  isAction(action) ? say(`audit.actions.${action}`) : action;

const valueOf = (say: Say, field: string, value: unknown, format: Format): string => {
  if (value === null || value === undefined || value === '') return say('common.none');
  if (typeof value === 'boolean') return say(value ? 'common.yes' : 'common.no');
  if (typeof value === 'number')
    return amounts.has(field) ? format.money(value) : format.digits(value);
  if (isFact(value)) return factWords(value, say, format);
  if (field === 'currency' && isCurrency(value)) {
    const { names, written } = value;
    const example = withCurrency(format.count(1000), written[format.locale]);
    return say('settings.currencyShown', { name: names[format.locale], example });
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  const words = named[field]?.[value];
  return words === undefined ? value : say(words);
};

/** A line for each field that changed, or is recorded on one side only. */
export const changesOf = (
  say: Say,
  { before, after }: Pick<Entry, 'before' | 'after'>,
  format: Format,
): readonly string[] => {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differs = (name: string): boolean =>
    JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return names.filter(differs).map((name) => {
    const field = isField(name) ? say(`audit.fields.${name}`) : name;
    const [was, is] = [before, after].map((side) => valueOf(say, name, side[name], format));
    if (name in before && name in after)
      return say('audit.was', { field, before: was ?? '', after: is ?? '' });
    return say('audit.is', { field, after: (name in after ? is : was) ?? '' });
  });
};
