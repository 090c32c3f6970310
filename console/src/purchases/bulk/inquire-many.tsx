/** Asks the operator about several purchases, one after another, and shows each answer. */
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { type Answer, call } from '../../api/client.ts';
import { useReread } from '../../api/hooks.ts';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { changedByAction } from '../changed.ts';
import type { Row } from '../columns.tsx';
import { isReason, ReasonField } from '../decision-fields.tsx';
import { StateChip } from '../state-chip.tsx';
import { useEach } from './each.ts';
import { ManyDialog } from './many-dialog.tsx';
import { ResultCell } from './rows.tsx';

type Inquired = Answer<'inquirePurchase'>;

export const InquireMany = ({
  rows,
  onClose,
}: {
  readonly rows: readonly Row[];
  readonly onClose: () => void;
}) => {
  const say = useText();
  const { count } = useFormat();
  const reread = useReread();
  const [reason, setReason] = useState('');
  const { results, busy, run } = useEach<Inquired>();
  const isOver = results.size > 0 && !busy;
  const ask = async (): Promise<void> => {
    if (busy || isOver || !isReason(reason)) return;
    const body = { reason: reason.trim() };
    await run(
      rows.map(({ id }) => id),
      (id) => call('inquirePurchase', { params: { purchase_id: id }, body }),
    );
    await reread(changedByAction);
  };
  return (
    <ManyDialog
      title={say('purchases.many.askTitle', { count: count(rows.length) })}
      text={say('purchases.many.askText')}
      rows={rows}
      cell={({ id }) => (
        <ResultCell
          result={results.get(id)}
          done={({ outcome, purchase: { state, disputed } }) => (
            <>
              <StateChip state={state} disputed={disputed !== null} />
              <Typography variant="body2">{say(`purchaseWords.outcome.${outcome}`)}</Typography>
            </>
          )}
        />
      )}
      progress={{ results, of: rows.length }}
      busy={busy}
      isOver={isOver}
      submit={
        <Button type="submit" variant="contained" loading={busy} disabled={!isReason(reason)}>
          {say('purchases.inquire')}
        </Button>
      }
      onSubmit={() => void ask()}
      onClose={onClose}
    >
      {results.size === 0 ? <ReasonField value={reason} onChange={setReason} /> : null}
    </ManyDialog>
  );
};
