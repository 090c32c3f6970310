/** Says how far an action on several purchases is, and how it ended. */
import Typography from '@mui/material/Typography';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { countResults, type Result } from './each.ts';

export const Progress = ({
  results,
  of,
  isOver,
}: {
  readonly results: ReadonlyMap<string, Result<unknown>>;
  readonly of: number;
  readonly isOver: boolean;
}) => {
  const say = useText();
  const { count } = useFormat();
  const { done, failed } = countResults(results);
  const text = isOver
    ? say('purchases.many.finished', { done: count(done), failed: count(failed) })
    : say('purchases.many.progress', { done: count(done + failed), count: count(of) });
  return (
    <Typography role="status" sx={{ fontWeight: 550 }}>
      {results.size === 0 ? '' : text}
    </Typography>
  );
};
