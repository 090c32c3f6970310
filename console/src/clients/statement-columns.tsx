/** Defines the columns of a client's statement: one line per sale, or every movement with what is held. */
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { signed } from '../catalogue/delta.ts';
import { useProductName } from '../catalogue/names.ts';
import type { Column } from '../design/table/table.tsx';
import { useNarrow } from '../design/use-narrow.ts';
import { useFormat } from '../format.ts';
import { type Say, useText } from '../i18n/text.ts';
import { MaskedNumber } from '../parts/masked-number.tsx';
import { balanceChange } from './balance-change.ts';
import type { Entry } from './client.ts';

const kinds = ['deposit', 'hold', 'capture', 'release', 'reverse'] as const;

/** The kind of an entry in words; its code if we have none. */
const kindOf = (say: Say, { kind, to }: Entry): string => {
  if (kind === 'correction') return say(`clients.kinds.${to === 'available' ? 'added' : 'taken'}`);
  const known = kinds.find((one) => one === kind);
  return known === undefined ? kind : say(`clients.kinds.${known}`);
};

/** Signed amounts add up from the opening to the closing balance; those of holds are no part of the sum. */
const Amount = ({ entry }: { readonly entry: Entry }) => {
  const { money } = useFormat();
  const change = balanceChange(entry);
  if (change !== 0) return signed(change, money);
  return (
    <Box component="span" sx={{ color: 'text.secondary' }}>
      {money(entry.amount)}
    </Box>
  );
};

/** On a phone the name of a product takes no second line. */
const oneLine = {
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: { xs: 'nowrap', sm: 'normal' },
} as const;

/** What was bought, which leads to its purchase; the kind of the entry and its note for all else. */
const What = ({ entry, holds }: { readonly entry: Entry; readonly holds: boolean }) => {
  const say = useText();
  const nameOf = useProductName();
  const { kind, note, purchase_id: id, product } = entry;
  const words = kindOf(say, entry);
  if (id === null) {
    return (
      <>
        {words}
        {note === null ? null : (
          <>
            {' · '}
            <bdi>{note}</bdi>
          </>
        )}
      </>
    );
  }
  return (
    <>
      {kind === 'capture' && !holds && product !== null ? null : `${words} · `}
      <Link
        component={RouterLink}
        to={`/purchases/${id}`}
        sx={{ display: 'inline-flex', alignItems: 'center', minHeight: 24, maxWidth: '100%' }}
      >
        <Box component="bdi" sx={oneLine}>
          {product === null ? id.slice(-8) : (nameOf(product) ?? product.id)}
        </Box>
      </Link>
    </>
  );
};

const balanceAfter = ({ available_after: available, held_after: held }: Entry): number =>
  available + held;

// Two more than the mask leaves, so that a phone shows that there is more.
const lastShown = 6;

/** A phone's second line has no room for the label, nor for seconds. */
const useSharedColumns = () => {
  const say = useText();
  const { money, time } = useFormat();
  const narrow = useNarrow();
  const at: Column<Entry> = {
    key: 'at',
    phone: 'line',
    label: say('clients.at'),
    cell: (entry) =>
      narrow ? `${time(entry.at, 'day')} ${time(entry.at, 'minute')}` : time(entry.at),
  };
  const amount: Column<Entry> = {
    key: 'amount',
    phone: 'end',
    label: say('clients.amount'),
    numeric: true,
    cell: (entry) => <Amount entry={entry} />,
  };
  const balance: Column<Entry> = {
    key: 'balance',
    phone: 'line',
    label: say('clients.balance'),
    numeric: true,
    cell: (entry) => (narrow ? `= ${money(balanceAfter(entry))}` : money(balanceAfter(entry))),
  };
  const number: Column<Entry> = {
    key: 'number',
    phone: 'line',
    label: say('purchases.number'),
    cell: ({ mobile }) => {
      if (mobile === null) return say('common.none');
      return <MaskedNumber mobile={narrow ? mobile.slice(-lastShown) : mobile} />;
    },
  };
  return { at, amount, balance, number };
};

export const useStatementColumns = (holds: boolean): readonly Column<Entry>[] => {
  const say = useText();
  const { money } = useFormat();
  const { at, amount, balance, number } = useSharedColumns();
  const amountOf = (value: number | null): string =>
    value === null ? say('common.none') : money(value);
  const what: Column<Entry> = {
    key: 'what',
    phone: 'title',
    wrap: true,
    label: say('clients.what'),
    cell: (entry) => <What entry={entry} holds={holds} />,
  };
  const hidden = { numeric: true, phone: 'hidden' } as const;
  if (holds) {
    return [
      at,
      what,
      number,
      amount,
      {
        ...hidden,
        key: 'available',
        label: say('clients.availableAfter'),
        cell: (entry) => money(entry.available_after),
      },
      {
        ...hidden,
        key: 'held',
        label: say('clients.heldAfter'),
        cell: (entry) => money(entry.held_after),
      },
      balance,
    ];
  }
  return [
    at,
    what,
    number,
    {
      ...hidden,
      key: 'price',
      label: say('clients.price'),
      cell: ({ price }) => amountOf(price),
    },
    {
      ...hidden,
      key: 'commission',
      label: say('clients.commission'),
      cell: ({ commission }) => amountOf(commission),
    },
    amount,
    balance,
  ];
};
