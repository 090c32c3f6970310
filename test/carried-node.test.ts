/** Tests which Node.js takes over the command if the bundled one cannot run. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const bin = fileURLToPath(new URL('../bin/', import.meta.url));
const carried = join(folder, 'node_modules', `node-linux-${arch()}`, 'bin', 'node');

/** A package with a Node.js that is a script. */
const install = (script: string, mode = 0o755): void => {
  cpSync(bin, join(folder, 'bin'), { recursive: true });
  mkdirSync(join(carried, '..'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(carried, '..', '..', 'package.json'), '{}');
  rmSync(carried, { force: true });
  writeFileSync(carried, `#!/bin/sh\n${script}\n`, { mode });
};

/** The Node.js that is found for a report with this header. */
const foundBy = (header: object): unknown => {
  const code = `
    import { carriedNode } from ${JSON.stringify(join(folder, 'bin', 'carried-node.js'))};
    process.report.getReport = () => (${JSON.stringify({ header })});
    console.log(JSON.stringify(carriedNode() ?? null));`;
  const args = ['--input-type=module', '--eval', code];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
};

const glibc = { glibcVersionRuntime: '2.36' };
const musl = {};

describe('The Node.js that came with the package', { skip: platform() !== 'linux' }, () => {
  test('takes over if it can run', () => {
    install('exit 0');
    assert.equal(foundBy(glibc), carried);
    assert.equal(foundBy(musl), carried, 'tried where it may not fit');
  });

  test('is ignored on a system that it was not built for', () => {
    install('exit 127');
    assert.equal(foundBy(musl), null);
  });

  test('is ignored if it is not executable', () => {
    install('exit 0', 0o644);
    assert.equal(foundBy(glibc), null);
  });

  test('is ignored if it is missing', () => {
    rmSync(carried);
    assert.equal(foundBy(glibc), null);
  });
});
