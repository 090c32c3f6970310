/** Lists the webhook messages sent about a purchase. */

import { Badge } from '../design/data/badge.tsx';
import { Code } from '../design/data/code.tsx';
import { Section } from '../design/page/section.tsx';
import { Empty } from '../design/states/empty.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { own } from '../i18n/en/index.ts';
import { useText } from '../i18n/text.ts';
import type { Purchase } from './explain.ts';

type Message = Purchase['messages'][number];

const { event: events } = own.purchaseWords;
const isEvent = (name: string): name is keyof typeof events => Object.hasOwn(events, name);

const tones = { waiting: 'attention', delivered: 'good', failed: 'bad' } as const;

const useColumns = (): readonly Column<Message>[] => {
  const say = useText();
  const { time, count } = useFormat();
  return [
    {
      key: 'type',
      label: say('purchases.message'),
      cell: ({ type }) => {
        const name = type.replace(/^purchase\./, '');
        return isEvent(name) ? say(`purchaseWords.event.${name}`) : <Code>{type}</Code>;
      },
    },
    {
      key: 'state',
      phone: 'line',
      label: say('common.status'),
      cell: ({ state }) => (
        <Badge tone={tones[state]} label={say(`clientWebhooks.states.${state}`)} />
      ),
    },
    {
      key: 'endpoint',
      wrap: true,
      label: say('purchases.endpoint'),
      cell: ({ endpoint_url: url }) => <Code>{url}</Code>,
    },
    {
      key: 'attempts',
      label: say('purchases.tries'),
      cell: ({ attempts }) => count(attempts),
      numeric: true,
    },
    {
      key: 'made',
      label: say('purchases.sentAt'),
      cell: ({ created_at: at }) => time(at, 'short'),
    },
    {
      key: 'ended',
      label: say('purchases.endedAt'),
      cell: ({ ended_at: at }) => (at === null ? say('purchases.notSettled') : time(at, 'short')),
    },
  ];
};

export const Messages = ({ purchase }: { readonly purchase: Purchase }) => {
  const say = useText();
  const columns = useColumns();
  return (
    <Section title={say('purchases.messages')}>
      {purchase.messages.length === 0 ? (
        <Empty text={say('purchases.noMessages')} />
      ) : (
        <Table
          name={say('purchases.messages')}
          columns={columns}
          rows={purchase.messages}
          keyOf={({ id, endpoint_id: endpoint }) => `${id} ${endpoint}`}
        />
      )}
    </Section>
  );
};
