// Fills the compile cache at install, so that the first start is as fast as later ones.
import { spawnSync } from 'node:child_process';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { v8Flags } from '../bin/v8-flags.js';

const servesHere = process.execArgv.includes(v8Flags[0]);

try {
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/', import.meta.url)));
  await import('../src/cli/command.ts');
  // Only a server loads it, and a server runs with its own flags.
  if (servesHere) await import('../src/main.ts');
} catch {
  // A Node.js that is too old says so when it is used; an install need not fail for it.
}

// V8 keeps separate caches for other flags: compiled once more as a server starts.
if (!servesHere) {
  spawnSync(process.execPath, [...v8Flags, fileURLToPath(import.meta.url)]);
}
