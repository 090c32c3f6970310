/** Runs an action on clients in one transaction with its audit entry, and maps refusals to the back office's errors. */
import type { Static, TSchema } from 'typebox';
import { type ClientDeps, ClientFault } from '../../clients/errors.ts';
import { GatewayError } from '../../lib/errors.ts';
import type { EndpointDeps } from '../../webhooks/endpoints.ts';
import { type Actor, type AdminDeps, type Person, transact } from '../audit/audit.ts';
import { type Asked, type Done, type Once, once } from '../audit/idempotency.ts';
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

/** What use-cases need, in a transaction, and who acts. */
export type Acting = ClientDeps & { readonly actor: Actor };

/** One transaction by one actor, with what use-cases need. */
export const act = async <T>(
  { clock, newId, random, ...deps }: ActDeps,
  actor: Actor,
  work: (acting: Acting) => Promise<T>,
): Promise<T> => {
  try {
    return await transact(deps, (db) => work({ db, clock, newId, random, actor }));
  } catch (error) {
    throw inOwnWords(error);
  }
};

/** The same, once for each key. */
export const actOnce = <T extends TSchema, Made>(
  deps: ActDeps,
  actor: Person,
  asked: Asked,
  { work, ...how }: Once<T, Made, [Acting]>,
): Promise<Done<Static<T>, Made>> =>
  act(deps, actor, (acting) => once(acting, actor, asked, { ...how, work: () => work(acting) }));
