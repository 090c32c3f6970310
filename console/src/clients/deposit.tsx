/** Deposits money to a client's balance. */
import Button from '@mui/material/Button';
import { useAct } from '../api/hooks.ts';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { availableAfter, type Client, ofClient, readAmount } from './client.ts';
import { type Drafting, useMoneyDialog } from './draft.ts';
import { MoneyDialog } from './money-dialog.tsx';
import { WordsField } from './money-fields.tsx';

const Deposit = ({
  client,
  drafting,
  onClose,
}: {
  readonly client: Client;
  readonly drafting: Drafting;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const { money } = useFormat();
  const done = useDone();
  const deposit = useAct('depositMoney', { changes: ofClient });
  const { id, name, available } = client;
  const { draft } = drafting;
  const amount = readAmount(draft.amount);
  const will =
    amount === undefined
      ? say('clients.depositNone', { available: money(available) })
      : say('clients.depositWill', {
          amount: money(amount),
          name,
          after: money(availableAfter(client, { amount })),
        });
  return (
    <MoneyDialog
      action="deposit"
      client={client}
      drafting={drafting}
      amount={amount}
      will={will}
      moving={deposit}
      send={(amount, then) => {
        const body = { amount, note: draft.words.trim(), key: draft.key };
        deposit.mutate({ params: { client_id: id }, body }, then);
      }}
      onMoved={({ posting, available }) =>
        done('clients.depositDone', { amount: money(posting.amount), after: money(available) })
      }
      onClose={onClose}
    >
      <WordsField drafting={drafting} label={say('clients.note')} help={say('clients.noteHelp')} />
    </MoneyDialog>
  );
};

export const DepositButton = ({ client }: { readonly client: Client }) => {
  const say = useText();
  const { drafting, isOpen, open, close } = useMoneyDialog(client.id, 'deposit');
  return (
    <>
      <Button variant="contained" onClick={open}>
        {say('clients.deposit')}
      </Button>
      {isOpen ? <Deposit client={client} drafting={drafting} onClose={close} /> : null}
    </>
  );
};
