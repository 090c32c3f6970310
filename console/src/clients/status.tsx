/** Shows a client's status, and whether its balance is low. */

import { Badge } from '../design/data/badge.tsx';
import { useText } from '../i18n/text.ts';
import type { Listed } from './client.ts';

export const Status = ({ status }: Pick<Listed, 'status'>) => {
  const say = useText();
  return <Badge tone={status === 'active' ? 'good' : 'bad'} label={say(`clients.${status}`)} />;
};

export const Low = ({ low }: Pick<Listed, 'low'>) => {
  const say = useText();
  return low ? <Badge tone="attention" label={say('clients.low')} /> : null;
};
