/** Says the entries of price lists in words: their products and commissions, and the names of lists. */
import type { ReactNode } from 'react';
import { useRead } from '../api/hooks.ts';
import { useOptions } from '../catalogue/find.tsx';
import { useOperators } from '../catalogue/names.ts';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useChosenProduct } from '../routing/chosen.ts';
import { defaultId, type Entry, type PriceList } from './price-list.ts';

const ProductName = ({ id }: { readonly id: number }) => (
  <bdi>{useChosenProduct(String(id))?.name}</bdi>
);

/** The parts of a wider scope, such as an operator and a type. */
const useParts = (): ((entry: Entry) => readonly string[]) => {
  const { nameOf } = useOperators();
  const options = useOptions();
  const named = (known: readonly { value: string; label: string }[], value: string | number) =>
    known.find((one) => one.value === String(value))?.label ?? String(value);
  return ({ category_id: category, operator_id: operator, product_type: type }) => [
    ...(operator === null ? [] : [nameOf(operator)]),
    ...(type === null ? [] : [named(options.type, type)]),
    ...(category === null ? [] : [named(options.category_id, category)]),
  ];
};

/** For which products an entry is. */
export const Scope = ({ entry }: { readonly entry: Entry }): ReactNode => {
  const say = useText();
  const parts = useParts()(entry);
  if (entry.product_id !== null) return <ProductName id={entry.product_id} />;
  if (parts.length === 0) return say('priceLists.everything');
  return parts.map((part, index) => (
    <span key={part}>
      {index === 0 ? '' : ' · '}
      <bdi>{part}</bdi>
    </span>
  ));
};

/** A commission: an amount, or a percentage of the price. */
export const useCommission = (): ((commission: string) => string) => {
  const say = useText();
  const { money, percent } = useFormat();
  return (commission) =>
    commission.endsWith('%')
      ? say('priceLists.ofPrice', { percent: percent(Number(commission.slice(0, -1)) / 100, 6) })
      : money(Number(commission));
};

/** The default list keeps its code as its name until people change it. */
export const useListName = (): ((list: Pick<PriceList, 'id' | 'name'>) => string) => {
  const say = useText();
  return ({ id, name }) =>
    id === defaultId && name === 'default' ? say('priceLists.defaultName') : name;
};

/** The lists, and their names by their IDs. */
export const usePriceLists = () => {
  const read = useRead('listPriceLists', {});
  const nameOf = useListName();
  const lists = read.data?.data ?? [];
  return {
    read,
    lists,
    nameOf,
    nameById: (id: number): string | undefined => {
      const list = lists.find((one) => one.id === id);
      return list === undefined ? undefined : nameOf(list);
    },
  };
};
