/** Holds the SQL of the database's size. */
import { sqlOf } from '../../db/engine.ts';
import { runText } from '../../db/statement.ts';
import type { Db } from '../../db/types.ts';

const sizeText = {
  sqlite: 'select page_count * page_size as bytes from pragma_page_count() join pragma_page_size()',
  postgres: 'select pg_database_size(current_database()) as bytes',
} as const;

export const databaseSize = async (
  db: Db,
): Promise<{ readonly engine: 'sqlite' | 'postgres'; readonly bytes: number | null }> => {
  const { name: engine } = sqlOf(db);
  const [row] = await runText<{ bytes: number }>(db, sizeText[engine], []);
  return { engine, bytes: row?.bytes ?? null };
};
