/** Sends the simulator's answers over a real connection, whole or with a fault. */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../../lib/clock.ts';
import type { AnswerFault } from '../faults.ts';

export type ServerAnswer = { readonly status: number; readonly body: unknown };

// Slow enough that no answer completes within a deadline, fast enough that the connection looks alive.
const dripEveryMs = 200;

const json = 'application/json';

const begin = (response: ServerResponse, status: number, type: string, text: string): Buffer => {
  const bytes = Buffer.from(text);
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.length });
  return bytes;
};

const whole = (response: ServerResponse, status: number, type: string, text: string): void => {
  response.end(begin(response, status, type, text));
};

const half = (response: ServerResponse, { status, body }: ServerAnswer, then: () => void): void => {
  const bytes = begin(response, status, json, JSON.stringify(body));
  response.write(bytes.subarray(0, bytes.length / 2), then);
};

const drip = (response: ServerResponse, bytes: Buffer, clock: Clock): void => {
  // A client that has left gets nothing more.
  if (response.destroyed) return;
  if (bytes.length <= 1) {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, 1));
  clock.after(dripEveryMs, () => drip(response, bytes.subarray(1), clock));
};

type Way = (response: ServerResponse, answer: ServerAnswer, clock: Clock) => void;

const ways: Readonly<Record<AnswerFault | 'whole', Way>> = {
  whole: (response, { status, body }) => whole(response, status, json, JSON.stringify(body)),
  // The connection stays open until the other side closes it.
  'lose-answers': () => {},
  hangs: (response, answer) => half(response, answer, () => {}),
  resets: (response, answer) => half(response, answer, () => response.socket?.resetAndDestroy()),
  errors: (response) => whole(response, 500, json, '{"error":"Something went wrong."}'),
  nonsense: (response) => whole(response, 200, json, '{"status":"deliv\u0000ered",,'),
  'wrong-types': (response, { status, body }) =>
    whole(response, status, 'text/html', JSON.stringify(body)),
  drip: (response, { status, body }, clock) =>
    drip(response, begin(response, status, json, JSON.stringify(body)), clock),
};

/** Sends an answer in the given manner. */
export const sendAnswer = (
  response: ServerResponse,
  answer: ServerAnswer,
  manner: AnswerFault | 'whole',
  clock: Clock,
): void => {
  if (!response.destroyed) ways[manner](response, answer, clock);
};
