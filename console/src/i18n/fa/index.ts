/** Owns all Persian texts: a line for each area. */
import type { own as english } from '../en/index.ts';
import type { Same } from '../same.ts';
import { common } from './common.ts';
import { errors } from './errors.ts';
import { pages } from './pages.ts';
import { roles } from './roles.ts';
import { shell } from './shell.ts';
import { signIn } from './sign-in.ts';

export const own: Same<typeof english> = {
  common,
  errors,
  pages,
  roles,
  shell,
  signIn,
};
