/** Shows the overview: what needs attention, what was sold in a period, and the present. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useRead } from '../api/hooks.ts';
import { AlertList } from '../design/data/alert-list.tsx';
import { Badge } from '../design/data/badge.tsx';
import { Page } from '../design/page/page.tsx';
import { screenReaderOnly } from '../design/screen-reader-only.ts';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { SpanPicker } from '../sales/span-picker.tsx';
import { namedSpans } from '../sales/view.ts';
import { useAlertLines, useAlerts } from './alerts.ts';
import { Charts } from './charts.tsx';
import { Checklist, useSetup } from './checklist.tsx';
import { type Mode, type Overview, type Span, useOverview } from './live.ts';
import { Now } from './now.tsx';
import { Operators } from './operators.tsx';
import { Sold } from './sold.tsx';
import { Top } from './top.tsx';

const tones = { live: 'good', asking: 'attention', connecting: 'plain' } as const;

/** Whether it is live; announced on change, and not with every figure. */
const Liveness = ({ mode, at }: { readonly mode: Mode; readonly at: string | undefined }) => {
  const say = useText();
  const { time } = useFormat();
  return (
    <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
      <span role="status">
        <Badge tone={tones[mode]} label={say(`overview.${mode}`)} />
      </span>
      {at === undefined ? null : (
        <Typography
          variant="body2"
          color="textSecondary"
          sx={{ fontVariantNumeric: 'tabular-nums' }}
        >
          {say('overview.updated', { time: time(at, 'clock') })}
        </Typography>
      )}
    </Box>
  );
};

// Screen readers announce the figures this often, and not every two seconds.
const announceEveryMs = 60_000;

const Spoken = ({ overview }: { readonly overview: Overview }) => {
  const say = useText();
  const { count, percent } = useFormat();
  const { now } = overview;
  const words = say('overview.summary', {
    perMinute: count(now.per_minute),
    rate: now.success_rate === null ? say('common.none') : percent(now.success_rate),
    pending: count(now.pending),
    review: count(now.review),
  });
  const latest = useRef(words);
  useEffect(() => {
    latest.current = words;
  }, [words]);
  const [announced, setAnnounced] = useState('');
  useEffect(() => {
    const timer = setInterval(() => setAnnounced(latest.current), announceEveryMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <Box role="status" sx={screenReaderOnly}>
      {announced}
    </Box>
  );
};

/** Nothing is shown when all is well. */
const Attention = () => {
  const say = useText();
  const lines = useAlertLines();
  if (lines.length === 0) return null;
  return (
    <Box component="section" aria-label={say('alerts.title')}>
      <AlertList lines={lines} />
    </Box>
  );
};

const salesEveryMs = 15_000;

const useSales = (span: Span) =>
  useRead(
    'getSalesOverview',
    { query: { period: span } },
    { keep: true, refetchInterval: salesEveryMs },
  );

/** Everything that the chosen period rules. */
const Period = ({ overview, span }: { readonly overview: Overview; readonly span: Span }) => {
  const sales = useSales(span);
  const { data } = sales;
  // The figures of the period before stay visible until those of the chosen one arrive.
  if (overview.span !== span) return <Loading shape="stats" />;
  return (
    <>
      <ErrorState error={sales.error} retry={() => void sales.refetch()} />
      {data ? <Sold sales={data} overview={overview} /> : <Loading shape="stats" />}
      <Charts overview={overview} />
      {data ? <Top sales={data} span={span} /> : null}
      <Operators overview={overview} />
    </>
  );
};

const All = ({
  overview,
  span,
  onSpan,
}: {
  readonly overview: Overview;
  readonly span: Span;
  readonly onSpan: (span: Span) => void;
}) => {
  const say = useText();
  return (
    <>
      <Spoken overview={overview} />
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          gap: 1,
          alignItems: 'center',
          justifyContent: 'space-between',
          mt: 1,
        }}
      >
        <Typography variant="h2">{say('pages.sales')}</Typography>
        <SpanPicker span={span} onChoose={onSpan} />
      </Box>
      <Period overview={overview} span={span} />
      <Now overview={overview} />
    </>
  );
};

export default function OverviewPage() {
  const say = useText();
  const [params, setParams] = useSearchParams();
  const span = namedSpans.find((one) => one === params.get('span')) ?? 'today';
  const { overview, mode, error } = useOverview(span);
  // All of it appears at once: what came later would push the rest down.
  const pending = [useSales(span).isPending, useAlerts().isPending, useSetup().isPending];
  const isLoading = (overview === undefined && error === null) || pending.includes(true);
  return (
    <Page title={say('pages.overview')} state={<Liveness mode={mode} at={overview?.at} />}>
      {isLoading ? (
        <Loading shape="page" />
      ) : (
        <>
          <Attention />
          <Checklist />
          <ErrorState error={error} />
          {overview === undefined ? null : (
            <All
              overview={overview}
              span={span}
              onSpan={(chosen) => setParams({ span: chosen }, { replace: true })}
            />
          )}
        </>
      )}
    </Page>
  );
}
