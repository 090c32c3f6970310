/** Provides the app bar's menus: language, theme and account. */
import { useNavigate } from 'react-router';
import { languageNames } from '../i18n/languages.ts';
import { type TextKey, useText } from '../i18n/text.ts';
import { AccountIcon, LanguageIcon, ThemeIcon } from '../parts/icons.tsx';
import {
  locales,
  setPreferences,
  type ThemePreference,
  themes,
  usePreferences,
} from '../preferences.ts';
import { useMe } from '../session.tsx';
import { MenuButton } from './menu-button.tsx';
import { useSignOut } from './sign-out.ts';

export const LanguageMenu = () => {
  const say = useText();
  const { locale } = usePreferences();
  return (
    <MenuButton
      label={say('shell.language')}
      icon={<LanguageIcon />}
      options={locales.map((one) => ({
        key: one,
        label: languageNames[one],
        lang: one,
        selected: one === locale,
        choose: () => setPreferences({ locale: one }),
      }))}
    />
  );
};

const themeNames: Readonly<Record<ThemePreference, TextKey>> = {
  system: 'shell.themeSystem',
  light: 'shell.themeLight',
  dark: 'shell.themeDark',
};

export const ThemeMenu = () => {
  const say = useText();
  const { theme } = usePreferences();
  return (
    <MenuButton
      label={say('shell.theme')}
      icon={<ThemeIcon />}
      options={themes.map((one) => ({
        key: one,
        label: say(themeNames[one]),
        selected: one === theme,
        choose: () => setPreferences({ theme: one }),
      }))}
    />
  );
};

export const AccountMenu = () => {
  const say = useText();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { account } = useMe();
  return (
    <MenuButton
      label={say('shell.account', { name: account.name })}
      icon={<AccountIcon />}
      options={[
        { key: 'own', label: say('shell.ownAccount'), choose: () => void navigate('/me') },
        { key: 'out', label: say('shell.signOut'), choose: () => void signOut() },
      ]}
    />
  );
};
