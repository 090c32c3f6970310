/** Shows the charts of the overview and the totals of the period. */
import Box from '@mui/material/Box';
import { DescriptionList } from '../design/data/description-list.tsx';
import { Section } from '../design/page/section.tsx';
import { type Format, type TimeStyle, useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { Chart } from './chart.tsx';
import type { Overview, Span } from './live.ts';

const styles: Readonly<Record<Span, { readonly label: TimeStyle; readonly name: TimeStyle }>> = {
  hour: { label: 'minute', name: 'minute' },
  day: { label: 'minute', name: 'short' },
  month: { label: 'day', name: 'day' },
};

/** The names of the points, and their labels on the axis. */
const namesOf = ({ points, span }: Overview, { time }: Format) => ({
  times: points.map(({ at }) => time(at, styles[span].name)),
  labels: points.map(({ at }) => time(at, styles[span].label)),
});

const Totals = ({ overview }: { readonly overview: Overview }) => {
  const say = useText();
  const { count, money, duration } = useFormat();
  const { totals } = overview;
  return (
    <Section title={say('overview.totals')}>
      <DescriptionList
        rows={[
          ...(['begun', 'succeeded', 'failed', 'refused'] as const).map(
            (name) => [say(`overview.${name}`), count(totals[name])] as const,
          ),
          [say('overview.amount'), money(totals.amount)],
          ...(['p50', 'p95', 'p99'] as const).map((part) => {
            const ms = totals[part];
            const name = say('overview.timesOf', { part: say(`overview.${part}`) });
            return [name, ms === null ? say('common.none') : duration(Math.round(ms))] as const;
          }),
        ]}
      />
    </Section>
  );
};

export const Charts = ({ overview }: { readonly overview: Overview }) => {
  const say = useText();
  const format = useFormat();
  const { points, span } = overview;
  const common = {
    ...namesOf(overview, format),
    write: (value: number) => format.count(value),
    ...(span === 'month' ? { note: say('overview.businessDays') } : {}),
  };
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: { xs: '1fr', lg: '1fr 1fr' },
        '& > *': { minWidth: 0 },
      }}
    >
      <Chart
        {...common}
        kind="bars"
        title={say('overview.chartCounts')}
        series={[
          {
            name: say('overview.succeeded'),
            styleName: 'good',
            values: points.map(({ succeeded }) => succeeded),
          },
          {
            name: say('overview.failed'),
            styleName: 'bad',
            values: points.map(({ failed }) => failed),
          },
          {
            name: say('overview.refused'),
            styleName: 'away',
            values: points.map(({ refused }) => refused),
          },
        ]}
      />
      <Chart
        {...common}
        kind="lines"
        title={say('overview.chartTimes')}
        series={[
          { name: say('overview.p50'), styleName: 'first', values: points.map(({ p50 }) => p50) },
          { name: say('overview.p95'), styleName: 'second', values: points.map(({ p95 }) => p95) },
          { name: say('overview.p99'), styleName: 'third', values: points.map(({ p99 }) => p99) },
        ]}
      />
      <Chart
        {...common}
        kind="bars"
        title={
          format.unit === ''
            ? say('overview.chartAmount')
            : say('overview.chartAmountIn', { currency: format.unit })
        }
        series={[
          {
            name: say('overview.amount'),
            styleName: 'good',
            values: points.map(({ amount }) => amount),
          },
        ]}
      />
      <Totals overview={overview} />
    </Box>
  );
};
