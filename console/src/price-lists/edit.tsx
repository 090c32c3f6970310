/** Creates a price list or changes its name, parent and floor in a dialog. */
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useNavigate } from 'react-router';
import { ApiError } from '../api/client.ts';
import { useAct } from '../api/hooks.ts';
import { Dialog } from '../design/dialog/dialog.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { useDraft } from '../parts/use-draft.ts';
import { defaultId, type PriceList, priceReads } from './price-list.ts';
import { usePriceLists } from './words.tsx';

type Terms = {
  readonly name: string;
  /** Empty for none. */
  readonly parent: string;
  readonly belowCost: boolean;
};

const termsOf = (list: PriceList | undefined): Terms =>
  list === undefined
    ? { name: '', parent: String(defaultId), belowCost: false }
    : {
        name: list.name,
        parent: list.parent_id === null ? '' : String(list.parent_id),
        belowCost: list.allow_below_cost,
      };

/** The list that would apply instead. Its own is no parent. */
const ParentField = ({
  of,
  value,
  fault,
  onChoose,
}: {
  readonly of: PriceList | undefined;
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChoose: (id: string) => void;
}) => {
  const say = useText();
  const { lists, nameOf } = usePriceLists();
  return (
    <TextField
      select
      label={say('priceLists.parent')}
      value={value}
      error={fault !== undefined}
      helperText={fault ?? say('priceLists.parentHelp')}
      onChange={({ target }) => onChoose(target.value)}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    >
      <MenuItem value="">{say('priceLists.noParent')}</MenuItem>
      {lists
        .filter(({ id }) => id !== of?.id)
        .map((list) => (
          <MenuItem key={list.id} value={String(list.id)}>
            {nameOf(list)}
          </MenuItem>
        ))}
    </TextField>
  );
};

const useSaving = (list: PriceList | undefined, onClose: () => void) => {
  const done = useDone();
  const navigate = useNavigate();
  const create = useAct('createPriceList', { changes: priceReads });
  const change = useAct('changePriceList', { changes: priceReads });
  return {
    ...(list === undefined ? create : change),
    save: (key: string, { name, parent, belowCost }: Terms): void => {
      const body = {
        name: name.trim(),
        parent_id: parent === '' ? null : Number(parent),
        allow_below_cost: belowCost,
      };
      if (list === undefined) {
        const onSuccess = ({ id }: { readonly id: number }): void => {
          done('priceLists.created');
          void navigate(`/price-lists/${id}`);
        };
        create.mutate({ body: { key, ...body } }, { onSuccess });
        return;
      }
      const onSuccess = (): void => {
        done('priceLists.saved');
        onClose();
      };
      change.mutate({ params: { price_list_id: String(list.id) }, body }, { onSuccess });
    },
  };
};

const BelowCostField = ({
  checked,
  onChange,
}: {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}) => {
  const say = useText();
  return (
    <div>
      <FormControlLabel
        label={say('priceLists.belowCost')}
        control={<Switch checked={checked} onChange={({ target }) => onChange(target.checked)} />}
      />
      <Typography variant="body2" color="textSecondary">
        {say('priceLists.belowCostHelp')}
      </Typography>
    </div>
  );
};

export const EditPriceList = ({
  list,
  onClose,
}: {
  /** Undefined for a new one. */
  readonly list: PriceList | undefined;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const { draft, key, isTried, tried, set } = useDraft(() => termsOf(list));
  const { error, isPending, save } = useSaving(list, onClose);
  const isBlank = draft.name.trim() === '';
  const faultOf = (field: string): string | undefined =>
    error instanceof ApiError ? error.fields[field]?.[0] : undefined;
  const nameFault = isTried && isBlank ? say('common.required') : faultOf('name');
  const submit = (): void => {
    tried();
    if (!isPending && !isBlank) save(key, draft);
  };
  return (
    <Dialog
      title={
        list === undefined
          ? say('priceLists.create')
          : say('priceLists.editTitle', { name: list.name })
      }
      onClose={isPending ? undefined : onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose} disabled={isPending}>
            {say('common.cancel')}
          </Button>
          <Button type="submit" variant="contained" loading={isPending}>
            {say('common.save')}
          </Button>
        </>
      }
    >
      <TextField
        label={say('priceLists.name')}
        value={draft.name}
        required
        autoFocus
        error={nameFault !== undefined}
        helperText={nameFault}
        onChange={({ target }) => set({ name: target.value })}
        slotProps={{
          htmlInput: { required: false, maxLength: 100, autoComplete: 'off', dir: 'auto' },
        }}
      />
      <ParentField
        of={list}
        value={draft.parent}
        fault={faultOf('parent_id')}
        onChoose={(parent) => set({ parent })}
      />
      <BelowCostField checked={draft.belowCost} onChange={(belowCost) => set({ belowCost })} />
      <ErrorState error={error} />
    </Dialog>
  );
};
