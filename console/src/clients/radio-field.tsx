/** Renders a labelled radio group with optional help for each option. */
import Box from '@mui/material/Box';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useId } from 'react';

export const RadioField = <Value extends string>({
  label,
  options,
  chosen,
  disabled = false,
  onChoose,
}: {
  readonly label: string;
  readonly options: readonly {
    readonly value: Value;
    readonly label: string;
    readonly help?: string;
  }[];
  readonly chosen: Value;
  readonly disabled?: boolean;
  readonly onChoose: (value: Value) => void;
}) => {
  const id = useId();
  return (
    <FormControl disabled={disabled}>
      <FormLabel id={id}>{label}</FormLabel>
      <RadioGroup
        aria-labelledby={id}
        value={chosen}
        onChange={({ target }) => {
          const found = options.find(({ value }) => value === target.value);
          if (found !== undefined) onChoose(found.value);
        }}
      >
        {options.map(({ value, label: words, help }) => (
          <Box key={value}>
            <FormControlLabel
              value={value}
              label={words}
              control={<Radio slotProps={{ input: { 'aria-describedby': `${id}-${value}` } }} />}
            />
            {help === undefined ? null : (
              <Typography
                id={`${id}-${value}`}
                variant="body2"
                color="textSecondary"
                sx={{ marginInlineStart: 4 }}
              >
                {help}
              </Typography>
            )}
          </Box>
        ))}
      </RadioGroup>
    </FormControl>
  );
};
