/** Shows what happened, in order; runs of similar entries are one line that opens. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId, useState } from 'react';
import type { Tone } from '../theme/tokens.ts';
import { useColours } from '../theme/use-colours.ts';

export type TimelineEntry = {
  readonly key: string;
  readonly title: string;
  /** Already formatted. */
  readonly time: string;
  readonly detail?: ReactNode;
  readonly tone?: Tone;
  /** The entries that this one stands for: shown when it is opened. */
  readonly folded?: { readonly label: string; readonly entries: readonly TimelineEntry[] };
};

const Folded = ({ label, entries }: NonNullable<TimelineEntry['folded']>) => {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        size="small"
        aria-expanded={open}
        {...(open ? { 'aria-controls': id } : {})}
        sx={{ marginInlineStart: '-8px', paddingInline: '8px', minHeight: 26 }}
        onClick={() => setOpen(!open)}
      >
        {label}
      </Button>
      {open ? (
        <Box id={id} sx={{ mt: 1 }}>
          <Timeline entries={entries} />
        </Box>
      ) : null}
    </>
  );
};

const Entry = ({ entry }: { readonly entry: TimelineEntry }) => {
  const colour = useColours();
  const { title, time, detail, tone = 'plain', folded } = entry;
  return (
    <Box
      component="li"
      sx={{
        position: 'relative',
        paddingInlineStart: '22px',
        paddingBottom: 2,
        minWidth: 0,
        '&:last-of-type': { paddingBottom: 0 },
        '&::before': {
          content: '""',
          position: 'absolute',
          insetInlineStart: '2px',
          top: 6,
          width: 9,
          height: 9,
          borderRadius: '50%',
          bgcolor: tone === 'plain' ? colour.edge : colour.tones[tone].text,
        },
        '&:not(:last-of-type)::after': {
          content: '""',
          position: 'absolute',
          insetInlineStart: '6px',
          top: 20,
          bottom: 0,
          width: '1px',
          bgcolor: 'divider',
        },
      }}
    >
      <Box sx={{ display: 'flex', columnGap: 1.5, alignItems: 'baseline' }}>
        <Typography
          component="p"
          sx={{ fontWeight: 550, flexGrow: 1, minWidth: 0, overflowWrap: 'anywhere' }}
        >
          {title}
        </Typography>
        <Typography variant="caption" color="textSecondary" sx={{ flexShrink: 0 }}>
          {time}
        </Typography>
      </Box>
      {detail === undefined ? null : (
        <Typography
          variant="body2"
          component="div"
          color="textSecondary"
          sx={{ overflowWrap: 'anywhere' }}
        >
          {detail}
        </Typography>
      )}
      {folded === undefined ? null : <Folded {...folded} />}
    </Box>
  );
};

export const Timeline = ({ entries }: { readonly entries: readonly TimelineEntry[] }) => (
  <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0 }}>
    {entries.map((entry) => (
      <Entry key={entry.key} entry={entry} />
    ))}
  </Box>
);
