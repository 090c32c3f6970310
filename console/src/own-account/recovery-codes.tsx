/** Creates recovery codes and shows them once. */

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useAct } from '../api/hooks.ts';
import { Badge } from '../design/data/badge.tsx';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { Dialog } from '../design/dialog/dialog.tsx';
import { Section } from '../design/page/section.tsx';
import { fonts } from '../design/theme/tokens.ts';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { SecretField } from '../parts/secret-field.tsx';
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
    <Dialog title={title} actions={<Button onClick={onClose}>{say('common.close')}</Button>}>
      <Typography>{say('safety.codesKeep')}</Typography>
      <Box component="ol" dir="ltr" sx={{ m: 0, fontFamily: fonts.code }}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Box>
      <SecretField label={say('safety.codes')} value={codes.join(' ')} />
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
        <Badge
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
