/** Lists, adds and removes the user's passkeys. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, call } from '../api/client.ts';
import { useAct, useRead, useReread } from '../api/hooks.ts';
import { createPasskey } from '../browser-passkey.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { PasswordField } from '../parts/proof-fields.tsx';

type Passkey = Answer<'listMyPasskeys'>['data'][number];

const changes = ['listMyPasskeys', 'getMe'] as const;

type Wanted = { readonly name: string; readonly password: string };

const nothingTyped: Wanted = { name: '', password: '' };

const Add = () => {
  const say = useText();
  const done = useDone();
  const reread = useReread();
  const add = useMutation<void, unknown, Wanted>({
    mutationFn: async ({ name, password }) => {
      const options = await call('beginMyPasskey', { body: { password } });
      const credential = await createPasskey(options);
      await call('addMyPasskey', { body: { name, credential } });
    },
    onSuccess: () => reread(changes),
  });
  const [asking, setAsking] = useState(false);
  const [typed, setTyped] = useState(nothingTyped);
  const close = (): void => {
    setAsking(false);
    setTyped(nothingTyped);
    add.reset();
  };
  const added = (): void => {
    close();
    done('passkeys.added');
  };
  return (
    <>
      <Button variant="contained" onClick={() => setAsking(true)}>
        {say('passkeys.add')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={say('passkeys.add')}
        text={say('passkeys.addText')}
        confirm={say('passkeys.add')}
        busy={add.isPending}
        error={add.error}
        onConfirm={() => add.mutate(typed, { onSuccess: added })}
        onClose={close}
      >
        <TextField
          label={say('passkeys.name')}
          helperText={say('passkeys.nameHelp')}
          value={typed.name}
          required
          autoFocus
          onChange={({ target }) => setTyped({ ...typed, name: target.value })}
          slotProps={{ htmlInput: { maxLength: 64, pattern: '.*\\S.*' } }}
        />
        <PasswordField
          label={say('ownAccount.current')}
          value={typed.password}
          onType={(password) => setTyped({ ...typed, password })}
        />
      </ConfirmDialog>
    </>
  );
};

const Remove = ({
  passkey: { id, name },
  onClose,
}: {
  readonly passkey: Passkey;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const done = useDone();
  const remove = useAct('removeMyPasskey', { changes });
  const [password, setPassword] = useState('');
  const removed = (): void => {
    onClose();
    done('passkeys.removed');
  };
  return (
    <ConfirmDialog
      open
      danger
      title={say('passkeys.removeOf', { name })}
      text={say('passkeys.removeText')}
      confirm={say('passkeys.remove')}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate({ params: { passkey_id: id }, body: { password } }, { onSuccess: removed })
      }
      onClose={onClose}
    >
      <PasswordField
        label={say('ownAccount.current')}
        value={password}
        onType={setPassword}
        autoFocus
      />
    </ConfirmDialog>
  );
};

const useColumns = (onRemove: (passkey: Passkey) => void): readonly Column<Passkey>[] => {
  const say = useText();
  const { time } = useFormat();
  return [
    { key: 'name', label: say('passkeys.name'), cell: ({ name }) => <bdi>{name}</bdi> },
    {
      key: 'host',
      wrap: true,
      label: say('passkeys.host'),
      cell: ({ host, usable }) => <bdi>{usable ? host : say('passkeys.otherHost', { host })}</bdi>,
    },
    {
      key: 'created',
      label: say('passkeys.created'),
      cell: ({ created_at: at }) => time(at, 'short'),
    },
    {
      key: 'used',
      label: say('passkeys.used'),
      cell: ({ used_at: at }) => (at === null ? say('passkeys.never') : time(at, 'short')),
    },
    {
      key: 'actions',
      phone: 'actions',
      label: say('common.actions'),
      cell: (passkey) => (
        <Button
          color="error"
          aria-label={say('passkeys.removeOf', { name: passkey.name })}
          onClick={() => onRemove(passkey)}
        >
          {say('passkeys.remove')}
        </Button>
      ),
    },
  ];
};

const List = ({ data, available }: Answer<'listMyPasskeys'>) => {
  const say = useText();
  const [removing, setRemoving] = useState<Passkey | undefined>(undefined);
  const columns = useColumns(setRemoving);
  return (
    <>
      {data.length === 0 ? (
        <Typography>{say('passkeys.none')}</Typography>
      ) : (
        <Table name={say('passkeys.title')} columns={columns} rows={data} keyOf={({ id }) => id} />
      )}
      <Box sx={{ mt: 2 }}>
        {available ? (
          <Add />
        ) : (
          <Alert severity="info" variant="outlined">
            {say('passkeys.unavailable')}
          </Alert>
        )}
      </Box>
      {removing === undefined ? null : (
        <Remove passkey={removing} onClose={() => setRemoving(undefined)} />
      )}
    </>
  );
};

export const Passkeys = () => {
  const say = useText();
  const list = useRead('listMyPasskeys', {});
  return (
    <Section title={say('passkeys.title')}>
      <Typography sx={{ mb: 2 }}>{say('passkeys.text')}</Typography>
      <ErrorState error={list.error} retry={() => void list.refetch()} />
      {list.isPending ? <Loading /> : null}
      {list.data ? <List {...list.data} /> : null}
    </Section>
  );
};
