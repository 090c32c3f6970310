/** Creates, updates and deletes endpoints, rotates their secrets, and replays messages. */
import type { ClientDeps } from '../clients/errors.ts';
import type { WebhooksConfig } from '../config/sections/webhooks.ts';
import { bumpVersion } from '../db/changes/versions.ts';
import type { LockRetry } from '../db/lock-retry.ts';
import type { Secrets } from '../db/secrets/keys.ts';
import { runTransaction } from '../db/transaction.ts';
import type { Db } from '../db/types.ts';
import { nextTurn } from '../lib/clock.ts';
import { type FieldErrors, GatewayError } from '../lib/errors.ts';
import type { Log } from '../lib/log/log.ts';
import { persianDigits, type Text } from '../lib/text.ts';
import { createAddressPolicy, urlProblem } from './delivery/address.ts';
import { makeSecret } from './delivery/sign.ts';
import { type EventType, eventsOf } from './event.ts';
import { replayFailed, replayMessageRow } from './history/store.ts';
import type { Listeners } from './listeners.ts';
import { sealSecret } from './secret.ts';
import {
  type EndpointRow,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  updateEndpointRow,
} from './store.ts';

export type EndpointDeps = ClientDeps & {
  readonly secrets: Pick<Secrets, 'seal'>;
  readonly settings: Pick<WebhooksConfig, 'allowedNetworks' | 'endpointsPerClient'>;
  readonly listeners: Pick<Listeners, 'reload'>;
  readonly retryLocked: LockRetry;
  readonly log: Pick<Log, 'error'>;
};

/** An endpoint's fields from its client. */
export type EndpointInput = {
  readonly url: string;
  readonly description: string;
  readonly events: readonly EventType[];
  readonly balanceBelow: number | null;
};

/** The secret is in this answer only. */
export type WithSecret = { readonly endpoint: EndpointRow; readonly secret: string };

const wrong = (errors: FieldErrors): GatewayError =>
  new GatewayError('VALIDATION_FAILED', { errors });

const amountMissing: Text = {
  en: 'balance_below is required with the event "balance.low".',
  fa: 'برای رویداد balance.low فیلد balance_below الزامی است.',
};

const assertFits = (
  { settings }: EndpointDeps,
  { url, events, balanceBelow }: EndpointInput,
): void => {
  const fault = urlProblem(url, createAddressPolicy(settings.allowedNetworks));
  const lacksAmount = events.includes('balance.low') && balanceBelow === null;
  const errors = {
    ...(fault === undefined ? {} : { url: [fault] }),
    ...(lacksAmount ? { balance_below: [amountMissing] } : {}),
  };
  if (Object.keys(errors).length > 0) throw wrong(errors);
};

const columnsOf = ({ url, description, events, balanceBelow }: EndpointInput) => ({
  url,
  description,
  events: JSON.stringify([...new Set(events)]),
  balance_below: balanceBelow,
});

/**
 * Changes endpoints in one transaction; this instance applies it at once and the others soon. They run one
 * after another, because all lock the version first.
 */
export const changeEndpoints = async <T>(
  deps: EndpointDeps,
  work: (db: Db) => Promise<T>,
): Promise<T> => {
  const result = await runTransaction(deps, async (db) => {
    await bumpVersion(db, 'webhooks', deps.newId);
    return work(db);
  });
  // It is committed: if it cannot be reloaded now, the next check of versions does.
  await deps.listeners.reload().catch((err: unknown) => {
    deps.log.error({ err }, 'cannot reload webhook endpoints');
  });
  return result;
};

export const endpointOf = async (db: Db, clientId: string, id: string): Promise<EndpointRow> => {
  const found = await findEndpoint(db, clientId, id);
  if (found === undefined) throw new GatewayError('WEBHOOK_NOT_FOUND');
  return found;
};

export const createEndpoint = (
  deps: EndpointDeps,
  clientId: string,
  wanted: EndpointInput,
): Promise<WithSecret> => {
  assertFits(deps, wanted);
  const secret = makeSecret(deps.random);
  return changeEndpoints(deps, async (db) => {
    const most = deps.settings.endpointsPerClient;
    if ((await listEndpoints(db, clientId)).length >= most) {
      throw wrong({
        url: [
          {
            en: `You already have the maximum of ${most} endpoints. Delete one first.`,
            fa: `تعداد نشانی‌های شما به سقف ${persianDigits(most)} رسیده است. ابتدا یکی را حذف کنید.`,
          },
        ],
      });
    }
    const id = deps.newId();
    const endpoint: EndpointRow = {
      ...columnsOf(wanted),
      id,
      client_id: clientId,
      status: 'active',
      disabled_by: null,
      by_gateway: 0,
      secret: sealSecret(deps.secrets, id, secret),
      old_secret: null,
      old_secret_until: null,
      created_at: deps.clock.now(),
      deleted_at: null,
    };
    await insertEndpoint(db, endpoint);
    return { endpoint, secret };
  });
};

