/** Changes a client's credit limit, with a reason. */
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useAct, useReread } from '../api/hooks.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { useUnit } from '../design/input/unit.tsx';
import { readWhole, useFormat } from '../format.ts';
import { type Say, useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { availableAfter, type Client, ofClient } from './client.ts';
import { Will } from './money-fields.tsx';

/** What a limit changes, in a sentence. */
const willOf = (
  say: Say,
  money: (value: number) => string,
  client: Client,
  limit: number | undefined,
): string => {
  const { name, credit_limit: seen, credit_used: used } = client;
  if (limit === undefined) {
    return say('clients.creditNone', { limit: money(seen), used: money(used) });
  }
  return say(limit < used ? 'clients.creditBelow' : 'clients.creditWill', {
    name,
    used: money(used),
    after: money(availableAfter(client, { limit })),
  });
};

const Credit = ({ client, onClose }: { readonly client: Client; readonly onClose: () => void }) => {
  const say = useText();
  const { money } = useFormat();
  const unit = useUnit();
  const done = useDone();
  const change = useAct('setClientCredit', { changes: ofClient });
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const { id, name, credit_limit: seen, credit_used: used } = client;
  const limit = readWhole(typed);
  const wrong = tried && limit === undefined;
  const confirm = (): void => {
    setTried(true);
    if (limit === undefined) return;
    const body = { credit_limit: limit, seen, reason: reason.trim() };
    change.mutate(
      { params: { client_id: id }, body },
      {
        onSuccess: (credit) => {
          done('clients.creditDone', { limit: money(credit.credit_limit) });
          onClose();
        },
      },
    );
  };
  return (
    <ConfirmDialog
      open
      danger={limit !== undefined && limit < used}
      title={say('clients.creditTitle', { name })}
      text={say('clients.creditText')}
      confirm={say('clients.creditSubmit')}
      busy={change.isPending}
      error={change.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextField
        label={say('clients.creditLimit')}
        helperText={say(wrong ? 'clients.creditWrong' : 'clients.amountHelp')}
        error={wrong}
        value={typed}
        required
        autoFocus
        onChange={({ target }) => setTyped(target.value)}
        slotProps={{
          input: unit,
          htmlInput: { inputMode: 'numeric', autoComplete: 'off', dir: 'ltr', maxLength: 24 },
        }}
      />
      <TextField
        label={say('clients.reason')}
        helperText={say('clients.creditReasonHelp')}
        value={reason}
        required
        onChange={({ target }) => setReason(target.value)}
        slotProps={{
          htmlInput: { minLength: 3, maxLength: 500, autoComplete: 'off', dir: 'auto' },
        }}
      />
      <Will text={willOf(say, money, client, limit)} />
    </ConfirmDialog>
  );
};

export const CreditButton = ({ client }: { readonly client: Client }) => {
  const say = useText();
  const reread = useReread();
  const [isOpen, setOpen] = useState(false);
  const open = (): void => {
    void reread(['getClient']);
    setOpen(true);
  };
  return (
    <>
      <Button variant="outlined" onClick={open}>
        {say('clients.creditChange')}
      </Button>
      {isOpen ? <Credit client={client} onClose={() => setOpen(false)} /> : null}
    </>
  );
};
