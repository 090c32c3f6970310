/** Shows one purchase: explanation, actions, timeline, money and details. */
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { useParams } from 'react-router';
import { useRead } from '../api/hooks.ts';
import { useBackLink } from '../api/list-location.ts';
import { useProductName } from '../catalogue/names.ts';
import { DecideIcon } from '../design/icons.tsx';
import type { Crumb } from '../design/page/breadcrumbs.tsx';
import { Page } from '../design/page/page.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { TestBadge } from '../parts/test-badge.tsx';
import { Callbacks } from './callbacks.tsx';
import { Cost } from './cost.tsx';
import { AnswerPart, Decisions } from './decisions.tsx';
import { type Done, explain, type Purchase } from './explain.ts';
import { Facts } from './facts.tsx';
import { Inquire } from './inquire.tsx';
import { LeftSuppliers } from './left.tsx';
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
  return (
    <Section title={say('purchases.explanation')}>
      <Alert severity={severities[purchase.state]} variant="outlined" role="note" icon={false}>
        {explain(purchase, say, format).map((sentence) => (
          <Typography key={sentence} sx={{ overflowWrap: 'anywhere' }}>
            {sentence}
          </Typography>
        ))}
      </Alert>
    </Section>
  );
};

/** The details stay beside what happened; on a phone they follow the summary. */
const layout = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 22.5rem' },
  gridTemplateAreas: { xs: '"first" "facts" "rest"', lg: '"first facts" "rest facts"' },
  gridTemplateRows: { lg: 'auto 1fr' },
  alignItems: 'start',
} as const;

const stack = { display: 'grid', gap: 2, minWidth: 0 } as const;

/** What was just done, in words. */
const DoneNotice = ({ done }: { readonly done: Done | undefined }) => (
  // Empty, it takes no room among the parts.
  <Box role="status" sx={{ '&:empty': { marginTop: -2 } }}>
    {done === undefined ? null : (
      <Alert severity="info" role="none">
        <AlertTitle>{done.title}</AlertTitle>
        {done.text}
      </Alert>
    )}
  </Box>
);

const Parts = ({
  purchase,
  children,
}: {
  readonly purchase: Purchase;
  /** Between the summary and the rest: the decision. */
  readonly children: ReactNode;
}) => (
  <Box sx={layout}>
    <Box sx={{ ...stack, gridArea: 'first' }}>
      <Explanation purchase={purchase} />
      {children}
    </Box>
    <Box sx={{ gridArea: 'facts', minWidth: 0, position: { lg: 'sticky' }, top: 16 }}>
      <Facts purchase={purchase} />
    </Box>
    <Box sx={{ ...stack, gridArea: 'rest' }}>
      <Timeline purchase={purchase} />
      <LeftSuppliers purchase={purchase} />
      <Money purchase={purchase} />
      <Cost purchase={purchase} />
      <Messages purchase={purchase} />
      <Callbacks purchase={purchase} />
      <Decisions purchase={purchase} />
      <AnswerPart purchase={purchase} />
    </Box>
  </Box>
);

/** What was bought for whom; the number stays in one piece in either direction. */
const useTitle = (): ((purchase: Purchase) => string) => {
  const say = useText();
  const { digits } = useFormat();
  const productName = useProductName();
  return ({ product, mobile }) =>
    say('purchases.title', {
      product: productName(product) ?? say('purchases.productNumber', { id: product.id }),
      number: `\u2066${digits(mobile.replace(/\*+/, '***'))}\u2069`,
    });
};

const Shown = ({
  purchase,
  crumbs,
  notice,
}: {
  readonly purchase: Purchase;
  readonly crumbs: readonly Crumb[];
  readonly notice: ReactNode;
}) => {
  const say = useText();
  const { time, money } = useFormat();
  const titleOf = useTitle();
  const [done, setDone] = useState<Done>();
  const [deciding, setDeciding] = useState(false);
  const { state, disputed, may, client, amount, began_at: at } = purchase;
  return (
    <Page
      title={titleOf(purchase)}
      crumbs={crumbs}
      state={<StateChip state={state} disputed={disputed !== null} />}
      subtitle={
        <>
          <bdi>{client.name}</bdi> <TestBadge test={client.test} /> ·{' '}
          {say('purchases.subtitle', { amount: money(amount), time: time(at) })}
        </>
      }
      actions={
        <>
          {may.inquire ? <Inquire purchase={purchase} onDone={setDone} /> : null}
          {may.resolve && !deciding ? (
            <Button
              variant="contained"
              startIcon={<DecideIcon />}
              onClick={() => setDeciding(true)}
            >
              {say('purchases.resolve')}
            </Button>
          ) : null}
        </>
      }
    >
      {notice}
      <DoneNotice done={done} />
      <Parts purchase={purchase}>
        {deciding ? (
          <Resolve
            purchase={purchase}
            onClose={() => setDeciding(false)}
            onDone={(what) => {
              setDeciding(false);
              setDone(what);
              // What was done is said at the top.
              window.scrollTo(0, 0);
            }}
          />
        ) : null}
      </Parts>
    </Page>
  );
};

// An open purchase proceeds on its own, within seconds at first.
const refetchMs = 5000;

export const One = () => {
  const say = useText();
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
  const crumbs = [{ label: say('pages.purchases'), ...useBackLink('/purchases') }];
  const notice = <ErrorState error={error} retry={() => void found.refetch()} />;
  if (purchase === undefined || purchase === null) {
    return (
      <Page title={say('pages.purchases')} crumbs={crumbs}>
        {notice}
        {error === null ? <Loading /> : null}
      </Page>
    );
  }
  return <Shown key={purchase.id} purchase={purchase} crumbs={crumbs} notice={notice} />;
};
