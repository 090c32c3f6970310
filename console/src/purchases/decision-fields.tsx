/** Asks for a decision and its reason: for one purchase, or for several. */
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import { useId } from 'react';
import { useText } from '../i18n/text.ts';

export type Decision = 'succeeded' | 'failed';

const shortestReason = 3;

export const isReason = (text: string): boolean => text.trim().length >= shortestReason;

export const DecisionField = ({
  value,
  busy,
  onChoose,
}: {
  readonly value: Decision | undefined;
  readonly busy: boolean;
  readonly onChoose: (verdict: Decision) => void;
}) => {
  const say = useText();
  const id = useId();
  return (
    <FormControl disabled={busy}>
      <FormLabel id={id}>{say('purchases.verdict')}</FormLabel>
      <RadioGroup
        aria-labelledby={id}
        value={value ?? ''}
        onChange={({ target }) => onChoose(target.value === 'succeeded' ? 'succeeded' : 'failed')}
      >
        <FormControlLabel
          value="succeeded"
          control={<Radio />}
          label={say('purchases.delivered')}
        />
        <FormControlLabel
          value="failed"
          control={<Radio />}
          label={say('purchases.notDelivered')}
        />
      </RadioGroup>
    </FormControl>
  );
};

export const ReasonField = ({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) => {
  const say = useText();
  return (
    <TextField
      label={say('common.reason')}
      helperText={`${say('common.reasonHelp')} ${say('purchases.reasonLength')}`}
      value={value}
      required
      multiline
      maxRows={4}
      onChange={({ target }) => onChange(target.value)}
      slotProps={{ htmlInput: { maxLength: 500, dir: 'auto' } }}
    />
  );
};
