/** Styles what lies on the canvas: a surface with a hairline edge. */
import { radii } from '../theme/tokens.ts';

export const card = {
  bgcolor: 'background.paper',
  border: 1,
  borderColor: 'divider',
  borderRadius: `${radii.card}px`,
  minWidth: 0,
} as const;
