/** Tests that a start on PostgreSQL without a key warns of unsealed secrets, and one with a key does not. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeKey } from '../../src/db/secrets/seal.ts';
import { systemRandom } from '../../src/lib/random.ts';
import { type FreshPostgres, freshPostgres } from '../support/database.ts';
import { serveKept } from '../support/kept-server.ts';
import { simgate } from '../support/process.ts';

const warning = /There is no key for secrets.*kept unsealed.*SIMGATE_SECRETS_KEY/;

describe('without SIMGATE_SECRETS_KEY', { concurrency: false, timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'simgate-key-'));
  let postgres: FreshPostgres;
  before(async () => {
    postgres = await freshPostgres();
  });
  after(async () => {
    await postgres.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const withoutKey = () => ({ DATABASE_URL: postgres.url });
  const withKey = () => ({ ...withoutKey(), SIMGATE_SECRETS_KEY: makeKey(systemRandom) });

  test('the log of a start warns once', async () => {
    const printed = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const served = await serveKept(folder, env);
      assert.equal(await served.stop(), 0);
      return served.printed();
    };
    const lines = (await printed(withoutKey())).split('\n').filter((line) => warning.test(line));
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /"level":"?(?:40|warn)/);
    assert.doesNotMatch(await printed(withKey()), warning);
  });

  test('config --check warns, and does not refuse', async () => {
    const checked = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const { status, out } = await simgate(folder, ['config', '--check'], { PORT: '0', ...env });
      assert.equal(status, 0);
      return out;
    };
    assert.match(await checked(withoutKey()), warning);
    assert.doesNotMatch(await checked(withKey()), warning);
  });
});
