/** Owns the choices of the bar: the language, the appearance, and one's own account. */
import { useNavigate } from 'react-router';
import { languageNames } from '../i18n/languages.ts';
import { type TextKey, useText } from '../i18n/text.ts';
import { AccountIcon, LanguageIcon, ThemeIcon } from '../parts/icons.tsx';
import { locales, prefer, type ThemeChoice, themes, usePreferences } from '../preferences.ts';
import { useMe } from '../session.tsx';
import { ChoiceMenu } from './menu-button.tsx';
import { useSignOut } from './sign-out.ts';

export const LanguageChoice = () => {
  const say = useText();
  const { locale } = usePreferences();
  return (
    <ChoiceMenu
      label={say('shell.language')}
      icon={<LanguageIcon />}
      choices={locales.map((one) => ({
        key: one,
        label: languageNames[one],
        lang: one,
        selected: one === locale,
        choose: () => prefer({ locale: one }),
      }))}
    />
  );
};

const themeNames: Readonly<Record<ThemeChoice, TextKey>> = {
  system: 'shell.themeSystem',
  light: 'shell.themeLight',
  dark: 'shell.themeDark',
};

export const AppearanceChoice = () => {
  const say = useText();
  const { theme } = usePreferences();
  return (
    <ChoiceMenu
      label={say('shell.theme')}
      icon={<ThemeIcon />}
      choices={themes.map((one) => ({
        key: one,
        label: say(themeNames[one]),
        selected: one === theme,
        choose: () => prefer({ theme: one }),
      }))}
    />
  );
};

export const AccountChoice = () => {
  const say = useText();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { account } = useMe();
  return (
    <ChoiceMenu
      label={say('shell.account', { name: account.name })}
      icon={<AccountIcon />}
      choices={[
        { key: 'own', label: say('shell.ownAccount'), choose: () => void navigate('/me') },
        { key: 'out', label: say('shell.signOut'), choose: () => void signOut() },
      ]}
    />
  );
};
