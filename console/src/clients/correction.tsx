/** Owns how a client's balance is corrected, up or down, with a reason. */
import { useState } from 'react';
import { useAct, useReread } from '../api/hooks.ts';
import { useFormat } from '../format.ts';
import { type Say, useText } from '../i18n/text.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { useDone } from '../parts/done.ts';
import { Choices } from './choices.tsx';
import { type Client, isUnsure, ofClient, readAmount } from './client.ts';
import type { Drafting } from './draft.ts';
import { AmountField, Unsure, Will, WordsField } from './money-fields.tsx';

const Direction = ({ drafting: { draft, change } }: { readonly drafting: Drafting }) => {
  const say = useText();
  return (
    <Choices
      label={say('clients.direction')}
      choices={(['up', 'down'] as const).map((value) => ({
        value,
        label: say(`clients.${value}`),
      }))}
      chosen={draft.down ? 'down' : 'up'}
      disabled={draft.unsure}
      onChoose={(way) => change({ down: way === 'down' })}
    />
  );
};

/** What will become of the balance, in a sentence. */
const willOf = (
  say: Say,
  money: (value: number) => string,
  { name, available }: Pick<Client, 'name' | 'available'>,
  signed: number | undefined,
): string => {
  if (signed === undefined) return say('clients.depositNone', { available: money(available) });
  if (available + signed < 0) return say('clients.correctTooMuch', { available: money(available) });
  return say(signed > 0 ? 'clients.correctUp' : 'clients.correctDown', {
    amount: money(Math.abs(signed)),
    name,
    after: money(available + signed),
  });
};

const Fields = ({
  client,
  drafting,
  tried,
  signed,
}: {
  readonly client: Client;
  readonly drafting: Drafting;
  readonly tried: boolean;
  readonly signed: number | undefined;
}) => {
  const say = useText();
  const { money } = useFormat();
  return (
    <>
      <Direction drafting={drafting} />
      <AmountField drafting={drafting} tried={tried} />
      <WordsField
        drafting={drafting}
        label={say('clients.reason')}
        help={say('clients.reasonHelp')}
        shortest={3}
      />
      {drafting.draft.unsure ? (
        <Unsure drafting={drafting} />
      ) : (
        <Will text={willOf(say, money, client, signed)} />
      )}
    </>
  );
};

export const Correction = ({
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
  const reread = useReread();
  const correct = useAct('correctBalance', { changes: ofClient });
  const [tried, setTried] = useState(false);
  const { draft, sending, failed, renew } = drafting;
  const amount = readAmount(draft.amount);
  const signed = amount === undefined ? undefined : draft.down ? -amount : amount;
  const send = (): void => {
    setTried(true);
    if (signed === undefined) return;
    const body = { amount: signed, reason: draft.words.trim(), key: draft.key };
    sending();
    correct.mutate(
      { params: { client_id: client.id }, body },
      {
        onSuccess: (answer) => {
          done('clients.correctDone', { after: money(answer.available) });
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
  return (
    <ConfirmDialog
      open
      danger={draft.down}
      title={say('clients.correctTitle', { name: client.name })}
      text={say('clients.correctText')}
      confirm={say('clients.correctSubmit')}
      busy={correct.isPending}
      error={correct.error}
      onConfirm={send}
      onClose={onClose}
    >
      <Fields client={client} drafting={drafting} tried={tried} signed={signed} />
    </ConfirmDialog>
  );
};
