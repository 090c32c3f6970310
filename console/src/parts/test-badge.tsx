/** Marks a test client wherever it is named. */
import { Badge } from '../design/data/badge.tsx';
import { useText } from '../i18n/text.ts';

export const TestBadge = ({ test }: { readonly test: boolean }) => {
  const say = useText();
  return test ? <Badge tone="info" label={say('clients.test')} /> : null;
};
