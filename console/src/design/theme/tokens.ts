/** Defines the design tokens: colours of both modes, type, radii, shadows and sizes. */

export type Mode = 'light' | 'dark';

/** The colours of a state: its text and icon, and the soft background behind them. */
export type ToneColours = { readonly text: string; readonly soft: string };

export const tones = ['good', 'bad', 'attention', 'info', 'plain'] as const;
export type Tone = (typeof tones)[number];

export type Colours = {
  /** Behind everything. */
  readonly canvas: string;
  /** Cards, tables, dialogs and fields. */
  readonly surface: string;
  /** Table heads, hovered rows and chips. */
  readonly sunken: string;
  readonly sidebar: string;
  /** Separates; carries no meaning of its own. */
  readonly line: string;
  /** The edge of a field: it shows where to type. */
  readonly edge: string;
  readonly text: string;
  readonly muted: string;
  /** Links, selected items and focus. */
  readonly accent: string;
  /** The main action, with its text on it. */
  readonly solid: string;
  readonly solidHover: string;
  readonly onSolid: string;
  readonly danger: string;
  readonly dangerHover: string;
  /** The selected entry of the menu. */
  readonly selected: string;
  readonly tones: Readonly<Record<Tone, ToneColours>>;
  /** A further series of a chart. */
  readonly violet: string;
};

export const colours: Readonly<Record<Mode, Colours>> = {
  light: {
    canvas: '#f9fafb',
    surface: '#ffffff',
    sunken: '#f3f4f7',
    sidebar: '#f3f4f7',
    line: '#e3e6eb',
    edge: '#868e9c',
    text: '#15181f',
    muted: '#5a6270',
    accent: '#3343c4',
    solid: '#3b4cd8',
    solidHover: '#2f3db5',
    onSolid: '#ffffff',
    danger: '#c0281d',
    dangerHover: '#9f1f16',
    selected: '#e4e7f5',
    tones: {
      good: { text: '#0a6636', soft: '#e2f5ea' },
      bad: { text: '#b02319', soft: '#fdebe9' },
      attention: { text: '#854600', soft: '#fdf0d9' },
      info: { text: '#1f4fae', soft: '#e6eefc' },
      plain: { text: '#4b5362', soft: '#eceef2' },
    },
    violet: '#6d3fc0',
  },
  dark: {
    canvas: '#0d0f13',
    surface: '#15181e',
    sunken: '#1c2028',
    sidebar: '#101217',
    line: '#282d37',
    edge: '#6f7888',
    text: '#eceef2',
    muted: '#a2aab8',
    accent: '#a3b0ff',
    solid: '#5566ee',
    solidHover: '#4858dd',
    onSolid: '#ffffff',
    danger: '#d0392e',
    dangerHover: '#c0362c',
    selected: '#232838',
    tones: {
      good: { text: '#74dba3', soft: '#122c1f' },
      bad: { text: '#ff9d94', soft: '#3a1a18' },
      attention: { text: '#f7bd6a', soft: '#35260f' },
      info: { text: '#9fc0ff', soft: '#182746' },
      plain: { text: '#bcc3cf', soft: '#262b35' },
    },
    violet: '#c4a8ff',
  },
};

/** Sizes in rem, each with its line height; Persian letters need taller lines. */
export const typeScale = {
  caption: { size: 0.75, lineHeight: 1.35 },
  small: { size: 0.8125, lineHeight: 1.4 },
  body: { size: 0.875, lineHeight: 1.45 },
  h3: { size: 0.875, lineHeight: 1.45 },
  h2: { size: 1, lineHeight: 1.4 },
  h1: { size: 1.375, lineHeight: 1.3 },
  figure: { size: 1.625, lineHeight: 1.2 },
} as const;

/** How much taller lines are in Persian. */
export const persianLines = 1.18;

const systemFonts = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif';

export const fonts = {
  // Persian names within English come from Vazirmatn, before a fallback that has other Persian letters.
  en: `Inter, Vazirmatn, "Inter Fallback", ${systemFonts}`,
  // Latin words within Persian come from Inter.
  fa: `Vazirmatn, Inter, "Inter Fallback", ${systemFonts}`,
  code: 'ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
} as const;

/** In pixels: small things, fields and buttons, cards and dialogs. */
export const radii = { small: 4, field: 6, card: 10 } as const;

export const shadows: Readonly<Record<Mode, { readonly raised: string; readonly over: string }>> = {
  light: {
    raised: '0 1px 2px rgb(21 24 31 / 6%)',
    over: '0 0 0 1px rgb(21 24 31 / 7%), 0 12px 32px -8px rgb(21 24 31 / 22%)',
  },
  dark: {
    raised: '0 1px 2px rgb(0 0 0 / 40%)',
    over: '0 0 0 1px rgb(255 255 255 / 9%), 0 16px 40px -8px rgb(0 0 0 / 70%)',
  },
};

/** In pixels. A finger needs 44. */
export const sizes = {
  row: 36,
  control: 34,
  finger: 44,
  /** The bar above the pages of phones and tablets. */
  bar: 52,
  sidebar: 236,
  /** The widest that a field of a form becomes. */
  field: 560,
  /** The widest that a page becomes. */
  content: 1360,
} as const;
