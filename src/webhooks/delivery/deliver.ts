/** Delivers due messages under a lease, each endpoint at its own rate, until delivered or given up. */
import type { WebhooksConfig } from '../../config/sections/webhooks.ts';
import { bumpVersion } from '../../db/changes/versions.ts';
import { onClockSetBack } from '../../db/clock-step.ts';
import type { LockRetry } from '../../db/lock-retry.ts';
import type { Secrets } from '../../db/secrets/keys.ts';
import type { DatabaseTime, Db } from '../../db/types.ts';
import { type Clock, nextTurn, repeat } from '../../lib/clock.ts';
import { callContext, contextHeaders } from '../../lib/http/trace.ts';
import type { Log } from '../../lib/log/log.ts';
import type { NewId, Random } from '../../lib/random.ts';
import type { WebhookOutcome } from '../../metrics/metrics.ts';
import { noSpans, type Spans } from '../../tracing/spans.ts';
import type { Listeners } from '../listeners.ts';
import { signingSecrets } from '../secret.ts';
import {
  bringForward,
  type Claimed,
  claimMessages,
  disableGone,
  dueEndpoints,
  type EndpointRow,
  readActive,
  updateMessage,
} from '../store.ts';
import { afterAttempt, isDelivered, isGone, longestPause } from './attempt.ts';
import type { Sender, Sent } from './send.ts';
import { type SigningSecrets, signedHeaders } from './sign.ts';
import { beginAttempt } from './traced.ts';

export type DeliveryDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly databaseTime: DatabaseTime;
  readonly random: Random;
  readonly newId: NewId;
  readonly retryLocked: LockRetry;
  readonly log: Pick<Log, 'error'>;
  readonly settings: Pick<WebhooksConfig, 'timeoutMs' | 'atOnce' | 'pausesMs'>;
  readonly listeners: Pick<Listeners, 'any' | 'reload'>;
  readonly sender: Sender;
  readonly secrets: Pick<Secrets, 'isSealed' | 'open'>;
  /** Records attempts; without it nothing is recorded and no trace is passed on. */
  readonly spans?: Spans;
  /** Hears of each attempt. */
  readonly attempted?: (outcome: WebhookOutcome) => void;
};

export type Delivery = {
  /** Signals that there are messages for these endpoints. */
  readonly wake: (endpointIds: Iterable<string>) => void;
  readonly start: () => void;
  /** Starts nothing more, and waits a little for attempts in flight. Aborted ones are sent again. */
  readonly stop: () => Promise<void>;
};

const lookEveryMs = 1000;
// For the work after the answer: an instance that has not recorded it by then counts as dead.
const leaseBeyondTimeoutMs = 15_000;
const waitAtEndMs = 1000;

const chanceOf = (random: Random): number => (random(1)[0] ?? 0) / 255;

type LaneDeps = DeliveryDeps & {
  /** Whether new work may begin. */
  readonly running: () => boolean;
  /** Runs work when it is its turn among all lanes. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
  /** Called when an endpoint's messages can be signed, or cannot. */
  readonly signed: (endpointId: string) => void;
  readonly unsigned: (endpointId: string) => void;
};

// One event may go to many endpoints: requests and purchases get turns in between.
const claimsAtOnce = 4;

const createTurns = (): LaneDeps['inTurn'] => {
  const ends = Array.from({ length: claimsAtOnce }, () => Promise.resolve());
  let count = 0;
  return (work) => {
    const place = (count += 1) % claimsAtOnce;
    const done = (ends[place] ?? Promise.resolve()).then(nextTurn).then(work);
    ends[place] = done.catch(() => {});
    return done;
  };
};

/** A message's destination and signing secrets. */
type Receiver = Pick<EndpointRow, 'id' | 'url'> & { readonly signing: SigningSecrets };

/** Sends one message, with what ties it to the request that it goes back to, where there is one. */
const send = async (deps: LaneDeps, endpoint: Receiver, message: Claimed): Promise<Sent> => {
  const { id, payload, request_id: requestId } = message;
  const span = beginAttempt(deps.spans ?? noSpans, endpoint, message);
  const headers = {
    ...signedHeaders({ id, payload }, endpoint.signing, deps.clock.now()),
    ...(requestId === null ? {} : contextHeaders(callContext({ requestId, trace: span.trace }))),
  };
  const sent = await deps.sender.send({ url: endpoint.url, headers, body: payload });
  span.end(sent);
  return sent;
};

/** Sends one message and records the result. */
const deliver = async (deps: LaneDeps, endpoint: Receiver, message: Claimed): Promise<void> => {
  const { db, clock, settings, retryLocked } = deps;
  const { id } = message;
  const started = clock.monotonic();
  const sent = await send(deps, endpoint, message);
  // We aborted it: its outcome is unknown, and the lease runs out.
  if (!deps.running() && !isDelivered(sent)) return;
  deps.attempted?.(isDelivered(sent) ? 'delivered' : 'failed');
  const ms = Math.round(clock.monotonic() - started);
  await retryLocked(async () => {
    const now = await deps.databaseTime(db);
    const attempt = { sent, at: now - ms, ms, chance: chanceOf(deps.random) };
    const name = { endpointId: endpoint.id, id, attempts: message.attempts };
    await db.transaction().execute(async (db) => {
      // The version before the endpoint, as everywhere: one lock order prevents deadlocks.
      if (isGone(sent)) await bumpVersion(db, 'webhooks', deps.newId);
      const after = afterAttempt(message, attempt, settings.pausesMs);
      const isOurs = await updateMessage(db, name, after);
      if (isOurs && isGone(sent)) await disableGone(db, endpoint.id, endpoint.url);
    });
  });
  if (isGone(sent)) await deps.listeners.reload();
};

