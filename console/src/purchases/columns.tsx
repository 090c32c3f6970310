/** Defines the columns of the purchase list. */
import type { Answer } from '../api/client.ts';
import { useOperators, useProductName } from '../catalogue/names.ts';
import { Code } from '../design/data/code.tsx';
import type { Column } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { MaskedNumber } from '../parts/masked-number.tsx';
import { TestBadge } from '../parts/test-badge.tsx';
import { StateChip } from './state-chip.tsx';
import { useFactWords } from './use-fact-words.ts';

export type Row = Answer<'searchPurchases'>['data'][number];

/** Hidden until they are chosen. */
export const optionalColumns = ['code', 'key'];

/** Who bought what, for whom, and for how much. */
const useWhat = (rows: readonly Row[]): Record<string, Column<Row>> => {
  const say = useText();
  const { money } = useFormat();
  const productName = useProductName();
  return {
    product: {
      key: 'product',
      label: say('purchases.product'),
      cell: ({ product }) => productName(product) ?? String(product.id),
      most: '19rem',
      isName: true,
      phone: 'title',
    },
    number: {
      key: 'number',
      label: say('purchases.number'),
      cell: ({ mobile }) => <MaskedNumber mobile={mobile} />,
      // State, time and client fill the second line.
      phone: 'hidden',
    },
    client: {
      key: 'client',
      label: say('purchases.client'),
      cell: ({ client }) => (
        <>
          {client.name} <TestBadge test={client.test} />
        </>
      ),
      most: '11rem',
      isName: true,
      phone: 'line',
    },
    amount: {
      key: 'amount',
      label: say('purchases.amount'),
      cell: ({ amount }) => money(amount),
      numeric: true,
      total: money(rows.reduce((sum, { amount }) => sum + amount, 0)),
      phone: 'end',
    },
  };
};

/** How it went. */
const useProgress = (): Record<string, Column<Row>> => {
  const say = useText();
  const wordsOf = useFactWords();
  const { time } = useFormat();
  const { nameOf } = useOperators();
  return {
    began: {
      key: 'began',
      label: say('purchases.began'),
      cell: ({ began_at: at }) => time(at, 'short'),
      sortable: true,
      phone: 'line',
    },
    state: {
      key: 'state',
      label: say('purchases.state'),
      cell: ({ state, disputed }) => <StateChip state={state} disputed={disputed !== null} />,
      phone: 'line',
    },
    operator: {
      key: 'operator',
      label: say('purchases.operator'),
      cell: ({ operator_id: id }) => (id === null ? say('common.none') : nameOf(id)),
      most: '9rem',
      phone: 'hidden',
    },
    reason: {
      key: 'reason',
      label: say('purchases.why'),
      cell: ({ reason }) => (reason === null ? say('common.none') : wordsOf(reason)),
      rest: '8rem',
      phone: 'hidden',
    },
    code: {
      key: 'code',
      label: say('purchases.code'),
      cell: ({ webservice_code: code }) => <Code>{code}</Code>,
      most: '11rem',
      phone: 'line',
    },
    key: {
      key: 'key',
      label: say('purchases.key'),
      cell: ({ idempotency_key: key }) => <Code>{key}</Code>,
      most: '11rem',
      phone: 'labelled',
    },
  };
};

const order = [
  'began',
  'product',
  'number',
  'amount',
  'state',
  'client',
  'operator',
  'reason',
  'code',
  'key',
] as const;

export const useColumns = (rows: readonly Row[]): readonly Column<Row>[] => {
  const columns = { ...useWhat(rows), ...useProgress() };
  return order.flatMap((key) => columns[key] ?? []);
};
