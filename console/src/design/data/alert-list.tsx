/** Lists what needs attention: a line for each, which leads to where one acts. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { CancelIcon, WarningIcon } from '../icons.tsx';
import { RowLink, rowLinkStyles } from '../table/row-link.tsx';
import { radii, sizes, type Tone } from '../theme/tokens.ts';
import { useColours } from '../theme/use-colours.ts';

export type AlertLine = {
  readonly key: string;
  readonly tone: Extract<Tone, 'bad' | 'attention'>;
  readonly text: string;
  /** Such as since when. */
  readonly detail?: string | undefined;
  readonly to: string;
};

const icons = { bad: <CancelIcon />, attention: <WarningIcon /> } as const;

const Line = ({ line: { tone, text, detail, to } }: { readonly line: AlertLine }) => {
  const { text: colour, soft } = useColours().tones[tone];
  return (
    <Box
      component="li"
      sx={{
        position: 'relative',
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        minHeight: { xs: sizes.finger, md: sizes.row },
        p: '6px 12px',
        borderRadius: `${radii.field}px`,
        bgcolor: soft,
        '& > .MuiSvgIcon-root': { fontSize: 17, color: colour, flexShrink: 0 },
      }}
    >
      {icons[tone]}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1, flexGrow: 1, minWidth: 0 }}>
        <Typography variant="body2" component="span" sx={{ fontWeight: 550 }}>
          <RowLink to={to}>
            <bdi>{text}</bdi>
          </RowLink>
        </Typography>
        {detail === undefined ? null : (
          <Typography variant="body2" component="span" color="textSecondary">
            {detail}
          </Typography>
        )}
      </Box>
      <Box component="span" aria-hidden="true" sx={{ color: colour, typography: 'body2' }}>
        ›
      </Box>
    </Box>
  );
};

export const AlertList = ({ lines }: { readonly lines: readonly AlertLine[] }) => (
  <Box
    component="ul"
    sx={{
      ...rowLinkStyles,
      listStyle: 'none',
      m: 0,
      p: 0,
      display: 'grid',
      gap: 0.75,
      minWidth: 0,
    }}
  >
    {lines.map((line) => (
      <Line key={line.key} line={line} />
    ))}
  </Box>
);
