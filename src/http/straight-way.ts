/** Owns the straight way: plain requests read from their connection and answered there, before Node's HTTP. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import { readPlainRequest } from './plain-request.ts';
import { socketWriter, type WriteAnswer } from './short-answer.ts';
import type { Answering } from './short-answering.ts';

export type StraightWayDeps = {
  readonly answering: Answering;
  /** How long a connection may say nothing, before its first request and after each. */
  readonly headersTimeoutMs: number;
  readonly keepAliveMs: number;
  /** Those that every answer carries. */
  readonly fixedHeaders: Readonly<Record<string, string>>;
  readonly clock: Pick<Clock, 'now'>;
};

export type StraightWay = {
  /** Ends the connections on which nothing is under way; the others end with their answers. */
  readonly closeIdle: () => void;
  readonly closeAll: () => void;
};

// A client that asks at the last moment that it was told of is still heard.
const graceMs = 1000;

type Attended = { readonly isIdle: () => boolean };

type Attendance = {
  readonly answering: Answering;
  readonly write: WriteAnswer<Socket>;
  readonly keepAliveMs: number;
  readonly closing: () => boolean;
  /** Gives a connection to Node's HTTP, for good. */
  readonly giveAway: (socket: Socket) => void;
};

/**
 * Answers what comes by a connection, one request after another. At the first bytes that are not just
 * one plain request, Node's HTTP gets the connection with them, as if nobody had read them.
 */
const attend = (socket: Socket, deps: Attendance): Attended => {
  const { answering, write } = deps;
  let busy = false;
  let ended = false;
  let isFirst = true;

  const leave = (unread: Buffer): void => {
    if (socket.destroyed) return;
    socket.off('data', read).off('end', end).off('timeout', tire).off('error', fail);
    socket.setTimeout(0);
    socket.unshift(unread);
    deps.giveAway(socket);
    socket.resume();
  };

  const rest = (): void => {
    busy = false;
    if (isFirst) socket.setTimeout(deps.keepAliveMs + graceMs);
    isFirst = false;
    if (socket.isPaused()) socket.resume();
  };

  const read = (bytes: Buffer): void => {
    if (busy) {
      // Asked for before the answer: it is read after that.
      socket.pause();
      socket.unshift(bytes);
      return;
    }
    // Who does not fetch its answers is left to those who know how to wait.
    const request = socket.writableLength > 0 ? undefined : readPlainRequest(bytes);
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
      takeLongWay: () => leave(bytes),
    });
  };
  const end = (): void => {
    ended = true;
    if (!busy) socket.end();
  };
  const tire = (): void => {
    if (!busy) socket.destroy();
  };
  const fail = (): void => {
    socket.destroy();
  };
  socket.on('data', read).on('end', end).on('timeout', tire).on('error', fail);
  return { isIdle: () => !busy };
};

/** Puts the straight way before Node's HTTP. */
export const openStraightWay = (server: Server, deps: StraightWayDeps): StraightWay => {
  const [http, ...others] = server.listeners('connection');
  if (http === undefined || others.length > 0) throw new Error('One listener was expected.');
  const write = socketWriter(deps.fixedHeaders, deps.keepAliveMs, deps.clock);
  let closing = false;
  const here = new Map<Socket, Attended>();
  const forget = (socket: Socket): void => void here.delete(socket);
  const giveAway = (socket: Socket): void => {
    forget(socket);
    http.call(server, socket);
  };
  server.removeAllListeners('connection');
  server.on('connection', (socket) => {
    socket.setTimeout(deps.headersTimeoutMs);
    here.set(socket, attend(socket, { ...deps, write, giveAway, closing: () => closing }));
    socket.once('close', () => forget(socket));
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
