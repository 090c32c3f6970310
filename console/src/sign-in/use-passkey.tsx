/** Signs in with a passkey as the second factor. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { type Answer, call } from '../api/client.ts';
import { getPasskey } from '../browser-passkey.ts';
import { ErrorState } from '../design/states/error-state.tsx';
import { useText } from '../i18n/text.ts';
import { useAfterSignIn } from './after-sign-in.ts';

type Factors = Answer<'getFactors'>;

const Use = () => {
  const say = useText();
  const afterSignIn = useAfterSignIn();
  const use = useMutation<Answer<'sendPasskey'>, unknown>({
    mutationFn: async () => {
      const options = await call('beginPasskeySignIn', {});
      return call('sendPasskey', { body: { credential: await getPasskey(options) } });
    },
    onSuccess: afterSignIn,
  });
  return (
    <>
      <ErrorState error={use.error} />
      <Button variant="contained" loading={use.isPending} onClick={() => use.mutate()}>
        {say('passkeys.use')}
      </Button>
    </>
  );
};

export const UsePasskey = ({ factors }: { readonly factors: Factors }) => {
  const say = useText();
  const { passkey, passkey_hosts: hosts } = factors;
  if (passkey) return <Use />;
  if (hosts.length === 0) return null;
  return (
    <Alert severity="info" variant="outlined">
      {say('passkeys.onlyOn', { hosts: hosts.join(' · ') })}
    </Alert>
  );
};
