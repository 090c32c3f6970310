/** Formats the names of products and operators and the values of product fields. */
import { useCallback } from 'react';
import type { Answer } from '../api/client.ts';
import { useRead } from '../api/hooks.ts';
import { type Format, useFormat } from '../format.ts';
import { own } from '../i18n/en/index.ts';
import { type Say, useText } from '../i18n/text.ts';
import { useOperatorName } from '../operators/names.ts';
import { withNumbersInPlace } from '../writing.ts';
import { typeWords } from './type-words.ts';

export type Product = Answer<'listProducts'>['data'][number];

/** The name in the page's language, if the product has one. */
export const useProductName = (): (<Name extends string | null>(product: {
  readonly name: Name;
  readonly name_en?: string | null;
}) => Name | string) => {
  const { locale } = useFormat();
  return useCallback(
    ({ name, name_en: latin }) => {
      if (locale !== 'fa') return latin ?? name;
      return name === null ? name : withNumbersInPlace(name);
    },
    [locale],
  );
};

export type Operator = { readonly id: number; readonly name: string };

/** The operators, all that can be ordered from, and their names; their numbers until those are known. */
export const useOperators = (): {
  readonly operators: readonly Operator[];
  readonly suppliers: readonly Operator[];
  readonly nameOf: (id: number) => string;
} => {
  const say = useText();
  const { digits } = useFormat();
  const named = useOperatorName();
  const { data } = useRead('listOperators', {});
  const all = (data?.data ?? []).map((one) => ({ id: one.id, kind: one.kind, name: named(one) }));
  return {
    operators: all.filter(({ kind }) => kind === 'operator'),
    suppliers: all,
    nameOf: (id) =>
      all.find((one) => one.id === id)?.name ?? say('catalogue.operatorOf', { id: digits(id) }),
  };
};

const isField = (field: string): field is keyof typeof own.catalogue.fields =>
  Object.hasOwn(own.catalogue.fields, field);

/** A field in words; its API name if we have none. */
export const fieldName = (say: Say, field: string): string =>
  isField(field) ? say(`catalogue.fields.${field}`) : field;

const isSim = (value: string): value is keyof typeof own.catalogue.sims =>
  Object.hasOwn(own.catalogue.sims, value);

const nameIn = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
    ? value.name
    : JSON.stringify(value);

const textOf = (say: Say, field: string, value: string, { time }: Format): string => {
  if (field === 'type') return typeWords(say, value);
  if (field === 'sim_card_type' && isSim(value)) return say(`catalogue.sims.${value}`);
  return field.endsWith('_at') ? time(value, 'short') : value;
};

const codes = new Set(['id', 'operator_id', 'third_party_id']);
const amounts = new Set(['price', 'second_price', 'showable_price']);

const numberOf = (field: string, value: number, { count, money }: Format): string => {
  if (codes.has(field)) return String(value);
  return amounts.has(field) ? money(value) : count(value);
};

/** The value of a product's field as text. */
export const fieldValue = (say: Say, field: string, value: unknown, format: Format): string => {
  if (value === null || value === undefined || value === '') return say('common.none');
  if (field === 'status') return say(value === 1 ? 'catalogue.on' : 'catalogue.off');
  if (field === 'deliverable') return say(value === 1 ? 'common.yes' : 'common.no');
  if (typeof value === 'number') return numberOf(field, value, format);
  if (typeof value === 'string') return textOf(say, field, value, format);
  if (field === 'categories' && Array.isArray(value))
    return value.length === 0
      ? say('common.none')
      : value.map(nameIn).join(say('clientRules.comma'));
  return JSON.stringify(value);
};
