/** Explains which route a purchase would take, and why not the others. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Answer, Given } from '../api/client.ts';
import { useRead } from '../api/hooks.ts';
import { useOperators } from '../catalogue/names.ts';
import { FocusOnMount } from '../catalogue/parts.tsx';
import { Badge } from '../design/data/badge.tsx';
import { Form } from '../design/input/form.tsx';
import { TimeField } from '../design/input/time-field.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { ClientPicker, ProductPicker } from '../purchases/pickers.tsx';
import { fromField } from '../zoned.ts';
import { useChosenClient, useChosenProduct } from './chosen.ts';
import { implicitId } from './route.ts';
import { Scope } from './words.tsx';

type Explained = Answer<'explainRoutes'>['data'][number];
type Query = NonNullable<Given<'explainRoutes'>['query']>;

const Outcome = ({ explained: { place, code } }: { readonly explained: Explained }) => {
  const say = useText();
  if (code !== null) return say('routing.passedOver', { reason: say(`routing.codes.${code}`) });
  const isTaken = place === 1;
  return (
    <Badge
      tone={isTaken ? 'good' : 'plain'}
      label={say(isTaken ? 'routing.taken' : 'routing.next')}
    />
  );
};

const useColumns = (): readonly Column<Explained>[] => {
  const say = useText();
  const { count, digits, money, percent } = useFormat();
  const { nameOf } = useOperators();
  return [
    {
      key: 'supplier',
      label: say('routing.supplier'),
      wrap: true,
      cell: ({ route }) => <bdi>{nameOf(route.supplier_id)}</bdi>,
    },
    {
      key: 'route',
      label: say('routing.route'),
      cell: ({ route: { id } }) => (id === implicitId ? say('routing.implicit') : digits(id)),
    },
    {
      key: 'scope',
      label: say('routing.scope'),
      wrap: true,
      phone: 'line',
      cell: ({ route }) => <Scope terms={route} />,
    },
    {
      key: 'priority',
      label: say('routing.fields.priority'),
      numeric: true,
      cell: ({ route }) => count(route.priority),
    },
    {
      key: 'place',
      label: say('routing.place'),
      numeric: true,
      cell: ({ place }) => (place === null ? say('common.none') : count(place)),
    },
    {
      key: 'share',
      label: say('routing.share'),
      numeric: true,
      cell: ({ share }) => (share === null ? say('common.none') : percent(share)),
    },
    {
      key: 'cost',
      label: say('routing.fields.cost'),
      numeric: true,
      cell: ({ cost }) => (cost === null ? say('routing.costUnknown') : money(cost)),
    },
    {
      key: 'outcome',
      label: say('routing.outcome'),
      wrap: true,
      phone: 'line',
      cell: (explained) => <Outcome explained={explained} />,
    },
  ];
};

const Result = ({ query }: { readonly query: Query }) => {
  const say = useText();
  const columns = useColumns();
  // Suppliers come and go: an earlier answer may be outdated.
  const read = useRead('explainRoutes', { query }, { staleTime: 0 });
  const rows = read.data?.data;
  return (
    <>
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {read.isPending ? <Loading /> : null}
      {rows === undefined ? null : (
        <FocusOnMount>
          {rows.some(({ place }) => place !== null) ? null : (
            <Typography role="status" sx={{ mb: 1 }}>
              {say('routing.noneTaken')}
            </Typography>
          )}
          <Table
            name={say('routing.result')}
            columns={columns}
            rows={rows}
            keyOf={({ route }) => String(route.id)}
          />
        </FocusOnMount>
      )}
    </>
  );
};

export const Explain = ({ onClose }: { readonly onClose: () => void }) => {
  const say = useText();
  const { zone } = useFormat();
  const [asked, setAsked] = useState<Query>();
  const [typed, setTyped] = useState({ product: '', client: '', at: '' });
  const [isTried, setTried] = useState(false);
  const [product, client] = [useChosenProduct(typed.product), useChosenClient(typed.client)];
  const set = (some: Partial<typeof typed>): void => {
    setTyped({ ...typed, ...some });
    setAsked(undefined);
  };
  const show = (): void => {
    setTried(true);
    if (typed.product === '') return;
    const at = fromField(typed.at, zone);
    setAsked({
      product_id: typed.product,
      ...(typed.client === '' ? {} : { client_id: typed.client }),
      ...(at === '' ? {} : { at }),
    });
  };
  return (
    <Section
      title={say('routing.explain')}
      actions={<Button onClick={onClose}>{say('routing.explainHide')}</Button>}
    >
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
        <Form wide label={say('routing.explain')} onSubmit={show}>
          <Typography color="textSecondary">{say('routing.explainText')}</Typography>
          <Box
            sx={{
              display: 'grid',
              gap: 2,
              gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(3, minmax(0, 1fr))' },
              alignItems: 'start',
            }}
          >
            <ProductPicker
              chosen={product}
              help={isTried && typed.product === '' ? say('routing.productNeeded') : undefined}
              onChoose={(id) => set({ product: id })}
            />
            <ClientPicker
              autoFocus={false}
              chosen={client}
              onChoose={(id) => set({ client: id })}
            />
            <TimeField
              kind="moment"
              label={say('routing.at')}
              help={`${say('routing.atHelp')} ${say('times.inZone', { zone })}`}
              value={typed.at}
              onChange={(at) => set({ at })}
            />
          </Box>
          <Button type="submit" variant="outlined" sx={{ justifySelf: 'start' }}>
            {say('routing.show')}
          </Button>
        </Form>
        {asked === undefined ? null : <Result query={asked} />}
      </Box>
    </Section>
  );
};
