/** Closes misused connections, and handles the requests of an anonymous one in sequence. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../clients/network.ts';
import { atEndOfTurn, type Clock } from '../../lib/clock.ts';
import type { CloseReason } from '../../metrics/metrics.ts';
import { createAnonymous } from './anonymous.ts';
import { type Intake, readInChunks } from './intake.ts';

export type ConnectionDeps = {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  /** How long an answer may go without any of it being read. */
  readonly unreadMs: number;
  /** How long an anonymous connection may have requests under way without a pause. */
  readonly anonymousMs: number;
  /** Requests under way on one connection, with those that have arrived and were not read yet. */
  readonly pipelined: number;
  /** Connections without a valid token so far: in all, and from one address. */
  readonly anonymous: number;
  readonly anonymousPerAddress: number;
  /** Whether an address is a proxy's: callers behind it are limited elsewhere. */
  readonly isTrusted: (address: string) => boolean;
  /** Called for each connection that is closed here. */
  readonly closed: (reason: CloseReason) => void;
};

export type Connections = {
  readonly add: (socket: Socket) => void;
  /** Call when Node's HTTP has the connection: from then on it gets what comes in pieces. */
  readonly read: (socket: Socket) => void;
  /** A valid token was sent on it: it is not anonymous any more. */
  readonly identified: (socket: Socket) => void;
  /** Runs the handler of a request: of an anonymous connection after those before it, of a closed one never. */
  readonly handle: (socket: Socket, response: ServerResponse, run: () => void) => void;
  /** Calls when the connection has closed, unless the returned function was called before. */
  readonly whenClosed: (socket: Socket, call: () => void) => () => void;
};

type Connection = {
  readonly socket: Socket;
  readonly address: string;
  inFlight: number;
  /** Since when requests have been under way without a pause, or since when none has. */
  changedAt: number;
  readonly whenClosed: Set<() => void>;
  /** Requests that wait for their turn. */
  readonly waiting: (() => void)[];
  /** Undefined until Node's HTTP has the connection. */
  intake: Intake | undefined;
  /** How much was written and how much of it waits, when that last changed. */
  written: number;
  queued: number;
  readAt: number;
};

/** What the system has not taken yet of the write that it works on: Node tells only when all of it is taken. */
const queuedOf = (socket: Socket): number => {
  const handle: unknown = Reflect.get(socket, '_handle');
  const size: unknown =
    typeof handle === 'object' && handle !== null
      ? Reflect.get(handle, 'writeQueueSize')
      : undefined;
  return typeof size === 'number' ? size : 0;
};

const createConnection = (socket: Socket, now: number): Connection => ({
  socket,
  address: networkOf(socket.remoteAddress ?? ''),
  inFlight: 0,
  changedAt: now,
  whenClosed: new Set(),
  waiting: [],
  intake: undefined,
  written: 0,
  queued: 0,
  readAt: now,
});

/** Whether nothing of what was sent has been read for too long. */
const isUnread = (one: Connection, now: number, unreadMs: number): boolean => {
  const { socket } = one;
  // So it is for most, of which there may be thousands.
  if (socket.writableLength === 0) {
    one.readAt = now;
    return false;
  }
  const written = socket.bytesWritten - socket.writableLength;
  const queued = queuedOf(socket);
  if (written !== one.written || queued !== one.queued) {
    one.written = written;
    one.queued = queued;
    one.readAt = now;
  }
  return now - one.readAt >= unreadMs;
};

const isBusyFor = ({ inFlight, changedAt }: Connection, now: number, ms: number): boolean =>
  inFlight > 0 && now - changedAt >= ms;

// Room for a handful of the shortest requests: all of a piece are read at once, and each takes kilobytes until its turn.
const anonymousBytes = 128;
// As much as one system call brings of most requests.
const clientBytes = 4096;

/** Lets a request wait for its turn, and what comes after it wait as bytes: as a request it takes many times as much. */
const wait = ({ waiting, intake }: Connection, run: () => void): void => {
  waiting.push(run);
  intake?.hold();
};

