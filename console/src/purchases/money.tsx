/** Shows a purchase's ledger entries with a running total of what the client paid. */
import Typography from '@mui/material/Typography';
import { Section } from '../design/page/section.tsx';
import { Empty } from '../design/states/empty.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { own } from '../i18n/en/index.ts';
import { type Say, useText } from '../i18n/text.ts';
import type { Purchase } from './explain.ts';

type Entry = Purchase['postings'][number] & { readonly taken: number };

const { posting, account } = own.purchaseWords;
const isKind = (kind: string): kind is keyof typeof posting => Object.hasOwn(posting, kind);
const isAccount = (name: string): name is keyof typeof account => Object.hasOwn(account, name);

const accountName = (say: Say, name: string): string =>
  isAccount(name) ? say(`purchaseWords.account.${name}`) : name;

/** The entries with their running sum: what has left the balance and not returned. */
export const withSum = (postings: Purchase['postings']): readonly Entry[] => {
  let taken = 0;
  return postings.map((one) => {
    if (one.from === 'available') taken += one.amount;
    if (one.to === 'available') taken -= one.amount;
    return { ...one, taken };
  });
};

const useColumns = (): readonly Column<Entry>[] => {
  const say = useText();
  const { time, money, locale } = useFormat();
  const arrow = locale === 'fa' ? '←' : '→';
  return [
    { key: 'at', label: say('purchases.at'), cell: ({ at }) => time(at, 'short') },
    {
      key: 'kind',
      phone: 'line',
      label: say('purchases.entry'),
      cell: ({ kind, from, to }) => (
        <>
          {isKind(kind) ? say(`purchaseWords.posting.${kind}`) : kind}
          <Typography
            variant="caption"
            component="span"
            sx={{ display: { xs: 'inline', sm: 'block' } }}
          >
            {` ${accountName(say, from)} ${arrow} ${accountName(say, to)}`}
          </Typography>
        </>
      ),
    },
    {
      key: 'amount',
      phone: 'end',
      label: say('purchases.amount'),
      cell: ({ amount }) => money(amount),
      numeric: true,
    },
    {
      key: 'taken',
      label: say('purchases.taken'),
      cell: ({ taken }) => money(taken),
      numeric: true,
    },
    {
      key: 'available',
      label: say('purchases.availableAfter'),
      cell: ({ available_after: after }) => money(after),
      numeric: true,
    },
    {
      key: 'held',
      label: say('purchases.heldAfter'),
      cell: ({ held_after: after }) => money(after),
      numeric: true,
    },
  ];
};

export const Money = ({ purchase }: { readonly purchase: Purchase }) => {
  const say = useText();
  const columns = useColumns();
  const rows = withSum(purchase.postings);
  return (
    <Section title={say('purchases.money')}>
      {rows.length === 0 ? (
        <Empty text={say('purchases.noMoney')} />
      ) : (
        <Table
          name={say('purchases.money')}
          columns={columns}
          rows={rows}
          keyOf={({ seq }) => String(seq)}
        />
      )}
    </Section>
  );
};
