/** Shows a dialog for as long as it is rendered: its title, its content, and its buttons at the end. */
import MuiDialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { type ReactNode, useId } from 'react';

export type DialogProps = {
  readonly title: string;
  /** The main action comes last. */
  readonly actions: ReactNode;
  /** By Escape and beside it; without it, only by its buttons. */
  readonly onClose?: (() => void) | undefined;
  /** Makes its content a form: Enter submits it. */
  readonly onSubmit?: () => void;
  readonly wide?: boolean;
  readonly children: ReactNode;
};

export const Dialog = ({ title, actions, onClose, onSubmit, wide, children }: DialogProps) => {
  const id = useId();
  const content = (
    <>
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
        {children}
      </DialogContent>
      <DialogActions>{actions}</DialogActions>
    </>
  );
  return (
    <MuiDialog
      open
      {...(onClose === undefined ? {} : { onClose })}
      fullWidth
      maxWidth={wide === true ? 'md' : 'sm'}
      aria-labelledby={id}
    >
      {onSubmit === undefined ? (
        content
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          {content}
        </form>
      )}
    </MuiDialog>
  );
};
