/** Asks for confirmation, with an optional reason, and shows progress and errors. */
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import { type ReactNode, useState } from 'react';
import { useText } from '../i18n/text.ts';
import { ErrorNotice } from './error-notice.tsx';

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
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && !lacksReason) onConfirm(why.trim());
      }}
    >
      <DialogTitle>{title}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <DialogContentText component="div">{text}</DialogContentText>
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
          />
        )}
        <ErrorNotice error={error} />
      </DialogContent>
      <DialogActions>
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
      </DialogActions>
    </form>
  );
};

export const ConfirmDialog = (props: ConfirmProps) => (
  <Dialog
    open={props.open}
    onClose={props.busy ? undefined : props.onClose}
    fullWidth
    maxWidth="sm"
    aria-label={props.title}
  >
    {props.open ? <Asked {...props} /> : null}
  </Dialog>
);
