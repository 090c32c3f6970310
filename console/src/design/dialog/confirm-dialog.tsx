/** Asks for confirmation, with an optional reason, and shows progress and errors. */
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { ErrorState } from '../states/error-state.tsx';
import { Dialog } from './dialog.tsx';

export type ConfirmProps = {
  readonly open: boolean;
  readonly title: string;
  /** What will happen, in a sentence or two. */
  readonly text: ReactNode;
  /** The label of the button: the action itself. */
  readonly confirm: string;
  readonly danger?: boolean;
  readonly busy?: boolean;
  readonly error?: unknown;
  /** Asks for a reason, which may be required. */
  readonly reason?: 'optional' | 'required';
  readonly onConfirm: (reason: string) => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
};

const Asked = (props: ConfirmProps) => {
  const { title, text, confirm, danger, busy = false, error, reason, onConfirm, onClose } = props;
  const say = useText();
  const [why, setWhy] = useState('');
  const lacksReason = reason === 'required' && why.trim() === '';
  return (
    <Dialog
      title={title}
      onClose={busy ? undefined : onClose}
      onSubmit={() => {
        if (!busy && !lacksReason) onConfirm(why.trim());
      }}
      actions={
        <>
          <Button onClick={onClose} disabled={busy}>
            {say('common.cancel')}
          </Button>
          <Button
            type="submit"
            variant="contained"
            color={danger ? 'error' : 'primary'}
            loading={busy}
            disabled={lacksReason}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <Typography component="div" color="textSecondary">
        {text}
      </Typography>
      {props.children}
      {reason === undefined ? null : (
        <TextField
          label={say('common.reason')}
          helperText={say('common.reasonHelp')}
          value={why}
          required={reason === 'required'}
          onChange={({ target }) => setWhy(target.value)}
          multiline
          maxRows={4}
          slotProps={{ htmlInput: { dir: 'auto' } }}
        />
      )}
      <ErrorState error={error} />
    </Dialog>
  );
};

export const ConfirmDialog = (props: ConfirmProps) => (props.open ? <Asked {...props} /> : null);
