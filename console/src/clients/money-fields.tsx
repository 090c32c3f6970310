/** Provides the fields and notices that the deposit and correction dialogs share. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useUnit } from '../design/input/unit.tsx';
import { useText } from '../i18n/text.ts';
import { readAmount } from './client.ts';
import type { Drafting } from './draft.ts';
import { RadioField } from './radio-field.tsx';

export const AmountField = ({
  drafting: { draft, change },
  tried,
}: {
  readonly drafting: Drafting;
  /** Whether a submission was tried: only then it is marked as wrong. */
  readonly tried: boolean;
}) => {
  const say = useText();
  const unit = useUnit();
  const wrong = tried && readAmount(draft.amount) === undefined;
  return (
    <TextField
      label={say('clients.amount')}
      helperText={say(wrong ? 'clients.amountWrong' : 'clients.amountHelp')}
      error={wrong}
      value={draft.amount}
      required
      autoFocus
      onChange={({ target }) => change({ amount: target.value })}
      slotProps={{
        input: unit,
        htmlInput: {
          inputMode: 'numeric',
          autoComplete: 'off',
          dir: 'ltr',
          maxLength: 24,
          readOnly: draft.unsure,
        },
      }}
    />
  );
};

export const WordsField = ({
  drafting: { draft, change },
  label,
  help,
  shortest = 0,
}: {
  readonly drafting: Drafting;
  readonly label: string;
  readonly help: string;
  readonly shortest?: number;
}) => (
  <TextField
    label={label}
    helperText={help}
    value={draft.words}
    required={shortest > 0}
    onChange={({ target }) => change({ words: target.value })}
    slotProps={{
      htmlInput: {
        minLength: shortest,
        maxLength: 500,
        autoComplete: 'off',
        dir: 'auto',
        readOnly: draft.unsure,
      },
    }}
  />
);

/** The effect, before it happens. */
export const Will = ({ text }: { readonly text: string }) => (
  <Typography role="status" sx={{ fontWeight: 600 }}>
    {text}
  </Typography>
);

export const Unsure = ({ drafting: { draft, renew } }: { readonly drafting: Drafting }) => {
  const say = useText();
  if (!draft.unsure) return null;
  return (
    <Alert severity="warning" variant="outlined">
      {say('clients.unsure')}
      <Box sx={{ mt: 1 }}>
        <Typography variant="body2">{say('clients.anewHelp')}</Typography>
        <Button size="small" color="inherit" onClick={renew}>
          {say('clients.startOver')}
        </Button>
      </Box>
    </Alert>
  );
};

/** Whether a correction adds or subtracts. */
export const DirectionField = ({
  drafting: { draft, change },
}: {
  readonly drafting: Drafting;
}) => {
  const say = useText();
  return (
    <RadioField
      label={say('clients.direction')}
      options={(['up', 'down'] as const).map((value) => ({
        value,
        label: say(`clients.${value}`),
      }))}
      chosen={draft.down ? 'down' : 'up'}
      disabled={draft.unsure}
      onChoose={(way) => change({ down: way === 'down' })}
    />
  );
};
