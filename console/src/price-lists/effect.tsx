/** Shows what a new version would have done to the sales of the last 30 days, in all and by client. */
import Typography from '@mui/material/Typography';
import type { Answer } from '../api/client.ts';
import { Stat, Stats } from '../design/data/stat.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useChosenClient } from '../routing/chosen.ts';

type Preview = Answer<'previewPriceListImport'>;
type OfClient = Preview['clients'][number];

// Each needs its name; the file of an export has them all.
const mostShown = 20;

const ClientName = ({ id }: { readonly id: string }) => <bdi>{useChosenClient(id)?.name}</bdi>;

const differenceOf = ({
  charged_after: after,
  charged_before: before,
}: Preview['last_days']): number => after - before;

const useColumns = (): readonly Column<OfClient>[] => {
  const say = useText();
  const { count, money } = useFormat();
  return [
    {
      key: 'client',
      label: say('priceLists.client'),
      cell: ({ client_id: id }) => <ClientName id={id} />,
      rest: '8rem',
    },
    {
      key: 'sold',
      label: say('priceLists.sold'),
      numeric: true,
      cell: ({ sold }) => count(sold),
    },
    {
      key: 'before',
      label: say('priceLists.chargedBefore'),
      numeric: true,
      phone: 'hidden',
      cell: ({ charged_before: before }) => money(before),
    },
    {
      key: 'after',
      label: say('priceLists.chargedAfter'),
      numeric: true,
      cell: ({ charged_after: after }) => money(after),
    },
    {
      key: 'difference',
      label: say('priceLists.difference'),
      numeric: true,
      phone: 'end',
      cell: (row) => money(differenceOf(row)),
    },
  ];
};

export const EffectPart = ({
  found: { last_days: sums, clients },
}: {
  readonly found: Pick<Preview, 'last_days' | 'clients'>;
}) => {
  const say = useText();
  const { count, money } = useFormat();
  const columns = useColumns();
  const title = say('priceLists.effect');
  if (sums.sold === 0) {
    return (
      <>
        <Typography variant="h3">{title}</Typography>
        <Typography color="textSecondary">{say('priceLists.effectNone')}</Typography>
      </>
    );
  }
  return (
    <>
      <Typography variant="h3">{title}</Typography>
      <Typography color="textSecondary">{say('priceLists.effectText')}</Typography>
      <Stats>
        <Stat compact label={say('priceLists.sold')} value={count(sums.sold)} />
        <Stat compact label={say('priceLists.chargedBefore')} value={money(sums.charged_before)} />
        <Stat compact label={say('priceLists.chargedAfter')} value={money(sums.charged_after)} />
        <Stat compact label={say('priceLists.difference')} value={money(differenceOf(sums))} />
      </Stats>
      <Table
        name={title}
        columns={columns}
        rows={clients.slice(0, mostShown)}
        keyOf={({ client_id: id }) => id}
      />
      {clients.length <= mostShown ? null : (
        <Typography>{say('priceLists.clientsFirst', { count: count(mostShown) })}</Typography>
      )}
    </>
  );
};
