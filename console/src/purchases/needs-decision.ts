/** Tells which purchases a person decides. */
import type { Row } from './columns.tsx';

/** An open purchase goes on by itself, even if something contradicts it. */
export const needsDecision = ({ state, disputed }: Pick<Row, 'state' | 'disputed'>): boolean =>
  state === 'review' || (disputed !== null && (state === 'succeeded' || state === 'failed'));
