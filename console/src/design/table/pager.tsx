/** Renders the previous and next buttons of a cursor-based list. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { Paging } from '../../api/paging.ts';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';

export const Pager = ({ paging: { page, newer, older } }: { readonly paging: Paging }) => {
  const say = useText();
  const { count } = useFormat();
  if (newer === undefined && older === undefined) return null;
  return (
    <Box
      component="nav"
      aria-label={say('common.pages')}
      sx={{ display: 'flex', gap: 2, alignItems: 'center', justifyContent: 'center' }}
    >
      <Button disabled={newer === undefined} onClick={newer}>
        {say('common.previous')}
      </Button>
      <Typography component="span">{say('common.page', { page: count(page) })}</Typography>
      <Button disabled={older === undefined} onClick={older}>
        {say('common.next')}
      </Button>
    </Box>
  );
};
