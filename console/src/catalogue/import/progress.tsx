/** Shows the progress of an import: its phase, and a bar when the total is known. */
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import type { Progress } from './lines.ts';

export const ImportProgress = ({ progress }: { readonly progress: Progress }) => {
  const say = useText();
  const { count } = useFormat();
  const { phase, done, of } = progress;
  const far =
    done === undefined || of === undefined
      ? undefined
      : { text: say('catalogueImport.far', { done: count(done), of: count(of) }), done, of };
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      {/* Only the phase is announced: a running number would never be read to its end. */}
      <Typography role="status">{say(`catalogueImport.phases.${phase}`)}</Typography>
      <LinearProgress
        aria-label={say('catalogueImport.progress')}
        {...(far === undefined
          ? { variant: 'indeterminate' }
          : {
              variant: 'determinate',
              value: far.of === 0 ? 100 : Math.min(100, (far.done / far.of) * 100),
              'aria-valuetext': far.text,
            })}
      />
      {far === undefined ? null : (
        <Typography variant="body2" aria-hidden="true">
          {far.text}
        </Typography>
      )}
    </Box>
  );
};
