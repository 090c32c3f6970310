/** Renders the fields of a route, for a new one and for an existing one. */
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';
import { useOptions } from '../catalogue/find.tsx';
import { useOperators } from '../catalogue/names.ts';
import { CheckboxGroup } from '../clients/checkbox-group.tsx';
import { TimeField } from '../design/input/time-field.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { ClientPicker, ProductPicker } from '../purchases/pickers.tsx';
import { useChosenClient, useChosenProduct } from './chosen.ts';
import type { Draft } from './draft.ts';
import { type TermName, weekOf } from './route.ts';

export type FieldsProps = {
  readonly draft: Draft;
  /** What is wrong with a field, in a sentence. */
  readonly wrong: (name: TermName) => string | undefined;
  readonly set: (typed: Partial<Draft>) => void;
};

type ChoiceName = 'operator_id' | 'supplier_id' | 'category_id' | 'product_type';
type TextName = 'product_code' | 'cost' | 'priority' | 'weight' | 'hours';
type Option = { readonly value: string; readonly label: string };

const Choice = ({
  name,
  options,
  draft,
  wrong,
  set,
}: FieldsProps & { readonly name: ChoiceName; readonly options: readonly Option[] }) => {
  const say = useText();
  const fault = wrong(name);
  const isRequired = name === 'operator_id' || name === 'supplier_id';
  const anyLabel = say('routing.any');
  return (
    <TextField
      select
      label={say(`routing.fields.${name}`)}
      required={isRequired}
      value={draft[name]}
      error={fault !== undefined}
      helperText={fault}
      onChange={({ target }) => set({ [name]: target.value })}
      slotProps={{
        htmlInput: { required: false },
        ...(isRequired ? {} : { select: { displayEmpty: true }, inputLabel: { shrink: true } }),
      }}
    >
      {[...(isRequired ? [] : [{ value: '', label: anyLabel }]), ...options].map(
        ({ value, label }) => (
          <MenuItem key={value} value={value}>
            {label}
          </MenuItem>
        ),
      )}
    </TextField>
  );
};

const Line = ({ name, draft, wrong, set }: FieldsProps & { readonly name: TextName }) => {
  const say = useText();
  const fault = wrong(name);
  const isNumber = name === 'priority' || name === 'weight';
  return (
    <TextField
      label={say(`routing.fields.${name}`)}
      required={isNumber}
      value={draft[name]}
      error={fault !== undefined}
      helperText={fault ?? say(`routing.help.${name}`)}
      onChange={({ target }) => set({ [name]: target.value })}
      slotProps={{
        htmlInput: {
          dir: 'ltr',
          autoComplete: 'off',
          spellCheck: false,
          required: false,
          ...(isNumber ? { inputMode: 'numeric' } : {}),
        },
      }}
    />
  );
};

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  const id = useId();
  return (
    <Box role="group" aria-labelledby={id}>
      <Typography variant="h3" id={id} sx={{ mb: 1.5 }}>
        {title}
      </Typography>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' },
          alignItems: 'start',
        }}
      >
        {children}
      </Box>
    </Box>
  );
};

const Pickers = ({ draft, wrong, set }: FieldsProps) => {
  const say = useText();
  return (
    <>
      <ProductPicker
        autoFocus={false}
        chosen={useChosenProduct(draft.product_id)}
        help={wrong('product_id') ?? say('routing.help.product_id')}
        onChoose={(id) => set({ product_id: id })}
      />
      <ClientPicker
        autoFocus={false}
        chosen={useChosenClient(draft.client_id)}
        help={wrong('client_id') ?? say('routing.help.client_id')}
        onChoose={(id) => set({ client_id: id })}
      />
    </>
  );
};

const Times = ({ draft, wrong, set, ...props }: FieldsProps) => {
  const say = useText();
  const { locale, zone } = useFormat();
  return (
    <>
      <Line {...props} draft={draft} wrong={wrong} set={set} name="hours" />
      <CheckboxGroup
        label={say('routing.fields.days')}
        help={wrong('days') ?? say('routing.help.days')}
        wrong={wrong('days') !== undefined}
        options={weekOf(locale).map((day) => ({ value: day, label: say(`routing.days.${day}`) }))}
        chosen={draft.days}
        onChoose={(days) => set({ days })}
      />
      {(['valid_from', 'valid_until'] as const).map((name) => (
        <TimeField
          key={name}
          kind="moment"
          label={say(`routing.fields.${name}`)}
          help={wrong(name) ?? `${say('routing.help.valid')} ${say('times.inZone', { zone })}`}
          value={draft[name]}
          onChange={(value) => set({ [name]: value })}
        />
      ))}
    </>
  );
};

const Toggle = ({
  name,
  draft,
  set,
}: FieldsProps & { readonly name: 'allow_dearer' | 'enabled' }) => {
  const say = useText();
  return (
    <FormControlLabel
      label={say(`routing.fields.${name}`)}
      control={
        <Switch checked={draft[name]} onChange={({ target }) => set({ [name]: target.checked })} />
      }
    />
  );
};

export const RouteFields = (props: FieldsProps) => {
  const say = useText();
  const options = useOptions();
  const suppliers = useOperators().suppliers.map(({ id, name }) => ({
    value: String(id),
    label: name,
  }));
  return (
    <>
      <Part title={say('routing.scopeTitle')}>
        <Box sx={{ display: 'grid', gridColumn: '1 / -1' }}>
          <Choice {...props} name="operator_id" options={options.operator_id} />
        </Box>
        <Choice {...props} name="product_type" options={options.type} />
        <Choice {...props} name="category_id" options={options.category_id} />
        <Pickers {...props} />
      </Part>
      <Part title={say('routing.termsTitle')}>
        <Choice {...props} name="supplier_id" options={suppliers} />
        <Line {...props} name="product_code" />
        <Line {...props} name="cost" />
        <Toggle {...props} name="allow_dearer" />
      </Part>
      <Part title={say('routing.choiceTitle')}>
        <Line {...props} name="priority" />
        <Line {...props} name="weight" />
        <Toggle {...props} name="enabled" />
      </Part>
      <Part title={say('routing.timesTitle')}>
        <Times {...props} />
      </Part>
    </>
  );
};
