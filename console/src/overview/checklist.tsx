/** Leads from an empty gateway to the first sale; disappears when everything is done, or when it is hidden. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { useAccountPreferences } from '../account-preferences.ts';
import type { Answer } from '../api/client.ts';
import { useRead } from '../api/hooks.ts';
import { RoundMark } from '../design/data/round-mark.tsx';
import { TickMark } from '../design/icons.tsx';
import { Section } from '../design/page/section.tsx';
import { screenReaderOnly } from '../design/screen-reader-only.ts';
import { useColours } from '../design/theme/use-colours.ts';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useMay, useMe } from '../session.tsx';

type Setup = Answer<'getSetup'>;
type Account = Answer<'getMe'>['account'];
type Name = 'password' | 'secondFactor' | keyof Setup;
type Step = { readonly name: Name; readonly to: string; readonly done: boolean };

const stepsOf = (account: Account, setup: Setup): readonly Step[] => [
  { name: 'password', to: '/me', done: account.password },
  { name: 'secondFactor', to: '/me', done: account.totp || account.passkeys > 0 },
  { name: 'operator', to: '/operators', done: setup.operator },
  { name: 'catalogue', to: '/catalogue/import', done: setup.catalogue },
  { name: 'client', to: '/clients?new=1', done: setup.client },
  { name: 'sale', to: '/purchases', done: setup.sale },
];

const Mark = ({ done }: { readonly done: boolean }) => {
  const { tones, edge } = useColours();
  return (
    <RoundMark
      sx={
        done
          ? { bgcolor: tones.good.soft, color: tones.good.text }
          : { border: `1.5px solid ${edge}` }
      }
    >
      {done ? <TickMark /> : null}
    </RoundMark>
  );
};

const StepLine = ({ step: { name, to, done } }: { readonly step: Step }) => {
  const say = useText();
  return (
    <Box component="li" sx={{ display: 'flex', gap: 1, alignItems: 'center', minHeight: 28 }}>
      <Mark done={done} />
      {done ? (
        <Typography component="span" variant="body2" color="textSecondary">
          {say(`setup.${name}`)}
          <Box component="span" sx={screenReaderOnly}>{` – ${say('setup.done')}`}</Box>
        </Typography>
      ) : (
        <Link component={RouterLink} to={to} variant="body2">
          {say(`setup.${name}`)}
        </Link>
      )}
    </Box>
  );
};

const readEveryMs = 30_000;

/** The steps for those who can do all of them, unless they are hidden. */
export const useSetup = () => {
  const { account } = useMe();
  const may = useMay('settings');
  const { preferences, change } = useAccountPreferences(account.id);
  const enabled = may && !preferences.hidesSetup;
  const { data, isLoading } = useRead('getSetup', {}, { enabled, refetchInterval: readEveryMs });
  return {
    steps: enabled && data ? stepsOf(account, data) : undefined,
    isPending: isLoading,
    hide: () => change({ hidesSetup: true }),
  };
};

export const Checklist = () => {
  const say = useText();
  const { digits } = useFormat();
  const { steps, hide } = useSetup();
  if (steps === undefined) return null;
  const done = steps.filter((step) => step.done).length;
  if (done === steps.length) return null;
  return (
    <Section
      title={say('setup.title')}
      actions={
        <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
          <Typography variant="body2" color="textSecondary">
            {say('setup.progress', { done: digits(done), all: digits(steps.length) })}
          </Typography>
          <Button size="small" onClick={hide}>
            {say('setup.dismiss')}
          </Button>
        </Box>
      }
    >
      <Box
        component="ol"
        sx={{
          listStyle: 'none',
          m: 0,
          p: 0,
          display: 'grid',
          columnGap: 3,
          gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 15rem), 1fr))',
        }}
      >
        {steps.map((step) => (
          <StepLine key={step.name} step={step} />
        ))}
      </Box>
    </Section>
  );
};
