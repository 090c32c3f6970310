/** Creates recovery codes and shows them once. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useAct } from '../api/hooks.ts';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Section } from '../parts/page.tsx';
import { SecretField } from '../parts/secret-field.tsx';
import { StatusChip } from '../parts/status-chip.tsx';
import { useMe } from '../session.tsx';

/** Below this, new ones are due. */
const few = 3;

const Shown = ({
  codes,
  onClose,
}: {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}) => {
  const say = useText();
  const title = say('safety.codesNew');
  return (
    <Dialog open fullWidth maxWidth="sm" aria-label={title}>
      <DialogTitle>{title}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <Typography>{say('safety.codesKeep')}</Typography>
        <Box component="ol" dir="ltr" sx={{ m: 0, fontFamily: 'monospace' }}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </Box>
        <SecretField label={say('safety.codes')} value={codes.join(' ')} />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{say('common.close')}</Button>
      </DialogActions>
    </Dialog>
  );
};

export const RecoveryCodes = () => {
  const say = useText();
  const { count } = useFormat();
  const { recovery_codes: left } = useMe();
  const create = useAct('createMyRecoveryCodes', { changes: ['getMe', 'listMyNotices'] });
  const [asking, setAsking] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | undefined>(undefined);
  const close = (): void => {
    setAsking(false);
    create.reset();
  };
  const submit = (): void =>
    create.mutate(
      {},
      {
        onSuccess: (made) => {
          setAsking(false);
          setCodes(made.codes);
        },
      },
    );
  return (
    <Section
      title={say('safety.codes')}
      actions={
        <StatusChip
          tone={left < few ? 'attention' : 'good'}
          label={say('safety.codesLeft', { count: count(left) })}
        />
      }
    >
      <Typography sx={{ mb: 2 }}>{say('safety.codesText')}</Typography>
      <Button variant={left < few ? 'contained' : 'outlined'} onClick={() => setAsking(true)}>
        {say('safety.codesCreate')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={say('safety.codes')}
        text={say(left === 0 ? 'safety.codesFirst' : 'safety.codesReplace')}
        confirm={say('safety.codesCreate')}
        busy={create.isPending}
        error={create.error}
        onConfirm={submit}
        onClose={close}
      />
      {codes === undefined ? null : <Shown codes={codes} onClose={() => setCodes(undefined)} />}
    </Section>
  );
};
