/** Shows one purchase: explanation, actions, timeline, money and details. */
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useRead } from '../api/hooks.ts';
import { Page } from '../design/page/page.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { Callbacks } from './callbacks.tsx';
import { AnswerPart, Decisions } from './decisions.tsx';
import { type Done, explain, type Purchase } from './explain.ts';
import { Facts } from './facts.tsx';
import { Inquire } from './inquire.tsx';
import { Messages } from './messages.tsx';
import { Money } from './money.tsx';
import { Resolve } from './resolve.tsx';
import { StateChip } from './state-chip.tsx';
import { Timeline } from './timeline.tsx';

const severities = {
  succeeded: 'success',
  failed: 'error',
  refused: 'error',
  reversed: 'warning',
  review: 'warning',
  unknown: 'warning',
  submitted: 'info',
} as const;

const Explanation = ({ purchase }: { readonly purchase: Purchase }) => {
  const say = useText();
  const format = useFormat();
  const { state, disputed } = purchase;
  return (
    <Section
      title={say('purchases.explanation')}
      actions={<StateChip state={state} disputed={disputed !== null} />}
    >
      <Alert severity={severities[state]} variant="outlined" role="note" icon={false}>
        {explain(purchase, say, format).map((sentence) => (
          <Typography key={sentence} sx={{ overflowWrap: 'anywhere' }}>
            {sentence}
          </Typography>
        ))}
      </Alert>
    </Section>
  );
};

const Actions = ({
  purchase,
  onDone,
}: {
  readonly purchase: Purchase;
  readonly onDone: (done: Done) => void;
}) => {
  const say = useText();
  const { inquire, resolve } = purchase.may;
  if (!inquire && !resolve) return null;
  return (
    <Section title={say('purchases.waits')}>
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
        {inquire ? <Inquire purchase={purchase} onDone={onDone} /> : null}
        {resolve ? <Resolve purchase={purchase} onDone={onDone} /> : null}
      </Box>
    </Section>
  );
};

/** What happened, with its effect on the money and the notified endpoints beside it. */
const beside = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: { xs: '1fr', lg: '2fr 3fr' },
  alignItems: 'start',
  '& > *, & > * > *': { minWidth: 0 },
} as const;

const Shown = ({ purchase }: { readonly purchase: Purchase }) => {
  const [done, setDone] = useState<Done>();
  return (
    <>
      <Box role="status">
        {done === undefined ? null : (
          <Alert severity="info" role="none">
            <AlertTitle>{done.title}</AlertTitle>
            {done.text}
          </Alert>
        )}
      </Box>
      <Explanation purchase={purchase} />
      <Actions purchase={purchase} onDone={setDone} />
      <Box sx={beside}>
        <Timeline purchase={purchase} />
        <Box sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
          <Money purchase={purchase} />
          <Messages purchase={purchase} />
        </Box>
      </Box>
      <Facts purchase={purchase} />
      <Callbacks purchase={purchase} />
      <Decisions purchase={purchase} />
      <AnswerPart purchase={purchase} />
    </>
  );
};

// An open purchase proceeds on its own, within seconds at first.
const refetchMs = 5000;

export const One = () => {
  const say = useText();
  const { time } = useFormat();
  const { id = '' } = useParams();
  const [open, setOpen] = useState(false);
  const found = useRead(
    'getPurchase',
    { params: { purchase_id: id } },
    { refetchInterval: open ? refetchMs : false },
  );
  const { data: purchase, error } = found;
  const isOpen = typeof purchase?.due_at === 'string';
  if (isOpen !== open) setOpen(isOpen);
  const title =
    purchase === undefined || purchase === null
      ? say('pages.purchases')
      : say('purchases.title', { time: time(purchase.began_at) });
  return (
    <Page title={title} crumbs={[{ label: say('pages.purchases'), to: '/purchases' }]}>
      <ErrorState error={error} retry={() => void found.refetch()} />
      {purchase === undefined || purchase === null ? (
        error === null ? (
          <Loading />
        ) : null
      ) : (
        <Shown key={purchase.id} purchase={purchase} />
      )}
    </Page>
  );
};
