/** Prepares PostgreSQL connections: prepared statements where possible, none behind a pooler. */
import { hash } from 'node:crypto';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { perKey } from '../../lib/memo.ts';

/** Whether an error comes from the server, rather than from the connection. */
export const isServerError = (error: unknown): boolean => error instanceof pg.DatabaseError;

/**
 * The name of a prepared statement on a connection. It is derived from the text: behind a pooler another
 * process may have prepared statements on it, and must mean the same by each name.
 */
const nameOf = perKey((text: string) => `simgate_${hash('sha256', text, 'hex').slice(0, 32)}`);

export type Plans = {
  /** Whether statements are prepared once per connection. Once given up, it stays off. */
  kept: boolean;
  /** Part of every statement's name. A new generation makes each connection prepare each text again. */
  generation: number;
};

const plannedOnce = (args: readonly unknown[], plans: Plans): readonly unknown[] => {
  const [text, values, ...others] = args;
  if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0 || !plans.kept) {
    return args;
  }
  const generation = plans.generation === 0 ? '' : `_${plans.generation}`;
  return [{ name: `${nameOf(text)}${generation}`, text, values }, ...others];
};

/**
 * A connection whose answer was late is never used again: the statement may still run later, in the middle of
 * another transaction.
 */
const leaveIfUnanswered = async (client: pg.ClientBase, asked: Promise<unknown>): Promise<void> => {
  try {
    await asked;
  } catch (error) {
    if (!isServerError(error) && client instanceof pg.Client) await client.end();
  }
};

/**
 * A pooler shows its clients its own number, not that of the server process. It may give each transaction
 * another connection, which lacks the prepared statements: so none are used.
 */
export const isPooled = async (client: pg.ClientBase): Promise<boolean> => {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid !== Reflect.get(client, 'processID');
};

/** While a cursor is open nothing else may be sent: the connection then works without pipelining. */
const stopAtCursor = (client: pg.ClientBase, [asked]: readonly unknown[]): void => {
  if (!(asked instanceof Cursor)) return;
  Reflect.set(client, 'pipeline', false);
  client.once('drain', () => Reflect.set(client, 'pipeline', true));
};

/** Prepares a new connection. */
export const prepareClient = async (client: pg.ClientBase, plans: Plans): Promise<void> => {
  // Its user learns of its end from the statement. Without a listener, the error would end the process.
  client.on('error', () => {});
  if (plans.kept && (await isPooled(client))) plans.kept = false;
  const original: unknown = Reflect.get(client, 'query');
  if (typeof original !== 'function') throw new Error('A connection cannot be asked.');
  Reflect.set(client, 'query', (...args: readonly unknown[]): unknown => {
    stopAtCursor(client, args);
    const asked: unknown = Reflect.apply(original, client, plannedOnce(args, plans));
    if (asked instanceof Promise) void leaveIfUnanswered(client, asked);
    return asked;
  });
};
