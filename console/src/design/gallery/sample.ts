/** Provides the rows of the design's sample list. */
import type { Tone } from '../theme/tokens.ts';

export const began = Date.UTC(2026, 0, 30, 8, 15);

export type Sample = {
  readonly id: string;
  readonly client: 'arya' | 'kish' | 'sepid' | 'south';
  readonly state: Tone;
  readonly product: 'package' | 'small';
  readonly failed: boolean;
  readonly amount: number;
};

export const samples: readonly Sample[] = [
  { id: '1', client: 'arya', state: 'good', product: 'package', failed: false, amount: 99_000 },
  { id: '2', client: 'kish', state: 'bad', product: 'small', failed: true, amount: 1_210_000 },
  { id: '3', client: 'sepid', state: 'attention', product: 'package', failed: false, amount: 8500 },
  { id: '4', client: 'south', state: 'info', product: 'small', failed: false, amount: 440_000 },
];
