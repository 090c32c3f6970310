/** Owns going through a long list that knows only whether there is more. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';

export type Paged = {
  readonly page: number;
  readonly setPage: (page: number) => void;
  readonly hasNextPage?: boolean | undefined;
  readonly hasPreviousPage?: boolean | undefined;
};

export const Pager = ({ list }: { readonly list: Paged }) => {
  const say = useText();
  const { count } = useFormat();
  const { page, setPage, hasNextPage = false } = list;
  if (page === 1 && !hasNextPage) return null;
  return (
    <Box
      component="nav"
      aria-label={say('common.pages')}
      sx={{ display: 'flex', gap: 2, alignItems: 'center', justifyContent: 'center' }}
    >
      <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
        {say('common.previous')}
      </Button>
      <Typography component="span">{say('common.page', { page: count(page) })}</Typography>
      <Button disabled={!hasNextPage} onClick={() => setPage(page + 1)}>
        {say('common.next')}
      </Button>
    </Box>
  );
};
