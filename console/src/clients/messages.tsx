/** Lists the webhook messages of an endpoint, and replays them. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAct, useRead } from '../api/hooks.ts';
import { usePaging } from '../api/paging.ts';
import { Badge } from '../design/data/badge.tsx';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { FilterBar } from '../design/input/filter-bar.tsx';
import { Section } from '../design/page/section.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { Pager } from '../design/table/pager.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { own } from '../i18n/en/index.ts';
import { type Say, useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { useMay } from '../session.tsx';
import type { Client, Endpoint, Message } from './client.ts';
import { MessageDialog } from './message-dialog.tsx';

const states = ['waiting', 'delivered', 'failed'] as const;
type State = (typeof states)[number];
const tones = { waiting: 'attention', delivered: 'good', failed: 'bad' } as const;

const isType = (type: string): type is keyof typeof own.clientWebhooks.types =>
  Object.hasOwn(own.clientWebhooks.types, type);

const typeOf = (say: Say, { type }: Message): string =>
  isType(type) ? say(`clientWebhooks.types.${type}`) : type;

const useActions = (
  onShow: (message: Message) => void,
  onReplay: (message: Message) => void,
): Column<Message> => {
  const say = useText();
  const may = useMay('clients');
  return {
    key: 'actions',
    phone: 'actions',
    label: say('common.actions'),
    cell: (message) => (
      <Box sx={{ display: 'flex', gap: 1 }}>
        <Button
          size="small"
          variant="outlined"
          aria-label={say('clientWebhooks.detailsOf', { id: message.id })}
          onClick={() => onShow(message)}
        >
          {say('clientWebhooks.details')}
        </Button>
        {may ? (
          <Button
            size="small"
            aria-label={say('clientWebhooks.replayOf', { id: message.id })}
            onClick={() => onReplay(message)}
          >
            {say('clientWebhooks.replay')}
          </Button>
        ) : null}
      </Box>
    ),
  };
};

const useColumns = (): readonly Column<Message>[] => {
  const say = useText();
  const { count, time } = useFormat();
  const timeOr = (at: string | null): string =>
    at === null ? say('common.none') : time(at, 'short');
  return [
    {
      key: 'type',
      wrap: true,
      label: say('clientWebhooks.type'),
      cell: (message) => (
        <>
          {typeOf(say, message)}
          <Typography variant="caption" component="div" color="textSecondary">
            <bdi dir="ltr">{message.id}</bdi>
          </Typography>
        </>
      ),
    },
    {
      key: 'at',
      label: say('clientWebhooks.at'),
      cell: (message) => time(message.created_at, 'short'),
    },
    {
      key: 'state',
      phone: 'line',
      label: say('clientWebhooks.state'),
      cell: ({ state }) => (
        <Badge tone={tones[state]} label={say(`clientWebhooks.states.${state}`)} />
      ),
    },
    {
      key: 'attempts',
      label: say('clientWebhooks.attempts'),
      numeric: true,
      cell: ({ attempts }) => count(attempts),
    },
    {
      key: 'answer',
      phone: 'hidden',
      label: say('clientWebhooks.lastStatus'),
      cell: ({ last_status: status }) =>
        status === null ? say('clientWebhooks.noAnswer') : String(status),
    },
    {
      key: 'next',
      phone: 'hidden',
      label: say('clientWebhooks.next'),
      cell: (message) => timeOr(message.due_at),
    },
    {
      key: 'ended',
      phone: 'hidden',
      label: say('clientWebhooks.ended'),
      cell: (message) => timeOr(message.ended_at),
    },
  ];
};

type Of = { readonly client: Client; readonly endpoint: Endpoint };

const Replay = ({
  client,
  endpoint,
  message,
  onClose,
}: Of & { readonly message: Message; readonly onClose: () => void }) => {
  const say = useText();
  const { time } = useFormat();
  const done = useDone();
  const replay = useAct('replayClientMessage', {
    changes: ['listClientMessages', 'listClientWebhooks'],
  });
  const params = { client_id: client.id, endpoint_id: endpoint.id, message_id: message.id };
  const onSuccess = (): void => {
    done('clientWebhooks.replayDone');
    onClose();
  };
  return (
    <ConfirmDialog
      open
      title={say('clientWebhooks.replayTitle')}
      text={say('clientWebhooks.replayText', {
        type: typeOf(say, message),
        at: time(message.created_at, 'short'),
      })}
      confirm={say('clientWebhooks.replay')}
      busy={replay.isPending}
      error={replay.error}
      onConfirm={() => replay.mutate({ params }, { onSuccess })}
      onClose={onClose}
    />
  );
};

const Found = ({ client, endpoint, state }: Of & { readonly state: State | undefined }) => {
  const say = useText();
  const { query, pagingOf } = usePaging();
  const [replaying, setReplaying] = useState<Message | undefined>(undefined);
  const [shown, setShown] = useState<Message | undefined>(undefined);
  const columns = [...useColumns(), useActions(setShown, setReplaying)];
  const read = useRead('listClientMessages', {
    params: { client_id: client.id, endpoint_id: endpoint.id },
    query: { ...(state === undefined ? {} : { state }), ...query },
  });
  return (
    <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {read.isPending ? <Loading /> : null}
      {read.data?.data.length === 0 ? <Empty text={say('clientWebhooks.noMessages')} /> : null}
      {read.data && read.data.data.length > 0 ? (
        <Table
          name={say('clientWebhooks.messages')}
          columns={columns}
          rows={read.data.data}
          keyOf={({ id }) => id}
        />
      ) : null}
      <Pager paging={pagingOf(read)} />
      {shown === undefined ? null : (
        <MessageDialog
          params={{ client_id: client.id, endpoint_id: endpoint.id, message_id: shown.id }}
          title={typeOf(say, shown)}
          onClose={() => setShown(undefined)}
        />
      )}
      {replaying === undefined ? null : (
        <Replay
          client={client}
          endpoint={endpoint}
          message={replaying}
          onClose={() => setReplaying(undefined)}
        />
      )}
    </Box>
  );
};

export const Messages = ({ client, endpoint }: Of) => {
  const say = useText();
  const [query, setQuery] = useSearchParams();
  const state = states.find((one) => one === query.get('state'));
  const choose = (chosen: string | undefined): void =>
    setQuery({
      tab: 'webhooks',
      endpoint: endpoint.id,
      ...(chosen === undefined ? {} : { state: chosen }),
    });
  const clear = (): void => choose(undefined);
  return (
    <Section title={say('clientWebhooks.messagesOf', { url: endpoint.url })}>
      <Box sx={{ mb: 2 }}>
        <FilterBar
          label={say('clientWebhooks.messages')}
          filters={[
            {
              key: 'state',
              label: say('clientWebhooks.state'),
              value: state === undefined ? undefined : say(`clientWebhooks.states.${state}`),
              options: states.map((one) => ({
                value: one,
                label: say(`clientWebhooks.states.${one}`),
              })),
              chosen: state,
              onChoose: choose,
              onRemove: clear,
            },
          ]}
          onClear={clear}
        />
      </Box>
      <Found key={state ?? 'any'} client={client} endpoint={endpoint} state={state} />
    </Section>
  );
};
