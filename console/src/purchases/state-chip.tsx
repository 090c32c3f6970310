/** Shows the state of a purchase. */
import Box from '@mui/material/Box';
import type { Answer } from '../api/client.ts';
import { useText } from '../i18n/text.ts';
import { StatusChip, type Tone } from '../parts/status-chip.tsx';

type State = Answer<'searchPurchases'>['data'][number]['state'];

const tones: Readonly<Record<State, Tone>> = {
  refused: 'bad',
  submitted: 'plain',
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
      <StatusChip tone={tones[state]} label={say(`purchaseWords.state.${state}`)} />
      {disputed ? <StatusChip tone="attention" label={say('purchases.disputed')} /> : null}
    </Box>
  );
};
