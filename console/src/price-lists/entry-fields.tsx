/** Renders the entries of a version as rows of fields: for which products, and the commission. */
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useOptions } from '../catalogue/find.tsx';
import { CloseIcon } from '../design/icons.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { ProductPicker } from '../purchases/pickers.tsx';
import { useChosenProduct } from '../routing/chosen.ts';
import type { Draft, DraftFault } from './price-list.ts';

type RowProps = {
  readonly draft: Draft;
  /** Counts from 1. */
  readonly number: number;
  readonly fault: DraftFault | undefined;
  readonly set: (typed: Partial<Draft>) => void;
  readonly remove: () => void;
};

type Option = { readonly value: string; readonly label: string };

const Choice = ({
  label,
  value,
  options,
  disabled,
  onChoose,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly disabled: boolean;
  readonly onChoose: (value: string) => void;
}) => {
  const say = useText();
  return (
    <TextField
      select
      label={label}
      value={disabled ? '' : value}
      disabled={disabled}
      onChange={({ target }) => onChoose(target.value)}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    >
      {[{ value: '', label: say('priceLists.any') }, ...options].map((option) => (
        <MenuItem key={option.value} value={option.value}>
          {option.label}
        </MenuItem>
      ))}
    </TextField>
  );
};

const Commission = ({ draft, fault, set }: Pick<RowProps, 'draft' | 'fault' | 'set'>) => {
  const say = useText();
  const { digits } = useFormat();
  const wrong =
    fault === undefined
      ? undefined
      : 'sameAs' in fault
        ? say('priceLists.sameScope', { number: digits(fault.sameAs) })
        : say('priceLists.commissionWrong');
  return (
    <TextField
      label={say('priceLists.commission')}
      required
      value={draft.commission}
      error={wrong !== undefined}
      helperText={wrong}
      onChange={({ target }) => set({ commission: target.value })}
      slotProps={{
        inputLabel: { shrink: true },
        htmlInput: { required: false, dir: 'ltr', autoComplete: 'off', maxLength: 24 },
      }}
    />
  );
};

/** A line of a table on a wide screen; on a phone two columns, with a line between the entries. */
const rowStyles = {
  display: 'grid',
  gap: { xs: 1.5, md: 1 },
  alignItems: 'start',
  gridTemplateColumns: {
    xs: 'repeat(2, minmax(0, 1fr))',
    md: '1.5rem repeat(3, minmax(0, 1fr)) minmax(0, 1.3fr) minmax(0, 1fr) auto',
  },
} as const;

/** On a phone the number and the button are beside each other, above the fields. */
const before = (place: number) => ({ alignSelf: 'center', order: { xs: place, md: 0 } });

export const EntryRow = ({ draft, number, fault, set, remove }: RowProps) => {
  const say = useText();
  const { digits } = useFormat();
  const options = useOptions();
  const isOne = draft.product_id !== '';
  const removing = say('priceLists.removeEntry', { number: digits(number) });
  return (
    <Box component="li">
      <Box
        role="group"
        aria-label={say('priceLists.entry', { number: digits(number) })}
        sx={rowStyles}
      >
        <Typography color="textSecondary" sx={before(-2)}>
          {digits(number)}
        </Typography>
        <Choice
          label={say('priceLists.operator')}
          value={draft.operator_id}
          options={options.operator_id}
          disabled={isOne}
          onChoose={(operator_id) => set({ operator_id })}
        />
        <Choice
          label={say('priceLists.type')}
          value={draft.product_type}
          options={options.type}
          disabled={isOne}
          onChoose={(product_type) => set({ product_type })}
        />
        <Choice
          label={say('priceLists.category')}
          value={draft.category_id}
          options={options.category_id}
          disabled={isOne}
          onChoose={(category_id) => set({ category_id })}
        />
        <ProductPicker
          autoFocus={false}
          chosen={useChosenProduct(draft.product_id)}
          onChoose={(product_id) => set({ product_id })}
        />
        <Commission draft={draft} fault={fault} set={set} />
        <Tooltip title={removing}>
          <IconButton
            aria-label={removing}
            onClick={remove}
            sx={{ ...before(-1), justifySelf: 'end' }}
          >
            <CloseIcon />
          </IconButton>
        </Tooltip>
      </Box>
    </Box>
  );
};
