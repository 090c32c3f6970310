/** Owns how an entry of the audit is put into words. */
import type { Answer } from '../api/client.ts';
import { own } from '../i18n/en/index.ts';
import type { Say } from '../i18n/text.ts';

export type Entry = Answer<'listAudit'>['data'][number];

const isAction = (action: string): action is keyof typeof own.audit.actions =>
  Object.hasOwn(own.audit.actions, action);
const isField = (field: string): field is keyof typeof own.audit.fields =>
  Object.hasOwn(own.audit.fields, field);
const isNamed = (value: unknown): value is keyof typeof own.roles =>
  typeof value === 'string' && Object.hasOwn(own.roles, value);

/** What was done; in its own words where we have none. */
export const actionOf = (say: Say, { action }: Entry): string =>
  isAction(action) ? say(`audit.actions.${action}`) : action;

const valueOf = (say: Say, value: unknown, digits: (text: string) => string): string => {
  if (value === null || value === undefined || value === '') return say('common.none');
  if (typeof value === 'boolean') return say(value ? 'common.yes' : 'common.no');
  if (isNamed(value)) return say(`roles.${value}`);
  if (typeof value === 'number') return digits(String(value));
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** A line for each field that is not what it was. */
export const changesOf = (
  say: Say,
  { before, after }: Pick<Entry, 'before' | 'after'>,
  digits: (text: string) => string,
): readonly string[] => {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differs = (name: string): boolean =>
    JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return names.filter(differs).map((name) => {
    const field = isField(name) ? say(`audit.fields.${name}`) : name;
    const is = valueOf(say, after[name], digits);
    return name in before
      ? say('audit.was', { field, before: valueOf(say, before[name], digits), after: is })
      : say('audit.is', { field, after: is });
  });
};
