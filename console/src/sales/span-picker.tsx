/** Chooses a period in business days: one of the usual ones, or own dates. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Form } from '../design/input/form.tsx';
import { TimeField } from '../design/input/time-field.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { fromField } from '../zoned.ts';
import { type NamedSpan, namedSpans, type Span } from './view.ts';

export type Days = { readonly from: string; readonly to: string };

const DaysForm = ({
  days,
  onChoose,
}: {
  readonly days: Days;
  readonly onChoose: (days: Days) => void;
}) => {
  const say = useText();
  const [draft, setDraft] = useState(days);
  const isEmpty = draft.from === '' || draft.to === '';
  const isWrong = !isEmpty && draft.to < draft.from;
  return (
    <Form
      label={say('sales.ownTitle')}
      onSubmit={() => {
        if (!isEmpty && !isWrong) onChoose(draft);
      }}
    >
      {(['from', 'to'] as const).map((name) => (
        <TimeField
          key={name}
          kind="day"
          label={say(`sales.${name}`)}
          help={say(`sales.${name}Help`)}
          value={draft[name]}
          onChange={(day) => setDraft((before) => ({ ...before, [name]: day }))}
        />
      ))}
      {isWrong ? (
        <Typography role="alert" variant="body2" color="error">
          {say('sales.wrongRange')}
        </Typography>
      ) : null}
      <Box>
        <Button type="submit" variant="contained" disabled={isEmpty || isWrong}>
          {say('common.apply')}
        </Button>
      </Box>
    </Form>
  );
};

type Props = {
  readonly onChoose: (span: NamedSpan) => void;
} & (
  | { readonly span: NamedSpan; readonly onDays?: undefined; readonly days?: undefined }
  | {
      readonly span: Span;
      /** The days in view, and what to do with others. */
      readonly days: Days;
      readonly onDays: (days: Days) => void;
    }
);

const group = {
  flexWrap: 'wrap',
  // All of them on one line of a phone.
  '& .MuiToggleButton-root': { paddingInline: { xs: '9px', sm: '12px' } },
} as const;

export const SpanPicker = ({ span, onChoose, days, onDays }: Props) => {
  const say = useText();
  const { time, zone } = useFormat();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const written = (day: string): string => time(fromField(day, zone), 'date');
  return (
    <>
      <ToggleButtonGroup
        exclusive
        size="small"
        value={span}
        aria-label={say('sales.span')}
        sx={group}
      >
        {namedSpans.map((one) => (
          <ToggleButton key={one} value={one} onClick={() => onChoose(one)}>
            {say(`sales.${one}`)}
          </ToggleButton>
        ))}
        {onDays === undefined ? null : (
          <ToggleButton
            value="own"
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => setAnchor(currentTarget)}
          >
            {span === 'own'
              ? say('sales.ownRange', { from: written(days.from), to: written(days.to) })
              : say('sales.own')}
          </ToggleButton>
        )}
      </ToggleButtonGroup>
      {anchor === null || onDays === undefined ? null : (
        <Popover
          open
          anchorEl={anchor}
          onClose={() => setAnchor(null)}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
          slotProps={{
            paper: {
              'aria-label': say('sales.ownTitle'),
              role: 'dialog',
              sx: { p: 2, mt: 0.5, width: 300 },
            },
          }}
        >
          <DaysForm
            days={days}
            onChoose={(chosen) => {
              setAnchor(null);
              onDays(chosen);
            }}
          />
        </Popover>
      )}
    </>
  );
};
