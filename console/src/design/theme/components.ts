/** Restyles MUI's components with the tokens. */
import { alpha, type Components, type CSSObject, type Theme } from '@mui/material/styles';
import { colours, fonts, type Mode, radii, shadows, sizes } from './tokens.ts';

type Overrides = Components<Theme>;

/** For phones: a finger needs larger targets than a pointer. */
const forFingers = (style: CSSObject): CSSObject => ({ '@media (max-width: 599.95px)': style });

const baseline = (mode: Mode): Overrides => {
  const { accent, surface } = colours[mode];
  return {
    MuiCssBaseline: {
      styleOverrides: {
        body: {
          fontFeatureSettings: '"cv05", "cv11", "ss03"',
          textRendering: 'optimizeLegibility',
          WebkitFontSmoothing: 'antialiased',
        },
        '@page': { size: 'A4', margin: '14mm' },
        // What is there to be clicked is not printed.
        '@media print': {
          body: { backgroundColor: '#ffffff' },
          '.MuiDrawer-root, [data-screen]': { display: 'none !important' },
          main: { padding: '0 !important' },
        },
        code: { fontFamily: fonts.code, fontSize: '0.92em' },
        ':focus-visible': { outline: `2px solid ${accent}`, outlineOffset: 1 },
        '::selection': { backgroundColor: accent, color: surface },
      },
    },
  };
};

const buttons = (mode: Mode, still: boolean): Overrides => {
  const colour = colours[mode];
  const solid = (main: string, hover: string): CSSObject => ({
    backgroundColor: main,
    color: colour.onSolid,
    boxShadow: shadows[mode].raised,
    '&:hover': { backgroundColor: hover },
  });
  return {
    MuiButtonBase: {
      defaultProps: { disableRipple: true },
      styleOverrides: {
        root: {
          ...forFingers({ minHeight: sizes.finger, minWidth: sizes.finger }),
          '&.Mui-focusVisible': { outline: `2px solid ${colour.accent}`, outlineOffset: 1 },
        },
      },
    },
    MuiButton: {
      defaultProps: { disableElevation: true },
      styleOverrides: {
        root: {
          minHeight: sizes.control,
          paddingBlock: 4,
          paddingInline: 12,
          whiteSpace: 'nowrap',
          ...(still ? {} : { transition: 'background-color 120ms, border-color 120ms' }),
        },
        outlined: {
          backgroundColor: colour.surface,
          // Dark surfaces have no shadow that would show where a button ends.
          borderColor: mode === 'dark' ? alpha(colour.edge, 0.6) : colour.line,
          boxShadow: shadows[mode].raised,
          '&:hover': { backgroundColor: colour.sunken, borderColor: colour.edge },
        },
        sizeSmall: { minHeight: 26, paddingBlock: 1, paddingInline: 8 },
        text: { '&:hover': { backgroundColor: colour.sunken } },
        startIcon: { marginInlineEnd: 6, '& > *:nth-of-type(1)': { fontSize: 16 } },
      },
      variants: [
        {
          props: { variant: 'contained', color: 'primary' },
          style: solid(colour.solid, colour.solidHover),
        },
        {
          props: { variant: 'contained', color: 'error' },
          style: solid(colour.danger, colour.dangerHover),
        },
        { props: { variant: 'outlined', color: 'primary' }, style: { color: colour.text } },
      ],
    },
    MuiIconButton: {
      styleOverrides: {
        root: {
          borderRadius: radii.field,
          padding: 7,
          '&:hover': { backgroundColor: colour.sunken },
          '& .MuiSvgIcon-root': { fontSize: 18 },
        },
      },
    },
  };
};

const toggles = (mode: Mode): Overrides => {
  const colour = colours[mode];
  return {
    MuiToggleButtonGroup: {
      styleOverrides: {
        root: { backgroundColor: colour.sunken, borderRadius: radii.field, padding: 2, gap: 2 },
      },
    },
    MuiToggleButton: {
      styleOverrides: {
        root: {
          border: 0,
          borderRadius: `${radii.small}px !important`,
          paddingBlock: 3,
          paddingInline: 12,
          minHeight: sizes.control - 4,
          color: colour.muted,
          '&.Mui-selected, &.Mui-selected:hover': {
            // A dark surface is no lighter than what it lies on.
            backgroundColor: mode === 'dark' ? alpha(colour.edge, 0.35) : colour.surface,
            color: colour.text,
            boxShadow: shadows[mode].raised,
          },
        },
      },
    },
  };
};

