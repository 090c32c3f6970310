/** Runs PostgreSQL for a whole test run: started before the first file and stopped after the last. */
import { Kysely, sql } from 'kysely';
import { readConfig } from '../../src/config/config.ts';
import { openForServer } from '../../src/db/open.ts';
import { postgresDialect } from '../../src/db/postgres/postgres.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { templateDatabase } from './database.ts';
import { hasty, startPostgres, type TestPostgres } from './postgres.ts';

/** A migrated, empty database: each test's own is a copy of it. */
const makeTemplate = async (postgres: TestPostgres): Promise<void> => {
  const { database } = readConfig({});
  const admin = new Kysely<object>({
    dialect: postgresDialect({ ...database, url: postgres.url('postgres') }, () => {}),
  });
  await sql.raw(`create database ${templateDatabase}`).execute(admin);
  await admin.destroy();
  const place = readConfig({ DATABASE_URL: postgres.url(templateDatabase) });
  const { close } = await openForServer(place, systemClock);
  await close();
};

export type RunPostgres = {
  /** The environment that tells test processes where it is. */
  readonly env: Readonly<Record<string, string>>;
  readonly remove: () => Promise<void>;
};

/** Its data are in a folder of `place`. */
export const startRunPostgres = async (place: string): Promise<RunPostgres> => {
  const postgres = await startPostgres(hasty, place);
  await makeTemplate(postgres);
  return {
    env: { SIMGATE_TEST_ENGINE: 'postgres', SIMGATE_TEST_POSTGRES: postgres.url('postgres') },
    remove: postgres.remove,
  };
};
