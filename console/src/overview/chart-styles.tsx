/** Defines the styles of chart series: colour plus dash or pattern, and the legend. */
import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';

export const styleNames = ['good', 'bad', 'away', 'first', 'second', 'third'] as const;
export type StyleName = (typeof styleNames)[number];

type Style = {
  readonly colour: string;
  readonly dash: string;
  readonly pattern?: 'hatched' | 'dotted';
};

/** Theme colours: each has enough contrast in light and in dark mode. */
export const useStyles = (): Readonly<Record<StyleName, Style>> => {
  const { palette } = useTheme();
  return {
    good: { colour: palette.success.main, dash: '' },
    bad: { colour: palette.error.main, dash: '', pattern: 'hatched' },
    away: { colour: palette.text.secondary, dash: '', pattern: 'dotted' },
    first: { colour: palette.info.main, dash: '' },
    second: { colour: palette.secondary.main, dash: '6 3' },
    third: { colour: palette.warning.main, dash: '2 3' },
  };
};

/** The patterns of a drawing, named by its own id. */
export const Patterns = ({ id }: { readonly id: string }) => {
  const styles = useStyles();
  return (
    <defs>
      <pattern
        id={`${id}-bad`}
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="2.5" height="5" fill={styles.bad.colour} />
      </pattern>
      <pattern id={`${id}-away`} width="4" height="4" patternUnits="userSpaceOnUse">
        <circle cx="2" cy="2" r="1.3" fill={styles.away.colour} />
      </pattern>
    </defs>
  );
};

export const fillOf = (id: string, styleName: StyleName, { colour, pattern }: Style): string =>
  pattern === undefined ? colour : `url(#${id}-${styleName})`;

const Mark = ({ styleName, lines }: { readonly styleName: StyleName; readonly lines: boolean }) => {
  const style = useStyles()[styleName];
  const id = `legend-${styleName}`;
  return (
    <svg width="22" height="12" aria-hidden="true" focusable="false">
      <Patterns id={id} />
      {lines ? (
        <line
          x1="0"
          x2="22"
          y1="6"
          y2="6"
          stroke={style.colour}
          strokeWidth="2"
          strokeDasharray={style.dash}
        />
      ) : (
        <rect
          x="0.5"
          y="0.5"
          width="21"
          height="11"
          fill={fillOf(id, styleName, style)}
          stroke={style.colour}
        />
      )}
    </svg>
  );
};

const areLines = (styleName: StyleName): boolean =>
  ['first', 'second', 'third'].includes(styleName);

const legendHeight = 24;
const sideBySide = { display: { xs: 'none', lg: 'block' } } as const;

export const Legend = ({
  series,
}: {
  readonly series: readonly { readonly name: string; readonly styleName: StyleName }[];
}) => {
  // A chart of one series begins as high as those beside it.
  if (series.length < 2) return <Box sx={{ height: legendHeight, mb: 1, ...sideBySide }} />;
  return (
    <Box
      component="ul"
      sx={{
        listStyle: 'none',
        m: 0,
        mb: 1,
        p: 0,
        display: 'flex',
        columnGap: 2,
        flexWrap: 'wrap',
        '& > li': { minHeight: legendHeight },
      }}
    >
      {series.map(({ name, styleName }) => (
        <Box component="li" key={name} sx={{ display: 'flex', gap: 0.75, alignItems: 'center' }}>
          <Mark styleName={styleName} lines={areLines(styleName)} />
          {name}
        </Box>
      ))}
    </Box>
  );
};
