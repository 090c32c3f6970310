/** Tests that systemd accepts the unit, and that it fits the gateway: settings, times, exit statuses, hardening. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { configOf, knownVariables, read } from './documents.ts';

const unit = read('ops/systemd/simgate.service');
const file = read('ops/systemd/simgate.env');

const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Settings of the unit, by name; those that are given twice as a list. */
const valuesOf = (name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

/** The variables of the file: those in force, and all, with those that are commented out. */
const variablesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

const analyze = (...args: readonly string[]): { status: number | null; printed: string } => {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  return { status, printed: stdout + stderr };
};

const canAnalyze = analyze('--version').status === 0;
const skip = canAnalyze
  ? false
  : 'SKIPPED: systemd-analyze is not installed, so the unit is not verified here';

describe('The systemd unit', () => {
  test('is accepted by systemd', { skip }, () => {
    const path = join(folder, 'simgate.service');
    // The program is where npm puts it, which is not on this machine.
    writeFileSync(path, unit.replace('/opt/simgate/bin/simgate', process.execPath));
    const { status, printed } = analyze('verify', path);
    assert.deepEqual({ status, printed }, { status: 0, printed: '' });
  });

  test('is as exposed as docs/operate/install.md says', { skip }, () => {
    const { printed } = analyze(
      'security',
      '--offline=true',
      '--no-pager',
      join(folder, 'simgate.service'),
    );
    const [, level = ''] =
      /Overall exposure level for simgate\.service: ([\d.]+)/.exec(printed) ?? [];
    assert.ok(Number(level) < 1.5, printed);
    const [, version = ''] = /^systemd (\d+)/.exec(analyze('--version').printed) ?? [];
    const [, told = '', by = ''] =
      /exposure level of ([\d.]+) of 10 \(systemd (\d+)\)/.exec(read('docs/operate/install.md')) ??
      [];
    assert.ok(told !== '' && by !== '');
    // Other versions weigh in other ways.
    if (version === by) assert.equal(told, level);
  });

  test('has an environment that the gateway knows and accepts', () => {
    const all = { ...variablesIn(file), ...variablesIn(file.replaceAll(/^#(?=[A-Z])/gm, '')) };
    assert.ok(Object.keys(all).length > Object.keys(variablesIn(file)).length);
    for (const name of Object.keys(all)) assert.ok(knownVariables.has(name), name);
    const { dataDir, host } = configOf(variablesIn(file), '{}');
    assert.deepEqual([`/var/lib/${valuesOf('StateDirectory')[0]}`, host], [dataDir, '127.0.0.1']);
    for (const variable of valuesOf('Environment')) {
      assert.ok(knownVariables.has(variable.split('=')[0] ?? ''), variable);
    }
  });

  test('gives a stop more time than the gateway takes, and does not restart after status 3', () => {
    const { http } = configOf(variablesIn(file), read('ops/simgate.json'));
    assert.ok(Number(valuesOf('TimeoutStopSec')[0]) * 1000 > http.stopDelayMs + http.drainMs);
    assert.deepEqual(valuesOf('RestartPreventExitStatus'), ['3']);
    assert.deepEqual(valuesOf('ExecStart'), ['/opt/simgate/bin/simgate serve']);
  });
});
