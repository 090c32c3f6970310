/** Moves a client's money exactly once, and shows the resulting balance before it is confirmed. */
import { type ReactNode, useState } from 'react';
import type { Answer } from '../api/client.ts';
import { useReread } from '../api/hooks.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { useText } from '../i18n/text.ts';
import { type Client, isUnsure, ofClient } from './client.ts';
import type { Drafting } from './draft.ts';
import { AmountField, Unsure, Will } from './money-fields.tsx';

type Moved = Answer<'depositMoney'>;

/** Runs after it was sent. */
export type Then = {
  readonly onSuccess: (moved: Moved) => void;
  readonly onError: (error: unknown) => void;
};

export const MoneyDialog = ({
  action,
  client: { name },
  drafting,
  amount,
  will,
  moving,
  send,
  onMoved,
  onClose,
  before,
  danger = false,
  children,
}: {
  readonly action: 'deposit' | 'correct';
  readonly client: Client;
  readonly drafting: Drafting;
  /** The typed amount, negative to deduct; undefined if it is invalid. */
  readonly amount: number | undefined;
  /** The resulting balance, in a sentence. */
  readonly will: string;
  readonly moving: { readonly isPending: boolean; readonly error: unknown };
  readonly send: (amount: number, then: Then) => void;
  /** The success message. */
  readonly onMoved: (moved: Moved) => void;
  readonly onClose: () => void;
  /** Fields before and after the amount. */
  readonly before?: ReactNode;
  readonly danger?: boolean;
  readonly children: ReactNode;
}) => {
  const say = useText();
  const reread = useReread();
  const [tried, setTried] = useState(false);
  const { draft, sending, failed, renew } = drafting;
  const confirm = (): void => {
    setTried(true);
    if (amount === undefined) return;
    sending();
    send(amount, {
      onSuccess: (moved) => {
        onMoved(moved);
        renew();
        onClose();
      },
      onError: (error) => {
        failed(isUnsure(error));
        void reread(ofClient);
      },
    });
  };
  return (
    <ConfirmDialog
      open
      danger={danger}
      title={say(`clients.${action}Title`, { name })}
      text={say(`clients.${action}Text`)}
      confirm={say(`clients.${action}Submit`)}
      busy={moving.isPending}
      error={moving.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      {before}
      <AmountField drafting={drafting} tried={tried} />
      {children}
      {draft.unsure ? <Unsure drafting={drafting} /> : <Will text={will} />}
    </ConfirmDialog>
  );
};
