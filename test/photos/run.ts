/** Takes the pictures: `npm run photos`. Kept ones go to `docs/console`, all others to `photos`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const fileAt = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const child = spawn(
  process.execPath,
  [fileAt('../run.ts'), 'browser', 'test/photos/photos.ts'],
  // With it the browser paints.
  { stdio: 'inherit', env: { ...process.env, SIMGATE_WRITE_SCREENSHOTS: '1' } },
);
await once(child, 'exit');
process.exitCode = child.exitCode ?? 1;
