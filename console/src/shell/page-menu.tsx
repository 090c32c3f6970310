/** Renders the menu of the pages that the user may see, in groups. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { NavLink } from 'react-router';
import { CountBadge } from '../design/data/count-badge.tsx';
import { screenReaderOnly } from '../design/screen-reader-only.ts';
import { radii, sizes } from '../design/theme/tokens.ts';
import { useColours } from '../design/theme/use-colours.ts';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useReviewCount } from '../overview/alerts.ts';
import { type MenuGroup, menuGroups, pages } from '../pages.tsx';
import { useMe } from '../session.tsx';

/** How many purchases wait for a decision. */
const Waiting = () => {
  const say = useText();
  const { count } = useFormat();
  const review = useReviewCount();
  if (review === 0) return null;
  return (
    <Box component="span" sx={{ marginInlineStart: 'auto', lineHeight: 0 }}>
      <CountBadge count={count(review)} />
      <Box component="span" sx={screenReaderOnly}>
        {say('alerts.reviewBadge', { count: count(review) })}
      </Box>
    </Box>
  );
};

const Group = ({
  group,
  onChosen,
}: {
  readonly group: MenuGroup;
  readonly onChosen: () => void;
}) => {
  const say = useText();
  const id = useId();
  const { rights } = useMe();
  const shown = pages.filter(
    (page) => page.group === group && (page.right === undefined || rights.includes(page.right)),
  );
  if (shown.length === 0) return null;
  return (
    <>
      <Typography
        id={id}
        variant="caption"
        component="p"
        color="textSecondary"
        sx={{ paddingInline: 1, pt: 1.5, pb: 0.5, fontWeight: 550 }}
      >
        {say(`shell.${group}`)}
      </Typography>
      <Box component="ul" aria-labelledby={id} sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {shown.map(({ name, path, icon: Icon, label }) => (
          <li key={name}>
            <NavLink to={path} onClick={onChosen}>
              <Icon />
              {say(label)}
              {name === 'purchases' ? <Waiting /> : null}
            </NavLink>
          </li>
        ))}
      </Box>
    </>
  );
};

export const PageMenu = ({ onChosen }: { readonly onChosen: () => void }) => {
  const say = useText();
  const { selected } = useColours();
  return (
    <Box
      component="nav"
      aria-label={say('shell.menu')}
      sx={{
        '& a': {
          display: 'flex',
          alignItems: 'center',
          gap: 1.25,
          minHeight: { xs: sizes.finger, md: 32 },
          paddingInline: 1,
          borderRadius: `${radii.field}px`,
          color: 'text.secondary',
          typography: 'body2',
          fontWeight: 550,
          textDecoration: 'none',
        },
        '& a .MuiSvgIcon-root': { fontSize: 17 },
        '& a:hover': { color: 'text.primary' },
        '& a.active': { color: 'text.primary', bgcolor: selected },
        '& a.active .MuiSvgIcon-root': { color: 'primary.main' },
      }}
    >
      {menuGroups.map((group) => (
        <Group key={group} group={group} onChosen={onChosen} />
      ))}
    </Box>
  );
};
