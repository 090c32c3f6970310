/** Defines the dependencies and errors of the client use-cases. */
import type { Db } from '../db/types.ts';
import type { Clock } from '../lib/clock.ts';
import { UsageError } from '../lib/errors.ts';
import type { NewId, Random } from '../lib/random.ts';
import type { Text } from '../lib/text.ts';
import { type ClientRow, lockClient } from './store.ts';

export type ClientDeps = {
  readonly db: Db;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
  readonly random: Random;
};

export type ClientErrorCode =
  | 'CLIENT_NOT_FOUND'
  | 'TOKEN_NOT_FOUND'
  | 'TOKEN_ENDED'
  | 'BALANCE_TOO_SMALL'
  /** One of the values given is not valid. */
  | 'FIELD_WRONG';

type FieldFault = { readonly field: string; readonly text: Text };

/** A refused use-case, without changes: a sentence for the command line, a code for programs. */
export class ClientError extends UsageError {
  readonly code: ClientErrorCode;
  /** With `FIELD_WRONG`: the field, and its problem. */
  readonly fault: FieldFault | undefined;

  constructor(code: ClientErrorCode, message: string, fault?: FieldFault) {
    super(message);
    this.code = code;
    this.fault = fault;
  }
}

export const clientNotFound = (id: string): ClientError =>
  new ClientError('CLIENT_NOT_FOUND', `There is no client ${id}.`);

export const invalidField = (field: string, text: Text): ClientError =>
  new ClientError('FIELD_WRONG', text.en, { field, text });

/** Within a transaction: a client that exists, locked against other changes until the transaction ends. */
export const lockExisting = async (db: Db, id: string): Promise<ClientRow> => {
  const client = await lockClient(db, id);
  if (client === undefined) throw clientNotFound(id);
  return client;
};
