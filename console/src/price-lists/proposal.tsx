/** Shows what a new version would change and would have done to the last sales, and applies it. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type Answer, ApiError, type Given } from '../api/client.ts';
import { useAct } from '../api/hooks.ts';
import { Problems } from '../catalogue/import/diff.tsx';
import { FocusOnMount } from '../catalogue/parts.tsx';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { DiffTable } from './diff.tsx';
import { EffectPart } from './effect.tsx';
import { type PriceList, priceReads } from './price-list.ts';
import { useListName } from './words.tsx';

type Preview = Answer<'previewPriceListImport'>;
type WantedVersion = Given<'previewPriceListImport'>['body'];

/** The preview of a version, and how to apply it. */
export const useProposal = (list: PriceList) => {
  const done = useDone();
  const navigate = useNavigate();
  const { count } = useFormat();
  const preview = useAct('previewPriceListImport');
  const run = useAct('importPriceList', { changes: priceReads });
  const [isAgain, setAgain] = useState(false);
  const params = { price_list_id: String(list.id) };
  const show = (body: WantedVersion, again = false): void => {
    run.reset();
    setAgain(again);
    preview.mutate({ params, body });
  };
  const apply = (): void => {
    const { data, variables } = preview;
    if (data === undefined || variables === undefined || run.isPending) return;
    const { body } = variables;
    run.mutate(
      { params, body: { ...body, version: data.version } },
      {
        onSuccess: ({ number }) => {
          if (number === null) return;
          done('priceLists.applied', { number: count(number) });
          void navigate(`/price-lists/${list.id}?version=${number}`);
        },
        onError: (error) => {
          if (error instanceof ApiError && error.code === 'PRICES_CHANGED') show(body, true);
        },
      },
    );
  };
  const forget = (): void => {
    preview.reset();
    run.reset();
  };
  const error = preview.error ?? run.error;
  return {
    list,
    found: preview.data,
    error,
    /** What is wrong with the day from which it is wanted. */
    dayFault: error instanceof ApiError ? error.fields['from']?.[0] : undefined,
    isAgain,
    isBusy: preview.isPending || run.isPending,
    show,
    apply,
    forget,
  };
};

type Proposal = ReturnType<typeof useProposal>;

const Changes = ({
  proposal: { list, isAgain, isBusy, apply },
  found,
}: {
  readonly proposal: Proposal;
  readonly found: Preview;
}) => {
  const say = useText();
  const { count, time } = useFormat();
  const nameOf = useListName();
  const [isAsked, setAsked] = useState(false);
  const counts = say('priceLists.counts', {
    added: count(found.added),
    changed: count(found.changed),
    removed: count(found.removed),
    unchanged: count(found.unchanged),
  });
  const from = time(found.valid_from, 'short');
  const isSame = found.diff.length === 0;
  return (
    <Section title={say('priceLists.preview')}>
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
        {isAgain ? <Alert severity="warning">{say('priceLists.again')}</Alert> : null}
        <Typography role="status">
          {isSame ? say('priceLists.same') : say('priceLists.previewFrom', { time: from })} {counts}
        </Typography>
        {isSame ? null : (
          <>
            <DiffTable diff={found.diff} />
            <EffectPart found={found} />
            <Button
              variant="contained"
              loading={isBusy}
              sx={{ justifySelf: 'start' }}
              onClick={() => setAsked(true)}
            >
              {say('priceLists.apply')}
            </Button>
          </>
        )}
      </Box>
      <ConfirmDialog
        open={isAsked}
        danger={found.removed > 0}
        title={say('priceLists.applyTitle', { name: nameOf(list) })}
        text={`${say('priceLists.applyText', { time: from })} ${counts}`}
        confirm={say('priceLists.apply')}
        onConfirm={() => {
          setAsked(false);
          apply();
        }}
        onClose={() => setAsked(false)}
      />
    </Section>
  );
};

export const ProposalPart = ({ proposal }: { readonly proposal: Proposal }) => {
  const { found, error } = proposal;
  return (
    <>
      <ErrorState error={error} />
      {found === undefined ? null : (
        <FocusOnMount>
          {found.problems.length > 0 ? (
            <Problems
              preview={{ problems: found.problems, problem_count: found.problems.length }}
            />
          ) : (
            <Changes proposal={proposal} found={found} />
          )}
        </FocusOnMount>
      )}
    </>
  );
};
