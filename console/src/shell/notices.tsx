/** Shows changes to the user's credentials above every page until they are confirmed. */
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { useAct, useRead } from '../api/hooks.ts';
import { useText } from '../i18n/text.ts';
import { useNoticeLine } from '../own-account/notice.ts';

/** More are on the page of one's own account. */
const mostShown = 3;

export const Notices = () => {
  const say = useText();
  const line = useNoticeLine();
  const { data } = useRead('listMyNotices', {}, { staleTime: 60_000 });
  const see = useAct('seeMyNotices', { changes: ['listMyNotices'] });
  // This session's own changes stay unconfirmed at the gateway, and appear again at the next sign-in.
  const [dismissed, setDismissed] = useState('');
  const unseen = (data?.data ?? []).filter(({ seen, id }) => !seen && id > dismissed);
  const [newest] = unseen;
  if (newest === undefined) return null;
  return (
    <Alert
      severity="warning"
      variant="outlined"
      sx={{ mb: 2 }}
      action={
        <Button
          color="inherit"
          loading={see.isPending}
          onClick={() =>
            see.mutate({ body: { id: newest.id } }, { onSuccess: () => setDismissed(newest.id) })
          }
        >
          {say('safety.seen')}
        </Button>
      }
    >
      <AlertTitle>{say('safety.noticeTitle')}</AlertTitle>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {unseen.slice(0, mostShown).map((notice) => (
          <li key={notice.id}>{line(notice)}</li>
        ))}
      </Box>
      {say('safety.noticeText')}{' '}
      <Link component={RouterLink} to="/me">
        {say('shell.ownAccount')}
      </Link>
    </Alert>
  );
};
