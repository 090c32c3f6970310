/** Closes misused connections, and handles the requests of an anonymous one in sequence. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../clients/network.ts';
import { atEndOfTurn, type Clock, inTurns } from '../../lib/clock.ts';
import type { CloseReason } from '../../metrics/metrics.ts';
import { createAnonymous } from './anonymous.ts';
import { type Intake, readInChunks } from './intake.ts';

export type ConnectionDeps = {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  /** How long an answer may go without any of it being read. */
  readonly unreadMs: number;
  /** How long an anonymous connection may continuously have requests in flight. */
  readonly anonymousMs: number;
  /** Requests in flight on one connection, including those received but not read yet. */
  readonly pipelined: number;
  /** Connections without a valid token so far: in total, and from one address. */
  readonly anonymous: number;
  readonly anonymousPerAddress: number;
  /** Whether an address is a proxy's: callers behind it are limited elsewhere. */
  readonly isTrusted: (address: string) => boolean;
  /** Called for each connection that is closed here. */
  readonly closed: (reason: CloseReason) => void;
};

export type Connections = {
  readonly add: (socket: Socket) => void;
  /** Call when Node's HTTP parser takes over: from then on it gets its input in small chunks. */
  readonly read: (socket: Socket) => void;
  /** Call when a valid token was sent on it: it is no longer anonymous. */
  readonly identified: (socket: Socket) => void;
  /** Runs the handler of a request: on an anonymous connection in sequence, on a closed one never. */
  readonly handle: (socket: Socket, response: ServerResponse, run: () => void) => void;
  /** Calls back when the connection has closed, unless the returned function was called before. */
  readonly whenClosed: (socket: Socket, call: () => void) => () => void;
};

type Connection = {
  readonly socket: Socket;
  readonly address: string;
  inFlight: number;
  /** Since when requests have been continuously in flight, or since when none has. */
  changedAt: number;
  readonly whenClosed: Set<() => void>;
  /** Requests that wait for their turn. */
  readonly waiting: (() => void)[];
  /** Undefined until Node's HTTP parser has the connection. */
  intake: Intake | undefined;
  /** How much was written and how much of it is pending, when that last changed. */
  written: number;
  queued: number;
  readAt: number;
};

/** The part of the current write that the system has not accepted yet: Node reports only completed writes. */
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

/** Whether none of the sent data has been read for too long. */
const isUnread = (one: Connection, now: number, unreadMs: number): boolean => {
  const { socket } = one;
  // The common case, for possibly thousands of connections.
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

// Room for a handful of the shortest requests: a chunk's requests are all parsed at once, and each takes
// kilobytes until its turn.
const anonymousBytes = 128;
// As much as one system call brings of most requests.
const clientBytes = 4096;

/** Queues a request, and holds later input as bytes: a parsed request takes many times as much. */
const wait = ({ waiting, intake }: Connection, run: () => void): void => {
  waiting.push(run);
  intake?.hold();
};

/** Handles the longest-waiting request; reading continues once none waits. */
const handleNext = ({ socket, waiting, intake }: Connection): void => {
  if (socket.destroyed) return;
  waiting.shift()?.();
  if (waiting.length === 0) intake?.release();
};

const checkEveryMs = 1000;

// Closing one takes some tenths of a millisecond, and an attacker makes hundreds due at the same time.
export const closedPerTurn = 4;

/** Schedules a check, repeated for as long as it returns true; never two at once. */
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

/** Checks for misused connections while there are any; call when one is added. */
const checkRegularly = (
  all: ReadonlyMap<Socket, Connection>,
  { clock, unreadMs, anonymousMs }: ConnectionDeps,
  { close, isAnonymous }: Checks,
): (() => void) => {
  const misuseOf = (one: Connection): CloseReason | undefined => {
    const now = clock.monotonic();
    if (isUnread(one, now, unreadMs)) return 'unread';
    // Read in tiny pieces, an answer could hold its slot for hours.
    return isBusyFor(one, now, anonymousMs) && isAnonymous(one) ? 'slow' : undefined;
  };
  const check = (one: Connection): void => {
    const misuse = one.socket.destroyed ? undefined : misuseOf(one);
    if (misuse !== undefined) close(one, misuse);
  };
  return repeatWhile(
    () => {
      const misused = [...all.values()].filter((one) => misuseOf(one) !== undefined);
      inTurns(misused, closedPerTurn, check);
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
    // Input that was read before would still be handled.
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
        // Other events get their turn between two of them.
        if (one.waiting.length > 0) atEndOfTurn(() => handleNext(one));
      });
      if (one.inFlight === 1 || !anonymous.has(one)) {
        run();
        return;
      }
      // One connection must not fill the slots, nor occupy the thread with everything it sends at once.
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
