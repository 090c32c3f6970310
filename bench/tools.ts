/** Finds the tools that the bench needs and npm does not provide: `wrk` and `pgbench`. */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

/** What is missing or wrong, in a sentence for the user. */
export class InvalidUsage extends Error {
  override readonly name = 'WrongUse';
}

type Tool = {
  readonly name: string;
  /** Debian's. */
  readonly package: string;
  /** Debian's additional location. */
  readonly places: string;
};

const tools = {
  wrk: { name: 'wrk', package: 'wrk', places: '' },
  pgbench: {
    name: 'pgbench',
    package: 'postgresql',
    places: '/usr/lib/postgresql/*/bin/pgbench',
  },
} as const satisfies Record<string, Tool>;

const find = ({ name, places }: Tool): string | undefined =>
  [name, ...(places === '' ? [] : globSync(places))].find(
    (command) => spawnSync(command, ['--version']).error === undefined,
  );

const install = (tool: Tool): void => {
  if (process.getuid?.() !== 0) return;
  const options = ['install', '-y', '--no-install-recommends', tool.package];
  spawnSync('apt-get', options, { stdio: ['ignore', 'ignore', 'inherit'] });
};

/** The command of a tool; installs it if possible, else throws a sentence. */
export const toolFor = (name: keyof typeof tools): string => {
  const tool = tools[name];
  const found = find(tool);
  if (found !== undefined) return found;
  install(tool);
  const command = find(tool);
  if (command !== undefined) return command;
  throw new InvalidUsage(
    `The bench needs ${name}, which is not installed: on Debian "apt-get install ${tool.package}" brings it.`,
  );
};
