/** Tests that passwords are stored as argon2id with their parameters, and that only the right one verifies. */
import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { test } from 'node:test';
import { GatewayError } from '../../../lib/errors.ts';
import { systemRandom } from '../../../lib/random.ts';
import { createPasswords, faultOf } from './password.ts';

const cheap = { memory: 64, passes: 1, parallelism: 1 };
const passwords = createPasswords({ random: systemRandom, strength: cheap });

test('a hash is argon2id with 19 MiB and two passes, and says so in the PHC format', async () => {
  const stored = await createPasswords({ random: systemRandom }).hash('correct horse battery');
  const [, salt = '', tag = ''] =
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$([^$=]{22})\$([^$=]{43})$/.exec(stored) ?? [];
  const expected = argon2Sync('argon2id', {
    message: 'correct horse battery',
    nonce: Buffer.from(salt, 'base64'),
    memory: 19_456,
    passes: 2,
    parallelism: 1,
    tagLength: 32,
  });
  assert.deepEqual(Buffer.from(tag, 'base64'), expected);
});

test('only the right password verifies, however its letters are composed', async () => {
  const stored = await passwords.hash('caf\u00e9 au lait, s\u2019il');
  assert.notEqual(stored, await passwords.hash('caf\u00e9 au lait, s\u2019il'), 'a salt each');
  const isRight = async (text: string): Promise<boolean> =>
    (await passwords.verify(text, stored)).right;
  assert.ok(await isRight('caf\u00e9 au lait, s\u2019il'));
  assert.ok(await isRight('cafe\u0301 au lait, s\u2019il'));
  for (const wrong of ['', 'cafe au lait, s\u2019il', 'CAF\u00c9 au lait, s\u2019il']) {
    assert.ok(!(await isRight(wrong)), wrong);
  }
  assert.deepEqual((await passwords.verify('anything', null)).right, false);
  await assert.rejects(passwords.verify('anything', 'plain text'), /not known/);
});

test('a hash with weaker parameters still verifies, and is reported as weak', async () => {
  const stored = await passwords.hash('correct horse battery');
  const stronger = createPasswords({ random: systemRandom, strength: { ...cheap, passes: 2 } });
  assert.deepEqual(await stronger.verify('correct horse battery', stored), {
    right: true,
    weak: true,
  });
  assert.deepEqual(await passwords.verify('correct horse battery', stored), {
    right: true,
    weak: false,
  });
});

test('a limited number of hashes run or wait; the next is refused until there is room', async () => {
  const bounded = createPasswords({
    random: systemRandom,
    strength: cheap,
    atOnce: 1,
    waitAtMost: 2,
  });
  const ends = await Promise.allSettled(Array.from({ length: 5 }, () => bounded.hash('a')));
  assert.deepEqual(
    ends.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
  );
  const refused = ends.find((end) => end.status === 'rejected');
  assert.ok(refused?.reason instanceof GatewayError && refused.reason.code === 'OVERLOADED');
  await Promise.all([bounded.hash('a'), bounded.hash('b'), bounded.hash('c')]);
});

test('a new password has 12 characters or more, some variety, and not the name in it', () => {
  assert.equal(faultOf('correct horse battery', 'clerk'), undefined);
  assert.match(faultOf('eleven char', 'clerk')?.en ?? '', /12 to 256/);
  assert.match(faultOf('x1'.repeat(200), 'clerk')?.en ?? '', /12 to 256/);
  assert.match(faultOf('aaaaaaaabbbb', 'clerk')?.en ?? '', /different/);
  assert.match(faultOf('my name is Clerk, really', 'clerk')?.en ?? '', /the name/);
});
