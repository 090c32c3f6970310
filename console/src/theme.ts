/** Defines the light and dark themes, for left-to-right and right-to-left text. */
import { createTheme, type PaletteOptions, type Theme } from '@mui/material/styles';
import type { Language } from './i18n/languages.ts';

export type Mode = 'light' | 'dark';

const systemFonts =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif';

const palettes = {
  light: {
    mode: 'light',
    primary: { main: '#1f4e79' },
    secondary: { main: '#5b4a8a' },
    success: { main: '#1e6b34' },
    warning: { main: '#8a4b00' },
    error: { main: '#b3261e' },
    info: { main: '#0b5c8a' },
    background: { default: '#f5f6f8', paper: '#ffffff' },
    text: { primary: '#1a1c1e', secondary: '#4a4f55' },
  },
  dark: {
    mode: 'dark',
    primary: { main: '#9cc4ec' },
    secondary: { main: '#c9bdf0' },
    success: { main: '#86d49b' },
    warning: { main: '#ffb870' },
    error: { main: '#ffb4ab' },
    info: { main: '#8fcdf5' },
    background: { default: '#14171a', paper: '#1d2125' },
    text: { primary: '#e7e9ec', secondary: '#b7bdc4' },
  },
} as const satisfies Record<Mode, PaletteOptions>;

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

export const themeFor = (mode: Mode, { direction, locale }: Language): Theme =>
  createTheme({
    direction,
    ...(isStill() ? still : {}),
    palette: palettes[mode],
    shape: { borderRadius: 8 },
    typography: {
      fontFamily: locale === 'fa' ? `Vazirmatn, ${systemFonts}` : systemFonts,
      button: { textTransform: 'none' },
      h1: { fontSize: '1.6rem', fontWeight: 600, lineHeight: 1.4 },
      h2: { fontSize: '1.2rem', fontWeight: 600, lineHeight: 1.4 },
      h3: { fontSize: '1.05rem', fontWeight: 600, lineHeight: 1.4 },
    },
    components: {
      MuiTextField: { defaultProps: { variant: 'outlined', size: 'small', fullWidth: true } },
      MuiFormControl: { defaultProps: { size: 'small' } },
      MuiButtonBase: {
        defaultProps: { disableRipple: isStill() },
        styleOverrides: {
          // Finger-sized targets on phones.
          root: { '@media (max-width: 599.95px)': { minHeight: 44, minWidth: 44 } },
        },
      },
      MuiButton: { defaultProps: { disableElevation: true } },
    },
  });
