/** Shows queued notifications one at a time. */
import Snackbar from '@mui/material/Snackbar';
import { useState } from 'react';
import { dismiss, type Notification, useNotification } from '../notifications.ts';

// Long enough for a sentence to be read.
const shownMs = 4000;

export const Notifications = () => {
  const current = useNotification();
  const [closed, setClosed] = useState<Notification | undefined>(undefined);
  if (current === undefined) return null;
  const { tone, text } = current;
  return (
    <Snackbar
      open={closed !== current}
      message={text}
      autoHideDuration={shownMs}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'center' }}
      onClose={() => setClosed(current)}
      slotProps={{
        transition: { onExited: () => dismiss(current) },
        content: { sx: { bgcolor: `${tone}.main`, color: `${tone}.contrastText` } },
      }}
    />
  );
};