const fields = (mode: Mode): Overrides => {
  const colour = colours[mode];
  return {
    MuiTextField: { defaultProps: { variant: 'outlined', size: 'small', fullWidth: true } },
    MuiFormControl: { defaultProps: { size: 'small' } },
    MuiOutlinedInput: {
      styleOverrides: {
        input: { paddingBlock: 7.5 },
        root: {
          backgroundColor: colour.surface,
          '&:hover .MuiOutlinedInput-notchedOutline': { borderColor: colour.muted },
          '&.Mui-focused .MuiOutlinedInput-notchedOutline': { borderWidth: 2 },
        },
        notchedOutline: { borderColor: colour.edge },
      },
    },
    MuiFormHelperText: { styleOverrides: { root: { marginInline: 2 } } },
    MuiInputBase: {
      styleOverrides: {
        root: { minHeight: sizes.control, ...forFingers({ minHeight: sizes.finger }) },
        input: {
          fontVariantNumeric: 'tabular-nums',
          // By these names, as MUI does: the prefixer fails on the common one.
          '&::-webkit-input-placeholder': { color: colour.muted, opacity: 1 },
          '&::-moz-placeholder': { color: colour.muted, opacity: 1 },
        },
      },
    },
    MuiCheckbox: {
      styleOverrides: { root: { padding: 6, '& .MuiSvgIcon-root': { fontSize: 20 } } },
    },
    MuiRadio: { styleOverrides: { root: { padding: 6, '& .MuiSvgIcon-root': { fontSize: 20 } } } },
    // Its size is that of the whole switch, whatever a finger needs elsewhere.
    MuiSwitch: {
      styleOverrides: { switchBase: forFingers({ minHeight: 0, minWidth: 0 }) },
    },
    MuiFormControlLabel: { styleOverrides: { root: { marginInlineStart: -6 } } },
  };
};

const overlays = (mode: Mode): Overrides => {
  const colour = colours[mode];
  const over = { boxShadow: shadows[mode].over, backgroundImage: 'none' };
  return {
    MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
    MuiPopover: { styleOverrides: { paper: { ...over, borderRadius: radii.card } } },
    MuiAutocomplete: { styleOverrides: { paper: { ...over, borderRadius: radii.card } } },
    MuiMenu: { styleOverrides: { list: { padding: 4 } } },
    MuiMenuItem: {
      styleOverrides: {
        root: {
          borderRadius: radii.field,
          minHeight: 32,
          paddingBlock: 5,
          paddingInline: 10,
          fontSize: '0.8125rem',
          ...forFingers({ minHeight: sizes.finger }),
        },
      },
    },
    MuiDialog: {
      styleOverrides: {
        paper: { ...over, borderRadius: radii.card + 2, ...forFingers({ margin: 16 }) },
      },
    },
    MuiDialogTitle: { styleOverrides: { root: { padding: '20px 24px 8px' } } },
    MuiDialogContent: { styleOverrides: { root: { padding: '8px 24px 20px' } } },
    MuiDialogActions: {
      styleOverrides: {
        root: { padding: '12px 24px', borderTop: `1px solid ${colour.line}`, gap: 8 },
      },
    },
    MuiBackdrop: {
      styleOverrides: {
        root: { '&:not(.MuiBackdrop-invisible)': { backgroundColor: 'rgb(10 12 18 / 45%)' } },
      },
    },
    MuiTooltip: {
      styleOverrides: {
        tooltip: {
          backgroundColor: colour.text,
          color: colour.surface,
          fontSize: '0.75rem',
          padding: '4px 8px',
          borderRadius: radii.small,
        },
      },
    },
    MuiSnackbarContent: { styleOverrides: { root: { boxShadow: shadows[mode].over } } },
  };
};

const severities = { success: 'good', error: 'bad', warning: 'attention', info: 'info' } as const;

const content = (mode: Mode, still: boolean): Overrides => {
  const colour = colours[mode];
  return {
    MuiAlert: {
      styleOverrides: {
        root: {
          borderRadius: radii.card,
          border: '1px solid transparent',
          alignItems: 'flex-start',
          paddingBlock: 6,
          '& .MuiAlert-icon': { fontSize: 18, opacity: 1, paddingBlock: 8, marginInlineEnd: 10 },
          '& .MuiAlert-message': { color: colour.text },
        },
      },
      variants: Object.entries(severities).map(([severity, tone]) => ({
        props: ({ ownerState }) => (ownerState.severity ?? 'success') === severity,
        style: {
          backgroundColor: colour.tones[tone].soft,
          borderColor: 'transparent',
          color: colour.tones[tone].text,
        },
      })),
    },
    MuiLink: {
      styleOverrides: { root: { fontWeight: 500, textUnderlineOffset: 3 } },
    },
    MuiTab: {
      styleOverrides: {
        root: {
          minHeight: 40,
          minWidth: 0,
          paddingInline: 2,
          marginInlineEnd: 22,
          color: colour.muted,
          '&:hover, &.Mui-selected': { color: colour.text },
        },
      },
    },
    MuiTabs: {
      styleOverrides: {
        root: { minHeight: 40, borderBottom: `1px solid ${colour.line}` },
        indicator: { height: 2 },
      },
    },
    MuiSkeleton: {
      defaultProps: { animation: still ? false : 'pulse' },
      styleOverrides: { root: { backgroundColor: colour.sunken } },
    },
  };
};

export const components = (mode: Mode, still: boolean): Overrides => ({
  ...baseline(mode),
  ...buttons(mode, still),
  ...toggles(mode),
  ...fields(mode),
  ...overlays(mode),
  ...content(mode, still),
});
