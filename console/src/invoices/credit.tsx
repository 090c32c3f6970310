/** Makes a credit note for an invoice in a dialog. */
import TextField from '@mui/material/TextField';
import { useAct } from '../api/hooks.ts';
import { readAmount } from '../clients/client.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { useDraft } from '../parts/use-draft.ts';
import { type Invoice, useInvoiceFormat } from './format.ts';

const changed = ['getInvoice', 'listInvoices', 'getClient', 'getClientStatement'] as const;

/** What is typed, and how it is sent once. */
const useCredit = (invoice: Invoice, onClose: () => void) => {
  const { digits } = useFormat();
  const done = useDone();
  const act = useAct('creditInvoice', { changes: changed });
  const { draft, key, isTried, tried, set } = useDraft(() => ({ amount: '', reason: '' }));
  const amount = readAmount(draft.amount);
  const isWrong = amount === undefined || amount > invoice.creditable;
  const confirm = (): void => {
    tried();
    if (amount === undefined || isWrong) return;
    const body = { key, amount, reason: draft.reason.trim() };
    act.mutate(
      { params: { number: String(invoice.number) }, body },
      {
        onSuccess: ({ number }) => {
          done('invoices.creditDone', { number: digits(number) });
          onClose();
        },
      },
    );
  };
  return { draft, set, confirm, wrong: isTried && isWrong, busy: act.isPending, error: act.error };
};

export const CreditInvoice = ({
  invoice,
  onClose,
}: {
  readonly invoice: Invoice;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const { digits } = useFormat();
  const { money } = useInvoiceFormat()(invoice);
  const { draft, set, confirm, wrong, busy, error } = useCredit(invoice, onClose);
  return (
    <ConfirmDialog
      open
      title={say('invoices.creditTitle', { number: digits(invoice.number) })}
      text={say('invoices.creditText')}
      confirm={say('invoices.creditSubmit')}
      busy={busy}
      error={error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextField
        label={say('clients.amount')}
        helperText={say('invoices.creditLeft', { amount: money(invoice.creditable) })}
        error={wrong}
        value={draft.amount}
        required
        autoFocus
        onChange={({ target }) => set({ amount: target.value })}
        slotProps={{
          htmlInput: { inputMode: 'numeric', autoComplete: 'off', dir: 'ltr', maxLength: 24 },
        }}
      />
      <TextField
        label={say('clients.reason')}
        helperText={say('clients.reasonHelp')}
        value={draft.reason}
        required
        onChange={({ target }) => set({ reason: target.value })}
        slotProps={{
          htmlInput: { minLength: 3, maxLength: 500, autoComplete: 'off', dir: 'auto' },
        }}
      />
    </ConfirmDialog>
  );
};
