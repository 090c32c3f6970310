/** Chooses a day in the Persian calendar; loaded when it is first opened. */
import { DayPicker } from '@daypicker/persian';
import Box from '@mui/material/Box';
import { useFormat } from '../../format.ts';
import { fromField, readWall, wallAt, writeDay } from '../../zoned.ts';
import { radii } from '../theme/tokens.ts';
import { useColours } from '../theme/use-colours.ts';

type Day = { readonly year: number; readonly month: number; readonly day: number };

/** At noon by this browser's clocks, where no change of clocks moves the day. */
const dateOf = ({ year, month, day }: Day): Date => new Date(year, month - 1, day, 12);

const dayOf = (date: Date): string =>
  writeDay({ year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() });

const cell = 38;

const useStyles = () => {
  const { accent, solid, onSolid, sunken, muted } = useColours();
  const square = {
    width: cell,
    height: cell,
    display: 'grid',
    placeItems: 'center',
    font: 'inherit',
    color: 'inherit',
    border: 0,
    borderRadius: `${radii.field}px`,
    backgroundColor: 'transparent',
    cursor: 'pointer',
    '&:hover': { backgroundColor: sunken },
    '&:focus-visible': { outline: `2px solid ${accent}`, outlineOffset: -2 },
  } as const;
  return {
    typography: 'body2',
    '& .rdp-months': { position: 'relative' },
    '& .rdp-month_caption': {
      display: 'grid',
      placeItems: 'center',
      height: cell,
      fontWeight: 600,
    },
    '& .rdp-nav': {
      position: 'absolute',
      insetInline: 0,
      top: 0,
      display: 'flex',
      justifyContent: 'space-between',
    },
    '& .rdp-nav button': square,
    // The library draws its arrows for pages from left to right.
    '& .rdp-chevron': { width: 16, height: 16, fill: muted, transform: 'rotate(180deg)' },
    '& .rdp-month_grid': { borderCollapse: 'collapse' },
    '& .rdp-weekday': { height: 28, fontWeight: 400, color: muted },
    '& .rdp-day': { padding: 0 },
    '& .rdp-day_button': square,
    '& .rdp-today .rdp-day_button': { color: accent, fontWeight: 700 },
    '& .rdp-outside': { color: muted },
    '& .rdp-selected .rdp-day_button': { backgroundColor: solid, color: onSolid },
  } as const;
};

export default function PersianDayPicker({
  value,
  onChoose,
}: {
  /** A day, or a day with a time; empty if there is none. */
  readonly value: string;
  readonly onChoose: (day: string) => void;
}) {
  const { zone, time } = useFormat();
  const nameOf = (date: Date): string => time(fromField(dayOf(date), zone), 'date');
  const styles = useStyles();
  const wall = readWall(value);
  const today = dateOf(wallAt(Date.now(), zone));
  const selected = wall === undefined ? undefined : dateOf(wall);
  return (
    <Box sx={styles}>
      <DayPicker
        mode="single"
        required
        autoFocus
        today={today}
        labels={{ labelDayButton: nameOf, labelGridcell: nameOf }}
        selected={selected}
        defaultMonth={selected ?? today}
        onSelect={(date: Date) => onChoose(dayOf(date))}
      />
    </Box>
  );
}
