/** Shows where a page lies, and leads back to the pages above it. */
import MuiBreadcrumbs from '@mui/material/Breadcrumbs';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { useText } from '../../i18n/text.ts';

export type Crumb = {
  readonly label: string;
  readonly to: string;
  /** The state of the page that it leads to, such as its place in a list. */
  readonly state?: unknown;
};

export const Breadcrumbs = ({ crumbs }: { readonly crumbs: readonly Crumb[] }) => {
  const say = useText();
  return (
    <MuiBreadcrumbs aria-label={say('shell.breadcrumbs')} sx={{ typography: 'body2' }}>
      {crumbs.map(({ label, to, state }) => (
        <Link
          key={to}
          component={RouterLink}
          to={to}
          state={state}
          color="textSecondary"
          underline="hover"
          sx={{
            display: 'inline-block',
            paddingBlock: '3px',
            '&:hover': { color: 'text.primary' },
          }}
        >
          <bdi>{label}</bdi>
        </Link>
      ))}
      {/* The title follows below: the last separator leads to it. */}
      <span aria-hidden="true" />
    </MuiBreadcrumbs>
  );
};
