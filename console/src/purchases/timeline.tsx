/** Shows the timeline of a purchase, attempt by attempt. */
import type { Tone } from '../design/data/badge.tsx';
import { Timeline as Entries } from '../design/data/timeline.tsx';
import { Section } from '../design/page/section.tsx';
import { useFormat } from '../format.ts';
import { type TextKey, useText } from '../i18n/text.ts';
import type { Purchase } from './explain.ts';
import { useFactWords } from './use-fact-words.ts';

type Kind = Purchase['timeline'][number]['kind'];

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

export const Timeline = ({ purchase }: { readonly purchase: Purchase }) => {
  const say = useText();
  const wordsOf = useFactWords();
  const { time } = useFormat();
  return (
    <Section title={say('purchases.timeline')}>
      <Entries
        // Entries have no ids and never move: the index is the key.
        entries={purchase.timeline.map(({ at, kind, fact }, place) => ({
          key: String(place),
          title: say(kinds[kind]),
          time: time(at),
          ...(tones[kind] === undefined ? {} : { tone: tones[kind] }),
          ...(fact === null ? {} : { detail: <bdi>{wordsOf(fact)}</bdi> }),
        }))}
      />
    </Section>
  );
};
