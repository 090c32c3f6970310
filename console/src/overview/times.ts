/** Writes response times: the p95 as the figure, with the other percentiles below it. */
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';

type Times = {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
};

// The p95 is the figure itself.
const others = ['p50', 'p99'] as const;

/** The value and the help of a figure. */
export const useTimesText = () => {
  const say = useText();
  const { count } = useFormat();
  const written = (ms: number): string => say('overview.ms', { value: count(Math.round(ms)) });
  return (times: Times): { readonly value: string; readonly help: string } => {
    if (times.p95 === null) return { value: say('common.none'), help: say('overview.noTimes') };
    const more = others.map((part) =>
      say('overview.timesShort', {
        part: say(`overview.${part}`),
        time: written(times[part] ?? 0),
      }),
    );
    return { value: written(times.p95), help: more.join(' · ') };
  };
};
