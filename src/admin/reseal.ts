/** Seals every secret in the database under the current key: two-factor secrets, operator settings, webhook secrets, alarms. */
import type { Secrets } from '../db/secrets/keys.ts';
import { type ListSecrets, type Resealed, resealPage } from '../db/secrets/reseal.ts';
import type { Db } from '../db/types.ts';
import { operatorSecrets } from '../operators/settings/sealed.ts';
import { webhookSecrets } from '../webhooks/secret.ts';
import { totpSecrets } from './access/two-factor/totp-secret.ts';
import { alarmSecrets } from './alarms/settings/secrets.ts';
import { type Actor, type AdminDeps, transact, writeAudit } from './audit/audit.ts';
import { AdminError } from './errors.ts';

type Known = { readonly kind: string; readonly list: ListSecrets };

/** Everything that is sealed. */
const kinds: readonly Known[] = [
  { kind: 'second_factors', list: totpSecrets },
  { kind: 'operator_settings', list: operatorSecrets },
  { kind: 'webhook_secrets', list: webhookSecrets },
  { kind: 'alarm_secrets', list: alarmSecrets },
];

export type ResealedKind = Resealed & { readonly kind: string };

export type ResealDeps = Pick<AdminDeps, 'db' | 'clock' | 'newId' | 'retryLocked'> & {
  readonly secrets: Secrets;
};

/** One page in one transaction, with an audit entry if something was sealed. */
const resealSome = (
  deps: ResealDeps,
  actor: Actor,
  { kind, list, after }: Known & { readonly after: string },
): Promise<Resealed & { readonly next: string | undefined }> =>
  transact(deps, async (db) => {
    const page = await list(db, after);
    const done = await resealPage(db, deps.secrets, page);
    if (done.resealed > 0) {
      await writeAudit(db, deps, actor, {
        action: 'secrets reseal',
        subject: 'secrets',
        after: { [kind]: done.resealed },
      });
    }
    return { ...done, next: page.next };
  });

const nothing: Resealed = { resealed: 0, fresh: 0, unreadable: [] };

const resealKind = async (deps: ResealDeps, actor: Actor, known: Known): Promise<Resealed> => {
  let sum = nothing;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const some: Awaited<ReturnType<typeof resealSome>> = await resealSome(deps, actor, {
      ...known,
      after,
    });
    sum = {
      resealed: sum.resealed + some.resealed,
      fresh: sum.fresh + some.fresh,
      unreadable: [...sum.unreadable, ...some.unreadable],
    };
    after = some.next;
  }
  return sum;
};

// Bound to no location: it only proves that there is a key.
const trial = 'a trial';

/**
 * Seals everything that is not sealed under the current key. Sealed values stay, so you can interrupt and
 * repeat it; servers with both keys read everything throughout.
 */
export const resealSecrets = async (deps: ResealDeps, actor: Actor): Promise<ResealedKind[]> => {
  if (deps.secrets.seal(trial, trial) === undefined) throw new AdminError('SECRETS_KEY_MISSING');
  const done: ResealedKind[] = [];
  for (const known of kinds) {
    done.push({ kind: known.kind, ...(await resealKind(deps, actor, known)) });
  }
  return done;
};

/** The names of all secrets that the keys cannot open. Reads only. */
export const unreadableSecrets = async (db: Db, secrets: Secrets): Promise<string[]> => {
  const names: string[] = [];
  for (const { list } of kinds) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page: Awaited<ReturnType<ListSecrets>> = await list(db, after);
      const lost = page.secrets.filter(
        ({ kept, place }) => secrets.isSealed(kept) && secrets.open(kept, place).kind === 'closed',
      );
      names.push(...lost.map(({ name }) => name));
      after = page.next;
    }
  }
  return names;
};
