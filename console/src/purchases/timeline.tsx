/** Shows the timeline of a purchase; a run of inquiries is one line that opens. */
import type { Tone } from '../design/data/badge.tsx';
import { Timeline as Entries, type TimelineEntry } from '../design/data/timeline.tsx';
import { Section } from '../design/page/section.tsx';
import { useFormat } from '../format.ts';
import { type TextKey, useText } from '../i18n/text.ts';
import type { Purchase } from './explain.ts';
import { runsOf } from './timeline-runs.ts';
import { useFactWords } from './use-fact-words.ts';

type Happening = Purchase['timeline'][number];
type Kind = Happening['kind'];

const kinds: Readonly<Record<Kind, TextKey>> = {
  'held and submitted': 'purchaseWords.happening.begun',
  order: 'purchaseWords.happening.order',
  inquiry: 'purchaseWords.happening.inquiry',
  report: 'purchaseWords.happening.report',
  callback: 'purchaseWords.happening.callback',
  'late answer': 'purchaseWords.happening.lateAnswer',
  testimony: 'purchaseWords.happening.testimony',
  reversal: 'purchaseWords.happening.reversal',
  contradiction: 'purchaseWords.happening.contradiction',
  'dispute closed': 'purchaseWords.happening.closed',
  decision: 'purchaseWords.happening.decision',
  succeeded: 'purchaseWords.happening.succeeded',
  failed: 'purchaseWords.happening.failed',
  refused: 'purchaseWords.happening.refused',
};

const tones: Readonly<Partial<Record<Kind, Tone>>> = {
  succeeded: 'good',
  failed: 'bad',
  refused: 'bad',
  reversal: 'attention',
  contradiction: 'attention',
};

const useEntry = (): ((event: Happening, key: string) => TimelineEntry) => {
  const say = useText();
  const wordsOf = useFactWords();
  const { time } = useFormat();
  return ({ at, kind, fact }, key) => ({
    key,
    title: say(kinds[kind]),
    time: time(at),
    ...(tones[kind] === undefined ? {} : { tone: tones[kind] }),
    ...(fact === null ? {} : { detail: <bdi>{wordsOf(fact)}</bdi> }),
  });
};

export const Timeline = ({ purchase }: { readonly purchase: Purchase }) => {
  const say = useText();
  const { count, time } = useFormat();
  const entryOf = useEntry();
  // Events have no ids and never move: their place is the key.
  const entries = runsOf(purchase.timeline).map((run, place): TimelineEntry => {
    const [first] = run;
    const last = run.at(-1) ?? first;
    const entry = entryOf(last, String(place));
    if (run.length === 1) return entry;
    const times = { from: time(first.at, 'short'), to: time(last.at, 'short') };
    return {
      ...entry,
      title: say('purchases.times', { what: entry.title, count: count(run.length) }),
      time: say('purchases.between', times),
      folded: {
        label: say('purchases.showAll', { count: count(run.length) }),
        entries: run.map((event, index) => entryOf(event, String(index))),
      },
    };
  });
  return (
    <Section title={say('purchases.timeline')}>
      <Entries entries={entries} />
    </Section>
  );
};
