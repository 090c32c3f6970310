/** Shows the attempts to deliver a message, and what came of each. */
import type { Answer } from '../api/client.ts';
import { Badge } from '../design/data/badge.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { type Say, useText } from '../i18n/text.ts';

type Attempt = Answer<'getClientMessage'>['tried'][number];

/** The status, or why there was none; earlier versions recorded it in words. */
export const resultOf = (say: Say, attempt: Attempt): string => {
  const { status, failure, error } = attempt;
  if (status !== null) return say('clientWebhooks.answered', { status });
  if (failure !== null) return say(`clientWebhooks.failures.${failure}`);
  return error ?? say('clientWebhooks.noAnswer');
};

const isSuccess = ({ status }: Attempt): boolean =>
  status !== null && status >= 200 && status < 300;

const useColumns = (): readonly Column<Attempt>[] => {
  const say = useText();
  const format = useFormat();
  return [
    { key: 'at', label: say('clientWebhooks.attempt'), cell: ({ at }) => format.time(at) },
    {
      key: 'result',
      phone: 'line',
      label: say('clientWebhooks.result'),
      cell: (attempt) => (
        <Badge tone={isSuccess(attempt) ? 'good' : 'bad'} label={resultOf(say, attempt)} />
      ),
    },
    {
      key: 'took',
      phone: 'end',
      numeric: true,
      label: say('clientWebhooks.took'),
      cell: ({ ms }) => format.duration(ms),
    },
  ];
};

export const Attempts = ({ attempts }: { readonly attempts: readonly Attempt[] }) => {
  const say = useText();
  const columns = useColumns();
  return (
    <Table
      name={say('clientWebhooks.attempts')}
      columns={columns}
      rows={attempts}
      keyOf={({ at }) => at}
    />
  );
};
