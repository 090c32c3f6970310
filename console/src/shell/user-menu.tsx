/** Shows who is signed in, and leads to the own account and out. */
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { MenuButton, type MenuTrigger } from '../design/input/menu-button.tsx';
import { screenReaderOnly } from '../design/screen-reader-only.ts';
import { radii } from '../design/theme/tokens.ts';
import { useColours } from '../design/theme/use-colours.ts';
import { useText } from '../i18n/text.ts';
import { useMe } from '../session.tsx';
import { useSignOut } from './sign-out.ts';

const Shortcuts = lazy(() => import('./shortcuts.tsx'));

const Initial = ({ name }: { readonly name: string }) => {
  const { selected, accent } = useColours();
  return (
    <Box
      component="span"
      aria-hidden="true"
      // A name is data, whatever the page's language.
      dir="ltr"
      sx={{
        display: 'grid',
        placeItems: 'center',
        width: 26,
        height: 26,
        flexShrink: 0,
        borderRadius: '50%',
        bgcolor: selected,
        color: accent,
        typography: 'caption',
        fontWeight: 650,
      }}
    >
      {Array.from(name)[0]?.toLocaleUpperCase()}
    </Box>
  );
};

const WhoButton = (trigger: MenuTrigger) => {
  const say = useText();
  const { account } = useMe();
  return (
    <ButtonBase
      {...trigger}
      sx={{
        flexGrow: 1,
        minWidth: 0,
        gap: 1,
        p: '5px 6px',
        borderRadius: `${radii.field}px`,
        justifyContent: 'start',
        textAlign: 'start',
        '&:hover': { bgcolor: 'action.hover' },
      }}
    >
      <Initial name={account.name} />
      <Box component="span" sx={screenReaderOnly}>
        {say('shell.account', { name: account.name })}
      </Box>
      <Box aria-hidden="true" sx={{ minWidth: 0 }}>
        <Typography variant="body2" noWrap sx={{ color: 'text.primary', fontWeight: 550 }}>
          <bdi>{account.name}</bdi>
        </Typography>
        <Typography variant="caption" component="p" noWrap>
          {say(`roles.${account.role}`)}
        </Typography>
      </Box>
    </ButtonBase>
  );
};

export const UserMenu = ({ onChosen }: { readonly onChosen: () => void }) => {
  const say = useText();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const [keysShown, setKeysShown] = useState(false);
  const showAccount = (): void => {
    onChosen();
    void navigate('/me');
  };
  return (
    <>
      <MenuButton
        button={(trigger) => <WhoButton {...trigger} />}
        options={[
          { key: 'own', label: say('shell.ownAccount'), choose: showAccount },
          { key: 'keys', label: say('shell.shortcuts'), choose: () => setKeysShown(true) },
          { key: 'out', label: say('shell.signOut'), choose: () => void signOut() },
        ]}
      />
      {keysShown ? (
        <Suspense fallback={null}>
          <Shortcuts onClose={() => setKeysShown(false)} />
        </Suspense>
      ) : null}
    </>
  );
};
