/** Lists the operator's callbacks about a purchase. */

import { Code } from '../design/data/code.tsx';
import { Section } from '../design/page/section.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import type { Purchase } from './explain.ts';

type Callback = Purchase['callbacks'][number];

const useColumns = (): readonly Column<Callback>[] => {
  const say = useText();
  const { time, count } = useFormat();
  return [
    { key: 'at', label: say('purchases.calledBackAt'), cell: ({ at }) => time(at) },
    {
      key: 'says',
      wrap: true,
      label: say('purchases.callbackSays'),
      cell: ({ says }) => say(`purchaseWords.callback.${says}`),
    },
    {
      key: 'times',
      label: say('purchases.calledBackTimes'),
      cell: ({ times }) => count(times),
      numeric: true,
    },
    {
      key: 'message',
      wrap: true,
      label: say('purchases.callbackMessage'),
      cell: ({ message }) => <Code>{message}</Code>,
    },
  ];
};

/** Most operators do not call back: then there is nothing to show. */
export const Callbacks = ({ purchase }: { readonly purchase: Purchase }) => {
  const say = useText();
  const columns = useColumns();
  if (purchase.callbacks.length === 0) return null;
  return (
    <Section title={say('purchases.callbacks')}>
      <Table
        name={say('purchases.callbacks')}
        columns={columns}
        rows={purchase.callbacks}
        keyOf={({ at, says, message }) => `${at} ${says} ${message}`}
      />
    </Section>
  );
};
