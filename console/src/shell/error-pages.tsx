/** Shows the pages for a missing page and for a failure. */
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Page } from '../design/page/page.tsx';
import { useText } from '../i18n/text.ts';

export const NotFound = () => {
  const say = useText();
  return (
    <Page title={say('shell.notFound')}>
      <Typography>{say('shell.notFoundText')}</Typography>
    </Page>
  );
};

export const Failed = () => {
  const say = useText();
  return (
    <Page
      title={say('shell.failed')}
      actions={<Button onClick={() => location.reload()}>{say('shell.reload')}</Button>}
    >
      <Typography role="alert">{say('shell.failedText')}</Typography>
    </Page>
  );
};
