/** Owns what only Persian needs, in a file of its own: texts, mirrored styles, and the font. */
import './persian.css';
import rtlPlugin from '@mui/stylis-plugin-rtl';
import persian from 'ra-language-farsi';
import { prefixer } from 'stylis';
import { own } from './fa/index.ts';

export const messages = { ...persian, ...own };

export const stylisPlugins = [prefixer, rtlPlugin];
