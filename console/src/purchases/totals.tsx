/** Says how many purchases are shown, and how many match in all. */
import Typography from '@mui/material/Typography';
import type { Given } from '../api/client.ts';
import { useRead } from '../api/hooks.ts';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import type { Row } from './columns.tsx';

export const Totals = ({
  rows,
  body,
  isPart,
}: {
  readonly rows: readonly Row[];
  readonly body: Given<'sumPurchases'>['body'];
  /** Whether there are others on further pages: then the gateway adds up. */
  readonly isPart: boolean;
}) => {
  const say = useText();
  const { count, money } = useFormat();
  const { data } = useRead('sumPurchases', { body }, { enabled: isPart, staleTime: 30_000 });
  const totals = isPart
    ? data
    : {
        count: rows.length,
        amount: rows.reduce((sum, one) => sum + one.amount, 0),
        complete: true,
      };
  return (
    <Typography
      role="status"
      variant="body2"
      color="textSecondary"
      // Two lines on a phone, also before the sum is known: nothing below moves.
      sx={{ minHeight: { xs: '3.4em', sm: 0 } }}
    >
      {[
        ...(isPart ? [say('purchases.shown', { count: count(rows.length) })] : []),
        ...(totals === undefined || totals === null
          ? []
          : [
              say(totals.complete ? 'purchases.totals' : 'purchases.totalsPart', {
                count: count(totals.count),
                amount: money(totals.amount),
              }),
            ]),
      ].join(' · ')}
    </Typography>
  );
};
