/** Defines the settings for load limits and circuit breakers. */
import { Type } from 'typebox';
import { group, wholeNumber } from './shapes.ts';

const count = (standard: number, description: string) => wholeNumber(standard, 1, description);

export const LimitsSchema = Type.Object(
  {
    purchases: count(2000, 'Purchases under way at once in all; more are answered 503.'),
    purchasesPerOperator: count(
      500,
      'Purchases and questions for offers under way at once for one operator.',
    ),
    waiting: count(
      2000,
      'Requests that wait for the end of a purchase which others drive; more are answered 202 at once.',
    ),
    requests: count(
      5000,
      'Requests of clients at once, of all kinds; more are answered 503 before they are read.',
    ),
    anonymous: count(
      1000,
      'The same for requests without a valid token, and again for those whose token is being looked up.',
    ),
    anonymousPerAddress: count(250, 'So many of each from one address, or /64 network of IPv6.'),
    anonymousConnections: count(
      1000,
      'Connections without a valid token so far; beyond that an idle one is closed, else the oldest.',
    ),
    anonymousConnectionsPerAddress: count(
      500,
      'So many of them from one address, or /64 network of IPv6.',
    ),
  },
  { ...group, description: 'What may be under way at once. Beyond it the answer is a quick 503.' },
);

export const BreakerSchema = Type.Object(
  {
    windowMs: count(10_000, 'How far back a breaker looks.'),
    leastCalls: count(20, 'So many calls at least before it judges.'),
    silentPercent: Type.Integer({
      default: 50,
      minimum: 1,
      maximum: 100,
      description: 'It opens where so many in a hundred got no usable answer.',
    }),
    pauseMs: count(10_000, 'How long it is open before trials are let through.'),
    trials: count(3, 'So many trials at once, and so many answers to close it.'),
  },
  { ...group, description: 'When an operator is given a rest.' },
);
