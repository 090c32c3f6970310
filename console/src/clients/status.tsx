/** Shows a client's status, and whether its balance is low. */
import { useText } from '../i18n/text.ts';
import { StatusChip } from '../parts/status-chip.tsx';
import type { Listed } from './client.ts';

export const Status = ({ status }: Pick<Listed, 'status'>) => {
  const say = useText();
  return (
    <StatusChip tone={status === 'active' ? 'good' : 'bad'} label={say(`clients.${status}`)} />
  );
};

export const Low = ({ low }: Pick<Listed, 'low'>) => {
  const say = useText();
  return low ? <StatusChip tone="attention" label={say('clients.low')} /> : null;
};
