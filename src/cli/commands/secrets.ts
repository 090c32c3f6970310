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
  summary: 'Print a new key for secretsKey; changes nothing.',
  run: async () => {
    const key = makeKey(systemRandom);
    return { data: { key }, text: key };
  },
};

export const secretsReseal: Command = {
  name: 'secrets reseal',
  summary: 'Seal all secrets in the database under the key in use, also while servers run.',
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
      RESEALED: 'resealed',
      'SEALED BEFORE': 'fresh',
      'NOT READ': 'lost',
    } as const;
    const rows = done.map((one) => ({
      ...one,
      kind: one.kind.replace('_', ' '),
      lost: one.unreadable.length,
    }));
    const lines = unreadable.map(({ name, why }) => `Not read: ${name}: ${why}.`);
    const ok = unreadable.length === 0;
    return {
      ok,
      data: { ok, secrets: done },
      text: [table(columns, rows), ...lines].join('\n'),
    };
  },
};
