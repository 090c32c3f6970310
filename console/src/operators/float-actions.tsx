/** Records a top-up at a supplier, or a correction of its float, exactly once. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useAct, useReread } from '../api/hooks.ts';
import { isUnsure, readAmount } from '../clients/client.ts';
import { type Drafting, useDraft } from '../clients/draft.ts';
import { AmountField, DirectionField, Unsure, Will, WordsField } from '../clients/money-fields.tsx';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { useMe } from '../session.tsx';
import type { Float } from './float.tsx';
import { useOperatorName } from './names.ts';
import type { Listed } from './operator.ts';

type Kind = 'top_up' | 'correction';
type Props = { readonly operator: Listed; readonly float: Float };

const changes = ['getFloat', 'listFloats', 'listAlerts'] as const;

const Reference = ({ drafting: { draft, change } }: { readonly drafting: Drafting }) => {
  const say = useText();
  return (
    <TextField
      label={say('floats.reference')}
      helperText={say('floats.referenceHelp')}
      value={draft.reference}
      onChange={({ target }) => change({ reference: target.value })}
      slotProps={{
        htmlInput: { maxLength: 200, autoComplete: 'off', dir: 'auto', readOnly: draft.unsure },
      }}
    />
  );
};

const RecordDialog = ({
  kind,
  operator,
  float,
  drafting,
  onClose,
}: Props & { readonly kind: Kind; readonly drafting: Drafting; readonly onClose: () => void }) => {
  const say = useText();
  const { money } = useFormat();
  const done = useDone();
  const reread = useReread();
  const name = useOperatorName()(operator);
  const record = useAct('recordFloatEntry', { changes });
  const [tried, setTried] = useState(false);
  const { draft, sending, failed, renew } = drafting;
  const typed = readAmount(draft.amount);
  const amount = typed !== undefined && kind === 'correction' && draft.down ? -typed : typed;
  const confirm = (): void => {
    setTried(true);
    if (amount === undefined) return;
    sending();
    const { key } = draft;
    const [reference, reason] = [draft.reference.trim(), draft.words.trim()];
    const params = { operator_id: String(operator.id) };
    record.mutate(
      { params, body: { kind, amount, reference, reason, key } },
      {
        onSuccess: () => {
          done('floats.recorded', { amount: money(amount), name });
          renew();
          onClose();
        },
        onError: (error) => {
          failed(isUnsure(error));
          void reread(changes);
        },
      },
    );
  };
  return (
    <ConfirmDialog
      open
      danger={kind === 'correction' && draft.down}
      title={say(`floats.${kind}Title`, { name })}
      text={say(`floats.${kind}Text`)}
      confirm={say('floats.record')}
      busy={record.isPending}
      error={record.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      {kind === 'correction' ? <DirectionField drafting={drafting} /> : null}
      <AmountField drafting={drafting} tried={tried} />
      <Reference drafting={drafting} />
      <WordsField
        drafting={drafting}
        label={say('common.reason')}
        help={say('floats.reasonHelp')}
        shortest={3}
      />
      {draft.unsure ? (
        <Unsure drafting={drafting} />
      ) : (
        <Will text={say('floats.will', { after: money(float.held + (amount ?? 0)) })} />
      )}
    </ConfirmDialog>
  );
};

const RecordButton = ({ kind, ...props }: Props & { readonly kind: Kind }) => {
  const say = useText();
  const { account } = useMe();
  const drafting = useDraft(`${account.id} float ${props.operator.id} ${kind}`);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant={kind === 'top_up' ? 'contained' : 'outlined'} onClick={() => setOpen(true)}>
        {say(`floats.${kind}`)}
      </Button>
      {isOpen ? (
        <RecordDialog kind={kind} drafting={drafting} onClose={() => setOpen(false)} {...props} />
      ) : null}
    </>
  );
};

export const FloatActions = (props: Props) => (
  <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
    <RecordButton kind="top_up" {...props} />
    <RecordButton kind="correction" {...props} />
  </Box>
);
