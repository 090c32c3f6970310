/** Shows one client: money, tokens, rules and webhooks, one section per URL. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type ComponentType, useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { useRead } from '../api/hooks.ts';
import { useBackLink } from '../api/list-location.ts';
import { Page } from '../design/page/page.tsx';
import { Tabs } from '../design/page/tabs.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useMay } from '../session.tsx';
import { ActionDialog, type ClientAction } from './actions.tsx';
import type { Client } from './client.ts';
import { Money } from './money.tsx';
import { RulesPart } from './rules.tsx';
import { Low, Status } from './status.tsx';
import { Tokens } from './tokens.tsx';
import { Webhooks } from './webhooks.tsx';

const parts = ['money', 'tokens', 'rules', 'webhooks'] as const;
type Part = (typeof parts)[number];

const views: Readonly<Record<Part, ComponentType<{ readonly client: Client }>>> = {
  money: Money,
  tokens: Tokens,
  rules: RulesPart,
  webhooks: Webhooks,
};

const Facts = ({ client: { id, status, low, created_at: at } }: { readonly client: Client }) => {
  const say = useText();
  const { time } = useFormat();
  return (
    <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
      <Status status={status} />
      <Low low={low} />
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        {say('clients.id')}: <bdi dir="ltr">{id}</bdi> · {say('clients.created')}:{' '}
        {time(at, 'short')}
      </Typography>
    </Box>
  );
};

const Parts = ({ client }: { readonly client: Client }) => {
  const say = useText();
  const [query, setQuery] = useSearchParams();
  const chosen = parts.find((part) => part === query.get('tab')) ?? 'money';
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
  const backLink = useBackLink('/clients');
  const read = useRead('getClient', { params: { client_id: id } });
  const [action, setAction] = useState<ClientAction | undefined>(undefined);
  const client = read.data ?? undefined;
  return (
    <Page
      title={client?.name ?? say('pages.clients')}
      crumbs={[{ label: say('pages.clients'), ...backLink }]}
      actions={
        client !== undefined && may ? <Actions client={client} onAsk={setAction} /> : undefined
      }
    >
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {read.isPending ? <Loading /> : null}
      {client === undefined ? null : (
        <>
          <Facts client={client} />
          <Parts key={client.id} client={client} />
        </>
      )}
      {client === undefined || action === undefined ? null : (
        <ActionDialog client={client} action={action} onClose={() => setAction(undefined)} />
      )}
    </Page>
  );
};
