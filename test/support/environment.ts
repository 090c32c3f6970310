/** Builds the environment of a process that a test starts: where programs are, and how packages are loaded. */

export const inherited = {
  PATH: process.env['PATH'],
  /** Both set by test/run.ts. */
  NODE_OPTIONS: process.env['NODE_OPTIONS'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};

/** For a process that loads everything as a user's does. */
export const plainly = { NODE_OPTIONS: '' };
