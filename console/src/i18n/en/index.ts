/** Owns all English texts: a line for each area. */
import { common } from './common.ts';
import { errors } from './errors.ts';
import { pages } from './pages.ts';
import { roles } from './roles.ts';
import { shell } from './shell.ts';
import { signIn } from './sign-in.ts';

export const own = {
  common,
  errors,
  pages,
  roles,
  shell,
  signIn,
};
