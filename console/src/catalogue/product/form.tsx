/** Renders the form of a product, for a new one and for an existing one. */
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import type { ReactNode } from 'react';
import { useUnit } from '../../design/input/unit.tsx';
import { Section } from '../../design/page/section.tsx';
import { useText } from '../../i18n/text.ts';
import { useOptions } from '../find.tsx';
import { fieldName } from '../names.ts';
import { type Draft, type FieldName, jsonFields, requiredFields } from './draft.ts';

export type FieldsProps = {
  readonly draft: Draft;
  /** What is wrong with a field, in a sentence. */
  readonly wrong: (name: FieldName | 'categories') => string | undefined;
  readonly set: (typed: Partial<Draft>) => void;
};

type FieldProps = FieldsProps & { readonly name: FieldName; readonly help?: string | undefined };

/** Marked, and checked by the page: the browser's own messages are in its language, not in the page's. */
const slotsOf = (name: FieldName) => {
  const isRequired = requiredFields.includes(name);
  return { htmlInput: { 'aria-required': isRequired, required: false } };
};

/** What all fields share. */
const useField = ({ name, draft, wrong, set, help }: FieldProps) => {
  const say = useText();
  const fault = wrong(name);
  return {
    label: fieldName(say, name),
    required: requiredFields.includes(name),
    value: draft[name],
    error: fault !== undefined,
    helperText: fault ?? help,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      set({ [name]: target.value }),
  };
};

const TextInput = ({ long = false, ...props }: FieldProps & { readonly long?: boolean }) => (
  <TextField
    {...useField(props)}
    multiline={long}
    slotProps={{
      ...slotsOf(props.name),
      htmlInput: { ...slotsOf(props.name).htmlInput, dir: 'auto', autoComplete: 'off' },
    }}
  />
);

const NumberInput = ({ money = false, ...props }: FieldProps & { readonly money?: boolean }) => {
  const unit = useUnit();
  return (
    <TextField
      {...useField(props)}
      slotProps={{
        ...slotsOf(props.name),
        input: money ? unit : {},
        htmlInput: {
          ...slotsOf(props.name).htmlInput,
          dir: 'ltr',
          inputMode: 'numeric',
          autoComplete: 'off',
        },
      }}
    />
  );
};

type Option = { readonly value: string; readonly label: string };

const Choice = ({ options, ...props }: FieldProps & { readonly options: readonly Option[] }) => (
  <TextField select {...useField(props)} slotProps={{ htmlInput: { required: false } }}>
    {options.map(({ value, label }) => (
      <MenuItem key={value} value={value}>
        {label}
      </MenuItem>
    ))}
  </TextField>
);

const CategoriesInput = ({
  draft,
  wrong,
  set,
  options,
}: FieldsProps & { readonly options: readonly Option[] }) => {
  const say = useText();
  const chosen = draft.categories.map(
    (id) => options.find(({ value }) => value === id) ?? { value: id, label: id },
  );
  const fault = wrong('categories');
  return (
    <Autocomplete<Option, true>
      multiple
      options={options}
      value={chosen}
      getOptionKey={({ value }) => value}
      isOptionEqualToValue={(one, other) => one.value === other.value}
      onChange={(_event, next) => set({ categories: next.map(({ value }) => value) })}
      noOptionsText={say('common.noneFits')}
      clearText={say('common.clear')}
      openText={say('catalogue.fields.categories')}
      closeText={say('common.close')}
      renderInput={(given) => (
        <TextField
          {...given}
          label={say('catalogue.fields.categories')}
          error={fault !== undefined}
          helperText={fault ?? say('catalogueProduct.categoriesHelp')}
        />
      )}
    />
  );
};

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <Section title={title}>
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
  </Section>
);

export const ProductFields = ({ isNew, ...props }: FieldsProps & { readonly isNew: boolean }) => {
  const say = useText();
  const options = useOptions();
  const switches = [
    { value: '1', label: say('common.yes') },
    { value: '0', label: say('common.no') },
  ];
  return (
    <>
      <Part title={say('catalogueProduct.about')}>
        <TextInput {...props} name="name" />
        <TextInput {...props} name="name_en" />
        <Choice {...props} name="operator_id" options={options.operator_id} />
        <Choice {...props} name="type" options={options.type} />
        <Choice {...props} name="sim_card_type" options={options.sim_card_type} />
        <NumberInput {...props} name="period" />
        <CategoriesInput {...props} options={options.category_id} />
        {isNew ? <NumberInput {...props} name="id" help={say('catalogueProduct.idHelp')} /> : null}
        <TextInput {...props} name="description" long />
        <TextInput {...props} name="description_full" long />
      </Part>
      <Part title={say('catalogueProduct.pricing')}>
        <NumberInput {...props} name="price" money />
        <NumberInput
          {...props}
          name="second_price"
          money
          help={say('catalogueProduct.secondHelp')}
        />
        <NumberInput {...props} name="showable_price" money />
        <NumberInput {...props} name="minimum_sale" money />
      </Part>
      <Part title={say('catalogueProduct.more')}>
        <Choice {...props} name="status" options={switches} />
        <NumberInput {...props} name="order" />
        <TextInput {...props} name="sku" />
        <TextInput {...props} name="profile_id" />
        <Choice {...props} name="deliverable" options={switches} />
        <NumberInput {...props} name="score" />
        {jsonFields.map((name) => (
          <TextInput key={name} {...props} name={name} help={say('catalogueProduct.jsonHelp')} />
        ))}
      </Part>
    </>
  );
};
