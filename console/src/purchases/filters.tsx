/** Renders the filter bar of the purchases: the search, and a removable chip for each filter. */
import type { ReactNode } from 'react';
import { useRead } from '../api/hooks.ts';
import { useOperators, useProductName } from '../catalogue/names.ts';
import { type BarFilter, FilterBar } from '../design/input/filter-bar.tsx';
import { useFormat } from '../format.ts';
import { own } from '../i18n/en/index.ts';
import { type Say, useText } from '../i18n/text.ts';
import { useMay } from '../session.tsx';
import { errorWords } from './facts.ts';
import { type Filter, isDays, noFilter, states, types } from './filter.ts';
import { AmountEditor, NumberEditor, TimeEditor } from './filter-editors.tsx';
import { ClientPicker, ProductPicker } from './pickers.tsx';

export type Change = (part: Partial<Filter>) => void;
/** Without any filter, in the same order. */
const { order: _order, ...cleared } = noFilter;

type Option = { readonly value: string; readonly label: string };
type Name = 'state' | 'operator_id' | 'type' | 'reason' | 'test';

const fixedOptions = (say: Say) => ({
  state: [
    { value: 'open', label: say('purchases.openStates') },
    ...states.map((value) => ({ value, label: say(`purchaseWords.state.${value}`) })),
  ],
  test: [
    { value: 'show', label: say('clients.showTest') },
    { value: 'only', label: say('clients.onlyTest') },
  ],
  type: types.map((value) => ({ value, label: say(`catalogue.types.${value}`) })),
  reason: Object.keys(own.purchaseWords.reason).map((value) => ({
    value,
    label: errorWords(value, say),
  })),
});

const labels = {
  state: 'purchases.state',
  operator_id: 'purchases.operator',
  type: 'purchases.type',
  reason: 'purchases.why',
  test: 'clients.test',
} as const satisfies Record<Name, string>;

const useChoices = (filter: Filter, change: Change) => {
  const say = useText();
  const { operators } = useOperators();
  const options: Readonly<Record<Name, readonly Option[]>> = {
    ...fixedOptions(say),
    operator_id: operators.map(({ id, name }) => ({ value: String(id), label: name })),
  };
  return (name: Name): BarFilter => {
    const chosen = filter[name] === '' ? undefined : filter[name];
    return {
      key: name,
      label: say(labels[name]),
      // Until the names have loaded, the value itself is shown.
      value: options[name].find(({ value }) => value === chosen)?.label ?? chosen,
      options: options[name],
      chosen,
      onChoose: (value) => change({ [name]: value }),
      onRemove: () => change({ [name]: '' }),
    };
  };
};

/** Waiting for a decision, of which some contradict a recorded outcome. */
const useReview = (filter: Filter, change: Change): BarFilter => {
  const say = useText();
  const options = [
    { value: 'needs_person', label: say('purchases.needsPerson') },
    { value: 'disputed', label: say('purchases.onlyDisputed') },
  ];
  const chosen = options.find(({ value }) =>
    value === 'disputed' ? filter.disputed === '1' : filter.needs_person === '1',
  );
  return {
    key: 'review',
    label: say('purchases.review'),
    value: chosen?.label,
    options,
    chosen: chosen?.value,
    onChoose: (value) => change({ needs_person: '', disputed: '', [value]: '1' }),
    onRemove: () => change({ needs_person: '', disputed: '' }),
  };
};

