/** Defines what the load of a soak test reports: one line a second, and a summary at the end. */
import { type Static, Type } from 'typebox';

const number = Type.Number();

export const SecondSchema = Type.Object({
  kind: Type.Literal('second'),
  /** Seconds since the beginning. */
  at: number,
  /** Purchases since the beginning. */
  sent: number,
  /** Purchases that were answered, a second. */
  perSecond: number,
  /** Of healthy purchases in this second, in milliseconds, as all times here. */
  p50: number,
  p99: number,
  listP99: number,
  repeatP99: number,
  /** Healthy ones that were not sold in time. */
  slow: number,
  /** Forbidden answers. */
  errors: number,
  /** Requests in flight, and those of them without a connection. */
  under: number,
  waiting: number,
  /** The share of a core that the load itself takes. */
  processor: number,
});

export const TotalSchema = Type.Object({
  kind: Type.Literal('total'),
  sent: number,
  /** Keys that were answered with a sale. */
  sold: number,
  healthy: number,
  slow: number,
  p50: number,
  p99: number,
  p999: number,
  max: number,
  /** By their subject. */
  errors: Type.Record(Type.String(), number),
  /** Keys that can become final and did not. */
  notFinal: number,
  processor: number,
  settledAfter: number,
});

export type Second = Static<typeof SecondSchema>;
export type Total = Static<typeof TotalSchema>;
