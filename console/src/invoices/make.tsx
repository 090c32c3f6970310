/** Makes the invoices of a finished month in a dialog, for one client or for all. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useAct, useRead } from '../api/hooks.ts';
import { Dialog } from '../design/dialog/dialog.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { ClientPicker } from '../purchases/pickers.tsx';
import { useChosenClient } from '../routing/chosen.ts';
import { useMonthWords } from './format.ts';

type Month = Parameters<ReturnType<typeof useMonthWords>>[0];

const MonthField = ({
  value,
  months,
  onChoose,
}: {
  readonly value: string;
  readonly months: readonly Month[];
  readonly onChoose: (month: string) => void;
}) => {
  const say = useText();
  const nameOf = useMonthWords();
  return (
    <TextField
      select
      label={say('invoices.month')}
      value={value}
      onChange={({ target }) => onChoose(target.value)}
    >
      {months.map((one) => (
        <MenuItem key={one.month} value={one.month}>
          {nameOf(one)}
        </MenuItem>
      ))}
    </TextField>
  );
};

export const MakeInvoices = ({
  clientId: first,
  onClose,
}: {
  /** The ID of the client to begin with; empty for all. */
  readonly clientId: string;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const { count } = useFormat();
  const done = useDone();
  const months = useRead('listBilledMonths', {});
  const make = useAct('makeInvoices', { changes: ['listInvoices'] });
  const [typed, setTyped] = useState('');
  const [clientId, setClientId] = useState(first);
  const client = useChosenClient(clientId);
  const options = months.data?.data ?? [];
  const month = typed === '' ? (options[0]?.month ?? '') : typed;
  const late = make.data?.out_of_order ?? [];
  const submit = (): void => {
    if (make.isPending || month === '') return;
    make.mutate(
      { body: { month, client_id: clientId === '' ? null : clientId } },
      {
        onSuccess: ({ made, existed, out_of_order: left }) => {
          done('invoices.madeCount', { made: count(made.length), existed: count(existed) });
          if (left.length === 0) onClose();
        },
      },
    );
  };
  return (
    <Dialog
      title={say('invoices.make')}
      onClose={make.isPending ? undefined : onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose} disabled={make.isPending}>
            {say(late.length === 0 ? 'common.cancel' : 'common.close')}
          </Button>
          <Button type="submit" variant="contained" loading={make.isPending}>
            {say('invoices.make')}
          </Button>
        </>
      }
    >
      <Typography>{say('invoices.makeText')}</Typography>
      <MonthField value={month} months={options} onChoose={setTyped} />
      <ClientPicker
        autoFocus={false}
        chosen={client}
        help={say('invoices.allClients')}
        onChoose={setClientId}
      />
      {late.length === 0 ? null : (
        <Alert severity="warning">
          {say('invoices.outOfOrder', { count: count(late.length) })}
        </Alert>
      )}
      <ErrorState error={make.error ?? months.error} />
    </Dialog>
  );
};
