/** Shows a webhook message: its attempts, and its body with masked numbers. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { Given } from '../api/client.ts';
import { useRead } from '../api/hooks.ts';
import { CodeBlock } from '../design/data/code-block.tsx';
import { Dialog } from '../design/dialog/dialog.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { useText } from '../i18n/text.ts';
import { Attempts } from './attempts.tsx';

const pretty = (payload: string): string => JSON.stringify(JSON.parse(payload), null, 2);

const Body = ({ payload }: { readonly payload: string }) => {
  const say = useText();
  return (
    <Box component="section" aria-label={say('clientWebhooks.payload')}>
      <Typography variant="h3">{say('clientWebhooks.payload')}</Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
        {say('clientWebhooks.payloadHelp')}
      </Typography>
      <CodeBlock name={say('clientWebhooks.payload')} code={pretty(payload)} />
    </Box>
  );
};

export const MessageDialog = ({
  params,
  title,
  onClose,
}: {
  readonly params: Given<'getClientMessage'>['params'];
  readonly title: string;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const read = useRead('getClientMessage', { params });
  const message = read.data ?? undefined;
  return (
    <Dialog
      wide
      title={title}
      onClose={onClose}
      actions={<Button onClick={onClose}>{say('common.close')}</Button>}
    >
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {read.isPending ? <Loading /> : null}
      {message === undefined ? null : (
        <>
          {message.tried.length === 0 ? (
            <Typography>{say('clientWebhooks.noAttempts')}</Typography>
          ) : (
            <Attempts attempts={message.tried} />
          )}
          <Body payload={message.payload} />
        </>
      )}
    </Dialog>
  );
};
