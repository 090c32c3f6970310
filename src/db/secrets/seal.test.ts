/** Tests that sealed text opens only with its own key and context, and how keys are found. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { readConfig } from '../../config/config.ts';
import { maskSecretsKeys } from '../../config/sections/secrets.ts';
import { UsageError } from '../../lib/errors.ts';
import { systemRandom } from '../../lib/random.ts';
import { createSecrets } from './keys.ts';
import { isSealed, isSealedBy, type Key, makeKey, open, readKey, seal } from './seal.ts';

const keyFrom = (text: string): Key => {
  const key = readKey(text);
  assert.ok(key !== undefined);
  return key;
};
const newKey = (): Key => keyFrom(makeKey(systemRandom));
const place = 'operator_settings sealed 3';

/** Any Unicode text, not only what a keyboard types. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }))
  .map((points) => String.fromCodePoint(...points).toWellFormed());

test('sealed text opens again, also beside other keys, and sealing it twice differs', () => {
  fc.assert(
    fc.property(anyText, fc.string(), (text, about) => {
      const [key, other] = [newKey(), newKey()];
      const sealed = seal(key, text, about, systemRandom);
      assert.ok(isSealed(sealed) && isSealedBy(key, sealed) && !isSealedBy(other, sealed));
      assert.deepEqual(open([other, key], sealed, about), { kind: 'open', text });
      assert.notEqual(seal(key, text, about, systemRandom), sealed);
    }),
  );
});

test('another key, another context or any changed character is refused', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.nat(),
      fc.constantFrom('A', 'B', 'a', 'b', '0', '1', '9', '-', '_', '.', 'v'),
      (text, where, sign) => {
        const key = newKey();
        const sealed = seal(key, text, place, systemRandom);
        assert.equal(open([newKey()], sealed, place).kind, 'closed');
        assert.equal(open([key], sealed, `${place}0`).kind, 'closed');
        const index = where % sealed.length;
        if (sealed[index] === sign) return;
        const changed = sealed.slice(0, index) + sign + sealed.slice(index + 1);
        assert.equal(open([key], changed, place).kind, 'closed', changed);
      },
    ),
  );
});

test('every flipped bit of sealed text is refused', () => {
  const key = newKey();
  const sealed = seal(key, 'a secret', place, systemRandom);
  const [version = '', id = '', ...parts] = sealed.split('.');
  for (const part of [0, 1]) {
    const bytes = Buffer.from(parts[part] ?? '', 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const changed = parts.with(part, flipped.toString('base64url'));
      assert.equal(open([key], [version, id, ...changed].join('.'), place).kind, 'closed');
    }
  }
  assert.deepEqual(open([key], 'MZXW6YTB', place), { kind: 'closed', why: 'it is not sealed' });
});

test('only 32 bytes in base64url are a key', () => {
  const text = makeKey(systemRandom);
  assert.ok(readKey(text) !== undefined);
  for (const wrong of ['', text.slice(1), `${text}A`, `${text.slice(0, -1)}=`, `${text}\n`]) {
    assert.equal(readKey(wrong), undefined);
  }
  for (const secretsKey of [text.slice(1), `${text.slice(0, -1)}B`, 'hunter2']) {
    assert.throws(
      () => readConfig({ SIMGATE_SECRETS_KEY: secretsKey }),
      (error: unknown) => error instanceof Error && !error.message.includes(secretsKey),
    );
  }
});

test('configured keys are never shown', () => {
  const secretsKey = makeKey(systemRandom);
  const config = {
    ...readConfig({ SIMGATE_SECRETS_KEY: secretsKey }),
    oldSecretsKeys: [secretsKey],
  };
  assert.equal(config.secretsKey, secretsKey);
  const shown = { ...config, ...maskSecretsKeys(config) };
  assert.deepEqual([shown.secretsKey, shown.oldSecretsKeys], ['***', ['***']]);
  assert.deepEqual(maskSecretsKeys(readConfig({})), { oldSecretsKeys: [] });
});

const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'secrets.key');
const secretsOf = (more: object = {}) =>
  createSecrets({ dataDir: folder, oldSecretsKeys: [], ...more }, systemRandom);

test('without a key one is created in the data folder on demand, once and for its owner only', () => {
  assert.equal(secretsOf().open('v1.a.b.c', place).kind, 'closed');
  assert.throws(() => statSync(file));
  const sealed = secretsOf().seal('a secret', place) ?? '';
  const made = readFileSync(file, 'utf8');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(secretsOf().open(sealed, place), { kind: 'open', text: 'a secret' });
  secretsOf().seal('another', place);
  assert.equal(readFileSync(file, 'utf8'), made);
  assert.ok(secretsOf().isCurrent(sealed));
});

test('a configured key has priority, and text sealed by the file or an old key still opens', () => {
  const [secretsKey, next] = [makeKey(systemRandom), makeKey(systemRandom)];
  const byFile = secretsOf().seal('by the file', place) ?? '';
  const set = secretsOf({ secretsKey });
  assert.deepEqual(set.open(byFile, place), { kind: 'open', text: 'by the file' });
  assert.ok(!set.isCurrent(byFile));
  const sealed = set.seal('by the key', place) ?? '';
  assert.equal(secretsOf().open(sealed, place).kind, 'closed');
  const changed = secretsOf({ secretsKey: next, oldSecretsKeys: [secretsKey] });
  assert.deepEqual(changed.open(sealed, place), { kind: 'open', text: 'by the key' });
  assert.ok(!changed.isCurrent(sealed));
});

test('on PostgreSQL nothing is sealed without a configured key', () => {
  const databaseUrl = 'postgres://host/name';
  assert.equal(secretsOf({ databaseUrl }).seal('a secret', place), undefined);
  const secretsKey = makeKey(systemRandom);
  assert.ok(secretsOf({ databaseUrl, secretsKey }).seal('a secret', place) !== undefined);
});

/** A folder with the test's key file. */
const withFile = (text: string, mode: number, work: (dataDir: string, file: string) => void) => {
  const dataDir = mkdtempSync(join(folder, 'one-'));
  const file = join(dataDir, 'secrets.key');
  writeFileSync(file, text);
  chmodSync(file, mode);
  work(dataDir, file);
  chmodSync(file, 0o600);
  assert.equal(readFileSync(file, 'utf8'), text, 'it is left unchanged');
  assert.deepEqual(readdirSync(dataDir), ['secrets.key']);
};

