/** Creates a supplier in a dialog, or changes its names and group. */
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiError } from '../api/client.ts';
import { useAct } from '../api/hooks.ts';
import { newKey } from '../api/key.ts';
import { Dialog } from '../design/dialog/dialog.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { useOperatorName } from './names.ts';
import { changed, type Listed } from './operator.ts';

type Draft = {
  readonly name: string;
  readonly en: string;
  readonly fa: string;
  readonly group: string;
};

/** The text fields, each with the field of the API that its errors are about. */
const fields = [
  { name: 'name', about: 'name', dir: 'ltr' },
  { name: 'en', about: 'names.en', dir: 'ltr' },
  { name: 'fa', about: 'names.fa', dir: 'rtl' },
  { name: 'group', about: 'group', dir: 'ltr' },
] as const;

const useTyped = (supplier: Listed | undefined, error: unknown) => {
  const say = useText();
  const [draft, setDraft] = useState<Draft>({
    name: supplier?.name ?? '',
    en: supplier?.names.en ?? '',
    fa: supplier?.names.fa ?? '',
    group: supplier?.group ?? '',
  });
  const [isTried, setTried] = useState(false);
  // What is sent again unchanged has the same key.
  const [key, setKey] = useState(newKey);
  const lacks = (field: keyof Draft): boolean => field !== 'group' && draft[field].trim() === '';
  const group = draft.group.trim();
  return {
    draft,
    key,
    terms: {
      names: { en: draft.en.trim(), fa: draft.fa.trim() },
      group: group === '' ? null : group,
    },
    isComplete: fields.every(({ name }) => !lacks(name)),
    tried: () => setTried(true),
    set: (some: Partial<Draft>) => {
      setDraft({ ...draft, ...some });
      setKey(newKey());
    },
    wrong: ({ name, about }: (typeof fields)[number]): string | undefined => {
      if (isTried && lacks(name)) return say('common.required');
      return error instanceof ApiError ? error.fields[about]?.[0] : undefined;
    },
  };
};

const SupplierFields = ({
  isNew,
  draft,
  set,
  wrong,
}: Pick<ReturnType<typeof useTyped>, 'draft' | 'set' | 'wrong'> & { readonly isNew: boolean }) => {
  const say = useText();
  return fields.map((field, index) => {
    const { name, dir } = field;
    const fault = wrong(field);
    return (
      <TextField
        key={name}
        label={say(`suppliers.${name}`)}
        helperText={fault ?? say(`suppliers.${name}Help`)}
        error={fault !== undefined}
        value={draft[name]}
        required={name !== 'group'}
        disabled={name === 'name' && !isNew}
        autoFocus={index === (isNew ? 0 : 1)}
        onChange={({ target }) => set({ [name]: target.value })}
        slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 64, dir } }}
      />
    );
  });
};

export const SupplierDialog = ({
  supplier,
  onClose,
}: {
  /** Undefined for a new one. */
  readonly supplier: Listed | undefined;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const done = useDone();
  const navigate = useNavigate();
  const nameOf = useOperatorName();
  const create = useAct('createSupplier', changed);
  const change = useAct('changeSupplier', changed);
  const { error, isPending } = supplier === undefined ? create : change;
  const typed = useTyped(supplier, error);
  const { draft, key, terms, isComplete, tried } = typed;
  const save = (): void => {
    tried();
    if (isPending || !isComplete) return;
    if (supplier === undefined) {
      const body = { key, name: draft.name.trim(), ...terms };
      create.mutate({ body }, { onSuccess: ({ id }) => void navigate(`/operators/${id}`) });
      return;
    }
    const onSuccess = (): void => {
      done('suppliers.saved');
      onClose();
    };
    change.mutate({ params: { operator_id: String(supplier.id) }, body: terms }, { onSuccess });
  };
  return (
    <Dialog
      title={
        supplier === undefined
          ? say('suppliers.create')
          : say('suppliers.editTitle', { name: nameOf(supplier) })
      }
      onClose={isPending ? undefined : onClose}
      onSubmit={save}
      actions={
        <>
          <Button onClick={onClose} disabled={isPending}>
            {say('common.cancel')}
          </Button>
          <Button type="submit" variant="contained" loading={isPending}>
            {say(supplier === undefined ? 'suppliers.createSubmit' : 'common.save')}
          </Button>
        </>
      }
    >
      {supplier === undefined ? (
        <Typography color="textSecondary">{say('suppliers.createText')}</Typography>
      ) : null}
      <SupplierFields isNew={supplier === undefined} {...typed} />
      <ErrorState error={error} />
    </Dialog>
  );
};
