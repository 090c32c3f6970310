/** Edits the filters that have a form of their own: time, amount and mobile number. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { Form } from '../design/input/form.tsx';
import { TimeField } from '../design/input/time-field.tsx';
import { readWhole, useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { fromField, toField } from '../zoned.ts';
import { days, type Filter, isDays, spanOf } from './filter.ts';

type Props = { readonly filter: Filter; readonly onApply: (part: Partial<Filter>) => void };

const Apply = ({ disabled = false }: { readonly disabled?: boolean }) => {
  const say = useText();
  return (
    <Button type="submit" variant="contained" disabled={disabled} sx={{ justifySelf: 'end' }}>
      {say('common.apply')}
    </Button>
  );
};

export const TimeEditor = ({ filter, onApply }: Props) => {
  const say = useText();
  const { zone } = useFormat();
  const [span, setSpan] = useState(() => spanOf(filter, Date.now(), zone));
  return (
    <Form label={say('purchases.time')} onSubmit={() => onApply({ ...span, days: '' })}>
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
        {Object.keys(days)
          .filter(isDays)
          .map((name) => (
            <Button
              key={name}
              size="small"
              variant="outlined"
              aria-pressed={filter.days === name}
              onClick={() => onApply({ days: name, from: '', to: '' })}
            >
              {say(`purchases.days.${name}`)}
            </Button>
          ))}
      </Box>
      {(['from', 'to'] as const).map((name) => (
        <TimeField
          key={name}
          kind="moment"
          label={say(`purchases.${name}`)}
          help={say('times.inZone', { zone })}
          value={toField(span[name], zone)}
          onChange={(typed) => setSpan((before) => ({ ...before, [name]: fromField(typed, zone) }))}
        />
      ))}
      <Apply />
    </Form>
  );
};

const AmountField = ({
  label,
  typed,
  isWrong,
  autoFocus = false,
  onType,
}: {
  readonly label: string;
  readonly typed: string;
  readonly isWrong: boolean;
  readonly autoFocus?: boolean;
  readonly onType: (typed: string) => void;
}) => {
  const say = useText();
  const { unit } = useFormat();
  return (
    <TextField
      label={label}
      value={typed}
      autoFocus={autoFocus}
      error={isWrong}
      helperText={isWrong ? say('common.notNumber') : unit}
      onChange={({ target }) => onType(target.value)}
      slotProps={{ htmlInput: { inputMode: 'numeric', autoComplete: 'off', dir: 'ltr' } }}
    />
  );
};

/** As the filter has it: empty if nothing is typed, undefined if it is no amount. */
const amountIn = (typed: string): string | undefined => {
  if (typed.trim() === '') return '';
  const amount = readWhole(typed);
  return amount === undefined || amount <= 0 ? undefined : String(amount);
};

export const AmountEditor = ({ filter, onApply }: Props) => {
  const say = useText();
  const { decimal } = useFormat();
  const [min, setMin] = useState(() => decimal(filter.min_amount));
  const [max, setMax] = useState(() => decimal(filter.max_amount));
  const [least, most] = [amountIn(min), amountIn(max)];
  return (
    <Form
      label={say('purchases.amount')}
      onSubmit={() => {
        if (least !== undefined && most !== undefined)
          onApply({ min_amount: least, max_amount: most });
      }}
    >
      <AmountField
        label={say('purchases.least')}
        typed={min}
        isWrong={least === undefined}
        autoFocus
        onType={setMin}
      />
      <AmountField
        label={say('purchases.most')}
        typed={max}
        isWrong={most === undefined}
        onType={setMax}
      />
      <Apply disabled={least === undefined || most === undefined} />
    </Form>
  );
};

export const NumberEditor = ({ filter, onApply }: Props) => {
  const say = useText();
  const [number, setNumber] = useState(filter.number);
  return (
    <Form label={say('purchases.number')} onSubmit={() => onApply({ number: number.trim() })}>
      <TextField
        label={say('purchases.number')}
        value={number}
        autoFocus
        onChange={({ target }) => setNumber(target.value)}
        slotProps={{ htmlInput: { inputMode: 'tel', autoComplete: 'off', dir: 'ltr' } }}
      />
      <Apply />
    </Form>
  );
};
