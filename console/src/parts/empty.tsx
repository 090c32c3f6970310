/** Shows a placeholder when there is nothing to list. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useText } from '../i18n/text.ts';

export const Empty = ({
  text,
  children,
}: {
  readonly text?: string;
  readonly children?: ReactNode;
}) => {
  const say = useText();
  return (
    <Box sx={{ p: 4, textAlign: 'center' }}>
      <Typography color="textSecondary">{text ?? say('common.empty')}</Typography>
      {children}
    </Box>
  );
};
