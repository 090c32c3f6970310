/** Bundles what only Persian needs: texts and right-to-left styles. */
import rtlPlugin from '@mui/stylis-plugin-rtl';
import { prefixer } from 'stylis';

export { own } from './fa/index.ts';
export { descriptions } from './persian-settings.ts';

export const stylisPlugins = [prefixer, rtlPlugin];
