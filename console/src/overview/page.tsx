/** Shows the overview: live figures, charts, operators and low balances. */
import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Badge } from '../design/data/badge.tsx';
import { Page } from '../design/page/page.tsx';
import { screenReaderOnly } from '../design/screen-reader-only.ts';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { Charts } from './charts.tsx';
import { type Mode, type Overview, type Span, useOverview } from './live.ts';
import { LowBalances } from './low-balances.tsx';
import { Operators } from './operators.tsx';
import { Tiles } from './tiles.tsx';

const spans: readonly Span[] = ['hour', 'day', 'month'];

const SpanPicker = ({
  span,
  onChoose,
}: {
  readonly span: Span;
  readonly onChoose: (span: Span) => void;
}) => {
  const say = useText();
  return (
    <ToggleButtonGroup exclusive size="small" value={span} aria-label={say('overview.span')}>
      {spans.map((one) => (
        <ToggleButton key={one} value={one} onClick={() => onChoose(one)}>
          {say(`overview.${one}`)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
};

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

const All = ({ overview }: { readonly overview: Overview }) => {
  const say = useText();
  return (
    <>
      <Spoken overview={overview} />
      <Box component="section" aria-label={say('overview.now')}>
        <Typography variant="h2" sx={{ mb: 1 }}>
          {say('overview.now')}
        </Typography>
        <Tiles overview={overview} />
      </Box>
      <Charts overview={overview} />
      <Operators overview={overview} />
      <LowBalances overview={overview} />
    </>
  );
};

export default function OverviewPage() {
  const say = useText();
  const [params, setParams] = useSearchParams();
  const span = spans.find((one) => one === params.get('span')) ?? 'hour';
  const { overview, mode, error } = useOverview(span);
  return (
    <Page
      title={say('pages.overview')}
      actions={
        <SpanPicker
          span={span}
          onChoose={(chosen) => setParams({ span: chosen }, { replace: true })}
        />
      }
    >
      <Liveness mode={mode} at={overview?.at} />
      <ErrorState error={error} />
      {overview === undefined ? error === null ? <Loading /> : null : <All overview={overview} />}
    </Page>
  );
}
