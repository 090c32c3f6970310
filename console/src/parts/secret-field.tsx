/** Shows a secret once, ready to copy. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useId, useState } from 'react';
import { CopyIcon } from '../design/icons.tsx';
import { useText } from '../i18n/text.ts';

export const SecretField = ({
  label,
  value,
}: {
  readonly label: string;
  readonly value: string;
}) => {
  const say = useText();
  const id = useId();
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    // Over plain http a browser has no clipboard: then the text is selected, to be copied manually.
    const field = document.getElementById(id);
    if (field instanceof HTMLInputElement) field.select();
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch {
      setCopied(false);
    }
  };
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <Alert severity="warning" variant="outlined">
        {say('common.copyOnce')}
      </Alert>
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        <TextField
          id={id}
          label={label}
          value={value}
          sx={{ flex: '1 1 14rem' }}
          slotProps={{ htmlInput: { readOnly: true, dir: 'ltr', spellCheck: false } }}
        />
        <Button variant="outlined" startIcon={<CopyIcon />} onClick={() => void copy()}>
          {say(copied ? 'common.copied' : 'common.copy')}
        </Button>
      </Box>
    </Box>
  );
};
