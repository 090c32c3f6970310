/** Asks the operator for the current status of a purchase. */
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useAct } from '../api/hooks.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { AskIcon } from '../design/icons.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { changedByAction } from './changed.ts';
import type { Done, Purchase } from './explain.ts';

export const Inquire = ({
  purchase,
  onDone,
}: {
  readonly purchase: Purchase;
  readonly onDone: (done: Done) => void;
}) => {
  const say = useText();
  const { money } = useFormat();
  const [open, setOpen] = useState(false);
  const act = useAct('inquirePurchase', { changes: changedByAction });
  const close = (): void => {
    setOpen(false);
    act.reset();
  };
  const ask = (reason: string): void => {
    act.mutate(
      { params: { purchase_id: purchase.id }, body: { reason } },
      {
        onSuccess: ({ outcome, purchase: { state } }) => {
          close();
          const now = say(`purchaseWords.state.${state}`);
          onDone({
            title: say('purchases.inquired'),
            text: `${say(`purchaseWords.outcome.${outcome}`)} ${say('purchases.state')}: ${now}.`,
          });
        },
      },
    );
  };
  return (
    <>
      <Button variant="contained" startIcon={<AskIcon />} onClick={() => setOpen(true)}>
        {say('purchases.inquire')}
      </Button>
      <ConfirmDialog
        open={open}
        title={say('purchases.inquire')}
        text={say('purchases.inquireText', { amount: money(purchase.amount) })}
        confirm={say('purchases.inquire')}
        reason="required"
        busy={act.isPending}
        error={act.error}
        onConfirm={ask}
        onClose={close}
      />
    </>
  );
};
