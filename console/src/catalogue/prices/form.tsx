/** Describes a bulk price change: which products, which prices, by how much, and how to round. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useId, useState } from 'react';
import { Form } from '../../design/input/form.tsx';
import { useUnit } from '../../design/input/unit.tsx';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { type Filters, pricesFilter } from '../filters.ts';
import {
  type ChangeKind,
  changeKinds,
  changeOf,
  isPercent,
  type PriceField,
  type PricesBody,
  priceFields,
  type Rounding,
  roundings,
  type Scope,
} from './price-update.ts';
import { ProductScope } from './product-scope.tsx';

type Typed = {
  readonly scope: Scope | undefined;
  readonly how: ChangeKind;
  readonly value: string;
  readonly fields: readonly PriceField[];
  readonly roundTo: Rounding;
};

type Setting = { readonly typed: Typed; readonly set: (typed: Partial<Typed>) => void };

const HowFields = ({ typed, set, wrong }: Setting & { readonly wrong: boolean }) => {
  const say = useText();
  const unit = useUnit();
  const { how, value } = typed;
  const [label, help, fault] = isPercent(how)
    ? ([
        'cataloguePrices.percent',
        'cataloguePrices.percentHelp',
        'cataloguePrices.notPercent',
      ] as const)
    : ([
        how === 'toPrice' ? 'cataloguePrices.price' : 'cataloguePrices.amount',
        undefined,
        'common.notNumber',
      ] as const);
  const helpText = wrong ? say(fault) : help === undefined ? undefined : say(help);
  return (
    <>
      <TextField
        select
        label={say('cataloguePrices.how')}
        value={how}
        onChange={({ target }) => {
          const chosen = changeKinds.find((one) => one === target.value);
          if (chosen !== undefined) set({ how: chosen });
        }}
      >
        {changeKinds.map((one) => (
          <MenuItem key={one} value={one}>
            {say(`cataloguePrices.hows.${one}`)}
          </MenuItem>
        ))}
      </TextField>
      <TextField
        label={say(label)}
        value={value}
        error={wrong}
        helperText={helpText}
        onChange={({ target }) => set({ value: target.value })}
        slotProps={{
          input: isPercent(how) ? {} : unit,
          htmlInput: { dir: 'ltr', inputMode: 'decimal', autoComplete: 'off' },
        }}
      />
    </>
  );
};

const PriceFields = ({ typed, set, wrong }: Setting & { readonly wrong: boolean }) => {
  const say = useText();
  const id = useId();
  const { fields } = typed;
  return (
    <FormControl component="fieldset" error={wrong} aria-describedby={id}>
      <FormLabel component="legend">{say('cataloguePrices.whichPrices')}</FormLabel>
      <Box sx={{ display: 'flex', flexWrap: 'wrap' }}>
        {priceFields.map((field) => (
          <FormControlLabel
            key={field}
            label={say(`catalogue.fields.${field}`)}
            control={
              <Checkbox
                checked={fields.includes(field)}
                onChange={({ target }) =>
                  set({
                    fields: priceFields.filter((one) =>
                      one === field ? target.checked : fields.includes(one),
                    ),
                  })
                }
              />
            }
          />
        ))}
      </Box>
      <FormHelperText id={id}>
        {say(wrong ? 'cataloguePrices.noPrices' : 'cataloguePrices.fieldsHelp')}
      </FormHelperText>
    </FormControl>
  );
};

const RoundField = ({ typed, set }: Setting) => {
  const say = useText();
  const { money } = useFormat();
  return (
    <TextField
      select
      label={say('cataloguePrices.round')}
      value={typed.roundTo}
      helperText={say('cataloguePrices.roundHelp')}
      onChange={({ target }) => {
        const chosen = roundings.find((one) => one === Number(target.value));
        if (chosen !== undefined) set({ roundTo: chosen });
      }}
    >
      {roundings.map((to) => (
        <MenuItem key={to} value={to}>
          {to === 1
            ? say('cataloguePrices.roundNot')
            : say('cataloguePrices.rounds', { to: money(to) })}
        </MenuItem>
      ))}
    </TextField>
  );
};

const whichOf = (scope: Scope, filters: Filters, ids: readonly number[]): PricesBody['which'] => {
  if (scope === 'everything') return { everything: true };
  return scope === 'chosen' ? { product_ids: ids } : { filter: pricesFilter(filters) };
};

export const PricesForm = ({
  filters,
  ids,
  busy,
  onChange,
  onShow,
}: {
  readonly filters: Filters;
  readonly ids: readonly number[];
  readonly busy: boolean;
  /** The preview no longer matches the form. */
  readonly onChange: () => void;
  readonly onShow: (body: PricesBody) => void;
}) => {
  const say = useText();
  const [isTried, setTried] = useState(false);
  const [typed, setTyped] = useState<Typed>({
    scope: undefined,
    how: 'morePercent',
    value: '',
    fields: ['price'],
    roundTo: 1,
  });
  const set = (some: Partial<Typed>): void => {
    if (busy) return;
    setTyped({ ...typed, ...some });
    onChange();
  };
  const change = changeOf(typed.how, typed.value);
  const show = (): void => {
    setTried(true);
    if (change === undefined || typed.fields.length === 0 || typed.scope === undefined) return;
    onShow({
      which: whichOf(typed.scope, filters, ids),
      change,
      fields: typed.fields,
      round_to: typed.roundTo,
    });
  };
  return (
    <Form onSubmit={show}>
      <ProductScope
        filters={filters}
        ids={ids}
        scope={typed.scope}
        wrong={isTried && typed.scope === undefined}
        onChoose={(scope) => set({ scope })}
      />
      <Box sx={{ display: 'grid', gap: 2, maxWidth: 480 }}>
        <HowFields typed={typed} set={set} wrong={isTried && change === undefined} />
        <PriceFields typed={typed} set={set} wrong={isTried && typed.fields.length === 0} />
        <RoundField typed={typed} set={set} />
      </Box>
      <Button type="submit" variant="outlined" loading={busy} sx={{ justifySelf: 'start' }}>
        {say('cataloguePrices.show')}
      </Button>
    </Form>
  );
};
