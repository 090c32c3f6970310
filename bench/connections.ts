/** Sends a load generator's requests over raw connections, and splits the answers by their length. */
import { connect, type Socket } from 'node:net';

export type Reply = {
  readonly status: number;
  /** The head and the beginning of the body; all of a short one. */
  readonly text: string;
};

/** Receives the answer; undefined if the connection was lost. */
type Ended = (reply: Reply | undefined) => void;

export type Lines = {
  /** Sends on a free connection, or as soon as there is one. */
  readonly send: (request: string, ended: Ended) => void;
  /** How many requests have no connection yet. */
  readonly waiting: () => number;
  readonly close: () => void;
};

type Line = {
  readonly socket: Socket;
  ended: Ended | undefined;
  text: string;
  /** Bytes of the answer that are still missing; undefined until its head has arrived. */
  left: number | undefined;
  idleSince: number;
};

// Errors have their code at the beginning; the rest of a page is counted and not kept.
const keptOfBody = 4096;

// Shorter than a server's keep-alive timeout: a connection that it is about to close is not used.
const idleMs = 30_000;

const read = (line: Line, part: Buffer): void => {
  if (line.left !== undefined) {
    line.left -= part.length;
    if (line.text.length < keptOfBody) line.text += part.toString('latin1');
    return;
  }
  line.text += part.toString('latin1');
  const head = line.text.indexOf('\r\n\r\n');
  if (head < 0) return;
  const length = /^content-length: (\d+)$/im.exec(line.text.slice(0, head))?.[1];
  line.left = head + 4 + Number(length ?? 0) - line.text.length;
};

/**
 * The first request on a new connection. A busy server accepts one connection in each turn of its event loop:
 * a request written before that would measure the accept, not the work.
 */
const greeting = 'GET /health/live HTTP/1.1\r\nHost: bench\r\n\r\n';

export const openLines = (url: string, most: number): Lines => {
  const { hostname, port } = new URL(url);
  const idle: Line[] = [];
  const lines = new Set<Line>();
  const waiting: { readonly request: string; readonly ended: Ended }[] = [];

  const write = (line: Line, request: string, ended: Ended): void => {
    line.ended = ended;
    line.text = '';
    line.left = undefined;
    line.socket.write(request);
  };

  const next = (line: Line): void => {
    const first = waiting.shift();
    if (first !== undefined) {
      write(line, first.request, first.ended);
      return;
    }
    line.idleSince = performance.now();
    idle.push(line);
  };

  const end = (line: Line, reply: Reply | undefined): void => {
    const { ended } = line;
    line.ended = undefined;
    ended?.(reply);
  };

  const open = (): void => {
    const socket = connect(Number(port), hostname);
    const line: Line = { socket, ended: undefined, text: '', left: undefined, idleSince: 0 };
    let connected = false;
    lines.add(line);
    socket.setNoDelay(true);
    socket.on('connect', () => {
      connected = true;
      write(line, greeting, () => {});
    });
    socket.on('data', (part: Buffer) => {
      read(line, part);
      if (line.ended === undefined || line.left === undefined || line.left > 0) return;
      end(line, { status: Number(line.text.slice(9, 12)), text: line.text });
      next(line);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      end(line, undefined);
      // No other connection would serve what waited for this one.
      if (!connected) waiting.shift()?.ended(undefined);
      lines.delete(line);
      const at = idle.indexOf(line);
      if (at >= 0) idle.splice(at, 1);
    });
  };

  const free = (): Line | undefined => {
    const line = idle.pop();
    if (line === undefined || performance.now() - line.idleSince < idleMs) return line;
    line.socket.destroy();
    return undefined;
  };

  return {
    send: (request, ended) => {
      const line = free();
      if (line !== undefined) {
        write(line, request, ended);
        return;
      }
      waiting.push({ request, ended });
      // As many as needed: the server closes those that never send anything.
      if (lines.size < most) open();
    },
    waiting: () => waiting.length,
    close: () => {
      for (const { socket } of lines) socket.destroy();
    },
  };
};
