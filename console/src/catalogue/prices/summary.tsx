/** Shows what a price change does as a whole, at the bottom of the window, and applies it when confirmed. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Stat } from '../../design/data/stat.tsx';
import { ConfirmDialog } from '../../design/dialog/confirm-dialog.tsx';
import { card } from '../../design/page/card.ts';
import { ErrorState } from '../../design/states/error-state.tsx';
import { type Format, useFormat } from '../../format.ts';
import { type Say, useText } from '../../i18n/text.ts';
import { percentText } from '../delta.ts';
import { useAskedText } from './asked.ts';
import type { Preview } from './preview.tsx';
import type { PricesBody } from './price-update.ts';

type Summary = Preview['summary'];

const wordsOf = (say: Say, format: Format, { before, after, percent }: Summary): string => {
  const sums = { before: format.money(before), after: format.money(after) };
  if (percent === null) return say('cataloguePrices.applyTextPlain', sums);
  const { average, least, most } = percent;
  return say('cataloguePrices.applyText', {
    ...sums,
    average: percentText(format, average),
    least: percentText(format, least),
    most: percentText(format, most),
  });
};

const Figures = ({ preview, body }: { readonly preview: Preview; readonly body: PricesBody }) => {
  const say = useText();
  const format = useFormat();
  const asked = useAskedText()(body);
  const { changed, unchanged, refused_count: refused, summary } = preview;
  const { percent, rounded } = summary;
  const { count, money } = format;
  const sums = { before: money(summary.before), after: money(summary.after) };
  return (
    <>
      <Stat
        compact
        label={say('cataloguePrices.willChange')}
        value={count(changed)}
        help={`${say('cataloguePrices.willStay')}: ${count(unchanged)} · ${say('cataloguePrices.cannot')}: ${count(refused)}`}
      />
      <Stat
        compact
        label={say('cataloguePrices.effect')}
        value={percent === null ? say('common.none') : percentText(format, percent.average)}
        {...(percent === null
          ? {}
          : {
              help: say('cataloguePrices.effectSpan', {
                least: percentText(format, percent.least),
                most: percentText(format, percent.most),
              }),
            })}
      />
      <Stat
        compact
        label={say('cataloguePrices.asked')}
        value={asked ?? ''}
        help={say('cataloguePrices.roundedCount', { count: count(rounded) })}
      />
      <Stat
        compact
        label={say('cataloguePrices.sum')}
        value={money(summary.after)}
        help={say('cataloguePrices.sumOf', sums)}
      />
    </>
  );
};

export const PricesSummary = ({
  preview,
  body,
  busy,
  error,
  onApply,
}: {
  readonly preview: Preview;
  readonly body: PricesBody;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onApply: () => void;
}) => {
  const say = useText();
  const format = useFormat();
  const asked = useAskedText()(body) ?? '';
  const [isAsking, setAsking] = useState(false);
  const { changed, summary } = preview;
  if (changed === 0) return null;
  const values = { count: format.count(changed) };
  return (
    <Box
      component="section"
      aria-label={say('cataloguePrices.summary')}
      sx={{
        ...card,
        position: 'sticky',
        bottom: 8,
        zIndex: 3,
        p: { xs: 1.5, sm: 2 },
        display: 'grid',
        gap: { xs: 1, sm: 2 },
        gridTemplateColumns: { xs: '1fr 1fr', sm: 'repeat(auto-fit, minmax(9rem, 1fr))' },
        alignItems: 'center',
        boxShadow: 3,
      }}
    >
      <Figures preview={preview} body={body} />
      <Box sx={{ display: 'grid', gap: 1, gridColumn: { xs: '1 / -1', sm: 'auto' } }}>
        <Button variant="contained" loading={busy} onClick={() => setAsking(true)}>
          {say('cataloguePrices.apply', values)}
        </Button>
        <ErrorState error={error} />
      </Box>
      <ConfirmDialog
        open={isAsking}
        title={say('cataloguePrices.applyTitle', values)}
        text={
          <>
            <Typography>{say('cataloguePrices.askedFor', { asked })}</Typography>
            <Typography>{wordsOf(say, format, summary)}</Typography>
          </>
        }
        confirm={say('cataloguePrices.apply', values)}
        onConfirm={() => {
          setAsking(false);
          onApply();
        }}
        onClose={() => setAsking(false)}
      />
    </Box>
  );
};
