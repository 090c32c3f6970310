/** Owns how the back office acts on clients: one transaction with its audit, and its own words for what is refused. */
import { type ClientDeps, ClientFault } from '../../clients/fault.ts';
import type { Db } from '../../lib/db.ts';
import { GatewayError } from '../../lib/errors.ts';
import type { EndpointDeps } from '../../webhooks/endpoints.ts';
import { type Actor, type AdminDeps, type Change, transact, writeDown } from '../audit.ts';
import { AdminError } from '../errors.ts';

export type ActDeps = Omit<AdminDeps, 'passwords'>;

export type ClientsDeps = ActDeps & {
  readonly clients: {
    /** What a client has spent on the day that it is. */
    readonly dayOf: (clientId: string) => Promise<{ readonly spent: number }>;
    /** Below which balance a client is shown as low. */
    readonly lowBelow: () => number | Promise<number>;
    readonly webhooks: EndpointDeps;
    /** Hears that something of an endpoint is due. */
    readonly wake: (endpointIds: Iterable<string>) => void;
  };
};

export const fieldFault = (field: string, sentence: string): GatewayError =>
  new GatewayError('VALIDATION_FAILED', { errors: { [field]: [sentence] } });

const inOwnWords = (error: unknown): unknown => {
  if (!(error instanceof ClientFault)) return error;
  const { code, field, message } = error;
  return code === 'FIELD_WRONG' ? fieldFault(field, message) : new AdminError(code);
};

/** What a use-case refuses, in the words of the back office. */
export const told = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw inOwnWords(error);
  }
};

export type Acting = Omit<ClientDeps, 'db'> & {
  readonly db: Db;
  readonly actor: Actor;
};

/** Belongs in the transaction of what was changed; all that is done to a client stands under its id. */
export const noteDown = (acting: Acting, change: Change): Promise<void> =>
  writeDown(acting.db, acting, acting.actor, change);

/** One transaction by somebody, with what use-cases need. */
export const act = <T>(
  deps: ActDeps,
  actor: Actor,
  work: (acting: Acting) => Promise<T>,
): Promise<T> => {
  const { clock, newId, random } = deps;
  return told(transact(deps, (db) => work({ db, clock, newId, random, actor })));
};
