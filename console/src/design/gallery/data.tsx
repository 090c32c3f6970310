/** Shows figures, badges, facts and the timeline. */
import Box from '@mui/material/Box';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { Badge } from '../data/badge.tsx';
import { Code } from '../data/code.tsx';
import { DescriptionList } from '../data/description-list.tsx';
import { Stat, Stats } from '../data/stat.tsx';
import { Timeline } from '../data/timeline.tsx';
import { Section } from '../page/section.tsx';
import { tones } from '../theme/tokens.ts';
import { began } from './sample.ts';

const minute = 60_000;

export const Figures = () => {
  const say = useText();
  const { money, count } = useFormat();
  return (
    <>
      <Stats>
        <Stat
          label={say('gallery.sold')}
          value={money(184_250_000)}
          delta={{ text: say('gallery.more'), direction: 'up', tone: 'good' }}
        />
        <Stat
          label={say('gallery.failed')}
          value={count(37)}
          delta={{ text: say('gallery.less'), direction: 'down', tone: 'good' }}
          help={say('gallery.help')}
        />
        <Stat
          label={say('gallery.average')}
          value={money(91_500)}
          delta={{ text: say('gallery.same'), direction: 'flat', tone: 'plain' }}
        />
        <Stat
          label={say('gallery.waiting')}
          value={count(4)}
          delta={{ text: say('gallery.more'), direction: 'up', tone: 'bad' }}
          link={{ to: '/purchases?needs_person=1', text: say('gallery.waitingLink') }}
        />
      </Stats>
      <Section title={say('gallery.figures')}>
        <Stats>
          <Stat compact label={say('gallery.sold')} value={money(184_250_000)} />
          <Stat
            compact
            label={say('gallery.failed')}
            value={count(37)}
            delta={{ text: say('gallery.more'), direction: 'up', tone: 'bad' }}
          />
          <Stat compact label={say('gallery.average')} value={money(91_500)} />
        </Stats>
      </Section>
    </>
  );
};

const History = () => {
  const say = useText();
  const { time } = useFormat();
  const inquiries = Array.from({ length: 9 }, (_, place) => ({
    key: String(place),
    title: say('gallery.inquiry'),
    time: time(began + (place + 1) * minute, 'clock'),
    detail: say('gallery.silent'),
  }));
  return (
    <Timeline
      entries={[
        { key: 'begun', title: say('gallery.begun'), time: time(began, 'clock') },
        {
          key: 'inquiries',
          title: say('gallery.inquiry'),
          time: time(began + 9 * minute, 'clock'),
          tone: 'attention',
          detail: say('gallery.silent'),
          folded: { label: say('gallery.inquiries'), entries: inquiries },
        },
        {
          key: 'ended',
          title: say('gallery.ended'),
          time: time(began + 12 * minute, 'clock'),
          tone: 'good',
        },
      ]}
    />
  );
};

export const Pieces = () => {
  const say = useText();
  const { digits, money } = useFormat();
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 20rem), 1fr))',
        alignItems: 'start',
      }}
    >
      <Section title={say('gallery.badges')}>
        <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
          {tones.map((tone) => (
            <Badge key={tone} tone={tone} label={say(`gallery.${tone}`)} />
          ))}
        </Box>
      </Section>
      <Section title={say('gallery.facts')}>
        <DescriptionList
          rows={[
            [say('gallery.client'), say('gallery.arya')],
            [
              say('gallery.number'),
              <bdi key="number" dir="ltr">
                {digits('98912***6700')}
              </bdi>,
            ],
            [say('gallery.amount'), money(99_000)],
            [say('gallery.code'), <Code key="code">0193f2a1-77</Code>],
          ]}
        />
      </Section>
      <Section title={say('gallery.timeline')}>
        <History />
      </Section>
    </Box>
  );
};