/** The endpoint, if it is active and its messages can be signed. */
const readReceiver = async (deps: LaneDeps, endpointId: string): Promise<Receiver | undefined> => {
  const endpoint = await readActive(deps.db, endpointId);
  if (endpoint === undefined) return undefined;
  const signing = signingSecrets(deps.secrets, endpoint);
  if (signing === undefined) {
    deps.unsigned(endpointId);
    return undefined;
  }
  deps.signed(endpointId);
  return { ...endpoint, signing };
};

/** The lane of one endpoint. No other endpoint waits for it. */
const createLane = (deps: LaneDeps, endpointId: string) => {
  const { db, settings, log, running, inTurn } = deps;
  const inFlight = new Set<Promise<void>>();
  let claiming: Promise<void> | undefined;
  let askedAgain = false;

  const claim = async (): Promise<void> => {
    if ((await readReceiver(deps, endpointId)) === undefined) return;
    const now = await deps.databaseTime(db);
    const leaseUntil = now + settings.timeoutMs + leaseBeyondTimeoutMs;
    const most = settings.atOnce - inFlight.size;
    const claimed = await deps.retryLocked(() =>
      claimMessages(db, { endpointId, now, leaseUntil, most }),
    );
    if (claimed.length === 0) return;
    // Read after the claim: a message written after a change of secret or address uses the new one.
    const receiver = await readReceiver(deps, endpointId);
    // Disabled in between: the lease runs out, and they wait until it is enabled.
    if (receiver === undefined) return;
    for (const message of claimed) {
      const work = deliver(deps, receiver, message)
        .catch((err: unknown) => log.error({ err, endpoint: endpointId }, 'a webhook is not noted'))
        .finally(() => {
          inFlight.delete(work);
          fill();
        });
      inFlight.add(work);
    }
  };

  const fill = (): void => {
    if (claiming !== undefined) askedAgain = true;
    else if (running() && inFlight.size < settings.atOnce) {
      askedAgain = false;
      claiming = inTurn(claim)
        .catch((err: unknown) => log.error({ err, endpoint: endpointId }, 'cannot read webhooks'))
        .finally(() => {
          claiming = undefined;
          if (askedAgain) fill();
        });
    }
  };

  return {
    fill,
    isIdle: () => claiming === undefined && inFlight.size === 0,
    end: async () => {
      await claiming;
      await Promise.all(inFlight);
    },
  };
};

// The time is read a little before it is used, and a lease may be taken in between.
const readLateMs = 60_000;

/**
 * After a step back of the database's clock, waiting messages would be due too late. Those due later than the
 * longest wait of their step are made due now.
 */
const bringAllForward = ({ db, settings }: DeliveryDeps, now: number): Promise<void> => {
  const { timeoutMs, pausesMs } = settings;
  const leaseMs = timeoutMs + leaseBeyondTimeoutMs;
  const waitOf = (step: number): number =>
    Math.max(leaseMs, longestPause(step, pausesMs)) + readLateMs;
  return bringForward(
    db,
    now,
    [0, ...pausesMs].map((_, step) => waitOf(step)),
  );
};

/** Logs once per endpoint that its secret cannot be read; its messages wait for the key. */
const createSigningWatch = ({ log }: Pick<DeliveryDeps, 'log'>) => {
  const unreadable = new Set<string>();
  return {
    signed: (endpointId: string): void => void unreadable.delete(endpointId),
    unsigned: (endpointId: string): void => {
      if (unreadable.has(endpointId)) return;
      unreadable.add(endpointId);
      log.error(
        { endpoint: endpointId },
        'the secret of a webhook is sealed with a key that is not here: its messages wait',
      );
    },
  };
};

export const createDelivery = (deps: DeliveryDeps): Delivery => {
  const { db, clock, log, listeners } = deps;
  const lanes = new Map<string, ReturnType<typeof createLane>>();
  const inTurn = createTurns();
  const watch = createSigningWatch(deps);
  const mendTimes = onClockSetBack(clock, (now) => bringAllForward(deps, now));
  let running = false;

  const wake = (endpointIds: Iterable<string>): void => {
    if (!running) return;
    for (const id of endpointIds) {
      const lane =
        lanes.get(id) ?? createLane({ ...deps, ...watch, running: () => running, inTurn }, id);
      lanes.set(id, lane);
      lane.fill();
    }
  };

  const look = async (): Promise<void> => {
    for (const [id, lane] of lanes) if (lane.isIdle()) lanes.delete(id);
    if (!listeners.any()) return;
    try {
      const now = await deps.databaseTime(db);
      await mendTimes(now);
      wake(await dueEndpoints(db, now));
    } catch (err) {
      log.error({ err }, 'cannot look for webhooks');
    }
  };

  let stopLooking = async (): Promise<void> => {};
  return {
    wake,
    start: () => {
      running = true;
      stopLooking = repeat(clock, lookEveryMs, look);
    },
    stop: async () => {
      running = false;
      await stopLooking();
      const ended = Promise.all([...lanes.values()].map((lane) => lane.end()));
      const cancel = clock.after(waitAtEndMs, () => void deps.sender.close());
      await ended;
      cancel();
      await deps.sender.close();
    },
  };
};
