/** Renders the form that searches and filters purchases. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import { useTheme } from '@mui/material/styles';
import TextField from '@mui/material/TextField';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useEffect, useState } from 'react';
import { Form } from '../design/input/form.tsx';
import { TimeField } from '../design/input/time-field.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useMay } from '../session.tsx';
import { daysBack, fromField, toField } from '../zoned.ts';
import { ClientPicker } from './client-picker.tsx';
import { type Filter, noFilter, states } from './filter.ts';

type Part = { readonly draft: Filter; readonly change: (part: Partial<Filter>) => void };

const Moment = ({ name, draft, change }: Part & { readonly name: 'from' | 'to' }) => {
  const say = useText();
  const { zone } = useFormat();
  return (
    <TimeField
      kind="moment"
      label={say(`purchases.${name}`)}
      help={say('times.inZone', { zone })}
      value={toField(draft[name], zone)}
      onChange={(typed) => change({ [name]: fromField(typed, zone) })}
    />
  );
};

const StateField = ({ draft, change }: Part) => {
  const say = useText();
  return (
    <TextField
      select
      label={say('purchases.state')}
      value={draft.state}
      onChange={({ target }) => change({ state: target.value })}
      slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
    >
      <MenuItem value="">{say('purchases.anyState')}</MenuItem>
      <MenuItem value="open" title={say('purchases.openMeans')}>
        {say('purchases.openStates')}
      </MenuItem>
      {states.map((state) => (
        <MenuItem key={state} value={state} title={say(`purchaseWords.means.${state}`)}>
          {say(`purchaseWords.state.${state}`)}
        </MenuItem>
      ))}
    </TextField>
  );
};

const days = [
  ['today', 0, 0],
  ['yesterday', 1, 1],
  ['lastWeek', 6, 0],
] as const;

const Days = ({ onChoose }: { readonly onChoose: (span: Partial<Filter>) => void }) => {
  const say = useText();
  const { zone } = useFormat();
  return (
    <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
      {days.map(([name, first, last]) => (
        <Button
          key={name}
          variant="outlined"
          onClick={() => onChoose(daysBack(Date.now(), zone, first, last))}
        >
          {say(`purchases.${name}`)}
        </Button>
      ))}
    </Box>
  );
};

const grid = {
  display: 'grid',
  gap: 2,
  // Wide enough for a browser's own time field.
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 14.5rem), 1fr))',
  alignItems: 'start',
} as const;

const Fields = ({
  draft,
  change,
  onFind,
}: Part & { readonly onFind: (filter: Filter) => void }) => {
  const say = useText();
  const seesNumbers = useMay('unmask');
  const choose = (part: Partial<Filter>): void => onFind({ ...draft, ...part });
  // An invalid time is cleared too.
  const [cleared, setCleared] = useState(0);
  const clear = (): void => {
    setCleared(cleared + 1);
    onFind(noFilter);
  };
  return (
    <>
      <Box sx={grid}>
        {seesNumbers ? (
          <TextField
            label={say('purchases.number')}
            value={draft.number}
            onChange={({ target }) => change({ number: target.value })}
            slotProps={{ htmlInput: { inputMode: 'tel', autoComplete: 'off', dir: 'ltr' } }}
          />
        ) : null}
        <ClientPicker value={draft.client_id} onChange={(id) => change({ client_id: id })} />
        <StateField draft={draft} change={change} />
        {(['from', 'to'] as const).map((name) => (
          <Moment key={`${name} ${cleared}`} name={name} draft={draft} change={change} />
        ))}
      </Box>
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
        <Days onChoose={choose} />
        <FormControlLabel
          label={say('purchases.needsPerson')}
          control={
            <Checkbox
              checked={draft.needs_person === '1'}
              onChange={(_event, on) => choose({ needs_person: on ? '1' : '' })}
            />
          }
        />
        <Button onClick={clear}>{say('purchases.clear')}</Button>
      </Box>
    </>
  );
};

export const Filters = ({
  filter,
  onFind,
}: {
  readonly filter: Filter;
  readonly onFind: (filter: Filter) => void;
}) => {
  const say = useText();
  const seesNumbers = useMay('unmask');
  const { breakpoints } = useTheme();
  const narrow = useMediaQuery(breakpoints.down('sm'), { noSsr: true });
  const [open, setOpen] = useState(false);
  const [draft, setDraft] = useState(filter);
  // Back navigation and links change the filter without this form.
  useEffect(() => setDraft(filter), [filter]);
  const change = (part: Partial<Filter>): void => setDraft((before) => ({ ...before, ...part }));
  return (
    <Form wide label={say('purchases.filters')} onSubmit={() => onFind(draft)}>
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', alignItems: 'start' }}>
        <TextField
          label={say('purchases.search')}
          helperText={say(seesNumbers ? 'purchases.searchHelp' : 'purchases.searchHelpLess')}
          type="search"
          value={draft.q}
          sx={{ flex: '1 1 16rem' }}
          onChange={({ target }) => change({ q: target.value })}
          slotProps={{ htmlInput: { maxLength: 300, spellCheck: false, autoComplete: 'off' } }}
        />
        <Button type="submit" variant="contained">
          {say('purchases.find')}
        </Button>
      </Box>
      <Button
        sx={{ display: { sm: 'none' }, justifySelf: 'start' }}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {say('purchases.filters')}
      </Button>
      {open || !narrow ? <Fields draft={draft} change={change} onFind={onFind} /> : null}
    </Form>
  );
};
