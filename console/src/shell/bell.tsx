/** Shows how many alerts are new, and opens the list of all of them. */
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Popover from '@mui/material/Popover';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useAccountPreferences } from '../account-preferences.ts';
import { AlertList } from '../design/data/alert-list.tsx';
import { CountBadge } from '../design/data/count-badge.tsx';
import { BellIcon } from '../design/more-icons.tsx';
import { Empty } from '../design/states/empty.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useAlertLines, useAlerts } from '../overview/alerts.ts';
import { useMe } from '../session.tsx';
import { seenAfter, stillSeen, unreadOf } from './unread.ts';

/** How many are new to this account, and what marks them as seen. */
const useUnread = () => {
  const { account } = useMe();
  const alerts = useAlerts();
  const { preferences, change } = useAccountPreferences(account.id);
  const { seenAlerts } = preferences;
  useEffect(() => {
    const kept = stillSeen(alerts.items, seenAlerts);
    const isFewer = Object.keys(kept).length < Object.keys(seenAlerts).length;
    if (alerts.isKnown && isFewer) change({ seenAlerts: kept });
  }, [alerts, seenAlerts, change]);
  return {
    unread: unreadOf(alerts.items, seenAlerts).length,
    look: (): void => change({ seenAlerts: seenAfter(alerts.items) }),
  };
};

const Alerts = () => {
  const say = useText();
  const lines = useAlertLines();
  return (
    <>
      <Typography variant="h2" sx={{ mb: 1.5 }}>
        {say('alerts.bell')}
      </Typography>
      {lines.length === 0 ? <Empty text={say('alerts.none')} /> : <AlertList lines={lines} />}
    </>
  );
};

export const Bell = () => {
  const say = useText();
  const { count } = useFormat();
  const { unread, look } = useUnread();
  const { key } = useLocation();
  const [anchor, setAnchor] = useState<{ element: HTMLElement; at: string } | null>(null);
  // A chosen alert leads to another page: the list closes with this one.
  const open = anchor !== null && anchor.at === key;
  const label = unread === 0 ? say('alerts.bell') : say('alerts.bellNew', { count: count(unread) });
  return (
    <>
      <Tooltip title={say('alerts.bell')}>
        <IconButton
          color="inherit"
          aria-label={label}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={({ currentTarget }) => {
            look();
            setAnchor({ element: currentTarget, at: key });
          }}
        >
          <Box component="span" sx={{ position: 'relative', display: 'inline-flex' }}>
            <BellIcon />
            {unread === 0 ? null : (
              <Box
                component="span"
                sx={{ position: 'absolute', top: -8, insetInlineEnd: -8, lineHeight: 0 }}
              >
                <CountBadge count={count(unread)} />
              </Box>
            )}
          </Box>
        </IconButton>
      </Tooltip>
      <Popover
        open={open}
        anchorEl={anchor?.element ?? null}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{
          paper: {
            'aria-label': say('alerts.bell'),
            role: 'dialog',
            sx: { p: 2, mt: 0.5, width: 360, maxWidth: 'calc(100vw - 32px)' },
          },
        }}
      >
        <Alerts />
      </Popover>
    </>
  );
};
