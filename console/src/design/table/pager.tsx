/** Renders the previous and next buttons of a list. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { Paging } from '../../api/paging.ts';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';

export const Pager = ({
  paging: { page, newer, older },
  pages,
  back,
  on,
}: {
  readonly paging: Pick<Paging, 'page' | 'newer' | 'older'>;
  /** How many there are, if that is known: then they are not in the order of time. */
  readonly pages?: number;
  /** The names of the buttons, where they say more. */
  readonly back?: string;
  readonly on?: string;
}) => {
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
        {back ?? say(pages === undefined ? 'common.previous' : 'common.previousPage')}
      </Button>
      <Typography component="span">
        {pages === undefined
          ? say('common.page', { page: count(page) })
          : say('common.pageOf', { page: count(page), pages: count(pages) })}
      </Typography>
      <Button disabled={older === undefined} onClick={older}>
        {on ?? say(pages === undefined ? 'common.next' : 'common.nextPage')}
      </Button>
    </Box>
  );
};
