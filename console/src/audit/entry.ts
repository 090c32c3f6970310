/** Formats an audit log entry as text. Pure. */
import type { Operations } from '../api/types.ts';
import { browserName } from '../browser-name.ts';
import { isCurrency, withCurrency } from '../currency.ts';
import { own } from '../i18n/en/index.ts';
import type { Say, TextKey } from '../i18n/keys.ts';
import { monthName } from '../invoices/month-name.ts';
import { factWords, isFact } from '../purchases/facts.ts';
import type { Format } from '../writing.ts';
import { commissionWords } from './commissions.ts';
import { fieldWords } from './fields.ts';
import { type Leaf, leavesOf } from './leaves.ts';

export type Entry = Operations['listAudit']['answer']['data'][number];

export type Action = keyof typeof own.audit.actions;

export const isAction = (action: string): action is Action =>
  Object.hasOwn(own.audit.actions, action);

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
    waiting: 'clientWebhooks.states.waiting',
    delivered: 'clientWebhooks.states.delivered',
  },
  proof: {
    password: 'audit.proofs.password',
    code: 'audit.proofs.code',
    passkey: 'audit.proofs.passkey',
    confirmation: 'audit.proofs.confirmation',
  },
  settings_from: { file: 'operators.fromFile', console: 'operators.fromConsole' },
  price_list: { default: 'priceLists.defaultName' },
  decided: { succeeded: 'purchases.decidedDelivered', failed: 'purchases.decidedNot' },
  scopes: {
    catalogue: 'clientTokens.scope.catalogue',
    offers: 'clientTokens.scope.offers',
    purchase: 'clientTokens.scope.purchase',
    webhooks: 'clientTokens.scope.webhooks',
  },
  disabled_by: {
    client: 'clientWebhooks.by.client',
    gone: 'clientWebhooks.by.gone',
    gateway: 'clientWebhooks.by.gateway',
  },
  calendar: {
    gregorian: 'invoices.calendars.gregorian',
    persian: 'invoices.calendars.persian',
  },
  fields: {
    price: 'audit.fields.price',
    second_price: 'audit.fields.second_price',
    showable_price: 'audit.fields.showable_price',
  },
};

const amounts = new Set([
  'amount',
  'available',
  'held',
  'daily_limit',
  'credit_limit',
  'low_balance_below',
  'price',
  'second_price',
  'showable_price',
  'total',
]);

/** Numbers that programs exchange, in Latin digits as they are sent. */
const codes = new Set([
  'id',
  'ids',
  'operator_id',
  'operators',
  'pending_status',
  'product_id',
  'product_ids',
  'products',
  'third_party_id',
]);

const numberOf = (field: string, value: number, format: Format): string => {
  if (codes.has(field)) return String(value);
  return amounts.has(field) ? format.money(value) : format.digits(value);
};

/** An ID without a name: people look for others first. */
const isUuid = (value: unknown): boolean =>
  typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value);

const isTime = (value: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);

/** The action; its code if we have no words for it. */
export const actionWords = (say: Say, action: string): string =>
  isAction(action) ? say(`audit.actions.${action}`) : action;

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

const valueOf = (say: Say, field: string, value: unknown, format: Format): string => {
  if (isEmpty(value)) return say('common.none');
  if (Array.isArray(value)) {
    return value.map((one) => valueOf(say, field, one, format)).join(say('audit.comma'));
  }
  if (typeof value === 'boolean') return say(value ? 'common.yes' : 'common.no');
  if (typeof value === 'number') return numberOf(field, value, format);
  if (isFact(value)) return factWords(value, say, format);
  if (isCurrency(value)) {
    const { names, written } = value;
    const example = withCurrency(format.count(1000), written[format.locale]);
    return say('settings.currencyShown', { name: names[format.locale], example });
  }
  if (typeof value !== 'string') return say('common.none');
  const words = named[field]?.[value];
  if (words !== undefined) return say(words);
  if (field === 'agent') return browserName(value);
  if (field === 'month' && /^\d{4}-\d\d$/.test(value)) return monthName(value, format.locale);
  if (field === 'entries') return commissionWords(say, value, format);
  return isTime(value) ? format.time(value, 'short') : value;
};

/** A value that has words of its own, and therefore no fields. */
const isWhole = (value: unknown): boolean => isFact(value) || isCurrency(value);

/** What only programs tell apart: a summary begins with something else. */
const technical = new Set(['id', 'version', 'sha256', 'seq', 'endpoint_id', 'message_id']);

/** Those for people first. */
const inOrder = (leaves: ReadonlyMap<string, Leaf>): readonly string[] => {
  const [forPrograms, forPeople]: [string[], string[]] = [[], []];
  for (const [key, { field, value }] of leaves) {
    (technical.has(field) || isUuid(value) ? forPrograms : forPeople).push(key);
  }
  return [...forPeople, ...forPrograms];
};

export type Difference = {
  readonly field: string;
  /** Undefined if it is recorded on the other side only. */
  readonly before: string | undefined;
  readonly after: string | undefined;
};

/** Each field that changed, or is recorded on one side only, in words. */
export const differencesOf = (
  say: Say,
  { before, after }: Pick<Entry, 'before' | 'after'>,
  format: Format,
): readonly Difference[] => {
  const [was, is] = [leavesOf(before, isWhole), leavesOf(after, isWhole)];
  return inOrder(new Map([...was, ...is])).flatMap((key): Difference[] => {
    const [old, now] = [was.get(key), is.get(key)];
    if (JSON.stringify(old?.value) === JSON.stringify(now?.value)) return [];
    // Of a new object, what is not set says nothing.
    if ((old === undefined && isEmpty(now?.value)) || (now === undefined && isEmpty(old?.value))) {
      return [];
    }
    const { path, field } = now ?? old ?? { path: [key], field: key };
    const label = path
      .map((name) => fieldWords(say, name))
      .reduce((of, name) => say('audit.within', { of, field: name }));
    const words = (leaf: typeof old): string | undefined =>
      leaf === undefined ? undefined : valueOf(say, field, leaf.value, format);
    return [{ field: label, before: words(old), after: words(now) }];
  });
};

/** A value is of either direction, and must not reorder the words around it. */
const isolated = (value: string): string => `\u2068${value}\u2069`;

/** The same, a line for each. */
export const changesOf = (
  say: Say,
  entry: Pick<Entry, 'before' | 'after'>,
  format: Format,
): readonly string[] =>
  differencesOf(say, entry, format).map(({ field, before, after }) =>
    before !== undefined && after !== undefined
      ? say('audit.was', { field, before: isolated(before), after: isolated(after) })
      : say('audit.is', { field, after: isolated(after ?? before ?? '') }),
  );

/** All changes in one line: the first, and how many there are besides. */
export const summaryOf = (say: Say, lines: readonly string[], format: Format): string => {
  const [change = say('common.none'), ...more] = lines;
  if (more.length === 0) return change;
  return say('audit.summary', { change, count: format.count(more.length) });
};
