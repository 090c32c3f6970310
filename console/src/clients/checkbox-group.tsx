/** Renders a labelled group of checkboxes, which can be cleared at once. */
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormGroup from '@mui/material/FormGroup';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import { useId } from 'react';
import { useText } from '../i18n/text.ts';

export const CheckboxGroup = <Value extends string | number>({
  label,
  help,
  wrong = false,
  disabled = false,
  options,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly help?: string;
  readonly wrong?: boolean;
  readonly disabled?: boolean;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly chosen: readonly Value[];
  readonly onChoose: (chosen: readonly Value[]) => void;
}) => {
  const say = useText();
  const id = useId();
  const toggle = (value: Value, on: boolean): void =>
    onChoose(
      options
        .map((option) => option.value)
        .filter((one) => (one === value ? on : chosen.includes(one))),
    );
  return (
    <FormControl component="fieldset" error={wrong} disabled={disabled} aria-describedby={id}>
      <FormLabel component="legend">{label}</FormLabel>
      <FormGroup row>
        {options.map(({ value, label: words }) => (
          <FormControlLabel
            key={value}
            label={words}
            control={
              <Checkbox
                checked={chosen.includes(value)}
                onChange={(_event, on) => toggle(value, on)}
              />
            }
          />
        ))}
        {disabled ? null : (
          <Button size="small" onClick={() => onChoose([])}>
            {say('common.clear')}
          </Button>
        )}
      </FormGroup>
      {help === undefined ? null : (
        <FormHelperText id={id} sx={{ mx: 0 }} {...(wrong ? { role: 'alert' } : {})}>
          {help}
        </FormHelperText>
      )}
    </FormControl>
  );
};
