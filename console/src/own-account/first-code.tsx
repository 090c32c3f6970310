/** Completes the setup of an authenticator app: shows the QR code and verifies the first code. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { encode } from 'uqr';
import type { Answer } from '../api/client.ts';
import { useAct } from '../api/hooks.ts';
import { Form } from '../design/input/form.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { CodeField, codeIn } from '../parts/proof-fields.tsx';
import { SecretField } from '../parts/secret-field.tsx';

export type Secret = Answer<'beginMyTotp'>;

/** Rendered here: the secret is sent to no other service. */
const Picture = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(text, { ecc: 'M', border: 4 });
    const squares = data.flatMap((row, y) =>
      row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])),
    );
    return { size, path: squares.join('') };
  }, [text]);
  return (
    <Box
      component="svg"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      sx={{ width: 208, maxWidth: '100%', bgcolor: '#fff', borderRadius: 1 }}
    >
      <path d={path} fill="#000" />
    </Box>
  );
};

export const FirstCode = ({
  secret,
  onEnd,
}: {
  readonly secret: Secret;
  readonly onEnd: () => void;
}) => {
  const say = useText();
  const done = useDone();
  const confirm = useAct('confirmMyTotp', { changes: ['getMe'] });
  const [code, setCode] = useState('');
  const confirmed = (): void => {
    done('ownAccount.turnedOn');
    onEnd();
  };
  const submit = (): void =>
    confirm.mutate({ body: { code: codeIn(code) } }, { onSuccess: confirmed });
  return (
    <Form onSubmit={submit} label={say('ownAccount.factor')}>
      <Typography>{say('ownAccount.scan')}</Typography>
      <Picture text={secret.uri} label={say('ownAccount.picture')} />
      <SecretField label={say('ownAccount.secret')} value={secret.secret} />
      <CodeField label={say('ownAccount.code')} value={code} onType={setCode} />
      <ErrorState error={confirm.error} />
      <Box sx={{ display: 'flex', gap: 1 }}>
        <Button type="submit" variant="contained" loading={confirm.isPending}>
          {say('ownAccount.turnOn')}
        </Button>
        <Button onClick={onEnd}>{say('common.cancel')}</Button>
      </Box>
    </Form>
  );
};
