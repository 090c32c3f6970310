/** Shows an operator's health, breaker state and source of settings. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Badge } from '../design/data/badge.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { breakerTones, type Listed, tones } from './operator.ts';

export const Health = ({ operator }: { readonly operator: Listed }) => {
  const say = useText();
  const { health } = operator;
  return (
    <Box sx={{ display: 'grid', gap: 0.5, justifyItems: 'start', minWidth: 0 }}>
      <Badge tone={tones[health]} label={say(`operators.${health}`)} />
      {health === 'up' ? null : (
        <Typography variant="body2" color="textSecondary">
          {say(`operators.${health}Means`)}
        </Typography>
      )}
    </Box>
  );
};

export const Since = ({ operator: { since } }: { readonly operator: Listed }) => {
  const say = useText();
  const { time } = useFormat();
  return since === null ? say('operators.sinceStart') : time(since, 'short');
};

export const Breaker = ({ operator: { breaker } }: { readonly operator: Listed }) => {
  const say = useText();
  return <Badge tone={breakerTones[breaker]} label={say(`operators.${breaker}`)} />;
};

/** Whose settings are in use. */
export const useFrom = (): ((operator: Pick<Listed, 'settings_from'>) => string) => {
  const say = useText();
  return ({ settings_from: from }) =>
    say(from === 'file' ? 'operators.fromFile' : 'operators.fromConsole');
};
