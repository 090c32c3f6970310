/** Runs an action on clients in one transaction with its audit entry, and maps refusals to the back office's errors. */
import type { Static, TSchema } from 'typebox';
import { type ClientDeps, ClientError } from '../../clients/errors.ts';
import { GatewayError } from '../../lib/errors.ts';
import type { Text } from '../../lib/text.ts';
import type { EndpointDeps } from '../../webhooks/endpoints.ts';
import { type Actor, type AdminDeps, type Person, transact } from '../audit/audit.ts';
import { type Done, type IdempotentAction, type Once, runOnce } from '../audit/idempotency.ts';
import { AdminError } from '../errors.ts';

export type ActDeps = Omit<AdminDeps, 'passwords'>;

export type ClientsDeps = ActDeps & {
  readonly clients: {
    /** Of all operators, in order. */
    readonly operatorIds: readonly number[];
    /** What a client has spent today. */
    readonly dayOf: (clientId: string) => Promise<{ readonly spent: number }>;
    /** A client that can spend less than this is shown as low. */
    readonly lowBelow: () => number | Promise<number>;
    readonly webhooks: EndpointDeps;
    /** Called when a message of an endpoint is due. */
    readonly wake: (endpointIds: Iterable<string>) => void;
  };
};

export const fieldFault = (field: string, text: Text): GatewayError =>
  new GatewayError('VALIDATION_FAILED', { errors: { [field]: [text] } });

const toAdminError = (error: unknown): unknown => {
  if (!(error instanceof ClientError)) return error;
  const { code, fault } = error;
  if (code !== 'FIELD_WRONG') return new AdminError(code);
  return fault === undefined ? error : fieldFault(fault.field, fault.text);
};

/** What use-cases need in a transaction, with the actor. */
export type ActionContext = ClientDeps & { readonly actor: Actor };

/** One transaction by one actor, with what use-cases need. */
export const runAction = async <T>(
  { clock, newId, random, ...deps }: ActDeps,
  actor: Actor,
  work: (acting: ActionContext) => Promise<T>,
): Promise<T> => {
  try {
    return await transact(deps, (db) => work({ db, clock, newId, random, actor }));
  } catch (error) {
    throw toAdminError(error);
  }
};

/** The same, once per key. */
export const actOnce = <T extends TSchema, Made>(
  deps: ActDeps,
  actor: Person,
  asked: IdempotentAction,
  { work, ...how }: Once<T, Made, [ActionContext]>,
): Promise<Done<Static<T>, Made>> =>
  runAction(deps, actor, (acting) =>
    runOnce(acting, actor, asked, { ...how, work: () => work(acting) }),
  );
