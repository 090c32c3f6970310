/** Builds MUI's theme from the tokens, for each mode, direction and language. */
import { createTheme, type PaletteOptions, type Theme } from '@mui/material/styles';
import type { Language } from '../../i18n/languages.ts';
import { components } from './components.ts';
import { colours, fonts, type Mode, persianLines, radii, typeScale } from './tokens.ts';

/** Users who prefer reduced motion get none. */
const isStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

const still = {
  transitions: {
    create: () => 'none',
    duration: {
      shortest: 0,
      shorter: 0,
      short: 0,
      standard: 0,
      complex: 0,
      enteringScreen: 0,
      leavingScreen: 0,
    },
  },
} as const;

const paletteOf = (mode: Mode): PaletteOptions => {
  const { tones, ...colour } = colours[mode];
  return {
    mode,
    primary: { main: colour.accent },
    secondary: { main: colour.violet },
    success: { main: tones.good.text },
    warning: { main: tones.attention.text },
    error: { main: tones.bad.text },
    info: { main: tones.info.text },
    background: { default: colour.canvas, paper: colour.surface },
    text: { primary: colour.text, secondary: colour.muted },
    divider: colour.line,
    action: { hover: colour.sunken, selected: colour.selected },
  };
};

const typographyOf = (locale: Language['locale']) => {
  const lines = locale === 'fa' ? persianLines : 1;
  const step = (name: keyof typeof typeScale, fontWeight = 400) => ({
    fontSize: `${typeScale[name].size}rem`,
    lineHeight: Number((typeScale[name].lineHeight * lines).toFixed(3)),
    fontWeight,
    // Spacing would break the joined letters of Persian.
    letterSpacing: locale === 'fa' || name !== 'h1' ? 0 : '-0.012em',
  });
  return {
    fontFamily: fonts[locale],
    h1: step('h1', 650),
    h2: step('h2', 600),
    h3: step('h3', 600),
    h6: step('h2', 600),
    subtitle2: step('small', 600),
    body1: step('body'),
    body2: step('small'),
    button: { ...step('small', 550), textTransform: 'none' as const },
    caption: step('caption'),
  };
};

export const themeFor = (mode: Mode, { direction, locale }: Language): Theme =>
  createTheme({
    direction,
    ...(isStill() ? still : {}),
    palette: paletteOf(mode),
    shape: { borderRadius: radii.field },
    typography: typographyOf(locale),
    components: components(mode, isStill()),
  });
