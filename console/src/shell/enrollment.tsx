/** Sets up the two-factor authentication that the user's role requires. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useText } from '../i18n/text.ts';
import { SecondFactor } from '../own-account/second-factor.tsx';
import { SignInLayout } from '../sign-in/layout.tsx';
import { useSignOut } from './sign-out.ts';

export default function Enrollment() {
  const say = useText();
  const signOut = useSignOut();
  return (
    <SignInLayout title={say('safety.enrollTitle')}>
      <Typography>{say('safety.enrollText')}</Typography>
      <SecondFactor />
      <Box>
        <Button onClick={() => void signOut()}>{say('shell.signOut')}</Button>
      </Box>
    </SignInLayout>
  );
}
