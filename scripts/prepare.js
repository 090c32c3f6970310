/**
 * Runs after an install: selects the bundled Node.js for all scripts, compiles the server and builds the console.
 * Old Node.js versions must be able to parse this file.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { carriedNode } from '../bin/carried-node.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const link = join(root, 'node_modules', '.bin', 'node');
const carried = carriedNode();

// npm 10.8 leaves this link out.
if (carried !== undefined && !existsSync(link)) {
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(relative(dirname(link), carried), link);
}

// At once: together they take as long as the slower one.
await Promise.all(
  ['warm.js', 'build-console.js'].map((script) =>
    once(
      spawn(carried ?? process.execPath, [join(root, 'scripts', script)], { stdio: 'inherit' }),
      'close',
    ),
  ),
);
