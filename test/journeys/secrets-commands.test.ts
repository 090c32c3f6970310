/** Tests the commands that change the secrets key, and their output. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { at } from '../support/answers.ts';
import { assertSentence, done, temporaryFolders, twoAtATime } from '../support/command.ts';
import { testEngine } from '../support/database.ts';
import { parsed } from '../support/live.ts';
import { simgate } from '../support/process.ts';
import { runSql } from '../support/sql.ts';

const folder = temporaryFolders();

describe('The commands about the key of secrets', twoAtATime, () => {
  it('create a key and seal everything under it; the old one is no longer needed', async () => {
    const data = folder();
    await done(data, 'admin', 'create', 'clerk');
    await runSql(data, "update admin_accounts set totp_secret = 'PLAINSECRET'");
    const [first, second] = [
      (await done(data, 'secrets', 'new-key')).trim(),
      String(at(parsed(await done(data, 'secrets', 'new-key', '--json')), 'key')),
    ];
    assert.match(first, /^[\w-]{43}$/);
    assert.notEqual(first, second);

    const sealed = await simgate(data, ['secrets', 'reseal', '--by', 'cashier'], {
      SIMGATE_SECRETS_KEY: first,
    });
    assert.deepEqual([sealed.status, sealed.err], [0, '']);
    assert.match(
      sealed.out,
      /^ +RE-ENCRYPTED +UNCHANGED +NOT DECRYPTED\nsecond factors +1 +0 +0\n/,
    );

    const lost = await simgate(data, ['secrets', 'reseal'], { SIMGATE_SECRETS_KEY: second });
    assert.equal(lost.status, 1);
    assert.match(lost.out, /^Not decrypted: second factor of clerk: the key .* is not here\.$/m);

    const config = join(data, 'rotation.json');
    writeFileSync(config, JSON.stringify({ secretsKey: second, oldSecretsKeys: [first] }));
    const turned = await simgate(data, ['secrets', 'reseal', '--json'], { SIMGATE_CONFIG: config });
    assert.deepEqual(parsed(turned.out), {
      ok: true,
      secrets: [
        { kind: 'second_factors', resealed: 1, fresh: 0, unreadable: [] },
        { kind: 'operator_settings', resealed: 0, fresh: 0, unreadable: [] },
        { kind: 'webhook_secrets', resealed: 0, fresh: 0, unreadable: [] },
        { kind: 'alarm_secrets', resealed: 0, fresh: 0, unreadable: [] },
      ],
    });
    const after = await simgate(data, ['secrets', 'reseal'], { SIMGATE_SECRETS_KEY: second });
    assert.equal(after.status, 0, after.err);
    const { rows } = await runSql(
      data,
      "select actor, after_it from admin_audit where action = 'secrets reseal' order by id",
    );
    assert.equal(rows.length, 2);
    assert.match(String(rows[0]?.['actor']), /^cashier \(as .*\), by command$/);
    assert.equal(rows[0]?.['after_it'], '{"second_factors":1}');
    const all = [sealed, lost, turned, after].map(({ out, err }) => out + err).join('');
    assert.ok(![first, second, 'PLAINSECRET'].some((text) => all.includes(text)));
  });

  it('say in a sentence that there is no key', { skip: testEngine === 'sqlite' }, async () => {
    assertSentence(await simgate(folder(), ['secrets', 'reseal']), /SIMGATE_SECRETS_KEY/);
  });
});
