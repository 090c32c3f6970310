/** Holds the SQL of names in reports. */
import { runText } from '../../db/statement.ts';
import type { Tables } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';

/** Of all clients. There are hundreds, not millions. */
export const listClientNames = (db: Db): Promise<{ id: string; name: string }[]> =>
  runText(db, 'select id, name from clients', []);

/** For a command, which has no catalogue in memory. */
export const listProductNames = (
  db: Db,
): Promise<Pick<Tables['products'], 'id' | 'name' | 'name_en'>[]> =>
  runText(db, 'select id, name, name_en from products', []);
