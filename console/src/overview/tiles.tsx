/** Shows the key figures at the top of the overview. */
import { DescriptionList } from '../design/data/description-list.tsx';
import { Stat, Stats } from '../design/data/stat.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import type { Overview } from './live.ts';

/** The newest part of the period with operator responses. */
const TimesTile = ({ overview }: { readonly overview: Overview }) => {
  const say = useText();
  const { duration, time } = useFormat();
  const last = overview.points.findLast(({ p50 }) => p50 !== null);
  const name = say('overview.times');
  if (last === undefined)
    return <Stat label={name} value={say('common.none')} help={say('overview.noTimes')} />;
  const style = overview.span === 'month' ? 'day' : 'minute';
  return (
    <Stat label={name} help={say('overview.timesAt', { time: time(last.at, style) })}>
      <DescriptionList
        rows={(['p50', 'p95', 'p99'] as const).map((part) => [
          say(`overview.${part}`),
          duration(Math.round(last[part] ?? 0)),
        ])}
      />
    </Stat>
  );
};

export const Tiles = ({ overview }: { readonly overview: Overview }) => {
  const say = useText();
  const { count, percent, ago } = useFormat();
  const { now, at } = overview;
  const rate = now.success_rate;
  const ageOf = (began: string | null): string =>
    began === null ? say('common.none') : ago(began, Date.parse(at));
  return (
    <Stats>
      <Stat label={say('overview.perMinute')} value={count(now.per_minute)} />
      <Stat
        label={say('overview.rate')}
        value={rate === null ? say('common.none') : percent(rate)}
        help={say(rate === null ? 'overview.noRate' : 'overview.rateHelp')}
      />
      <TimesTile overview={overview} />
      <Stat
        label={say('overview.pending')}
        value={count(now.pending)}
        help={say('overview.pendingHelp')}
        link={{ to: '/purchases?state=open', text: say('overview.pendingLink') }}
      />
      <Stat
        label={say('overview.review')}
        value={count(now.review)}
        help={say('overview.reviewHelp')}
        link={{ to: '/purchases?needs_person=1', text: say('overview.reviewLink') }}
      />
      <Stat label={say('overview.oldest')}>
        <DescriptionList
          rows={[
            [say('overview.pending'), ageOf(now.pending_oldest_at)],
            [say('overview.review'), ageOf(now.review_oldest_at)],
          ]}
        />
      </Stat>
    </Stats>
  );
};
