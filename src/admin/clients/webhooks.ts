/** Manages a client's webhooks for the back office, with an audit entry for each change. */
import { findClient } from '../../clients/store.ts';
import type { Db } from '../../db/types.ts';
import { GatewayError } from '../../lib/errors.ts';
import { maskUrl } from '../../lib/mask-url.ts';
import * as endpoints from '../../webhooks/endpoints.ts';
import { findMessage } from '../../webhooks/history/store.ts';
import type { EndpointRow, MessageRow } from '../../webhooks/store.ts';
import { mayDo, type Role } from '../access/roles.ts';
import { type Actor, auditChange, writeAudit } from '../audit/audit.ts';
import { AdminError, type AdminErrorCode } from '../errors.ts';
import { type ClientsDeps, runAction } from './act.ts';

export const assertClient = async (db: Db, id: string): Promise<void> => {
  if ((await findClient(db, id)) === undefined) throw new AdminError('CLIENT_NOT_FOUND');
};

/** Replaces the clients' error with one that names what is missing. */
const orMissing = async <T>(work: Promise<T>, code: AdminErrorCode): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    const missing = error instanceof GatewayError && error.code === 'WEBHOOK_NOT_FOUND';
    throw missing ? new AdminError(code) : error;
  }
};

export const endpointOfClient = async (
  db: Db,
  clientId: string,
  id: string,
): Promise<EndpointRow> => {
  await assertClient(db, clientId);
  return orMissing(endpoints.endpointOf(db, clientId, id), 'ENDPOINT_NOT_FOUND');
};

/** An endpoint's address as a role sees it: complete for roles that may change endpoints. */
export const endpointUrlFor = (role: Role, url: string): string =>
  mayDo(role, 'clients') ? url : maskUrl(url);

const noteOf = (row: EndpointRow) => ({
  endpoint_id: row.id,
  // The audit log holds no secrets, and an address may contain one.
  url: maskUrl(row.url),
  status: row.status,
  disabled_by: endpoints.disabledBy(row),
});

/** Enables or disables an endpoint. */
export const setEndpointStatus = async (
  deps: ClientsDeps,
  actor: Actor,
  which: { readonly clientId: string; readonly id: string },
  status: 'active' | 'disabled',
): Promise<EndpointRow> => {
  const { webhooks, wake } = deps.clients;
  await endpointOfClient(deps.db, which.clientId, which.id);
  const changed = endpoints.changeEndpoints(webhooks, async (db) => {
    const by = { status, by: 'gateway' } as const;
    const { before, after } = await endpoints.setEndpointStatus(db, which, by);
    if (before === after) return after;
    await writeAudit(db, deps, actor, {
      action: 'client webhook change',
      subject: which.clientId,
      before: noteOf(before),
      after: noteOf(after),
    });
    return after;
  });
  const after = await orMissing(changed, 'ENDPOINT_NOT_FOUND');
  if (after.status === 'active') wake([after.id]);
  return after;
};

export type WhichMessage = {
  readonly clientId: string;
  readonly endpointId: string;
  readonly id: string;
};

/** Sends a message again now, whether or not it was delivered. */
export const replayMessage = async (
  deps: ClientsDeps,
  actor: Actor,
  { clientId, endpointId, id }: WhichMessage,
): Promise<MessageRow> => {
  await endpointOfClient(deps.db, clientId, endpointId);
  const replayed = runAction(deps, actor, async (acting) => {
    const { db } = acting;
    const before = await findMessage(db, endpointId, id);
    await endpoints.replayMessage(db, clientId, { endpointId, id });
    const after = await findMessage(db, endpointId, id);
    if (before === undefined || after === undefined) throw new AdminError('MESSAGE_NOT_FOUND');
    await auditChange(acting, {
      action: 'client webhook replay',
      subject: clientId,
      before: { endpoint_id: endpointId, message_id: id, state: before.state },
      after: { endpoint_id: endpointId, message_id: id, state: after.state },
    });
    return after;
  });
  const message = await orMissing(replayed, 'MESSAGE_NOT_FOUND');
  deps.clients.wake([endpointId]);
  return message;
};
