/** Explains which route a purchase would take, and why not the others. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Answer } from '../api/client.ts';
import { useRead } from '../api/hooks.ts';
import { useOperators } from '../catalogue/names.ts';
import { FocusOnMount } from '../catalogue/parts.tsx';
import { Badge } from '../design/data/badge.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { type Question, QuestionForm } from '../purchases/question.tsx';
import { implicitId } from './route.ts';
import { Scope } from './words.tsx';

type Explained = Answer<'explainRoutes'>['data'][number];

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

const Result = ({ query }: { readonly query: Question }) => {
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
  const [asked, setAsked] = useState<Question>();
  return (
    <Section
      title={say('routing.explain')}
      actions={<Button onClick={onClose}>{say('routing.explainHide')}</Button>}
    >
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
        <QuestionForm
          title={say('routing.explain')}
          text={say('routing.explainText')}
          onAsk={setAsked}
        />
        {asked === undefined ? null : <Result query={asked} />}
      </Box>
    </Section>
  );
};
