/** Corrects a client's balance up or down, with a reason. */
import { useAct } from '../api/hooks.ts';
import { useFormat } from '../format.ts';
import { type Say, useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { availableAfter, type Client, ofClient, ownMoney, readAmount } from './client.ts';
import type { Drafting } from './draft.ts';
import { MoneyDialog } from './money-dialog.tsx';
import { DirectionField, WordsField } from './money-fields.tsx';

/** The resulting balance, in a sentence. */
const willOf = (
  say: Say,
  money: (value: number) => string,
  client: Client,
  signed: number | undefined,
): string => {
  const { name, available } = client;
  if (signed === undefined) return say('clients.depositNone', { available: money(available) });
  const own = Math.max(0, ownMoney(client));
  if (own + signed < 0) return say('clients.correctTooMuch', { own: money(own) });
  return say(signed > 0 ? 'clients.correctUp' : 'clients.correctDown', {
    amount: money(Math.abs(signed)),
    name,
    after: money(availableAfter(client, { amount: signed })),
  });
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
  const correct = useAct('correctBalance', { changes: ofClient });
  const { draft } = drafting;
  const amount = readAmount(draft.amount);
  const signed = amount === undefined ? undefined : draft.down ? -amount : amount;
  return (
    <MoneyDialog
      action="correct"
      danger={draft.down}
      client={client}
      drafting={drafting}
      amount={signed}
      will={willOf(say, money, client, signed)}
      moving={correct}
      send={(amount, then) => {
        const body = { amount, reason: draft.words.trim(), key: draft.key };
        correct.mutate({ params: { client_id: client.id }, body }, then);
      }}
      onMoved={({ available }) => done('clients.correctDone', { after: money(available) })}
      onClose={onClose}
      before={<DirectionField drafting={drafting} />}
    >
      <WordsField
        drafting={drafting}
        label={say('clients.reason')}
        help={say('clients.reasonHelp')}
        shortest={3}
      />
    </MoneyDialog>
  );
};
