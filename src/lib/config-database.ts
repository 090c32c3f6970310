/** Owns the settings of the database: PostgreSQL's address, pool and limits, and who writes the file. */
import { Type } from 'typebox';
import { maskUrl } from './mask-url.ts';

export const DatabaseUrlSchema = Type.String({
  pattern: '^postgres(ql)?://\\S+$',
  description: 'DATABASE_URL: a PostgreSQL database, as postgres://user:password@host/name.',
});

export const DatabaseSchema = Type.Object(
  {
    connections: Type.Integer({
      default: 10,
      minimum: 2,
      description: 'Connections that one process opens at most.',
    }),
    connectMs: Type.Integer({
      default: 3000,
      minimum: 1,
      description: 'How long a connection may take to open, or to be free.',
    }),
    statementMs: Type.Integer({
      default: 5000,
      minimum: 10,
      description:
        'How long a statement or a pause in a transaction may take; a wait for a lock four fifths of it.',
    }),
    listen: Type.Boolean({
      default: true,
      description:
        'Whether to hear of changes at once, on a connection of its own. Without it they are looked for every half second.',
    }),
    synchronousReplication: Type.Boolean({
      default: false,
      description:
        'Whether PostgreSQL acknowledges a commit only when a standby has it, and only such a standby is promoted. Then instances that died with the primary need not vouch after a failover.',
    }),
  },
  { additionalProperties: false, default: {}, description: 'Of PostgreSQL; SQLite has none.' },
);

export const WriterThreadSchema = Type.Boolean({
  default: false,
  description: 'SIMGATE_WRITER_THREAD=on: a thread of its own writes the database file.',
});

// Whatever else stands in an address of a database may be a secret.
const shownParameters: ReadonlySet<string> = new Set([
  'application_name',
  'connect_timeout',
  'dbname',
  'host',
  'port',
  'sslmode',
  'target_session_attrs',
  'user',
]);

/** The address of the database fit for a screen. */
export const maskDatabaseUrl = (url: string): string => maskUrl(url, shownParameters);
