/** Shows what a page looks like while it loads, without data, and after an error. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { ApiError } from '../../api/client.ts';
import { useText } from '../../i18n/text.ts';
import { Section } from '../page/section.tsx';
import { Empty } from '../states/empty.tsx';
import { ErrorState } from '../states/error-state.tsx';
import { Loading } from '../states/loading.tsx';

const failure = new ApiError('', { status: 500, code: 'INTERNAL_ERROR', requestId: '0193f2a1' });

export const States = () => {
  const say = useText();
  return (
    <>
      <Section title={say('gallery.errors')}>
        <Box sx={{ display: 'grid', gap: 1.5 }}>
          <ErrorState error={failure} retry={() => undefined} />
          <Alert severity="warning">{say('gallery.caution')}</Alert>
          <Alert severity="info">{say('gallery.notice')}</Alert>
          <Alert severity="success">{say('gallery.success')}</Alert>
        </Box>
      </Section>
      <Section title={say('gallery.empty')}>
        <Empty text={say('gallery.emptyText')}>
          <Button variant="outlined">{say('gallery.main')}</Button>
        </Empty>
      </Section>
      <Section title={say('gallery.loading')}>
        <Box sx={{ display: 'grid', gap: 2 }}>
          <Loading />
          <Loading shape="stats" />
          <Loading shape="table" />
        </Box>
      </Section>
    </>
  );
};