test('a file without a key is refused in a sentence, even if another key is configured', () => {
  const key = makeKey(systemRandom);
  for (const text of ['', 'no key\n', key.slice(1), `${key}A\n`, `${key}\n${key}\n`]) {
    withFile(text, 0o600, (dataDir, file) => {
      for (const more of [{}, { secretsKey: key }]) {
        assert.throws(
          () => secretsOf({ dataDir, ...more }),
          (error) =>
            error instanceof UsageError &&
            error.message.startsWith(`The key file ${file} cannot be used: it holds no key`),
        );
      }
    });
  }
});

test('a world-readable file is refused, with advice', () => {
  const key = makeKey(systemRandom);
  for (const mode of [0o644, 0o604, 0o606]) {
    withFile(key, mode, (dataDir, file) => {
      assert.throws(() => secretsOf({ dataDir }), { message: new RegExp(`chmod 600 ${file}`) });
    });
  }
  for (const mode of [0o600, 0o400, 0o660]) {
    withFile(key, mode, (dataDir) => {
      assert.ok(secretsOf({ dataDir }).seal('a secret', place) !== undefined);
    });
  }
});

test('an unreadable file is refused, and no other key is created', () => {
  const dataDir = mkdtempSync(join(folder, 'one-'));
  mkdirSync(join(dataDir, 'secrets.key'));
  assert.throws(() => secretsOf({ dataDir }), { name: 'UsageError', message: /cannot be read/ });
});

test('two concurrent creators get the same key', () => {
  const dataDir = mkdtempSync(join(folder, 'one-'));
  let sealed = '';
  // Just when the first has seen that there is none, and creates its own.
  const first = createSecrets({ dataDir, oldSecretsKeys: [] }, (bytes) => {
    if (sealed === '') sealed = secretsOf({ dataDir }).seal('of the second', place) ?? '';
    return systemRandom(bytes);
  });
  const own = first.seal('of the first', place) ?? '';
  assert.deepEqual(first.open(sealed, place), { kind: 'open', text: 'of the second' });
  assert.deepEqual(secretsOf({ dataDir }).open(own, place), { kind: 'open', text: 'of the first' });
  assert.deepEqual(readdirSync(dataDir), ['secrets.key']);
});

test('of many concurrent creators each opens what the others sealed', async () => {
  const dataDir = mkdtempSync(join(folder, 'one-'));
  const script = `
    import { createSecrets } from ${JSON.stringify(new URL('./keys.ts', import.meta.url).href)};
    import { systemRandom } from ${JSON.stringify(new URL('../../lib/random.ts', import.meta.url).href)};
    const secrets = createSecrets(${JSON.stringify({ dataDir, oldSecretsKeys: [] })}, systemRandom);
    process.stdout.write(secrets.seal('a secret', 'place'));`;
  const run = promisify(execFile);
  const args = ['--input-type=module', '--eval', script];
  const ends = await Promise.all(Array.from({ length: 6 }, () => run(process.execPath, args)));
  const { open } = secretsOf({ dataDir });
  for (const { stdout } of ends) {
    assert.deepEqual(open(stdout, 'place'), { kind: 'open', text: 'a secret' });
  }
  assert.deepEqual(readdirSync(dataDir), ['secrets.key']);
});
