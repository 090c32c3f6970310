/** Shows the timeline of a purchase, attempt by attempt. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useFormat } from '../format.ts';
import { type TextKey, useText } from '../i18n/text.ts';
import { Section } from '../parts/page.tsx';
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

export const Timeline = ({ purchase }: { readonly purchase: Purchase }) => {
  const say = useText();
  const wordsOf = useFactWords();
  const { time } = useFormat();
  // Entries have no ids and never move: the index is the key.
  const lines = purchase.timeline.map((one, place) => ({ ...one, place }));
  return (
    <Section title={say('purchases.timeline')}>
      <Box
        component="ol"
        sx={{
          listStyle: 'none',
          m: 0,
          p: 0,
          borderInlineStart: ({ palette }) => `2px solid ${palette.divider}`,
          display: 'grid',
          gap: 1.5,
        }}
      >
        {lines.map(({ at, kind, fact, place }) => (
          <Box component="li" key={place} sx={{ paddingInlineStart: 2, minWidth: 0 }}>
            <Typography component="p" sx={{ fontWeight: 600 }}>
              {say(kinds[kind])}
            </Typography>
            <Typography variant="body2" color="textSecondary">
              {time(at)}
            </Typography>
            {fact === null ? null : (
              <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
                <bdi>{wordsOf(fact)}</bdi>
              </Typography>
            )}
          </Box>
        ))}
      </Box>
    </Section>
  );
};
