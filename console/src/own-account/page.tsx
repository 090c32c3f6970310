/** Owns a page. */
import { useText } from '../i18n/text.ts';
import { Page } from '../parts/page.tsx';

export default function View() {
  const say = useText();
  return <Page title={say('pages.ownAccount')}>{say('common.empty')}</Page>;
}
