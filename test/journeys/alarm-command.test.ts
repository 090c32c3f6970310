/** Tests the command that sends a test message of alarms. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { changeAlarmSettings } from '../../src/admin/alarms/settings/settings.ts';
import { readConfig } from '../../src/config/config.ts';
import { openForCommand } from '../../src/db/open.ts';
import { createSecrets } from '../../src/db/secrets/keys.ts';
import { makeKey } from '../../src/db/secrets/seal.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import { at } from '../support/answers.ts';
import { temporaryFolders, twoAtATime } from '../support/command.ts';
import { parsed } from '../support/live.ts';
import { placeOf, simgate } from '../support/process.ts';
import { mailTo, password, startMailServer } from '../support/smtp.ts';

const folder = temporaryFolders();

describe('The test message of alarms', twoAtATime, () => {
  it('goes to the mail server that the console has set, and fails if that refuses', async () => {
    const [data, server] = [folder(), await startMailServer()];
    const SIMGATE_SECRETS_KEY = makeKey(systemRandom);
    const none = await simgate(data, ['alarm', 'test'], { SIMGATE_SECRETS_KEY });
    assert.deepEqual([none.status, none.err], [1, '']);
    assert.match(none.out, /^Neither a webhook nor e-mail is set\./);

    const place = { ...(await placeOf(data)), SIMGATE_SECRETS_KEY };
    const { db, close } = await openForCommand(readConfig(place), systemClock);
    const secrets = createSecrets(readConfig(place), systemRandom);
    const deps = { clock: systemClock, newId: uuidV7(systemClock, systemRandom), secrets };
    const actor = { accountId: null, name: 'owner', address: null };
    const mail = { ...mailTo(server.port, { language: 'fa' }), password };
    await db
      .transaction()
      .execute((db) =>
        changeAlarmSettings(
          { ...deps, db, actor, random: systemRandom, reach: { permits: () => true } },
          { mail },
        ),
      );
    await close();

    const forbidden = await simgate(data, ['alarm', 'test'], { SIMGATE_SECRETS_KEY });
    const notPublic = 'E-mail: not delivered: the host does not have a public address.';
    assert.deepEqual([forbidden.status, forbidden.out.trim()], [1, notPublic]);

    const settings = join(data, 'alarms.json');
    writeFileSync(settings, JSON.stringify({ alarms: { allowedNetworks: ['127.0.0.1'] } }));
    const env = { SIMGATE_SECRETS_KEY, SIMGATE_CONFIG: settings };
    const sent = await simgate(data, ['alarm', 'test'], env);
    assert.deepEqual([sent.status, sent.out.trim(), sent.err], [0, 'E-mail: delivered.', '']);
    assert.deepEqual(server.received.length, 1);
    const json = await simgate(data, ['alarm', 'test', '--json'], env);
    assert.deepEqual(at(parsed(json.out), 'ok'), true);

    const lost = await simgate(data, ['alarm', 'test'], {
      ...env,
      SIMGATE_SECRETS_KEY: makeKey(systemRandom),
    });
    const keyless = 'E-mail: not delivered: the key that sealed its secret is not here.';
    assert.deepEqual([lost.status, lost.out.trim()], [1, keyless]);
    assert.equal(server.received.length, 2);
  });
});
