/** Shows the state of a purchase. */
import Box from '@mui/material/Box';
import type { Answer } from '../api/client.ts';
import { Badge, type Tone } from '../design/data/badge.tsx';
import { useText } from '../i18n/text.ts';

type State = Answer<'searchPurchases'>['data'][number]['state'];

const tones: Readonly<Record<State, Tone>> = {
  refused: 'bad',
  submitted: 'info',
  unknown: 'attention',
  review: 'attention',
  succeeded: 'good',
  failed: 'bad',
  reversed: 'attention',
};

export const StateChip = ({
  state,
  disputed,
}: {
  readonly state: State;
  readonly disputed: boolean;
}) => {
  const say = useText();
  return (
    <Box component="span" sx={{ display: 'inline-flex', gap: 0.5, flexWrap: 'wrap' }}>
      <Badge tone={tones[state]} label={say(`purchaseWords.state.${state}`)} />
      {disputed ? <Badge tone="attention" label={say('purchases.disputed')} /> : null}
    </Box>
  );
};
