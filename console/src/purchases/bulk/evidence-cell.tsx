/** Shows the evidence about one of several purchases, and what the decision does to its money. */
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import type { Answer } from '../../api/client.ts';
import { Badge } from '../../design/data/badge.tsx';
import { useText } from '../../i18n/text.ts';
import type { Row } from '../columns.tsx';
import { useFactWords, useMoneyWords } from '../use-fact-words.ts';
import { useRowName } from './row-name.ts';

export const EvidenceCell = ({
  row,
  seen: { evidence, contradicted, money },
  force,
  onForce,
}: {
  readonly row: Row;
  readonly seen: Answer<'previewResolution'>;
  readonly force: boolean;
  readonly onForce: (force: boolean) => void;
}) => {
  const say = useText();
  const wordsOf = useFactWords();
  const moneyWordsOf = useMoneyWords();
  const nameOf = useRowName();
  return (
    <Box sx={{ display: 'grid', gap: 0.5, justifyItems: 'start' }}>
      {evidence.map(({ says, fact }) => (
        <Typography key={JSON.stringify(fact)} variant="body2">
          <strong>{say(`purchaseWords.says.${says}`)}</strong> <bdi>{wordsOf(fact)}</bdi>
        </Typography>
      ))}
      {contradicted ? (
        <>
          <Badge tone="attention" label={say('purchases.contradicted')} />
          <FormControlLabel
            label={say('purchases.many.force')}
            control={
              <Checkbox
                checked={force}
                slotProps={{
                  input: { 'aria-label': say('purchases.many.forceOf', { name: nameOf(row) }) },
                }}
                onChange={(_event, on) => onForce(on)}
              />
            }
          />
        </>
      ) : (
        <Typography variant="body2" color="textSecondary">
          {moneyWordsOf(money)}
        </Typography>
      )}
    </Box>
  );
};
