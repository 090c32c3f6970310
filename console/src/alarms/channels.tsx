/** Shows whether the channels of alarms work, and sends test messages. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { Answer } from '../api/client.ts';
import { useAct, useRead } from '../api/hooks.ts';
import { Badge, type Tone } from '../design/data/badge.tsx';
import { DescriptionList } from '../design/data/description-list.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useFormat } from '../format.ts';
import { type Say, useText } from '../i18n/text.ts';
import { useMay } from '../session.tsx';

type Channel = Answer<'listAlarms'>['channels'][number];
type Tested = Answer<'testAlarms'>['data'][number];

const readEveryMs = 15_000;

const tones: Readonly<Record<Channel['health'], Tone>> = {
  working: 'good',
  failing: 'bad',
  untried: 'plain',
};

/** Why a message was not accepted; undefined if it was, or if nothing is known. */
const reasonOf = (
  say: Say,
  { status, failure }: Pick<Tested, 'status' | 'failure'>,
): string | undefined => {
  if (failure !== null) return say(`clientWebhooks.failures.${failure}`);
  return status === null ? undefined : say('alarms.answered', { status: String(status) });
};

const State = ({ channel }: { readonly channel: Channel }) => {
  const say = useText();
  const { time } = useFormat();
  const { health, failing_since: since, last_status: status, last_failure: failure } = channel;
  const label =
    since === null
      ? say(`alarms.health.${health}`)
      : say('alarms.failingSince', { time: time(since, 'short') });
  const reason = health === 'failing' ? reasonOf(say, { status, failure }) : undefined;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
      <Badge tone={tones[health]} label={label} />
      {reason === undefined ? null : <span>{reason}</span>}
    </Box>
  );
};

const Results = ({ results }: { readonly results: readonly Tested[] }) => {
  const say = useText();
  if (results.length === 0) return <Alert severity="info">{say('alarms.testNone')}</Alert>;
  return results.map((result) => (
    <Alert
      key={result.channel}
      severity={result.delivered ? 'success' : 'warning'}
      variant="outlined"
      role="presentation"
    >
      {say(`alarms.channel.${result.channel}`)}:{' '}
      {result.delivered ? say('alarms.delivered') : reasonOf(say, result)}
    </Alert>
  ));
};

const Test = () => {
  const say = useText();
  const test = useAct('testAlarms', { changes: ['listAlarms'] });
  return (
    <Box sx={{ display: 'grid', gap: 1, justifyItems: 'start' }}>
      <Button variant="outlined" loading={test.isPending} onClick={() => test.mutate({})}>
        {say('alarms.test')}
      </Button>
      <Typography variant="body2" color="textSecondary">
        {say('alarms.testHelp')}
      </Typography>
      <Box role="status" sx={{ display: 'grid', gap: 1 }}>
        {test.data === undefined || test.isPending ? null : <Results results={test.data.data} />}
      </Box>
      <ErrorState error={test.error} />
    </Box>
  );
};

export const Channels = () => {
  const say = useText();
  const { count } = useFormat();
  const may = useMay('settings');
  const read = useRead('listAlarms', {}, { refetchInterval: readEveryMs });
  const { data } = read;
  const used = data?.channels.filter(({ configured }) => configured) ?? [];
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {data ? (
        <Typography>
          {data.data.length === 0
            ? say('alarms.noneRaised')
            : say('alarms.raised', { count: count(data.data.length) })}
        </Typography>
      ) : null}
      {used.length === 0 ? null : (
        <DescriptionList
          rows={used.map((channel) => [
            say(`alarms.channel.${channel.channel}`),
            <State key={channel.channel} channel={channel} />,
          ])}
        />
      )}
      {may ? <Test /> : null}
    </Box>
  );
};
