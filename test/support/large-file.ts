/** Names the largest file that the gateway serves to everyone, for tests of callers that do not read. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { consoleFolder } from '../../src/http/console/files.ts';

const assets = join(consoleFolder, 'assets');
const sized = readdirSync(assets)
  .filter((name) => name.endsWith('.js'))
  .map((name) => ({ name, bytes: statSync(join(assets, name)).size }))
  .sort((one, other) => other.bytes - one.bytes);
const [largest = { name: '', bytes: 0 }] = sized;

/** A third of a megabyte, uncompressed. */
export const largeFile = `/console/assets/${largest.name}`;
