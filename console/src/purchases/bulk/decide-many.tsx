/** Decides several purchases with one reason: each by its own evidence and version, one after another. */
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { type Answer, call } from '../../api/client.ts';
import { useReread } from '../../api/hooks.ts';
import { Badge } from '../../design/data/badge.tsx';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { changedByAction } from '../changed.ts';
import type { Row } from '../columns.tsx';
import { type Decision, DecisionField, isReason, ReasonField } from '../decision-fields.tsx';
import { useMoneyWords } from '../use-fact-words.ts';
import { type Each, useEach } from './each.ts';
import { EvidenceCell } from './evidence-cell.tsx';
import { ManyDialog } from './many-dialog.tsx';
import { ResultCell } from './rows.tsx';

type Preview = Answer<'previewResolution'>;
type Resolved = Answer<'resolvePurchase'>;

/** The versions of what is decided now: what the evidence contradicts has to be forced, one by one. */
const decidable = (
  previews: Each<Preview>['results'],
  forced: ReadonlySet<string>,
): ReadonlyMap<string, string> =>
  new Map(
    [...previews].flatMap(([id, result]): [string, string][] =>
      result.state === 'done' && (!result.answer.contradicted || forced.has(id))
        ? [[id, result.answer.version]]
        : [],
    ),
  );

const useDecisions = (rows: readonly Row[]) => {
  const reread = useReread();
  const [verdict, setVerdict] = useState<Decision>();
  const [reason, setReason] = useState('');
  const [forced, setForced] = useState<ReadonlySet<string>>(new Set());
  const previews = useEach<Preview>();
  const decisions = useEach<Resolved>();
  const versions = decidable(previews.results, forced);
  const preview = (): void => {
    if (verdict === undefined || previews.busy) return;
    void previews.run(
      rows.map(({ id }) => id),
      (id) => call('previewResolution', { params: { purchase_id: id }, body: { verdict } }),
    );
  };
  const decide = async (): Promise<void> => {
    if (verdict === undefined || decisions.busy || !isReason(reason)) return;
    await decisions.run([...versions.keys()], (id) => {
      const body = {
        verdict,
        reason: reason.trim(),
        version: versions.get(id) ?? '',
        ...(forced.has(id) ? { force: true } : {}),
      };
      return call('resolvePurchase', { params: { purchase_id: id }, body });
    });
    await reread(changedByAction);
  };
  const step =
    decisions.results.size > 0
      ? decisions.busy
        ? 'deciding'
        : 'over'
      : previews.results.size === 0
        ? 'choosing'
        : previews.busy
          ? 'previewing'
          : 'seen';
  return {
    step,
    verdict,
    // Other evidence counts for another decision.
    choose: (chosen: Decision): void => {
      previews.reset();
      setForced(new Set());
      setVerdict(chosen);
    },
    reason,
    setReason,
    forced,
    force: (id: string, on: boolean): void => {
      const next = new Set(forced);
      if (on) next.add(id);
      else next.delete(id);
      setForced(next);
    },
    previews: previews.results,
    decisions: decisions.results,
    versions,
    preview,
    decide,
  } as const;
};

type Deciding = ReturnType<typeof useDecisions>;

const MainButton = ({ deciding }: { readonly deciding: Deciding }) => {
  const say = useText();
  const { count } = useFormat();
  const { step, verdict, reason, versions } = deciding;
  if (step === 'choosing' || step === 'previewing') {
    return (
      <Button
        key="preview"
        type="submit"
        variant="contained"
        loading={step === 'previewing'}
        disabled={verdict === undefined}
      >
        {say('purchases.preview')}
      </Button>
    );
  }
  return (
    <Button
      key="decide"
      type="submit"
      variant="contained"
      loading={step === 'deciding'}
      disabled={versions.size === 0 || !isReason(reason)}
    >
      {say('purchases.many.submit', { count: count(versions.size) })}
    </Button>
  );
};

/** The evidence before the decision, and its result after it. */
const Cell = ({ row, deciding }: { readonly row: Row; readonly deciding: Deciding }) => {
  const say = useText();
  const moneyWordsOf = useMoneyWords();
  const { step, previews, decisions, versions, forced, force } = deciding;
  const { id } = row;
  const isDeciding = step === 'deciding' || step === 'over';
  if (step === 'choosing') return null;
  if (isDeciding && versions.has(id)) {
    return (
      <ResultCell
        result={decisions.get(id)}
        done={({ money }) => (
          <>
            <Badge tone="good" label={say('purchases.resolved')} />
            <Typography variant="body2">{moneyWordsOf(money)}</Typography>
          </>
        )}
      />
    );
  }
  return (
    <ResultCell
      result={previews.get(id)}
      done={(seen) =>
        isDeciding ? (
          <Badge tone="attention" label={say('purchases.many.skipped')} />
        ) : (
          <EvidenceCell
            row={row}
            seen={seen}
            force={forced.has(id)}
            onForce={(on) => force(id, on)}
          />
        )
      }
    />
  );
};

export const DecideMany = ({
  rows,
  onClose,
}: {
  readonly rows: readonly Row[];
  readonly onClose: () => void;
}) => {
  const say = useText();
  const { count } = useFormat();
  const deciding = useDecisions(rows);
  const { step, verdict, choose, reason, setReason, previews, decisions, versions } = deciding;
  const isDeciding = step === 'deciding' || step === 'over';
  return (
    <ManyDialog
      title={say('purchases.many.decideTitle', { count: count(rows.length) })}
      text={say('purchases.many.decideText')}
      rows={rows}
      cell={(row) => <Cell row={row} deciding={deciding} />}
      progress={
        isDeciding
          ? { results: decisions, of: versions.size }
          : { results: previews, of: rows.length }
      }
      busy={step === 'deciding'}
      isOver={step === 'over'}
      submit={<MainButton deciding={deciding} />}
      onSubmit={() => {
        if (step === 'choosing') deciding.preview();
        else if (step === 'seen') void deciding.decide();
      }}
      onClose={onClose}
    >
      {isDeciding ? null : (
        <DecisionField value={verdict} busy={step === 'previewing'} onChoose={choose} />
      )}
      {step === 'seen' ? <ReasonField value={reason} onChange={setReason} /> : null}
    </ManyDialog>
  );
};
