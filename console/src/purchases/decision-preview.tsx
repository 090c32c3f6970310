/** Previews a decision: the evidence, and its effect on the money. */
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import type { Answer } from '../api/client.ts';
import { useText } from '../i18n/text.ts';
import { useFactWords, useMoneyWords } from './use-fact-words.ts';

export const DecisionPreview = ({
  seen,
  force,
  onForce,
}: {
  readonly seen: Answer<'previewResolution'>;
  readonly force: boolean;
  readonly onForce: (force: boolean) => void;
}) => {
  const say = useText();
  const wordsOf = useFactWords();
  const moneyWordsOf = useMoneyWords();
  return (
    <Box role="status" sx={{ display: 'grid', gap: 2 }}>
      <Box>
        <Typography variant="h3" component="h3">
          {say('purchases.evidence')}
        </Typography>
        <Box component="ul" sx={{ m: 0, mt: 0.5, paddingInlineStart: 2.5 }}>
          {seen.evidence.map(({ says, fact }) => (
            <li key={JSON.stringify(fact)}>
              <strong>{say(`purchaseWords.says.${says}`)}</strong>
              <Typography sx={{ overflowWrap: 'anywhere' }}>
                <bdi>{wordsOf(fact)}</bdi>
              </Typography>
            </li>
          ))}
        </Box>
      </Box>
      <Alert severity="info" variant="outlined" role="none">
        <AlertTitle>{say('purchases.whatHappens')}</AlertTitle>
        {moneyWordsOf(seen.money)}
      </Alert>
      {seen.contradicted ? (
        <Alert severity="warning" variant="outlined" role="none">
          <AlertTitle>{say('purchases.contradicted')}</AlertTitle>
          <FormControlLabel
            label={say('purchases.force')}
            control={<Checkbox checked={force} onChange={(_event, on) => onForce(on)} />}
          />
        </Alert>
      ) : null}
    </Box>
  );
};
