/** Renders the menu of the pages that the user may see. */
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import { NavLink, useLocation } from 'react-router';
import { useText } from '../i18n/text.ts';
import { pages } from '../pages.tsx';
import { useMe } from '../session.tsx';

export const PageList = ({ onChosen }: { readonly onChosen: () => void }) => {
  const say = useText();
  const { rights } = useMe();
  const { pathname } = useLocation();
  const shown = pages.filter(({ right }) => right === undefined || rights.includes(right));
  return (
    <List component="ul" sx={{ p: 1 }}>
      {shown.map(({ name, path, icon: Icon, label }) => (
        <ListItem key={name} disablePadding>
          <ListItemButton
            component={NavLink}
            to={path}
            onClick={onChosen}
            selected={pathname === path || pathname.startsWith(`${path}/`)}
            sx={{ borderRadius: 1 }}
          >
            <ListItemIcon sx={{ minWidth: 40 }}>
              <Icon />
            </ListItemIcon>
            <ListItemText primary={say(label)} />
          </ListItemButton>
        </ListItem>
      ))}
    </List>
  );
};
