/** Shows the parts that call for attention or compare amounts. */
import Box from '@mui/material/Box';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { AlertList } from '../data/alert-list.tsx';
import { BarList } from '../data/bar-list.tsx';
import { CountBadge } from '../data/count-badge.tsx';
import { Section } from '../page/section.tsx';

const amounts = [9_900_000, 4_200_000, 350_000];

export const Attention = () => {
  const say = useText();
  const { count, money } = useFormat();
  const name = say('gallery.arya');
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 20rem), 1fr))',
        alignItems: 'start',
      }}
    >
      <Section title={say('alerts.title')} actions={<CountBadge count={count(12)} />}>
        <AlertList
          lines={[
            {
              key: 'down',
              tone: 'bad',
              text: say('alerts.operator_down', { name }),
              detail: say('gallery.silent'),
              to: '/operators',
            },
            {
              key: 'review',
              tone: 'attention',
              text: say('alerts.review', { count: count(3) }),
              to: '/purchases',
            },
          ]}
        />
      </Section>
      <Section title={say('overview.byClient')}>
        <BarList
          name={say('overview.byClient')}
          bars={amounts.map((value, place) => ({
            key: String(value),
            name,
            value,
            text: money(value),
            to: place === 0 ? '/clients' : undefined,
          }))}
        />
      </Section>
    </Box>
  );
};
