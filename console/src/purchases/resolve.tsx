/** Resolves a purchase that needs review: decide, check the evidence, give a reason, confirm. */
import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useAct } from '../api/hooks.ts';
import { Dialog } from '../design/dialog/dialog.tsx';
import { DecideIcon } from '../design/icons.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useText } from '../i18n/text.ts';
import { DecisionPreview } from './decision-preview.tsx';
import type { Done, Purchase } from './explain.ts';
import { useMoneyWords } from './use-fact-words.ts';

type Decision = 'succeeded' | 'failed';
type Given = { readonly purchase: Purchase; readonly onDone: (done: Done) => void };

const shortestReason = 3;

const DecisionField = ({
  value,
  busy,
  onChoose,
}: {
  readonly value: Decision | undefined;
  readonly busy: boolean;
  readonly onChoose: (verdict: Decision) => void;
}) => {
  const say = useText();
  const id = useId();
  return (
    <FormControl disabled={busy}>
      <FormLabel id={id}>{say('purchases.verdict')}</FormLabel>
      <RadioGroup
        aria-labelledby={id}
        value={value ?? ''}
        onChange={({ target }) => onChoose(target.value === 'succeeded' ? 'succeeded' : 'failed')}
      >
        <FormControlLabel
          value="succeeded"
          control={<Radio />}
          label={say('purchases.delivered')}
        />
        <FormControlLabel
          value="failed"
          control={<Radio />}
          label={say('purchases.notDelivered')}
        />
      </RadioGroup>
    </FormControl>
  );
};

/** The chosen decision, its effect, and its execution. */
const useDecision = ({ purchase, onDone }: Given) => {
  const say = useText();
  const moneyWordsOf = useMoneyWords();
  const [verdict, setVerdict] = useState<Decision>();
  const [reason, setReason] = useState('');
  const [force, setForce] = useState(false);
  const preview = useAct('previewResolution', { changes: ['getPurchase'] });
  const act = useAct('resolvePurchase', { changes: ['getPurchase', 'searchPurchases'] });
  const params = { purchase_id: purchase.id };
  const showPreview = (): void => {
    if (verdict === undefined) return;
    act.reset();
    setForce(false);
    preview.mutate({ params, body: { verdict } });
  };
  const seen = preview.data;
  const lacks =
    seen === undefined || reason.trim().length < shortestReason || (seen.contradicted && !force);
  const decide = (): void => {
    if (verdict === undefined || seen === undefined || lacks || act.isPending) return;
    const { version } = seen;
    const body = { verdict, reason: reason.trim(), version, ...(force ? { force } : {}) };
    act.mutate(
      { params, body },
      {
        onSuccess: ({ money }) =>
          onDone({ title: say('purchases.resolved'), text: moneyWordsOf(money) }),
      },
    );
  };
  return {
    verdict,
    choose: (chosen: Decision): void => {
      preview.reset();
      act.reset();
      setForce(false);
      setVerdict(chosen);
    },
    reason,
    setReason,
    force,
    setForce,
    showPreview,
    isPreviewing: preview.isPending,
    seen,
    lacks,
    decide,
    busy: act.isPending,
    // Changes since then must be reviewed again.
    error: act.error ?? preview.error,
    stale: act.error !== null,
  };
};

const ReasonField = ({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) => {
  const say = useText();
  return (
    <TextField
      label={say('common.reason')}
      helperText={`${say('common.reasonHelp')} ${say('purchases.reasonLength')}`}
      value={value}
      required
      multiline
      maxRows={4}
      onChange={({ target }) => onChange(target.value)}
      slotProps={{ htmlInput: { maxLength: 500 } }}
    />
  );
};

const Deciding = (given: Given & { readonly onClose: () => void }) => {
  const say = useText();
  const decision = useDecision(given);
  const { verdict, seen, busy, isPreviewing, stale } = decision;
  const ready = seen !== undefined && !stale;
  const submit = ready ? decision.decide : decision.showPreview;
  const delivered = verdict === 'succeeded';
  return (
    <Dialog
      title={say('purchases.resolveTitle')}
      onClose={given.onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={given.onClose} disabled={busy}>
            {say('common.cancel')}
          </Button>
          {ready ? (
            <Button
              key="decide"
              type="submit"
              variant="contained"
              color={seen.contradicted ? 'error' : 'primary'}
              loading={busy}
              disabled={decision.lacks}
            >
              {say(delivered ? 'purchases.decideDelivered' : 'purchases.decideNot')}
            </Button>
          ) : (
            <Button
              key="look"
              type="submit"
              variant="contained"
              loading={isPreviewing}
              disabled={verdict === undefined}
            >
              {say('purchases.preview')}
            </Button>
          )}
        </>
      }
    >
      <Typography color="textSecondary">{say('purchases.resolveText')}</Typography>
      <DecisionField value={verdict} busy={busy || isPreviewing} onChoose={decision.choose} />
      {ready ? (
        <>
          <DecisionPreview seen={seen} force={decision.force} onForce={decision.setForce} />
          <ReasonField value={decision.reason} onChange={decision.setReason} />
        </>
      ) : null}
      <ErrorState error={decision.error} />
    </Dialog>
  );
};

export const Resolve = ({ purchase, onDone }: Given) => {
  const say = useText();
  const [open, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button variant="contained" startIcon={<DecideIcon />} onClick={() => setOpen(true)}>
        {say('purchases.resolve')}
      </Button>
      {open ? (
        <Deciding
          purchase={purchase}
          onClose={close}
          onDone={(done) => {
            close();
            onDone(done);
          }}
        />
      ) : null}
    </>
  );
};
