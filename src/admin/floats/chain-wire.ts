/** Describes the chain of a supplier's balances as the back office's API shows it. */
import { type Static, Type } from 'typebox';
import { formatTime } from '../../lib/time.ts';
import type { Chain } from '../../purchases/floats/chain-store.ts';
import { exampleTime } from '../wire.ts';

const GapSchema = Type.Object(
  {
    missing: Type.Integer({ description: 'Negative if money left the supplier.' }),
    after: Type.String({ description: 'The purchase before the gap.' }),
    at: Type.String({ description: 'When its delivery was booked.' }),
    before: Type.String({ description: 'The purchase after the gap.' }),
  },
  { title: 'Gap', description: 'Two deliveries between which a booking is missing.' },
);

export const chainFields = {
  chain: Type.Enum(['none', 'followed', 'broken'], {
    description:
      'Whether the balances that it says after deliveries follow our costs: `none` if it says none, `broken` if they did not within the last day.',
  }),
  gaps: Type.Array(GapSchema, { description: 'What is missing in our books, the smallest first.' }),
};

type ChainOnWire = {
  readonly chain: Static<typeof chainFields.chain>;
  readonly gaps: Static<typeof GapSchema>[];
};

export const chainToWire = (chain: Chain): ChainOnWire => ({
  chain: chain.kind,
  gaps:
    chain.kind === 'followed'
      ? chain.gaps.map(({ from, to, missing }) => ({
          missing,
          after: from.purchase_id,
          at: formatTime(from.at),
          before: to.purchase_id,
        }))
      : [],
});

export const exampleChain: ChainOnWire = {
  chain: 'followed',
  gaps: [
    {
      missing: -9500,
      after: '019a8f3e-6c1c-7a10-8b55-2c1d0f9e8a44',
      at: exampleTime,
      before: '019a8f3e-7b20-7c31-9d04-51e6a2b3c4d5',
    },
  ],
};
