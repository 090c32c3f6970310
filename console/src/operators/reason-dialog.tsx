/** Asks for the reason of an action on an operator before it is done. */
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { ConfirmDialog, type ConfirmProps } from '../design/dialog/confirm-dialog.tsx';
import { useText } from '../i18n/text.ts';

/** The gateway's limit. */
const leastReason = 3;

export const ReasonDialog = ({
  onConfirm,
  ...props
}: Omit<ConfirmProps, 'open' | 'reason' | 'children'>) => {
  const say = useText();
  const [reason, setReason] = useState('');
  const [short, setShort] = useState(false);
  const act = (): void => {
    const why = reason.trim();
    setShort(why.length < leastReason);
    if (why.length >= leastReason) onConfirm(why);
  };
  return (
    <ConfirmDialog open {...props} onConfirm={act}>
      <TextField
        label={say('common.reason')}
        helperText={say(short ? 'operators.reasonShort' : 'common.reasonHelp')}
        error={short}
        value={reason}
        required
        autoFocus
        multiline
        maxRows={4}
        onChange={({ target }) => setReason(target.value)}
        slotProps={{ htmlInput: { maxLength: 500, dir: 'auto' } }}
      />
    </ConfirmDialog>
  );
};
