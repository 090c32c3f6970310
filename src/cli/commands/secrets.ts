/** Defines the commands for the secrets key: create one, and reseal everything under it. */
import { resealSecrets } from '../../admin/reseal.ts';
import { readConfig } from '../../config/config.ts';
import { createLockRetry } from '../../db/lock-retry.ts';
import { createSecrets } from '../../db/secrets/keys.ts';
import { makeKey } from '../../db/secrets/seal.ts';
import { systemClock } from '../../lib/clock.ts';
import { systemRandom } from '../../lib/random.ts';
import { commandActor } from '../actor.ts';
import { byOption } from '../audited.ts';
import { type Command, table, withDatabase } from '../definition.ts';

export const secretsNewKey: Command = {
  name: 'secrets new-key',
  summary: 'Print a new random key for secretsKey. Changes nothing.',
  run: async () => {
    const key = makeKey(systemRandom);
    return { data: { key }, text: key };
  },
};

export const secretsReseal: Command = {
  name: 'secrets reseal',
  summary: 'Encrypt all secrets in the database with the current key. Servers may keep running.',
  options: byOption,
  run: async (args) => {
    const actor = commandActor(args);
    const secrets = createSecrets(readConfig(), systemRandom);
    const retryLocked = createLockRetry(systemClock);
    const done = await withDatabase((deps) =>
      resealSecrets({ ...deps, retryLocked, secrets }, actor),
    );
    const unreadable = done.flatMap((one) => one.unreadable);
    const columns = {
      '': 'kind',
      'RE-ENCRYPTED': 'resealed',
      UNCHANGED: 'fresh',
      'NOT DECRYPTED': 'lost',
    } as const;
    const rows = done.map((one) => ({
      ...one,
      kind: one.kind.replace('_', ' '),
      lost: one.unreadable.length,
    }));
    const lines = unreadable.map(({ name, why }) => `Not decrypted: ${name}: ${why}.`);
    const ok = unreadable.length === 0;
    return {
      ok,
      data: { ok, secrets: done },
      text: [table(columns, rows), ...lines].join('\n'),
    };
  },
};
