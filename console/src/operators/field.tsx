/** Renders one connector setting as a field or a group of fields. */
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { Description } from '../parts/description.tsx';
import { isNumber, isUsed, shownIn, textOf } from './draft.ts';
import type { Field } from './fields.ts';
import { SecretSetting } from './secret-setting.tsx';
import {
  type Drawing,
  HelpOf,
  idOf,
  useConnectorText,
  useFault,
  useWords,
} from './setting-help.tsx';

type Option = { readonly value: string; readonly label: string };

const useOptions = (field: Field): readonly Option[] | undefined => {
  const say = useText();
  const words = useWords();
  if (field.type !== 'enum' && field.type !== 'boolean') return undefined;
  const given = field.type === 'boolean' ? [true, false] : field.values;
  const named = given.map((value) => ({
    value: textOf(field, value),
    label: words(value),
  }));
  return field.required ? named : [{ value: '', label: say('operatorSettings.notSet') }, ...named];
};

const PlainSetting = ({ field, drawing }: { readonly field: Field; readonly drawing: Drawing }) => {
  const fault = useFault(drawing)(field);
  const textOf = useConnectorText();
  const options = useOptions(field);
  const { settings, edits, onEdit } = drawing;
  const { decimal } = useFormat();
  return (
    <TextField
      id={idOf(field.path)}
      label={<Description {...textOf(field.label)} />}
      value={shownIn(field, settings, edits, decimal)}
      required={field.required}
      error={fault !== ''}
      helperText={<HelpOf field={field} drawing={drawing} />}
      select={options !== undefined}
      multiline={field.type === 'json'}
      onChange={({ target }) => onEdit(field, target.value)}
      slotProps={{
        inputLabel: { shrink: true },
        select: { displayEmpty: true },
        htmlInput: {
          ...(options === undefined ? { dir: 'ltr', spellCheck: false, autoComplete: 'off' } : {}),
          ...(isNumber(field)
            ? { inputMode: field.type === 'integer' ? 'numeric' : 'decimal' }
            : {}),
        },
      }}
    >
      {options?.map(({ value, label }) => (
        <MenuItem key={value} value={value}>
          {label}
        </MenuItem>
      ))}
    </TextField>
  );
};

const Group = ({ field, drawing }: { readonly field: Field; readonly drawing: Drawing }) => {
  const id = useId();
  const textOf = useConnectorText();
  // An unused group has no required fields.
  const used = isUsed(field, drawing.settings, drawing.edits);
  return (
    <Box
      role="group"
      aria-labelledby={id}
      sx={{ border: 1, borderColor: 'divider', borderRadius: 1, p: 2, display: 'grid', gap: 2 }}
    >
      <Box>
        <Typography variant="h3" id={id}>
          <Description {...textOf(field.label)} />
        </Typography>
        <Typography variant="body2" color="textSecondary">
          <Description {...textOf(field.help)} />
        </Typography>
      </Box>
      {field.fields.map((inner) => (
        <Setting
          key={inner.path}
          field={{ ...inner, required: inner.required && used }}
          drawing={drawing}
        />
      ))}
    </Box>
  );
};

export const Setting = (props: { readonly field: Field; readonly drawing: Drawing }) => {
  if (props.field.type === 'object') return <Group {...props} />;
  return props.field.secret ? <SecretSetting {...props} /> : <PlainSetting {...props} />;
};
