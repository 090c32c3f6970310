/** Lays out a page: its title, actions and sections. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect } from 'react';
import { useCompany } from '../company.ts';
import { useText } from '../i18n/text.ts';

export const Page = ({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) => {
  const say = useText();
  const { name } = useCompany();
  const brand = name === '' ? say('shell.title') : name;
  useEffect(() => {
    document.title = `${title} · ${brand}`;
  }, [title, brand]);
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 2, minWidth: 0 }}>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          gap: 1,
          alignItems: 'center',
          justifyContent: 'space-between',
        }}
      >
        <Typography variant="h1" tabIndex={-1}>
          {title}
        </Typography>
        {actions === undefined ? null : (
          <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>{actions}</Box>
        )}
      </Box>
      {children}
    </Box>
  );
};

/** A section of a page with its own heading. */
export const Section = ({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) => (
  <Box
    component="section"
    aria-label={title}
    sx={{
      bgcolor: 'background.paper',
      borderRadius: 2,
      p: 2,
      border: 1,
      borderColor: 'divider',
      minWidth: 0,
    }}
  >
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        gap: 1,
        alignItems: 'center',
        justifyContent: 'space-between',
        mb: 1.5,
      }}
    >
      <Typography variant="h2">{title}</Typography>
      {actions}
    </Box>
    {children}
  </Box>
);
