/** Says the terms of a route in words: its scope, cost, hours and names. */
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { useOptions } from '../catalogue/find.tsx';
import { useOperators } from '../catalogue/names.ts';
import { useNarrow } from '../design/use-narrow.ts';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useChosenClient, useChosenProduct } from './chosen.ts';
import {
  implicitId,
  isOperatorWide,
  type Route,
  type TermName,
  type Terms,
  weekOf,
} from './route.ts';

const ProductName = ({ id }: { readonly id: number }) => useChosenProduct(String(id))?.name;
const ClientName = ({ id }: { readonly id: string }) => useChosenClient(id)?.name;

/** For which products and which client, a line for each condition. */
export const Scope = ({ terms }: { readonly terms: Terms }) => {
  const say = useText();
  const words = useTermWords();
  const narrow = useNarrow();
  if (isOperatorWide(terms)) {
    return say(narrow ? 'priceLists.everything' : 'routing.everything');
  }
  const { product_id: product, client_id: client } = terms;
  const lines: readonly (readonly [TermName, ReactNode])[] = [
    ['product_id', product === null ? null : <ProductName key="product" id={product} />],
    ['category_id', terms.category_id === null ? null : words('category_id', terms)],
    ['product_type', terms.product_type === null ? null : words('product_type', terms)],
    ['client_id', client === null ? null : <ClientName key="client" id={client} />],
  ];
  const shown = lines.filter(([, value]) => value !== null);
  // A phone's row has two lines: the values speak for themselves.
  if (narrow) {
    return shown.map(([name, value], index) => (
      <span key={name}>
        {index === 0 ? '' : ' · '}
        <bdi>{value}</bdi>
      </span>
    ));
  }
  return shown.map(([name, value]) => (
    <Box key={name}>
      {say(`routing.fields.${name}`)}: <bdi>{value}</bdi>
    </Box>
  ));
};

/** What it costs: an amount, or a percentage off the price. */
export const useCost = (): ((cost: string | null) => string) => {
  const say = useText();
  const { money, percent } = useFormat();
  return (cost) => {
    if (cost === null) return say('routing.costUnknown');
    if (!cost.endsWith('%')) return money(Number(cost));
    return say('routing.off', { percent: percent(Number(cost.slice(0, -1)) / 100, 4) });
  };
};

const useHours = (): ((hours: string) => string) => {
  const say = useText();
  const { digits } = useFormat();
  return (hours) => {
    const [from = '', to = ''] = digits(hours).split('-');
    return say('routing.hours', { from, to });
  };
};

/** One term as text; IDs of products and clients stay IDs. */
export const useTermWords = (): ((name: TermName, terms: Terms) => string) => {
  const say = useText();
  const { count, time, locale } = useFormat();
  const { nameOf } = useOperators();
  const options = useOptions();
  const [cost, hours] = [useCost(), useHours()];
  return (name, terms) => {
    const value = terms[name];
    if (name === 'cost') return cost(terms.cost);
    if (value === null) return say('common.none');
    if (typeof value === 'boolean') return say(value ? 'common.yes' : 'common.no');
    if (name === 'days') {
      if (terms.days.length === 0) return say('routing.everyDay');
      return weekOf(locale)
        .filter((day) => terms.days.includes(day))
        .map((day) => say(`routing.days.${day}`))
        .join(say('routing.comma'));
    }
    if (name === 'hours') return hours(String(value));
    if (name === 'valid_from' || name === 'valid_until') return time(String(value), 'short');
    if (name === 'operator_id' || name === 'supplier_id') return nameOf(terms[name]);
    const known = name === 'category_id' ? options.category_id : options.type;
    if (name === 'category_id' || name === 'product_type')
      return known.find((one) => one.value === String(value))?.label ?? String(value);
    return name === 'priority' || name === 'weight' ? count(terms[name]) : String(value);
  };
};

/** When it may be taken, a line for each condition. */
export const useWhen = (): ((terms: Terms) => readonly string[]) => {
  const say = useText();
  const words = useTermWords();
  return (terms) => [
    ...(terms.hours === null ? [] : [words('hours', terms)]),
    ...(terms.days.length === 0 ? [] : [words('days', terms)]),
    ...(terms.valid_from === null
      ? []
      : [say('routing.from', { time: words('valid_from', terms) })]),
    ...(terms.valid_until === null
      ? []
      : [say('routing.until', { time: words('valid_until', terms) })]),
  ];
};

export const When = ({ terms }: { readonly terms: Terms }) => {
  const say = useText();
  const lines = useWhen()(terms);
  if (lines.length === 0) return say('routing.always');
  if (lines.length === 1) return lines;
  return lines.map((line) => <Box key={line}>{line}</Box>);
};

/** Names a route for screen readers and dialogs. */
export const useRouteName = (): ((route: Route) => string) => {
  const say = useText();
  const { digits } = useFormat();
  const { nameOf } = useOperators();
  return ({ id, operator_id: operator, supplier_id: supplier }) => {
    const names = { operator: nameOf(operator), supplier: nameOf(supplier) };
    return id === implicitId
      ? say('routing.implicitName', names)
      : say('routing.name', { id: digits(id), ...names });
  };
};
