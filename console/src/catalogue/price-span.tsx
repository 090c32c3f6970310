/** Edits the filter by price: the lowest and the highest price, of which one may be missing. */
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { Form } from '../design/input/form.tsx';
import { useUnit } from '../design/input/unit.tsx';
import { readWhole } from '../format.ts';
import { useText } from '../i18n/text.ts';

/** The typed price for the address; undefined if it is not one. */
const priceIn = (typed: string): string | undefined => {
  if (typed.trim() === '') return '';
  const whole = readWhole(typed);
  return whole === undefined || whole < 0 ? undefined : String(whole);
};

export const PriceSpan = ({
  from,
  to,
  onChoose,
}: {
  readonly from: string;
  readonly to: string;
  readonly onChoose: (from: string, to: string) => void;
}) => {
  const say = useText();
  const unit = useUnit();
  const [typed, setTyped] = useState({ from, to });
  const [isTried, setTried] = useState(false);
  const [lowest, highest] = [priceIn(typed.from), priceIn(typed.to)];
  const fields = [
    { name: 'from', label: say('catalogue.priceFrom'), wrong: lowest === undefined },
    { name: 'to', label: say('catalogue.priceTo'), wrong: highest === undefined },
  ] as const;
  return (
    <Form
      label={say('catalogue.priceSpan')}
      onSubmit={() => {
        setTried(true);
        if (lowest !== undefined && highest !== undefined) onChoose(lowest, highest);
      }}
    >
      {fields.map(({ name, label, wrong }, index) => (
        <TextField
          key={name}
          label={label}
          autoFocus={index === 0}
          value={typed[name]}
          error={isTried && wrong}
          helperText={isTried && wrong ? say('common.notNumber') : undefined}
          onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
          slotProps={{
            input: unit,
            htmlInput: { dir: 'ltr', inputMode: 'numeric', autoComplete: 'off' },
          }}
        />
      ))}
      <Button type="submit" variant="contained" sx={{ justifySelf: 'start' }}>
        {say('common.apply')}
      </Button>
    </Form>
  );
};
