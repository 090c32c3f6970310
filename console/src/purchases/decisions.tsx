/** Shows the decisions made about a purchase, and the response its client gets. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Badge } from '../design/data/badge.tsx';
import { CodeBlock } from '../design/data/code-block.tsx';
import { Section } from '../design/page/section.tsx';
import { Empty } from '../design/states/empty.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { type TextKey, useText } from '../i18n/text.ts';
import type { Purchase } from './explain.ts';
import { needsDecision } from './needs-decision.ts';
import { useFactWords } from './use-fact-words.ts';

type Decision = Purchase['decisions'][number];

const useColumns = (): readonly Column<Decision>[] => {
  const say = useText();
  const wordsOf = useFactWords();
  const { time } = useFormat();
  return [
    { key: 'at', label: say('purchases.at'), cell: ({ at }) => time(at) },
    { key: 'by', label: say('purchases.by'), cell: ({ by }) => <bdi>{by}</bdi> },
    {
      key: 'decided',
      wrap: true,
      label: say('purchases.decided'),
      cell: ({ after, forced }) => (
        <Box sx={{ display: 'grid', gap: 0.5, justifyItems: 'start' }}>
          {say(
            after['decided'] === 'succeeded'
              ? 'purchases.decidedDelivered'
              : 'purchases.decidedNot',
          )}
          {forced ? <Badge tone="attention" label={say('purchases.forced')} /> : null}
        </Box>
      ),
    },
    {
      key: 'reason',
      wrap: true,
      label: say('common.reason'),
      cell: ({ reason }) => <bdi>{reason}</bdi>,
    },
    {
      key: 'evidence',
      wrap: true,
      label: say('purchases.evidence'),
      cell: ({ evidence }) => <bdi>{evidence.map(wordsOf).join('. ')}</bdi>,
    },
  ];
};

/** The text for a purchase without decisions. */
const withoutDecision = ({ state, disputed }: Purchase): TextKey => {
  if (needsDecision({ state, disputed })) return 'purchases.decisionNeeded';
  return state === 'submitted' || state === 'unknown'
    ? 'purchases.noDecisionYet'
    : 'purchases.noDecisions';
};

export const Decisions = ({ purchase }: { readonly purchase: Purchase }) => {
  const say = useText();
  const columns = useColumns();
  return (
    <Section title={say('purchases.decisions')}>
      {purchase.decisions.length === 0 ? (
        <Empty text={say(withoutDecision(purchase))} />
      ) : (
        <Table
          name={say('purchases.decisions')}
          columns={columns}
          rows={purchase.decisions}
          keyOf={({ at, by }) => `${at} ${by}`}
        />
      )}
    </Section>
  );
};

/** Formatted, if it is JSON. */
const readable = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};

export const AnswerPart = ({ purchase }: { readonly purchase: Purchase }) => {
  const say = useText();
  const { answer } = purchase;
  if (answer === null) {
    return (
      <Section title={say('purchases.answer')}>
        <Typography>{say('purchases.noAnswer')}</Typography>
      </Section>
    );
  }
  return (
    <Section title={say('purchases.answer')}>
      <Typography gutterBottom>
        {say('purchases.answerStatus', { status: answer.status })}
      </Typography>
      <CodeBlock name={say('purchases.answer')} code={readable(answer.body)} />
    </Section>
  );
};
