/** Shows one client: its overview, purchases, money, limits, tokens, webhooks and contact, one per URL. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type ComponentType, useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { useRead } from '../api/hooks.ts';
import { useBackLink } from '../api/list-location.ts';
import { HistoryLink } from '../audit/history-link.tsx';
import { Code } from '../design/data/code.tsx';
import { Page } from '../design/page/page.tsx';
import { Tabs } from '../design/page/tabs.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { TestBadge } from '../parts/test-badge.tsx';
import { useMay } from '../session.tsx';
import { ActionDialog, type ClientAction } from './actions.tsx';
import type { Client } from './client.ts';
import { ContactPart } from './contact.tsx';
import { DepositButton } from './deposit.tsx';
import { Money } from './money.tsx';
import { Overview } from './overview.tsx';
import { Purchases } from './purchases.tsx';
import { RulesPart } from './rules.tsx';
import { Low, Status } from './status.tsx';
import { Tokens } from './tokens.tsx';
import { Webhooks } from './webhooks.tsx';

const views = {
  overview: Overview,
  purchases: Purchases,
  money: Money,
  rules: RulesPart,
  tokens: Tokens,
  webhooks: Webhooks,
  contact: ContactPart,
} as const satisfies Record<string, ComponentType<{ readonly client: Client }>>;

const parts = [
  'overview',
  'purchases',
  'money',
  'rules',
  'tokens',
  'webhooks',
  'contact',
] as const satisfies readonly (keyof typeof views)[];

const Subtitle = ({ client: { id, created_at: at } }: { readonly client: Client }) => {
  const say = useText();
  const { time } = useFormat();
  return (
    <>
      {say('clients.id')}: <Code>{id}</Code> ·{' '}
      {/* On a phone it goes to the next line as a whole. */}
      <Box component="span" sx={{ display: 'inline-block' }}>
        {say('clients.created')}: {time(at, 'short')}
      </Box>
    </>
  );
};

const State = ({ client: { status, low, test } }: { readonly client: Client }) => (
  <Box component="span" sx={{ display: 'inline-flex', gap: 1, flexWrap: 'wrap' }}>
    <Status status={status} />
    <Low low={low} />
    <TestBadge test={test} />
  </Box>
);

const Parts = ({ client }: { readonly client: Client }) => {
  const say = useText();
  const [query, setQuery] = useSearchParams();
  const chosen = parts.find((part) => part === query.get('tab')) ?? 'overview';
  const View = views[chosen];
  return (
    <Tabs
      label={say('clients.sections')}
      tabs={parts.map((part) => ({ value: part, label: say(`clients.${part}`) }))}
      chosen={chosen}
      onChoose={(part) => setQuery({ tab: part })}
    >
      <View client={client} />
    </Tabs>
  );
};

const Actions = ({
  client,
  onAsk,
}: {
  readonly client: Client;
  readonly onAsk: (action: ClientAction) => void;
}) => {
  const say = useText();
  const other = client.status === 'active' ? 'suspend' : 'resume';
  return (
    <>
      <Button variant="outlined" onClick={() => onAsk('rename')}>
        {say('clients.rename')}
      </Button>
      <Button
        variant="outlined"
        color={other === 'suspend' ? 'error' : 'primary'}
        onClick={() => onAsk(other)}
      >
        {say(`clients.${other}`)}
      </Button>
    </>
  );
};

export const One = () => {
  const say = useText();
  const { id = '' } = useParams();
  const may = useMay('clients');
  const mayDeposit = useMay('money');
  const backLink = useBackLink('/clients');
  const read = useRead('getClient', { params: { client_id: id } });
  const [action, setAction] = useState<ClientAction | undefined>(undefined);
  const client = read.data ?? undefined;
  return (
    <Page
      title={client?.name ?? say('pages.clients')}
      crumbs={[{ label: say('pages.clients'), ...backLink }]}
      {...(client === undefined
        ? {}
        : {
            state: <State client={client} />,
            subtitle: <Subtitle client={client} />,
            actions: (
              <>
                <HistoryLink subject={client.id} />
                {may ? <Actions client={client} onAsk={setAction} /> : null}
                {mayDeposit ? <DepositButton key={client.id} client={client} /> : null}
              </>
            ),
          })}
    >
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {read.isPending ? <Loading /> : null}
      {client === undefined ? null : <Parts key={client.id} client={client} />}
      {client === undefined || action === undefined ? null : (
        <ActionDialog client={client} action={action} onClose={() => setAction(undefined)} />
      )}
    </Page>
  );
};
