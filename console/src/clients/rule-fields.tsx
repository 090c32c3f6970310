/** Renders the fields of a client's rules, each with its help text. */
import TextField from '@mui/material/TextField';
import { useOperators } from '../catalogue/names.ts';
import { useUnit } from '../design/input/unit.tsx';
import { Loading } from '../design/states/loading.tsx';
import { useText } from '../i18n/text.ts';
import { CheckboxGroup } from './checkbox-group.tsx';
import { AddProduct, ProductNames } from './product-picker.tsx';
import { RadioField } from './radio-field.tsx';
import type { Faults, TypedRules } from './rules-typed.ts';

type Props = {
  readonly typed: TypedRules;
  readonly faults: Faults;
  readonly locked: boolean;
  readonly change: (part: Partial<TypedRules>) => void;
};

const Line = ({
  name,
  numeric = false,
  typed,
  faults,
  locked,
  change,
}: Props & {
  readonly name: 'products' | 'repeat' | 'limit';
  readonly numeric?: boolean;
}) => {
  const say = useText();
  const unit = useUnit();
  const fault = faults[name];
  return (
    <TextField
      label={say(`clientRules.${name}`)}
      helperText={fault ?? say(`clientRules.${name}Help`)}
      error={fault !== undefined}
      value={typed[name]}
      multiline={!numeric}
      maxRows={4}
      onChange={({ target }) => change({ [name]: target.value })}
      sx={{ maxWidth: 560 }}
      slotProps={{
        input: name === 'limit' ? unit : {},
        htmlInput: {
          dir: 'ltr',
          inputMode: numeric ? 'numeric' : 'text',
          autoComplete: 'off',
          spellCheck: false,
          readOnly: locked,
        },
      }}
    />
  );
};

export const RuleFields = (props: Props) => {
  const { typed, faults, locked, change } = props;
  const say = useText();
  const { operators } = useOperators();
  // Fields that came later would move those below.
  if (operators.length === 0) return <Loading />;
  return (
    <>
      <Line {...props} name="products" />
      <ProductNames typed={typed.products} />
      {locked ? null : (
        <AddProduct typed={typed.products} onAdd={(products) => change({ products })} />
      )}
      <CheckboxGroup
        label={say('clientRules.operators')}
        help={faults.operators ?? say('clientRules.operatorsHelp')}
        wrong={faults.operators !== undefined}
        disabled={locked}
        options={operators.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={typed.operators ?? operators.map(({ id }) => id)}
        onChoose={(chosen) =>
          change({ operators: chosen.length === operators.length ? null : chosen })
        }
      />
      <Line {...props} name="repeat" numeric />
      <Line {...props} name="limit" numeric />
      <RadioField
        label={say('clientRules.pending')}
        disabled={locked}
        options={(['202', '409'] as const).map((value) => ({
          value,
          label: say(`clientRules.pending${value}`),
          help: say(`clientRules.pending${value}Help`),
        }))}
        chosen={typed.pending}
        onChoose={(pending) => change({ pending })}
      />
    </>
  );
};
