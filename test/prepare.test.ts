/** Tests that an install gives the bundled Node.js to all scripts, even if npm does not link it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('links the bundled Node.js and prepares with it', { skip: platform() !== 'linux' }, () => {
  const carried = join(folder, 'node_modules', `node-linux-${arch()}`, 'bin', 'node');
  const calls = join(folder, 'calls.txt');
  for (const name of ['bin', 'scripts']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  mkdirSync(join(carried, '..'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(carried, '..', '..', 'package.json'), '{}');
  writeFileSync(carried, `#!/bin/sh\necho "$1" >> ${calls}\n`, { mode: 0o755 });

  const prepare = (): Buffer =>
    execFileSync(process.execPath, [join(folder, 'scripts/prepare.js')]);
  prepare();
  prepare();

  assert.equal(realpathSync(join(folder, 'node_modules/.bin/node')), realpathSync(carried));
  const scripts = ['warm.js', 'build-console.js'].map((name) => join(folder, 'scripts', name));
  // Both run at once, and either may be first.
  const called = readFileSync(calls, 'utf8').trim().split('\n').sort();
  assert.deepEqual(called, [...scripts, ...scripts].sort());
});
