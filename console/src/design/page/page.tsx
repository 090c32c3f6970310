/** Lays out a page: its header, and its sections below each other. */
import Box from '@mui/material/Box';
import { type ReactNode, useEffect } from 'react';
import { useCompany } from '../../company.ts';
import { useText } from '../../i18n/text.ts';
import { PageHeader, type PageHeaderProps } from './page-header.tsx';

export const Page = ({
  children,
  ...header
}: PageHeaderProps & {
  readonly children: ReactNode;
}) => {
  const say = useText();
  const { name } = useCompany();
  const { title } = header;
  const brand = name === '' ? say('shell.title') : name;
  useEffect(() => {
    document.title = `${title} · ${brand}`;
  }, [title, brand]);
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 2, minWidth: 0 }}>
      <PageHeader {...header} />
      {children}
    </Box>
  );
};
