/** Names this instance in its log: as configured, or by host name and port. */
import { hostname } from 'node:os';
import type { Config } from './config.ts';

const mostLetters = 64;

export const instanceName = (
  { instance, port }: Pick<Config, 'instance' | 'port'>,
  machine: string = hostname(),
): string => {
  if (instance !== undefined) return instance;
  const ending = `:${port}`;
  const name = machine.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, mostLetters - ending.length);
  return `${name}${ending}`;
};
