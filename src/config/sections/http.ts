/** Defines the settings of HTTP: sizes, timeouts, the fast path and the stop. */
import { Type } from 'typebox';
import { group, wholeNumber } from './shapes.ts';

const seconds = (count: number): number => count * 1000;

export const HttpSchema = Type.Object(
  {
    fastPath: Type.Boolean({
      default: true,
      description:
        'SIMGATE_FAST_PATH=off: Answer common requests before the framework. The responses are the same.',
    }),
    docs: Type.Enum(['public', 'clients', 'off'], {
      default: 'public',
      description:
        'Who can read /docs and /openapi.json. public: everyone. clients: callers with a client token or a console session. off: not served.',
    }),
    bodyBytes: wholeNumber(65_536, 1024, 'Largest request body.'),
    headerBytes: wholeNumber(16_384, 4096, 'Largest request headers.'),
    headersTimeoutMs: wholeNumber(
      seconds(10),
      1,
      'How long a client may take to send the headers.',
    ),
    requestTimeoutMs: wholeNumber(seconds(30), 1, 'How long a client may take to send a request.'),
    unreadMs: wholeNumber(
      seconds(15),
      1,
      'Close a connection if the client reads nothing of a response for this long.',
    ),
    anonymousMs: wholeNumber(
      seconds(60),
      1,
      'Close a connection without a valid token or session if requests are in progress on it for this long without a pause.',
    ),
    pipelined: wholeNumber(
      32,
      1,
      'Requests in progress or queued on one connection. Beyond this it is closed.',
    ),
    keepAliveMs: wholeNumber(
      seconds(72),
      1,
      'How long an idle connection is kept. Longer than the 60 seconds of most proxies.',
    ),
    stopDelayMs: wholeNumber(
      0,
      0,
      'How long `/health/ready` reports not ready at a stop before requests are refused. Answers then close their connections.',
    ),
    drainMs: wholeNumber(seconds(30), 0, 'How long requests in progress may take after SIGTERM.'),
  },
  {
    ...group,
    description: 'Limits of requests, connections and slow clients.',
  },
);
