/** Runs the fast path on the raw socket, before Node's HTTP parser. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Clock, inTurns } from '../../lib/clock.ts';
import { type Connections, closedPerTurn } from '../limits/connections.ts';
import type { Answering } from './answer.ts';
import { onlyListener } from './listeners.ts';
import { parseFastRequest } from './request.ts';
import { socketWriter, type WriteAnswer } from './write.ts';

export type RawSocketDeps = {
  readonly connections: Pick<Connections, 'add' | 'read'>;
  readonly answering: Answering;
  /** How long a connection may be idle, before its first request and after each. */
  readonly headersTimeoutMs: number;
  readonly keepAliveMs: number;
  /** The headers of every answer. */
  readonly fixedHeaders: Readonly<Record<string, string>>;
  readonly clock: Clock;
};

export type RawSocket = {
  /** Closes the idle connections; the others close after their answers. */
  readonly closeIdle: () => void;
  readonly closeAll: () => void;
};

// A client that sends at the end of the announced time is still served.
const graceMs = 1000;

type Attended = {
  /** Whether no request is in flight. */
  readonly isIdle: () => boolean;
  /** Whether it has been idle for too long. */
  readonly isOverdue: () => boolean;
};

type Attendance = {
  readonly answering: Answering;
  readonly write: WriteAnswer<Socket>;
  readonly headersTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly closing: () => boolean;
  /** Hands a connection to Node's HTTP parser, for good. */
  readonly giveAway: (socket: Socket) => void;
};

/**
 * Answers requests on a connection, one after another. At the first bytes that are not exactly one plain
 * request, Node's HTTP parser gets the connection with them, as if they had not been read.
 */
const attend = (socket: Socket, deps: Attendance): Attended => {
  const { answering, write, clock } = deps;
  let busy = false;
  let ended = false;
  let mostMs = deps.headersTimeoutMs;
  let since = clock.monotonic();

  const leave = (unread: Buffer): void => {
    if (socket.destroyed) return;
    socket.off('data', read).off('end', end).off('error', fail);
    socket.unshift(unread);
    deps.giveAway(socket);
    socket.resume();
  };

  const rest = (): void => {
    busy = false;
    mostMs = deps.keepAliveMs + graceMs;
    since = clock.monotonic();
    if (socket.isPaused()) socket.resume();
  };

  const read = (bytes: Buffer): void => {
    if (busy) {
      // Sent before the answer: it is read after that.
      socket.pause();
      socket.unshift(bytes);
      return;
    }
    // A client that does not read its answers is left to Node, which handles backpressure.
    const request = socket.writableLength > 0 ? undefined : parseFastRequest(bytes);
    const route = request === undefined ? undefined : answering.routeOf(request);
    if (request === undefined || route === undefined) {
      leave(bytes);
      return;
    }
    busy = true;
    answering.answer(route, {
      request,
      body: request.body,
      socket,
      send: (answer, common, gone) => {
        write(socket, answer, common);
        gone();
        if (common.last || ended || deps.closing()) socket.destroySoon();
        else rest();
      },
      passToFramework: () => leave(bytes),
    });
  };
  const end = (): void => {
    ended = true;
    if (!busy) socket.end();
  };
  const fail = (): void => {
    socket.destroy();
  };
  socket.on('data', read).on('end', end).on('error', fail);
  return {
    isIdle: () => !busy,
    // A client that still reads an answer is not idle.
    isOverdue: () => !busy && socket.writableLength === 0 && clock.monotonic() - since >= mostMs,
  };
};

/** The connections handled here. While there are any, idle ones are looked for. */
const createRoom = (clock: Pick<Clock, 'after'>, everyMs: number) => {
  const here = new Map<Socket, Attended>();
  let isLooking = false;
  const lookLater = (): void => {
    if (isLooking || here.size === 0) return;
    isLooking = true;
    clock.after(everyMs, () => {
      isLooking = false;
      const overdue = [...here].filter(([, { isOverdue }]) => isOverdue());
      inTurns(overdue, closedPerTurn, ([socket, { isOverdue }]) => {
        // In an earlier turn Node's parser may have got it, with a request.
        if (here.has(socket) && isOverdue()) socket.destroy();
      });
      lookLater();
    });
  };
  return {
    here,
    enter: (socket: Socket, attended: Attended): void => {
      here.set(socket, attended);
      lookLater();
    },
    leave: (socket: Socket): void => void here.delete(socket),
  };
};

const lookEveryMs = 1000;

/** Installs the raw socket path before Node's HTTP parser. */
export const openRawSocket = (server: Server, deps: RawSocketDeps): RawSocket => {
  const http = onlyListener(server.listeners('connection'));
  const { headersTimeoutMs, keepAliveMs, clock } = deps;
  const write = socketWriter(deps.fixedHeaders, keepAliveMs, clock);
  const { here, enter, leave } = createRoom(
    clock,
    Math.min(lookEveryMs, headersTimeoutMs, keepAliveMs),
  );
  let closing = false;
  const giveAway = (socket: Socket): void => {
    leave(socket);
    http.call(server, socket);
    deps.connections.read(socket);
  };
  const attendance = { ...deps, write, giveAway, closing: () => closing };
  server.removeAllListeners('connection');
  server.on('connection', (socket) => {
    deps.connections.add(socket);
    enter(socket, attend(socket, attendance));
    socket.once('close', () => leave(socket));
  });
  return {
    closeIdle: () => {
      closing = true;
      for (const [socket, { isIdle }] of here) if (isIdle()) socket.destroy();
    },
    closeAll: () => {
      for (const socket of here.keys()) socket.destroy();
    },
  };
};
