/**
 * Takes the pictures: `npm run photos`, or `npm run photos -- overview sales` for those of some pages. Whole pages go
 * to `photos`, the screens that are kept to `docs/console`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const fileAt = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const child = spawn(process.execPath, [fileAt('../run.ts'), 'browser', 'test/photos/photos.ts'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    // With it the browser paints.
    SIMGATE_WRITE_SCREENSHOTS: '1',
    SIMGATE_PHOTOS: process.argv.slice(2).join(' '),
  },
});
await once(child, 'exit');
process.exitCode = child.exitCode ?? 1;
