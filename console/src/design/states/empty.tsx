/** Shows that there is nothing to list, and what to do about it. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/text.ts';
import { EmptyIcon } from '../icons.tsx';

export const Empty = ({
  text,
  children,
}: {
  readonly text?: string;
  /** More words, or an action. */
  readonly children?: ReactNode;
}) => {
  const say = useText();
  return (
    <Box
      sx={{
        display: 'grid',
        justifyItems: 'center',
        gap: 1,
        p: 4,
        textAlign: 'center',
        color: 'text.secondary',
      }}
    >
      <EmptyIcon sx={{ fontSize: 26 }} />
      <Typography>{text ?? say('common.empty')}</Typography>
      {children}
    </Box>
  );
};
