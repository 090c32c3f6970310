/** Shows what was sold in a period, compared with the one before, and how purchases went. */
import Box from '@mui/material/Box';
import type { Answer } from '../api/client.ts';
import { type Delta, Stat } from '../design/data/stat.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import type { Overview, Span } from './live.ts';
import { useTimesText } from './times.ts';

export type Sales = Answer<'getSalesOverview'>;

/**
 * How much more or less it is than before, in words. More is good, unless money went back. Today is compared with
 * a whole day: that it has less so far is neither good nor bad.
 */
const useDelta = (span: Span) => {
  const say = useText();
  const { percent } = useFormat();
  const period = say(`overview.before.${span}`);
  return (now: number, before: number, isBad = false): Delta => {
    if (before === now) {
      return { text: say('overview.same', { period }), direction: 'flat', tone: 'plain' };
    }
    if (before <= 0) {
      return { text: say('overview.nothingBefore'), direction: 'flat', tone: 'plain' };
    }
    const isMore = now > before;
    return {
      text: say(isMore ? 'overview.more' : 'overview.less', {
        percent: percent(Math.abs(now - before) / before),
        period,
      }),
      direction: isMore ? 'up' : 'down',
      tone: span === 'today' && !isMore ? 'plain' : isMore === isBad ? 'bad' : 'good',
    };
  };
};

const successRate = ({ succeeded, failed }: Overview['totals']): number | null =>
  succeeded + failed === 0 ? null : succeeded / (succeeded + failed);

/** Where the largest amounts fit beside each other; on a phone, money and times take a whole line. */
const gridOf = (wide: number) =>
  ({
    display: 'grid',
    gap: { xs: 1, sm: 2 },
    gridTemplateColumns: {
      xs: '1fr 1fr',
      sm: 'repeat(3, minmax(0, 1fr))',
      lg: `repeat(${wide}, minmax(0, 1fr))`,
    },
    '& > *': { minWidth: 0 },
    '& > :is(:first-of-type, :last-of-type)': { gridColumn: { xs: '1 / -1', sm: 'auto' } },
  }) as const;

export const Sold = ({
  sales,
  overview,
}: {
  readonly sales: Sales;
  readonly overview: Overview;
}) => {
  const say = useText();
  const { count, money, percent } = useFormat();
  const timesText = useTimesText();
  const delta = useDelta(overview.span);
  const { totals, previous } = sales[overview.span];
  const before = previous.totals;
  const done = overview.totals;
  const rate = successRate(done);
  return (
    <Box sx={gridOf(totals.cost === null ? 3 : 4)}>
      <Stat
        label={say('overview.soldAmount')}
        value={money(totals.amount)}
        delta={delta(totals.amount, before.amount)}
      />
      {totals.margin === null ? null : (
        <Stat
          label={say('overview.margin')}
          value={money(totals.margin)}
          delta={delta(totals.margin, before.margin ?? 0)}
        />
      )}
      {totals.cost === null ? null : (
        <Stat
          label={say('overview.cost')}
          value={money(totals.cost)}
          {...(totals.uncosted === 0
            ? {}
            : { help: say('overview.uncosted', { count: count(totals.uncosted ?? 0) }) })}
        />
      )}
      <Stat
        label={say('overview.soldCount')}
        value={count(totals.sold)}
        delta={delta(totals.sold, before.sold)}
      />
      <Stat
        label={say('overview.reversedAmount')}
        value={money(totals.reversed_amount)}
        delta={delta(totals.reversed_amount, before.reversed_amount, true)}
      />
      <Stat
        label={say('overview.chartCounts')}
        value={count(done.begun)}
        help={say('overview.begunHelp', {
          succeeded: count(done.succeeded),
          failed: count(done.failed),
          refused: count(done.refused),
        })}
      />
      <Stat
        label={say('overview.rate')}
        value={rate === null ? say('common.none') : percent(rate)}
        help={say(rate === null ? 'overview.noRate' : 'overview.rateHelpSpan')}
      />
      <Stat label={say('overview.times')} {...timesText(done)} />
    </Box>
  );
};
