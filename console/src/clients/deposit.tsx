/** Owns how money is deposited for a client: once, with what becomes of the balance said before. */
import { useState } from 'react';
import { useAct, useReread } from '../api/hooks.ts';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { useDone } from '../parts/done.ts';
import { type Client, isUnsure, ofClient, readAmount } from './client.ts';
import type { Drafting } from './draft.ts';
import { AmountField, Unsure, Will, WordsField } from './money-fields.tsx';

export const Deposit = ({
  client: { id, name, available },
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
  const reread = useReread();
  const deposit = useAct('depositMoney', { changes: ofClient });
  const [tried, setTried] = useState(false);
  const { draft, sending, failed, renew } = drafting;
  const amount = readAmount(draft.amount);
  const send = (): void => {
    setTried(true);
    if (amount === undefined) return;
    const note = draft.words.trim();
    sending();
    deposit.mutate(
      { params: { client_id: id }, body: { amount, note, key: draft.key } },
      {
        onSuccess: (answer) => {
          done('clients.depositDone', {
            amount: money(answer.posting.amount),
            after: money(answer.available),
          });
          renew();
          onClose();
        },
        onError: (error) => {
          failed(isUnsure(error));
          void reread(ofClient);
        },
      },
    );
  };
  const will =
    amount === undefined
      ? say('clients.depositNone', { available: money(available) })
      : say('clients.depositWill', {
          amount: money(amount),
          name,
          after: money(available + amount),
        });
  return (
    <ConfirmDialog
      open
      title={say('clients.depositTitle', { name })}
      text={say('clients.depositText')}
      confirm={say('clients.depositSubmit')}
      busy={deposit.isPending}
      error={deposit.error}
      onConfirm={send}
      onClose={onClose}
    >
      <AmountField drafting={drafting} tried={tried} />
      <WordsField drafting={drafting} label={say('clients.note')} help={say('clients.noteHelp')} />
      {draft.unsure ? <Unsure drafting={drafting} /> : <Will text={will} />}
    </ConfirmDialog>
  );
};
