/** Shows a loading indicator that screen readers announce. */
import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import { useText } from '../i18n/text.ts';

export const Loading = () => {
  const say = useText();
  return (
    <Box role="status" aria-live="polite" sx={{ display: 'flex', justifyContent: 'center', p: 4 }}>
      <CircularProgress aria-label={say('common.loading')} />
    </Box>
  );
};
