/** Shows the logo beside the company's name. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useCompany } from '../company.ts';
import { Logo } from '../design/logo.tsx';
import { useText } from '../i18n/text.ts';

export const Brand = ({ large = false }: { readonly large?: boolean }) => {
  const say = useText();
  const { name } = useCompany();
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.25, minWidth: 0 }}>
      <Logo size={large ? 36 : 26} />
      <Typography
        component="span"
        noWrap
        variant={large ? 'h2' : 'body1'}
        sx={{ fontWeight: 650, minWidth: 0 }}
      >
        <bdi>{name === '' ? say('shell.title') : name}</bdi>
      </Typography>
    </Box>
  );
};
