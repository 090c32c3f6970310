/** Seals and opens the secrets of endpoints. */
import type { LockRetry } from '../db/lock-retry.ts';
import type { Secrets } from '../db/secrets/keys.ts';
import { resealPage, secretsIn } from '../db/secrets/reseal.ts';
import type { Db } from '../db/types.ts';
import type { Log } from '../lib/log/log.ts';
import type { SigningSecrets } from './delivery/sign.ts';
import type { EndpointRow } from './store.ts';

/** One context for both columns: a secret that becomes the old one stays sealed as it is. */
const placeOf = (endpointId: string): string => `webhook_endpoints secret ${endpointId}`;

/** The stored form of a secret. */
export const sealSecret = (
  secrets: Pick<Secrets, 'seal'>,
  endpointId: string,
  secret: string,
): string => secrets.seal(secret, placeOf(endpointId)) ?? secret;

const readSecret = (
  secrets: Pick<Secrets, 'isSealed' | 'open'>,
  endpointId: string,
  kept: string,
): string | undefined => {
  if (!secrets.isSealed(kept)) return kept;
  const opened = secrets.open(kept, placeOf(endpointId));
  return opened.kind === 'open' ? opened.text : undefined;
};

/** The signing secrets of an endpoint; undefined if no key here opens them. */
export const signingSecrets = (
  secrets: Pick<Secrets, 'isSealed' | 'open'>,
  row: Pick<EndpointRow, 'id' | 'secret' | 'old_secret' | 'old_secret_until'>,
): SigningSecrets | undefined => {
  const secret = readSecret(secrets, row.id, row.secret);
  if (secret === undefined) return undefined;
  const { old_secret: kept, old_secret_until: until } = row;
  const old = kept === null ? undefined : readSecret(secrets, row.id, kept);
  return { secret, old: old === undefined || until === null ? null : { secret: old, until } };
};

/** The secrets of all endpoints. Deleted ones have none. */
export const webhookSecrets = secretsIn({
  table: 'webhook_endpoints',
  columns: ['secret', 'old_secret'],
  without: "status = 'deleted'",
  title: 'id',
  nameOf: (id) => `webhook endpoint ${id}`,
  placeOf: (_, id) => placeOf(id),
});

export type SealDeps = {
  readonly db: Db;
  readonly retryLocked: LockRetry;
  readonly secrets: Secrets;
  readonly log: Pick<Log, 'warn'>;
};

/** Seals secrets that were stored before endpoint secrets were sealed, or before there was a key. */
export const sealWebhookSecrets = async (deps: SealDeps): Promise<void> => {
  const { db, retryLocked, secrets, log } = deps;
  let sealed = 0;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after;
    const page = await retryLocked(() => webhookSecrets(db, from));
    const plain = page.secrets.filter(({ kept }) => !secrets.isSealed(kept));
    const { resealed } = await retryLocked(() =>
      db.transaction().execute((db) => resealPage(db, secrets, { secrets: plain })),
    );
    sealed += resealed;
    after = page.next;
  }
  if (sealed > 0)
    log.warn({ sealed }, 'secrets of webhooks were kept unsealed, and are sealed now');
};
