/** Chooses a period by its first and last day. */
import Button from '@mui/material/Button';
import { useState } from 'react';
import { Form } from '../design/input/form.tsx';
import { TimeField } from '../design/input/time-field.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import type { Filter } from './filter.ts';

type Period = Pick<Filter, 'from' | 'to'>;

export const PeriodEditor = ({
  period,
  onChoose,
}: {
  readonly period: Period;
  readonly onChoose: (period: Period) => void;
}) => {
  const say = useText();
  const { zone } = useFormat();
  const [typed, setTyped] = useState(period);
  return (
    <Form label={say('audit.period')} onSubmit={() => onChoose(typed)}>
      {(['from', 'to'] as const).map((end) => (
        <TimeField
          key={end}
          kind="day"
          label={say(`audit.${end}`)}
          help={end === 'to' ? say('times.daysInZone', { zone }) : ''}
          value={typed[end]}
          onChange={(day) => setTyped((before) => ({ ...before, [end]: day }))}
        />
      ))}
      <Button type="submit" variant="contained">
        {say('common.apply')}
      </Button>
    </Form>
  );
};
