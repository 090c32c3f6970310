/** Creates a supplier in a dialog, or changes its names and group. */
import Button from '@mui/material/Button';
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
  { name: 'name', about: 'name', dir: 'ltr', isName: true },
  { name: 'en', about: 'names.en', dir: 'ltr', isName: false },
  { name: 'fa', about: 'names.fa', dir: 'rtl', isName: false },
  { name: 'group', about: 'group', dir: 'ltr', isName: true },
] as const;

type Field = (typeof fields)[number];

/** What the gateway takes as a name in addresses. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

const faultOf = ({ name, isName }: Field, draft: Draft): 'required' | 'notName' | undefined => {
  const typed = draft[name].trim();
  if (typed === '') return name === 'group' ? undefined : 'required';
  return isName && !namePattern.test(typed) ? 'notName' : undefined;
};

const useTyped = (supplier: Listed | undefined, error: unknown) => {
  const say = useText();
  const typed = useDraft(
    (): Draft => ({
      name: supplier?.name ?? '',
      en: supplier?.names.en ?? '',
      fa: supplier?.names.fa ?? '',
      group: supplier?.group ?? '',
    }),
  );
  const { draft, isTried } = typed;
  const group = draft.group.trim();
  return {
    ...typed,
    terms: {
      names: { en: draft.en.trim(), fa: draft.fa.trim() },
      group: group === '' ? null : group,
    },
    firstWrong: fields.find((field) => faultOf(field, draft) !== undefined),
    wrong: (field: Field): string | undefined => {
      const fault = isTried ? faultOf(field, draft) : undefined;
      if (fault !== undefined)
        return say(fault === 'required' ? 'common.required' : 'suppliers.notName');
      return error instanceof ApiError ? error.fields[field.about]?.[0] : undefined;
    },
  };
};

const idOf = (name: keyof Draft): string => `supplier-${name}`;

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
        id={idOf(name)}
        label={say(`suppliers.${name}`)}
        helperText={fault ?? say(`suppliers.${name}Help`)}
        error={fault !== undefined}
        value={draft[name]}
        required={name !== 'group'}
        disabled={name === 'name' && !isNew}
        autoFocus={index === (isNew ? 0 : 1)}
        onChange={({ target }) => set({ [name]: target.value })}
        slotProps={{
          // What is missing is said beside the field, in the page's language.
          htmlInput: { autoComplete: 'off', maxLength: 64, dir, required: false },
        }}
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
  const { draft, key, terms, firstWrong, tried, set, wrong } = useTyped(supplier, error);
  const save = (): void => {
    tried();
    if (firstWrong !== undefined) document.getElementById(idOf(firstWrong.name))?.focus();
    if (isPending || firstWrong !== undefined) return;
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
      <SupplierFields isNew={supplier === undefined} draft={draft} set={set} wrong={wrong} />
      <ErrorState error={error} />
    </Dialog>
  );
};
