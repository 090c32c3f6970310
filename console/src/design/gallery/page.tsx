/** Shows every part of the design in every state; it is not in the menu. */
import Button from '@mui/material/Button';
import { useText } from '../../i18n/text.ts';
import { Badge } from '../data/badge.tsx';
import { AddIcon } from '../icons.tsx';
import { Page } from '../page/page.tsx';
import { Attention } from './attention.tsx';
import { Figures, Pieces } from './data.tsx';
import { Fields } from './fields.tsx';
import { List } from './list.tsx';
import { States } from './states.tsx';

export default function Gallery() {
  const say = useText();
  return (
    <Page
      title={say('gallery.title')}
      crumbs={[
        { label: say('pages.overview'), to: '/overview' },
        { label: say('pages.settings'), to: '/settings' },
      ]}
      state={<Badge tone="info" label={say('gallery.info')} />}
      subtitle={say('gallery.subtitle')}
      actions={
        <>
          <Button variant="outlined">{say('gallery.other')}</Button>
          <Button variant="contained" startIcon={<AddIcon />}>
            {say('gallery.main')}
          </Button>
        </>
      }
    >
      <Figures />
      <List />
      <Fields />
      <Pieces />
      <Attention />
      <States />
    </Page>
  );
}
