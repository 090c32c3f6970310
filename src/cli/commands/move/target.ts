/** Reads where a move goes: a PostgreSQL address, or the folder of a SQLite database. */
import { type Config, readConfigAt } from '../../../config/config.ts';
import { secretIn } from '../../../config/sources.ts';
import { type Arguments, InvalidUsage, type Option, textOption } from '../../definition.ts';

export const targetOptions = {
  to: {
    value: 'TARGET',
    about:
      'The new place: a PostgreSQL URL (a password there is visible to others: use --to-file), or the data directory of a SQLite database.',
  },
  'to-file': { value: 'FILE', about: 'A file that holds the PostgreSQL URL.' },
} as const satisfies Record<string, Option>;

const isPostgres = (target: string): boolean => /^postgres(ql)?:\/\//.test(target);

const targetText = (args: Arguments): string => {
  const [to, file] = [textOption(args, 'to'), textOption(args, 'to-file')];
  if ((to === undefined) === (file === undefined)) {
    throw new InvalidUsage('Give one of --to TARGET and --to-file FILE.');
  }
  const text = to ?? secretIn(file ?? '', '--to-file');
  if (text === '' || (/^[a-z]+:\/\//i.test(text) && !isPostgres(text))) {
    throw new InvalidUsage('The target must be a postgres:// URL or a data directory.');
  }
  return text;
};

/** The configuration as it will be at the new place. */
export const targetConfig = (args: Arguments, source: Config): Config => {
  const text = targetText(args);
  if (isPostgres(text)) {
    if (source.databaseUrl === undefined) return readConfigAt(text);
    throw new InvalidUsage(
      'The database is in PostgreSQL already. To move it to another server, use pg_dump and "simgate restore moved".',
    );
  }
  if (source.databaseUrl === undefined) {
    throw new InvalidUsage(
      'The database is in a file already. To move it to another folder, stop the server and copy the folder.',
    );
  }
  const { databaseUrl: _left, ...others } = source;
  return { ...others, dataDir: text.replace(/^sqlite:(\/\/)?/, '') };
};
