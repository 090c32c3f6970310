/** Creates a client, idempotently, and shows its first token once. */
import Alert from '@mui/material/Alert';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import Link from '@mui/material/Link';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { Link as RouterLink, useNavigate } from 'react-router';
import { ApiError } from '../api/client.ts';
import { useAct, useReread } from '../api/hooks.ts';
import { newKey } from '../api/key.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { useText } from '../i18n/text.ts';
import { isUnsure } from './client.ts';
import { TokenDialog } from './token-dialog.tsx';

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;

/** The existing client, if the gateway names it. */
const madeBefore = (error: unknown): string | undefined =>
  error instanceof ApiError && error.code === 'ALREADY_DONE'
    ? uuid.exec(error.message)?.[0]
    : undefined;

/** What to do if the outcome is unknown, or the client exists already. */
const After = ({ error }: { readonly error: unknown }) => {
  const say = useText();
  const before = madeBefore(error);
  if (before !== undefined) {
    return (
      <Link component={RouterLink} to={`/clients/${before}?tab=tokens`}>
        {say('clients.createdBefore')}
      </Link>
    );
  }
  return isUnsure(error) ? <Alert severity="info">{say('clients.createUnsure')}</Alert> : null;
};

export const Create = ({ onClose }: { readonly onClose: () => void }) => {
  const say = useText();
  const navigate = useNavigate();
  const reread = useReread();
  const create = useAct('createClient');
  const [key] = useState(newKey);
  const [name, setName] = useState('');
  const [test, setTest] = useState(false);
  const unsure = isUnsure(create.error);
  // The list is reloaded after any end: an unanswered request may have been done.
  const close = (): void => {
    void reread(['listClients']);
    onClose();
  };
  if (create.data !== undefined) {
    const { client, token } = create.data;
    const open = async (): Promise<void> => {
      close();
      await navigate(`/clients/${client.id}`);
    };
    return <TokenDialog name={client.name} token={token} onClose={() => void open()} />;
  }
  return (
    <ConfirmDialog
      open
      title={say('clients.create')}
      text={say('clients.createText')}
      confirm={say('clients.createSubmit')}
      busy={create.isPending}
      error={create.error}
      onConfirm={() => create.mutate({ body: { name: name.trim(), test, key } })}
      onClose={close}
    >
      <TextField
        label={say('clients.name')}
        helperText={say('clients.nameHelp')}
        value={name}
        required
        autoFocus
        onChange={({ target }) => setName(target.value)}
        slotProps={{
          htmlInput: { autoComplete: 'off', maxLength: 255, readOnly: unsure, dir: 'auto' },
        }}
      />
      <div>
        <FormControlLabel
          label={say('clients.testClient')}
          control={
            <Switch
              checked={test}
              disabled={unsure}
              onChange={({ target }) => setTest(target.checked)}
              slotProps={{ input: { 'aria-describedby': 'test-client-help' } }}
            />
          }
        />
        <FormHelperText id="test-client-help">{say('clients.testHelp')}</FormHelperText>
      </div>
      <After error={create.error} />
    </ConfirmDialog>
  );
};
