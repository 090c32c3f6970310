/** Resolves a purchase that needs review: decide, check the evidence, give a reason, confirm. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { useAct } from '../api/hooks.ts';
import { Form } from '../design/input/form.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { sizes } from '../design/theme/tokens.ts';
import { useText } from '../i18n/text.ts';
import { changedByAction } from './changed.ts';
import { type Decision, DecisionField, isReason, ReasonField } from './decision-fields.tsx';
import { DecisionPreview } from './decision-preview.tsx';
import type { Done, Purchase } from './explain.ts';
import { useMoneyWords } from './use-fact-words.ts';

type Given = { readonly purchase: Purchase; readonly onDone: (done: Done) => void };

/** The chosen decision, its effect, and its execution. */
const useDecision = ({ purchase, onDone }: Given) => {
  const say = useText();
  const moneyWordsOf = useMoneyWords();
  const [verdict, setVerdict] = useState<Decision>();
  const [reason, setReason] = useState('');
  const [force, setForce] = useState(false);
  const preview = useAct('previewResolution', { changes: ['getPurchase'] });
  const act = useAct('resolvePurchase', { changes: changedByAction });
  const params = { purchase_id: purchase.id };
  const showPreview = (): void => {
    if (verdict === undefined) return;
    act.reset();
    setForce(false);
    preview.mutate({ params, body: { verdict } });
  };
  const seen = preview.data;
  const lacks = seen === undefined || !isReason(reason) || (seen.contradicted && !force);
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

const Buttons = ({
  decision: { seen, stale, busy, verdict, lacks, isPreviewing },
  onClose,
}: {
  readonly decision: ReturnType<typeof useDecision>;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const delivered = verdict === 'succeeded';
  return (
    <Box sx={{ display: 'flex', gap: 1, justifyContent: 'end', flexWrap: 'wrap' }}>
      <Button onClick={onClose} disabled={busy}>
        {say('common.cancel')}
      </Button>
      {seen !== undefined && !stale ? (
        <Button
          key="decide"
          type="submit"
          variant="contained"
          color={seen.contradicted ? 'error' : 'primary'}
          loading={busy}
          disabled={lacks}
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
    </Box>
  );
};

/** Part of the page, and not a dialog: what is known about the purchase stays in view. */
export const Resolve = (given: Given & { readonly onClose: () => void }) => {
  const say = useText();
  const place = useRef<HTMLDivElement>(null);
  const decision = useDecision(given);
  const { verdict, seen, busy, isPreviewing, stale } = decision;
  const ready = seen !== undefined && !stale;
  useEffect(() => place.current?.focus(), []);
  return (
    <Box ref={place} tabIndex={-1} sx={{ outline: 'none', scrollMarginTop: sizes.bar }}>
      <Section title={say('purchases.resolveTitle')}>
        <Form wide onSubmit={ready ? decision.decide : decision.showPreview}>
          <Typography color="textSecondary">{say('purchases.resolveText')}</Typography>
          <DecisionField value={verdict} busy={busy || isPreviewing} onChoose={decision.choose} />
          {ready ? (
            <>
              <DecisionPreview seen={seen} force={decision.force} onForce={decision.setForce} />
              <ReasonField value={decision.reason} onChange={decision.setReason} />
            </>
          ) : null}
          <ErrorState error={decision.error} />
          <Buttons decision={decision} onClose={given.onClose} />
        </Form>
      </Section>
    </Box>
  );
};
