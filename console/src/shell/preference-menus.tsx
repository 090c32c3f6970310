/** Provides the menus that choose the language and the appearance. */
import { LanguageIcon, ThemeIcon } from '../design/icons.tsx';
import { MenuButton } from '../design/input/menu-button.tsx';
import { languageNames } from '../i18n/languages.ts';
import { type TextKey, useText } from '../i18n/text.ts';
import {
  locales,
  setPreferences,
  type ThemePreference,
  themes,
  usePreferences,
} from '../preferences.ts';

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