export type Change = Partial<EndpointInput> & { readonly status?: 'active' | 'disabled' };

/** Who disables an endpoint: its client, or the gateway's staff. */
export type ChangedBy = 'client' | 'gateway';

const statusColumns = (status: Change['status'], by: ChangedBy) => {
  if (status === undefined) return {};
  if (status === 'active') return { status, disabled_by: null, by_gateway: 0 };
  return { status, disabled_by: 'client' as const, by_gateway: by === 'gateway' ? 1 : 0 };
};

/** Who has disabled it, or why; null if it is active. */
export const disabledBy = (
  row: Pick<EndpointRow, 'disabled_by' | 'by_gateway'>,
): 'client' | 'gone' | 'gateway' | null =>
  row.disabled_by !== null && row.by_gateway === 1 ? 'gateway' : row.disabled_by;

/** Enables or disables an endpoint, inside the transaction of `changeEndpoints`. */
export const setEndpointStatus = async (
  db: Db,
  { clientId, id }: { readonly clientId: string; readonly id: string },
  { status, by }: { readonly status: 'active' | 'disabled'; readonly by: ChangedBy },
): Promise<{ readonly before: EndpointRow; readonly after: EndpointRow }> => {
  const before = await endpointOf(db, clientId, id);
  // The first to disable it counts; a second time changes nothing.
  if (before.status === status) return { before, after: before };
  const columns = statusColumns(status, by);
  await updateEndpointRow(db, id, columns);
  return { before, after: { ...before, ...columns } };
};

export const updateEndpoint = (
  deps: EndpointDeps,
  clientId: string,
  id: string,
  { status, ...change }: Change,
): Promise<EndpointRow> =>
  changeEndpoints(deps, async (db) => {
    const before = await endpointOf(db, clientId, id);
    const wanted: EndpointInput = {
      url: before.url,
      description: before.description,
      events: eventsOf(before),
      balanceBelow: before.balance_below,
      ...change,
    };
    assertFits(deps, wanted);
    const columns = { ...columnsOf(wanted), ...statusColumns(status, 'client') };
    await updateEndpointRow(db, id, columns);
    return { ...before, ...columns };
  });

/** Rotates the secret; the old one also signs for the given time. */
export const rotateSecret = (
  deps: EndpointDeps,
  clientId: string,
  id: string,
  overlapMs: number,
): Promise<WithSecret> =>
  changeEndpoints(deps, async (db) => {
    const before = await endpointOf(db, clientId, id);
    const secret = makeSecret(deps.random);
    const old =
      overlapMs === 0
        ? { old_secret: null, old_secret_until: null }
        : { old_secret: before.secret, old_secret_until: deps.clock.now() + overlapMs };
    const change = { secret: sealSecret(deps.secrets, id, secret), ...old };
    await updateEndpointRow(db, id, change);
    return { endpoint: { ...before, ...change }, secret };
  });

/** Nothing more is sent to it, and it is no longer listed. */
export const deleteEndpoint = (deps: EndpointDeps, clientId: string, id: string): Promise<void> =>
  changeEndpoints(deps, async (db) => {
    await endpointOf(db, clientId, id);
    const forgotten = { secret: '', old_secret: null, old_secret_until: null };
    await updateEndpointRow(db, id, {
      status: 'deleted',
      disabled_by: null,
      deleted_at: deps.clock.now(),
      ...forgotten,
    });
  });

/** Makes one message due now, whatever its state. */
export const replayMessage = async (
  db: Db,
  clientId: string,
  message: { readonly endpointId: string; readonly id: string },
): Promise<void> => {
  await endpointOf(db, clientId, message.endpointId);
  if (!(await replayMessageRow(db, message))) throw new GatewayError('WEBHOOK_NOT_FOUND');
};

/** Makes all due now that have failed since a moment; returns how many. */
export const replaySince = async (
  deps: EndpointDeps,
  clientId: string,
  wanted: { readonly endpointId: string; readonly since: number },
): Promise<number> => {
  await endpointOf(deps.db, clientId, wanted.endpointId);
  let [count, after]: [number, string | undefined] = [0, ''];
  while (after !== undefined) {
    const piece: { readonly count: number; readonly last: string | undefined } =
      await deps.retryLocked(() => replayFailed(deps.db, { ...wanted, after: after ?? '' }));
    [count, after] = [count + piece.count, piece.last];
    await nextTurn();
  }
  return count;
};
