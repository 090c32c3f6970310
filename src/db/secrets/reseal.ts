/** Reseals stored secrets under the current key. */
import { runText } from '../statement.ts';
import type { Tables } from '../tables/tables.ts';
import type { Db } from '../types.ts';
import type { Secrets } from './keys.ts';

/** A secret in the database, with its sealing context. */
export type StoredSecret = {
  /** Its name for people: never its content. */
  readonly name: string;
  readonly place: string;
  readonly kept: string;
  /** Writes a text, unless another was written since; returns whether it did. */
  readonly replace: (db: Db, text: string) => Promise<boolean>;
};

/** Some of the secrets of one kind, and the cursor of the next page; undefined for the last. */
type SecretsPage = {
  readonly secrets: readonly StoredSecret[];
  readonly next: string | undefined;
};

/** All secrets of one kind, page by page in one order. */
export type ListSecrets = (db: Db, after: string) => Promise<SecretsPage>;

type Cell = {
  readonly table: keyof Tables;
  readonly column: string;
  /** The column that identifies its row, and the value there. */
  readonly key: string;
  readonly id: string | number;
};

/** Replaces a secret with another text, unless it has changed since it was read. */
export const replaceIn =
  ({ table, column, key, id }: Cell, kept: string): StoredSecret['replace'] =>
  async (db, next) => {
    const text = `update ${table} set ${column} = ? where ${key} = ? and ${column} = ? returning ${key}`;
    return (await runText(db, text, [next, id, kept])).length > 0;
  };

const atATime = 100;

type SecretColumns<Column extends string> = {
  readonly table: keyof Tables;
  readonly columns: readonly Column[];
  /** Excluded rows, as a condition in SQL. */
  readonly without?: string;
  /** The column that identifies a row to people. */
  readonly title: string;
  readonly nameOf: (title: string) => string;
  readonly placeOf: (column: Column, id: string) => string;
};

type SecretRow<Column extends string> = { readonly [One in Column]: string | null } & {
  readonly id: string;
  readonly title: string;
};

/** Lists the secrets in the columns of a table, for sealing them under another key. */
export const secretsIn = <Column extends string>(of: SecretColumns<Column>): ListSecrets => {
  const { table, columns, title, without = 'false' } = of;
  const text = `select id, ${title} as title, ${columns.join(', ')} from ${table}
    where id > ? and not (${without}) order by id limit ${atATime}`;
  return async (db, after) => {
    const rows = await runText<SecretRow<Column>>(db, text, [after]);
    const secrets = rows.flatMap((row) =>
      columns.flatMap((column): StoredSecret[] => {
        const { id, [column]: kept } = row;
        if (kept === null) return [];
        const replace = replaceIn({ table, column, key: 'id', id }, kept);
        return [{ name: of.nameOf(row.title), place: of.placeOf(column, id), kept, replace }];
      }),
    );
    return { secrets, next: rows.length < atATime ? undefined : rows.at(-1)?.id };
  };
};

export type Resealed = {
  readonly resealed: number;
  /** Sealed under an earlier key. */
  readonly fresh: number;
  /** The names of those that no key here opens, and why. */
  readonly unreadable: readonly { readonly name: string; readonly why: string }[];
};

type Outcome = 'resealed' | 'fresh' | { readonly why: string };

const resealOne = async (db: Db, secrets: Secrets, secret: StoredSecret): Promise<Outcome> => {
  const { kept, place } = secret;
  const opened = secrets.isSealed(kept)
    ? secrets.open(kept, place)
    : ({ kind: 'open', text: kept } as const);
  if (opened.kind === 'closed') return opened;
  if (secrets.isCurrent(kept)) return 'fresh';
  const text = secrets.seal(opened.text, place);
  return text !== undefined && (await secret.replace(db, text)) ? 'resealed' : 'fresh';
};

/**
 * Within a transaction: seals the secrets of a page. A secret changed since is under the current key already.
 */
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
