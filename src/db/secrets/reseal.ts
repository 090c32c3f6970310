/** Reseals stored secrets under the current key. */
import type { Db } from '../types.ts';
import type { Secrets } from './keys.ts';

/** A secret in the database, with the place that it is sealed for. */
export type StoredSecret = {
  /** Names it to people: never what it holds. */
  readonly name: string;
  readonly place: string;
  readonly kept: string;
  /** Puts a text in its place, unless another was put there meanwhile; tells whether it did. */
  readonly replace: (db: Db, text: string) => Promise<boolean>;
};

/** Some of the secrets of one kind, and where the next page begins; undefined where it was the last. */
export type SecretsPage = {
  readonly secrets: readonly StoredSecret[];
  readonly next: string | undefined;
};

/** All secrets of one kind, page by page in one order. */
export type ListSecrets = (db: Db, after: string) => Promise<SecretsPage>;

export type Resealed = {
  readonly resealed: number;
  /** Sealed under the key in use before. */
  readonly fresh: number;
  /** The names of those that no key here opens, and why. */
  readonly unreadable: readonly { readonly name: string; readonly why: string }[];
};

type Outcome = 'resealed' | 'fresh' | { readonly why: string };

const resealOne = async (db: Db, secrets: Secrets, secret: StoredSecret): Promise<Outcome> => {
  const { kept, place } = secret;
  if (secrets.isSealed(kept)) {
    const opened = secrets.open(kept, place);
    if (opened.kind === 'closed') return opened;
    if (secrets.isCurrent(kept)) return 'fresh';
    const text = secrets.seal(opened.text, place);
    return text !== undefined && (await secret.replace(db, text)) ? 'resealed' : 'fresh';
  }
  const text = secrets.seal(kept, place);
  return text !== undefined && (await secret.replace(db, text)) ? 'resealed' : 'fresh';
};

/** Within a transaction: seals the secrets of a page. What was changed meanwhile is under the key in use already. */
export const resealPage = async (
  db: Db,
  secrets: Secrets,
  page: Pick<SecretsPage, 'secrets'>,
): Promise<Resealed> => {
  let [resealed, fresh] = [0, 0];
  const unreadable: { name: string; why: string }[] = [];
  for (const secret of page.secrets) {
    const outcome = await resealOne(db, secrets, secret);
    if (outcome === 'resealed') resealed += 1;
    else if (outcome === 'fresh') fresh += 1;
    else unreadable.push({ name: secret.name, why: outcome.why });
  }
  return { resealed, fresh, unreadable };
};
