/** Shows the charts of a period: amounts, purchases and response times. */
import Box from '@mui/material/Box';
import { type Format, useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { Chart } from './chart.tsx';
import type { Overview } from './live.ts';

/** The names of the points, and their labels on the axis: hours of one day, or days. */
const namesOf = ({ points, span }: Overview, { time }: Format) => {
  const style = span === 'today' || span === 'yesterday' ? 'minute' : 'day';
  const names = points.map(({ at }) => time(at, style));
  return { times: names, labels: names };
};

// Response times below it are all short.
const leastTimeMs = 10;
const parts = ['p50', 'p95', 'p99'] as const;
const lineStyles = { p50: 'first', p95: 'second', p99: 'third' } as const;
const ends = [
  ['succeeded', 'good'],
  ['failed', 'bad'],
  ['refused', 'away'],
] as const;

export const Charts = ({ overview }: { readonly overview: Overview }) => {
  const say = useText();
  const format = useFormat();
  const { points } = overview;
  const common = {
    ...namesOf(overview, format),
    write: format.count,
    writeAxis: format.compact,
    note: say('overview.businessDays'),
  };
  const amountTitle =
    format.unit === ''
      ? say('overview.chartAmount')
      : say('overview.chartAmountIn', { currency: format.unit });
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: { xs: '1fr', lg: '1fr 1fr 1fr' },
        '& > *': { minWidth: 0 },
      }}
    >
      <Chart
        {...common}
        kind="bars"
        title={amountTitle}
        series={[
          {
            name: say('overview.amount'),
            styleName: 'good',
            values: points.map(({ amount }) => amount),
          },
        ]}
      />
      <Chart
        {...common}
        kind="bars"
        title={say('overview.chartCounts')}
        series={ends.map(([name, styleName]) => ({
          name: say(`overview.${name}`),
          styleName,
          values: points.map((point) => point[name]),
        }))}
      />
      <Chart
        {...common}
        kind="lines"
        leastTop={leastTimeMs}
        title={say('overview.chartTimes')}
        series={parts.map((part) => ({
          name: say(`overview.${part}`),
          styleName: lineStyles[part],
          values: points.map((point) => (point[part] === null ? null : Math.round(point[part]))),
        }))}
      />
    </Box>
  );
};
