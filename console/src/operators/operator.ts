/** Defines the operator types, and the colours of their states. */
import type { Answer } from '../api/client.ts';
import type { Tone } from '../design/data/badge.tsx';

export type Listed = Answer<'listOperators'>['data'][number];
export type Operator = Answer<'getOperator'> & object;
export type Choice = Answer<'listOperatorConnectors'>['data'][number];
export type Health = Listed['health'];

export const tones: Readonly<Record<Health, Tone>> = {
  up: 'good',
  degraded: 'attention',
  down: 'bad',
  suspended: 'attention',
  unconnected: 'attention',
};

export const breakerTones: Readonly<Record<Listed['breaker'], Tone>> = {
  closed: 'good',
  trying: 'attention',
  open: 'bad',
};

/** The actor of a suspension for unusable settings, which cannot be resumed. */
export const isSuspendedByGateway = ({ suspended }: Pick<Listed, 'suspended'>): boolean =>
  suspended?.by === 'simgate';

/** Queries to invalidate after an action on an operator. */
export const changed = { changes: ['listOperators', 'getOperator'] } as const;