/** The client and the product, by their names. */
const useNamed = (filter: Filter, change: Change): Record<'client' | 'product', BarFilter> => {
  const say = useText();
  const productName = useProductName();
  const { client_id: clientId, product_id: productId } = filter;
  const ofClient = { query: { search: clientId } };
  const clients = useRead('listClients', ofClient, { enabled: clientId !== '' });
  const ofProduct = { params: { product_id: productId } };
  const product = useRead('getProduct', ofProduct, {
    enabled: productId !== '',
    staleTime: 60_000,
  });
  const client = clients.data?.data.find(({ id }) => id === clientId)?.name ?? clientId;
  const name = product.data ? productName(product.data) : productId;
  return {
    client: {
      key: 'client',
      label: say('purchases.client'),
      value: clientId === '' ? undefined : client,
      edit: (close) => (
        <ClientPicker
          chosen={clientId === '' ? null : { id: clientId, name: client }}
          onChoose={(id) => {
            close();
            change({ client_id: id });
          }}
        />
      ),
      onRemove: () => change({ client_id: '' }),
    },
    product: {
      key: 'product',
      label: say('purchases.product'),
      value: productId === '' ? undefined : name,
      edit: (close) => (
        <ProductPicker
          chosen={productId === '' ? null : { id: productId, name }}
          onChoose={(id) => {
            close();
            change({ product_id: id });
          }}
        />
      ),
      onRemove: () => change({ product_id: '' }),
    },
  };
};

const useTimeWords = ({ days, from, to }: Filter): string | undefined => {
  const say = useText();
  const { time } = useFormat();
  if (isDays(days)) return say(`purchases.days.${days}`);
  // An address may hold anything.
  const words = (text: string): string =>
    Number.isNaN(Date.parse(text)) ? text : time(text, 'short');
  if (from === '') return to === '' ? undefined : say('purchases.before', { to: words(to) });
  return to === ''
    ? say('purchases.after', { from: words(from) })
    : say('purchases.between', { from: words(from), to: words(to) });
};

const useAmountWords = ({ min_amount: min, max_amount: max }: Filter): string | undefined => {
  const say = useText();
  const { money } = useFormat();
  if (min === '')
    return max === '' ? undefined : say('purchases.atMost', { amount: money(Number(max)) });
  return max === ''
    ? say('purchases.atLeast', { amount: money(Number(min)) })
    : say('purchases.between', { from: money(Number(min)), to: money(Number(max)) });
};

/** Those that have a form of their own. */
const useForms = (
  filter: Filter,
  change: Change,
): Record<'time' | 'amount' | 'number', BarFilter> => {
  const say = useText();
  const editing = (close: () => void) => ({
    filter,
    onApply: (part: Partial<Filter>) => {
      close();
      change(part);
    },
  });
  return {
    time: {
      key: 'time',
      label: say('purchases.time'),
      value: useTimeWords(filter),
      edit: (close) => <TimeEditor {...editing(close)} />,
      onRemove: () => change({ days: '', from: '', to: '' }),
    },
    amount: {
      key: 'amount',
      label: say('purchases.amount'),
      value: useAmountWords(filter),
      edit: (close) => <AmountEditor {...editing(close)} />,
      onRemove: () => change({ min_amount: '', max_amount: '' }),
    },
    number: {
      key: 'number',
      label: say('purchases.number'),
      value: filter.number === '' ? undefined : filter.number,
      edit: (close) => <NumberEditor {...editing(close)} />,
      onRemove: () => change({ number: '' }),
    },
  };
};

export const Filters = ({
  filter,
  change,
  children,
}: {
  readonly filter: Filter;
  readonly change: Change;
  /** At the end of the line. */
  readonly children: ReactNode;
}) => {
  const say = useText();
  const seesNumbers = useMay('unmask');
  const choice = useChoices(filter, change);
  const review = useReview(filter, change);
  const { client, product } = useNamed(filter, change);
  const { time, amount, number } = useForms(filter, change);
  return (
    <FilterBar
      label={say('purchases.filters')}
      search={{
        label: say(seesNumbers ? 'purchases.search' : 'purchases.searchLess'),
        value: filter.q,
        onSearch: (q) => change({ q }),
      }}
      filters={[
        choice('state'),
        review,
        time,
        client,
        choice('operator_id'),
        product,
        choice('type'),
        choice('reason'),
        choice('test'),
        amount,
        ...(seesNumbers ? [number] : []),
      ]}
      onClear={() => change(cleared)}
    >
      {children}
    </FilterBar>
  );
};
