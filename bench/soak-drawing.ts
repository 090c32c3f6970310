/** Draws the curves of a soak test. */
import type { Second } from './soak-report.ts';
import type { Sample } from './soak-sampler.ts';
import { draw, type Series } from './svg.ts';

/** The load's report of a second, and the server's figures then. */
export type Moment = Second & Sample;

export const drawSoak = (moments: readonly Moment[], subtitle: string): string => {
  const curve = (name: string, of: (moment: Moment) => number): Series => ({
    name,
    points: moments.map((moment) => [moment.at / 60, of(moment)]),
  });
  return draw({
    title: 'Simgate under steady load',
    subtitle,
    timeUnit: 'minutes',
    panels: [
      {
        title: 'Purchases',
        unit: 'a second',
        series: [
          curve('answered', ({ perSecond }) => perSecond),
          curve('wrong answers', ({ errors }) => errors),
        ],
      },
      {
        title: 'Time of a healthy purchase',
        unit: 'ms',
        limit: 250,
        series: [curve('p50', ({ p50 }) => p50), curve('p99', ({ p99 }) => p99)],
      },
      {
        title: 'Not final yet',
        unit: 'purchases',
        series: [
          curve('pending', ({ pending }) => pending),
          curve('in review', ({ review }) => review),
        ],
      },
      { title: 'Memory', unit: 'MB', series: [curve('resident', ({ memoryMb }) => memoryMb)] },
      {
        title: 'Database',
        unit: 'MB',
        series: [curve('data', ({ databaseMb }) => databaseMb), curve('log', ({ logMb }) => logMb)],
      },
      {
        title: 'Delay of the event loop',
        unit: 'ms',
        series: [curve('longest in a second', ({ delayMs }) => delayMs)],
      },
    ],
  });
};
