/** Reads the alerts for the strip, the bell and the menu, and turns them into lines with links. */
import { useMemo } from 'react';
import type { Answer } from '../api/client.ts';
import { useRead } from '../api/hooks.ts';
import type { AlertLine } from '../design/data/alert-list.tsx';
import { useFormat } from '../format.ts';
import { type Say, useText } from '../i18n/text.ts';
import { useOperatorName } from '../operators/names.ts';
import { useMay } from '../session.tsx';

export type Alert = Answer<'listAlerts'>['data'][number];

const readEveryMs = 15_000;
const noAlerts: readonly Alert[] = [];

/** The same for all parts of the page, read again every few seconds. */
export const useAlerts = (): {
  readonly items: readonly Alert[];
  readonly isKnown: boolean;
  /** Whether the first answer is still to come. */
  readonly isPending: boolean;
} => {
  const may = useMay('read');
  const { data, isLoading } = useRead(
    'listAlerts',
    {},
    { enabled: may, refetchInterval: readEveryMs, staleTime: readEveryMs },
  );
  return useMemo(
    () => ({ items: data?.data ?? noAlerts, isKnown: !!data, isPending: isLoading }),
    [data, isLoading],
  );
};

/** How many purchases need review. */
export const useReviewCount = (): number =>
  useAlerts().items.find(({ kind }) => kind === 'review')?.count ?? 0;

export const lowBalancesId = 'low-balances';

/** Where one acts on an alert. */
const placeOf = ({ kind, count, operator, client }: Alert): string => {
  switch (kind) {
    case 'review':
      return '/purchases?needs_person=1';
    case 'failures':
      return '/purchases?state=failed';
    case 'credit_used_up':
    case 'credit_nearly_used_up':
      return count === 1 && client !== null ? `/clients/${client.id}` : '/clients?sort=available';
    case 'low_balances':
      return count === 1 && client !== null
        ? `/clients/${client.id}`
        : `/overview#${lowBalancesId}`;
    default:
      return `/operators/${operator?.id ?? ''}`;
  }
};

const wordsOf = (
  say: Say,
  { kind, count }: Alert,
  names: { of: string; count: string },
): string => {
  const { of: name, count: many } = names;
  switch (kind) {
    case 'review':
      return count === 1 ? say('alerts.reviewOne') : say('alerts.review', { count: many });
    case 'failures':
      return say('alerts.failures', { count: many, name });
    case 'margin_below_zero':
      return say('alerts.marginBelowZero', { count: many, name });
    case 'credit_used_up':
      return count === 1
        ? say('alerts.creditUsedOne', { name })
        : say('alerts.creditUsed', { count: many });
    case 'credit_nearly_used_up':
      return count === 1
        ? say('alerts.creditNearlyOne', { name })
        : say('alerts.creditNearly', { count: many });
    case 'low_balances':
      return count === 1 ? say('alerts.lowOne', { name }) : say('alerts.low', { count: many });
    default:
      return say(`alerts.${kind}`, { name });
  }
};

const isUrgent = ({ kind }: Alert): boolean =>
  kind === 'operator_down' || kind === 'failures' || kind === 'float_empty';

export const useAlertLines = (): readonly AlertLine[] => {
  const say = useText();
  const { count, time } = useFormat();
  const operatorName = useOperatorName();
  return useAlerts().items.map((alert) => {
    const { id, since, operator, client } = alert;
    const of = operator === null ? (client?.name ?? '') : operatorName(operator);
    const shown = operator === null || since === null ? undefined : time(since, 'short');
    return {
      key: id,
      tone: isUrgent(alert) ? 'bad' : 'attention',
      text: wordsOf(say, alert, { of, count: count(alert.count ?? 0) }),
      detail: shown === undefined ? undefined : say('alerts.since', { time: shown }),
      to: placeOf(alert),
    };
  });
};
