/** Maps the states that a purchase passes through to webhook events. Pure. */
import { isTestPurchase } from '../../operators/supplier.ts';
import type { Event, EventType } from '../../webhooks/event.ts';
import { toWire } from '../inquiry/wire.ts';
import type { Purchase, State } from '../purchase.ts';

/** A refused purchase already has its answer and never changes. */
const typeBy: Readonly<Partial<Record<State, EventType>>> = {
  unknown: 'purchase.pending',
  review: 'purchase.pending',
  succeeded: 'purchase.succeeded',
  failed: 'purchase.failed',
  reversed: 'purchase.reversed',
};

/** The events of a sequence of states; `unknown` raises no event if a final state follows. */
export const eventsOf = (passed: readonly Purchase[]): Event[] =>
  passed.flatMap((purchase, index) => {
    const type = typeBy[purchase.state];
    if (type === undefined) return [];
    if (type === 'purchase.pending' && index < passed.length - 1) return [];
    const { requestId, trace } = purchase;
    const test = isTestPurchase(purchase);
    return [{ type, data: toWire(purchase), test, origin: { requestId, trace } }];
  });
