/** Lists the latest changes to the user's credentials: when, and from which address. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useRead } from '../api/hooks.ts';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useText } from '../i18n/text.ts';
import { useNoticeLine } from './notice.ts';

export const Changes = () => {
  const say = useText();
  const line = useNoticeLine();
  const { data, error } = useRead('listMyNotices', {}, { staleTime: 60_000 });
  const changes = data?.data ?? [];
  return (
    <Section title={say('safety.changes')}>
      <ErrorState error={error} />
      <Typography sx={{ mb: 1 }}>
        {say(changes.length === 0 ? 'safety.noChanges' : 'safety.changesText')}
      </Typography>
      <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
        {changes.map((notice) => (
          <li key={notice.id}>{line(notice)}</li>
        ))}
      </Box>
    </Section>
  );
};