/** Handles the request that has waited longest; what has arrived is read on once none waits any more. */
const handleNext = ({ socket, waiting, intake }: Connection): void => {
  if (socket.destroyed) return;
  waiting.shift()?.();
  if (waiting.length === 0) intake?.release();
};

// As often as Node checks its own.
const checkEveryMs = 1000;

/** Runs a check later, and again for as long as it says so; no second one meanwhile. */
const repeatWhile = (check: () => boolean, later: (run: () => void) => void): (() => void) => {
  let isSet = false;
  const start = (): void => {
    if (isSet) return;
    isSet = true;
    later(() => {
      isSet = false;
      if (check()) start();
    });
  };
  return start;
};

type Checks = {
  readonly close: (one: Connection, reason: CloseReason) => void;
  readonly isAnonymous: (one: Connection) => boolean;
};

/** Looks for misused connections for as long as there are any; call when one is added. */
const checkRegularly = (
  all: ReadonlyMap<Socket, Connection>,
  { clock, unreadMs, anonymousMs }: ConnectionDeps,
  { close, isAnonymous }: Checks,
): (() => void) => {
  const check = (one: Connection, now: number): void => {
    // Read drop by drop, an answer could hold its place for hours.
    const isSlow = isBusyFor(one, now, anonymousMs) && isAnonymous(one);
    if (isUnread(one, now, unreadMs)) close(one, 'unread');
    else if (isSlow) close(one, 'slow');
  };
  return repeatWhile(
    () => {
      const now = clock.monotonic();
      for (const one of all.values()) check(one, now);
      return all.size > 0;
    },
    (run) => clock.after(Math.min(checkEveryMs, unreadMs), run),
  );
};

/** Watches all connections of a server. */
export const createConnections = (deps: ConnectionDeps): Connections => {
  const { clock } = deps;
  const all = new Map<Socket, Connection>();

  const close = ({ socket }: Connection, reason: CloseReason): void => {
    deps.closed(reason);
    // What was read before would still be handled.
    socket.pause().destroy();
  };
  const anonymous = createAnonymous<Connection>(deps, (one) => close(one, 'anonymous'));

  const checkLater = checkRegularly(all, deps, { close, isAnonymous: anonymous.has });

  return {
    add: (socket) => {
      const one = createConnection(socket, clock.monotonic());
      all.set(socket, one);
      socket.once('close', () => {
        all.delete(socket);
        anonymous.remove(one);
        for (const call of one.whenClosed) call();
      });
      if (!deps.isTrusted(socket.remoteAddress ?? '')) anonymous.add(one);
      checkLater();
    },
    read: (socket) => {
      const one = all.get(socket);
      if (one === undefined) return;
      one.intake = readInChunks(socket, () => (anonymous.has(one) ? anonymousBytes : clientBytes));
    },
    identified: (socket) => {
      const one = all.get(socket);
      if (one === undefined || !anonymous.has(one)) return;
      anonymous.remove(one);
      for (const run of one.waiting.splice(0)) run();
      one.intake?.release();
    },
    handle: (socket, response, run) => {
      const one = all.get(socket);
      if (one === undefined || socket.destroyed) return;
      if (one.inFlight >= deps.pipelined) {
        close(one, 'pipelined');
        return;
      }
      anonymous.count(one, 1);
      response.once('close', () => {
        anonymous.count(one, -1);
        // Others have their turn between two of them.
        if (one.waiting.length > 0) atEndOfTurn(() => handleNext(one));
      });
      if (one.inFlight === 1 || !anonymous.has(one)) {
        run();
        return;
      }
      // One connection must not fill the places, nor keep the thread busy with all that it sends at once.
      wait(one, run);
      const isFull = one.intake?.hasMoreThan(deps.pipelined - one.inFlight) === true;
      if (isFull) close(one, 'pipelined');
    },
    whenClosed: (socket, call) => {
      const one = all.get(socket);
      one?.whenClosed.add(call);
      return () => void one?.whenClosed.delete(call);
    },
  };
};
