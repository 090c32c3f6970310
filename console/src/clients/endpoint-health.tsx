/** Shows whether an endpoint really receives messages, by its attempts. */
import { Badge, type Tone } from '../design/data/badge.tsx';
import { useFormat } from '../format.ts';
import { type Say, useText } from '../i18n/text.ts';
import type { Endpoint, Health } from './client.ts';

const tones: Readonly<Record<Health, Tone>> = {
  working: 'good',
  failing: 'bad',
  untried: 'plain',
  disabled: 'attention',
};

const wordsOf = (
  say: Say,
  time: (at: string) => string,
  { health, failing_since: since, disabled_by: by }: Endpoint,
): string => {
  if (health === 'failing' && since !== null) {
    return say('clientWebhooks.failingSince', { time: time(since) });
  }
  if (health === 'disabled' && by !== null) return say(`clientWebhooks.by.${by}`);
  return say(`clientWebhooks.${health}`);
};

export const EndpointHealth = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const say = useText();
  const { time } = useFormat();
  return (
    <Badge
      tone={tones[endpoint.health]}
      label={wordsOf(say, (at) => time(at, 'short'), endpoint)}
    />
  );
};
