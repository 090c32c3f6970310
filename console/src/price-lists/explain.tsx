/** Explains what a client pays for a product at a moment: the entry that decides, and why not the others. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import type { Answer } from '../api/client.ts';
import { useRead } from '../api/hooks.ts';
import { FocusOnMount } from '../catalogue/parts.tsx';
import { Badge } from '../design/data/badge.tsx';
import { Stat, Stats } from '../design/data/stat.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { type Question, QuestionForm } from '../purchases/question.tsx';
import { Scope, useCommission, useListName } from './words.tsx';

type Explained = Answer<'explainPrice'>;
type Step = Explained['steps'][number];

const useColumns = (): readonly Column<Step>[] => {
  const say = useText();
  const { count } = useFormat();
  const commission = useCommission();
  const nameOf = useListName();
  return [
    {
      key: 'list',
      label: say('priceLists.list'),
      cell: ({ price_list_id: id, price_list: name }) => <bdi>{nameOf({ id, name })}</bdi>,
    },
    {
      key: 'version',
      label: say('priceLists.version'),
      numeric: true,
      phone: 'hidden',
      cell: ({ version }) => (version === null ? say('common.none') : count(version)),
    },
    {
      key: 'scope',
      label: say('priceLists.scope'),
      wrap: true,
      phone: 'line',
      cell: ({ entry }) => (entry === null ? say('common.none') : <Scope entry={entry} />),
    },
    {
      key: 'commission',
      label: say('priceLists.commission'),
      numeric: true,
      phone: 'end',
      cell: ({ entry }) => (entry === null ? say('common.none') : commission(entry.commission)),
    },
    {
      key: 'outcome',
      label: say('priceLists.outcome'),
      wrap: true,
      phone: 'line',
      cell: ({ code }) =>
        code === 'decides' ? (
          <Badge tone="good" label={say('priceLists.codes.decides')} />
        ) : (
          say(`priceLists.codes.${code}`)
        ),
    },
  ];
};

const Result = ({ query }: { readonly query: Question }) => {
  const say = useText();
  const { money } = useFormat();
  const columns = useColumns();
  const read = useRead('explainPrice', { query }, { staleTime: 0 });
  const found = read.data ?? undefined;
  return (
    <>
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {read.isPending ? <Loading /> : null}
      {found === undefined ? null : (
        <FocusOnMount>
          <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
            <Stats>
              <Stat compact label={say('priceLists.price')} value={money(found.price)} />
              <Stat compact label={say('priceLists.commission')} value={money(found.commission)} />
              <Stat compact label={say('priceLists.charged')} value={money(found.charged_amount)} />
              <Stat
                compact
                label={say('priceLists.cost')}
                value={found.cost === null ? say('priceLists.costUnknown') : money(found.cost)}
              />
            </Stats>
            <Table
              name={say('priceLists.steps')}
              columns={columns}
              rows={found.steps.map((step, index) => ({ ...step, key: String(index) }))}
              keyOf={({ key }) => key}
            />
          </Box>
        </FocusOnMount>
      )}
    </>
  );
};

export const Explain = ({
  client,
  onClose,
}: {
  /** The ID of the client to begin with; empty for none. */
  readonly client: string;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const [asked, setAsked] = useState<Question>();
  return (
    <Section
      title={say('priceLists.explain')}
      actions={<Button onClick={onClose}>{say('priceLists.explainHide')}</Button>}
    >
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
        <QuestionForm
          title={say('priceLists.explain')}
          text={say('priceLists.explainText')}
          client={client}
          onAsk={setAsked}
        />
        {asked === undefined ? null : <Result query={asked} />}
      </Box>
    </Section>
  );
};
