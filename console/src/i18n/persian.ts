/** Holds what only Persian needs, in a file of its own: texts, mirrored styles, and the font. */
import './persian.css';
import rtlPlugin from '@mui/stylis-plugin-rtl';
import { prefixer } from 'stylis';

export { own } from './fa/index.ts';

export const stylisPlugins = [prefixer, rtlPlugin];
