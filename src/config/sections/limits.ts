/** Defines the settings for load limits and circuit breakers. */
import { Type } from 'typebox';
import { group, wholeNumber } from './shapes.ts';

const count = (standard: number, description: string) => wholeNumber(standard, 1, description);

export const LimitsSchema = Type.Object(
  {
    purchases: count(2000, 'Purchases in progress. More are answered 503 `OVERLOADED`.'),
    purchasesPerOperator: count(
      500,
      'Purchases and requests for offers in progress, for each operator.',
    ),
    waiting: count(
      2000,
      'Requests that wait for a purchase that runs elsewhere. More are answered 202 at once.',
    ),
    requests: count(
      5000,
      'Concurrent requests of clients, of all kinds. More are answered 503 before they are read.',
    ),
    anonymous: count(
      1000,
      'Concurrent requests without a valid token, and as many again whose token is being looked up.',
    ),
    anonymousPerAddress: count(250, 'The same for each address or IPv6 /64 network.'),
    callbacks: count(
      100,
      'Concurrent callbacks of operators; from one address half as many. More are answered 429.',
    ),
    anonymousConnections: count(
      1000,
      'Connections without a valid token. Beyond this an idle one is closed, or else the oldest.',
    ),
    anonymousConnectionsPerAddress: count(500, 'The same for each address or IPv6 /64 network.'),
  },
  { ...group, description: 'Concurrency limits. Beyond them the answer is a quick 503.' },
);

export const BreakerSchema = Type.Object(
  {
    windowMs: count(10_000, 'Period that a circuit breaker looks at.'),
    leastCalls: count(20, 'Fewest calls in that period before it can open.'),
    silentPercent: Type.Integer({
      default: 50,
      minimum: 1,
      maximum: 100,
      description: 'It opens when this percentage of calls got no usable answer.',
    }),
    pauseMs: count(
      10_000,
      'How long it stays open before it lets trial calls through. An answered inquiry ends the pause.',
    ),
    trials: count(3, 'Number of concurrent trial calls, and of answers that close it.'),
  },
  { ...group, description: 'Circuit breaker of each operator.' },
);
