/** Shows an error: what happened, what to do, and the request ID. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { ApiError } from '../../api/client.ts';
import { useFormat } from '../../format.ts';
import { sentenceOf, useText } from '../../i18n/text.ts';
import { WarningIcon } from '../icons.tsx';

export const ErrorState = ({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry?: () => void;
}) => {
  const say = useText();
  const { duration } = useFormat();
  if (error === null || error === undefined) return null;
  const ours = error instanceof ApiError ? error : undefined;
  const wait = ours?.code === 'TOO_MANY_TRIES' ? ours.retryAfterSeconds : undefined;
  const fields = Object.values(ours?.fields ?? {}).flat();
  return (
    <Alert
      severity="error"
      icon={<WarningIcon fontSize="inherit" />}
      action={
        retry === undefined ? undefined : (
          <Button variant="outlined" onClick={retry}>
            {say('common.retry')}
          </Button>
        )
      }
    >
      {wait === undefined
        ? sentenceOf(say, error)
        : say('signIn.waitSeconds', { time: duration(wait * 1000) })}
      {fields.map((sentence) => (
        <Typography key={sentence} variant="body2">
          {sentence}
        </Typography>
      ))}
      {ours?.requestId === undefined ? null : (
        <Typography variant="caption" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {say('common.requestId', { id: ours.requestId })}
        </Typography>
      )}
    </Alert>
  );
};
