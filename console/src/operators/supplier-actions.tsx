/** Shows the buttons that create, edit and remove suppliers of the console. */
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAct } from '../api/hooks.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { AddIcon } from '../design/icons.tsx';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { useMay } from '../session.tsx';
import { useOperatorName } from './names.ts';
import type { Listed } from './operator.ts';
import { SupplierDialog } from './supplier-dialog.tsx';

export const CreateSupplier = () => {
  const say = useText();
  const may = useMay('settings');
  const [isOpen, setOpen] = useState(false);
  if (!may) return null;
  return (
    <>
      <Button variant="contained" startIcon={<AddIcon />} onClick={() => setOpen(true)}>
        {say('suppliers.create')}
      </Button>
      {isOpen ? <SupplierDialog supplier={undefined} onClose={() => setOpen(false)} /> : null}
    </>
  );
};

const RemoveSupplier = ({
  supplier,
  onClose,
}: {
  readonly supplier: Listed;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const done = useDone();
  const navigate = useNavigate();
  const name = useOperatorName()(supplier);
  const remove = useAct('removeSupplier', { changes: ['listOperators'] });
  const onSuccess = (): void => {
    done('suppliers.removed', { name });
    void navigate('/operators');
  };
  return (
    <ConfirmDialog
      open
      danger
      title={say('suppliers.removeTitle', { name })}
      text={say('suppliers.removeText')}
      confirm={say('suppliers.remove')}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate({ params: { operator_id: String(supplier.id) } }, { onSuccess })
      }
      onClose={onClose}
    />
  );
};

/** Nothing for what the configuration file defines. */
export const SupplierActions = ({ supplier }: { readonly supplier: Listed }) => {
  const say = useText();
  const may = useMay('settings');
  const [asked, setAsked] = useState<'edit' | 'remove' | undefined>(undefined);
  const close = (): void => setAsked(undefined);
  if (!may || supplier.defined_in !== 'console') return null;
  return (
    <>
      <Button variant="outlined" color="error" onClick={() => setAsked('remove')}>
        {say('suppliers.remove')}
      </Button>
      <Button variant="outlined" onClick={() => setAsked('edit')}>
        {say('suppliers.edit')}
      </Button>
      {asked === 'edit' ? <SupplierDialog supplier={supplier} onClose={close} /> : null}
      {asked === 'remove' ? <RemoveSupplier supplier={supplier} onClose={close} /> : null}
    </>
  );
};
