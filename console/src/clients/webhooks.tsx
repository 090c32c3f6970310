/** Lists a client's webhook endpoints with their delivery status, and enables or disables them. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAct, useRead } from '../api/hooks.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { Section } from '../design/page/section.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { useMay } from '../session.tsx';
import { resultOf } from './attempts.tsx';
import type { Client, Endpoint } from './client.ts';
import { EndpointHealth } from './endpoint-health.tsx';
import { Messages } from './messages.tsx';

// The gateway counts no further.
const mostCounted = 1000;

const Address = ({ url, description }: Pick<Endpoint, 'url' | 'description'>) => (
  <>
    <Box component="bdi" dir="ltr" sx={{ overflowWrap: 'anywhere' }}>
      {url}
    </Box>
    {description === '' ? null : (
      <Typography variant="body2" color="textSecondary">
        {description}
      </Typography>
    )}
  </>
);

const LastAttempt = ({ last }: { readonly last: NonNullable<Endpoint['last_attempt']> }) => {
  const say = useText();
  const { time } = useFormat();
  return (
    <>
      <bdi>{resultOf(say, last)}</bdi>
      <Box component="bdi" sx={{ display: 'block', whiteSpace: 'nowrap' }}>
        {time(last.at, 'short')}
      </Box>
    </>
  );
};

const useFactColumns = (): readonly Column<Endpoint>[] => {
  const say = useText();
  const { count, time } = useFormat();
  const counted = (value: number): string =>
    value < mostCounted
      ? count(value)
      : say('clientWebhooks.atLeast', { count: count(mostCounted) });
  return [
    {
      key: 'url',
      wrap: true,
      label: say('clientWebhooks.url'),
      cell: (endpoint) => <Address {...endpoint} />,
    },
    {
      key: 'events',
      wrap: true,
      phone: 'hidden',
      label: say('clientWebhooks.events'),
      cell: ({ events }) => (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {events.map((type) => (
            <li key={type}>{say(`clientWebhooks.types.${type}`)}</li>
          ))}
        </Box>
      ),
    },
    {
      key: 'status',
      phone: 'line',
      label: say('clientWebhooks.status'),
      cell: (endpoint) => <EndpointHealth endpoint={endpoint} />,
    },
    {
      key: 'last',
      phone: 'labelled',
      wrap: true,
      label: say('clientWebhooks.lastAttempt'),
      cell: ({ last_attempt: last }) =>
        last === null ? say('common.none') : <LastAttempt last={last} />,
    },
    {
      key: 'waiting',
      label: say('clientWebhooks.waiting'),
      numeric: true,
      cell: ({ waiting }) => counted(waiting),
    },
    {
      key: 'failed',
      label: say('clientWebhooks.failed'),
      numeric: true,
      cell: ({ failed }) => counted(failed),
    },
    {
      key: 'delivered',
      phone: 'hidden',
      label: say('clientWebhooks.delivered'),
      cell: ({ delivered_last_at: at }) =>
        at === null ? say('clientWebhooks.never') : time(at, 'short'),
    },
  ];
};

const Switch = ({
  client,
  endpoint: { id, url, status },
  onClose,
}: {
  readonly client: Client;
  readonly endpoint: Endpoint;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const done = useDone();
  const change = useAct('updateClientWebhook', {
    changes: ['listClientWebhooks', 'listClientMessages'],
  });
  const action = status === 'active' ? 'switchOff' : 'switchOn';
  const onSuccess = (): void => {
    done(`clientWebhooks.${action}Done`);
    onClose();
  };
  return (
    <ConfirmDialog
      open
      danger={action === 'switchOff'}
      title={say(`clientWebhooks.${action}Title`)}
      text={say(`clientWebhooks.${action}Text`, { url })}
      confirm={say(`clientWebhooks.${action}`)}
      busy={change.isPending}
      error={change.error}
      onConfirm={() =>
        change.mutate(
          {
            params: { client_id: client.id, endpoint_id: id },
            body: { status: action === 'switchOff' ? 'disabled' : 'active' },
          },
          { onSuccess },
        )
      }
      onClose={onClose}
    />
  );
};

const useActions = (
  shown: string | undefined,
  onShow: (id: string | undefined) => void,
  onSwitch: (endpoint: Endpoint) => void,
): Column<Endpoint> => {
  const say = useText();
  const may = useMay('clients');
  return {
    key: 'actions',
    phone: 'actions',
    label: say('common.actions'),
    cell: (endpoint) => (
      <Box
        sx={{
          display: 'flex',
          gap: 1,
          flexDirection: { xs: 'row', sm: 'column' },
          paddingBlock: { sm: '6px' },
        }}
      >
        <Button
          size="small"
          variant="outlined"
          aria-expanded={shown === endpoint.id}
          onClick={() => onShow(shown === endpoint.id ? undefined : endpoint.id)}
        >
          {say(shown === endpoint.id ? 'clientWebhooks.hide' : 'clientWebhooks.messages')}
        </Button>
        {may ? (
          <Button size="small" variant="outlined" onClick={() => onSwitch(endpoint)}>
            {say(`clientWebhooks.${endpoint.status === 'active' ? 'switchOff' : 'switchOn'}`)}
          </Button>
        ) : null}
      </Box>
    ),
  };
};

export const Webhooks = ({ client }: { readonly client: Client }) => {
  const say = useText();
  const [query, setQuery] = useSearchParams();
  // Attempts go on while one looks.
  const read = useRead(
    'listClientWebhooks',
    { params: { client_id: client.id } },
    { refetchInterval: 5000 },
  );
  const [switching, setSwitching] = useState<Endpoint | undefined>(undefined);
  const endpoints = read.data?.data ?? [];
  const shown = endpoints.find(({ id }) => id === query.get('endpoint'));
  const show = (id: string | undefined): void =>
    setQuery({ tab: 'webhooks', ...(id === undefined ? {} : { endpoint: id }) });
  const columns = [...useFactColumns(), useActions(shown?.id, show, setSwitching)];
  return (
    <>
      <Section title={say('clientWebhooks.title')}>
        <Typography sx={{ mb: 2 }}>{say('clientWebhooks.text')}</Typography>
        <ErrorState error={read.error} retry={() => void read.refetch()} />
        {read.isPending ? <Loading /> : null}
        {read.data && endpoints.length === 0 ? <Empty text={say('clientWebhooks.none')} /> : null}
        {endpoints.length === 0 ? null : (
          <Table
            name={say('clientWebhooks.title')}
            columns={columns}
            rows={endpoints}
            keyOf={({ id }) => id}
          />
        )}
      </Section>
      {shown === undefined ? null : <Messages key={shown.id} client={client} endpoint={shown} />}
      {switching === undefined ? null : (
        <Switch client={client} endpoint={switching} onClose={() => setSwitching(undefined)} />
      )}
    </>
  );
};
