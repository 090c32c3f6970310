/** Defines moves: the cause of a purchase's step, as data, and the step of each. Pure. */
import type { OrderOutcome, Report, StatusOutcome } from '../connector/connector.ts';
import { type CalledBack, stepAfterCallback } from './callbacks/step.ts';
import type { Scene, SettleContext } from './failover.ts';
import { stepAfterLeftDelivery, stepAfterLeftReversal } from './left/step.ts';
import type { Purchase, Step } from './purchase.ts';
import { type SoldReport, stepAfterSoldReport } from './reports/sold.ts';
import { stepToResend } from './resend.ts';
import {
  type OrderName,
  stepAfterInquiry,
  stepAfterLateAnswer,
  stepAfterOrder,
  stepAfterReport,
  stepAfterReversal,
  stepWithoutOperator,
} from './settle.ts';

/** A step as data, by its cause: lanes and the witness read it before the step is taken. */
export type Move =
  | { readonly kind: 'order'; readonly outcome: OrderOutcome; readonly context: SettleContext }
  | {
      readonly kind: 'inquiry';
      readonly outcome: StatusOutcome;
      readonly context: SettleContext;
      readonly askedAt: number;
      readonly askedIn?: string;
    }
  | {
      readonly kind: 'late answer';
      readonly outcome: OrderOutcome;
      readonly context: SettleContext;
      /** The order that it answers. */
      readonly order: OrderName;
    }
  /** A supplier that was left behind delivered. */
  | { readonly kind: 'left delivery'; readonly supplierId: number; readonly seenNotes: number }
  /** A supplier that was left behind has reversed its delivery. */
  | { readonly kind: 'left reversal'; readonly supplierId: number }
  | {
      readonly kind: 'report';
      readonly report: Report;
      readonly supplierId: number;
      readonly seenNotes: number;
    }
  /** A delivery of what was sold anyway. */
  | (SoldReport & { readonly kind: 'sold report' })
  | (CalledBack & { readonly kind: 'callback' })
  /** With a supplier: only where the purchase was sold by that one. */
  | { readonly kind: 'reversal'; readonly at: number | null; readonly supplierId?: number }
  | { readonly kind: 'resend'; readonly context: Pick<SettleContext, 'terms' | 'chance'> }
  | { readonly kind: 'no operator' };

/** The step from the purchase's state, or undefined if there is none. */
export type TakeStep = (purchase: Purchase, now: number, scene?: Scene) => Step | undefined;

/** The step of a move, from any state of the purchase. */
export const stepOf = (move: Move): TakeStep => {
  switch (move.kind) {
    case 'order':
      return stepAfterOrder(move.outcome, move.context);
    case 'inquiry':
      return stepAfterInquiry(move.outcome, move.context, move.askedAt, move.askedIn);
    case 'late answer':
      return stepAfterLateAnswer(move.outcome, move.context, move.order);
    case 'left delivery':
      return stepAfterLeftDelivery(move.supplierId, move.seenNotes);
    case 'left reversal':
      return stepAfterLeftReversal(move.supplierId);
    case 'report':
      return stepAfterReport(move.report, move.supplierId, move.seenNotes);
    case 'sold report':
      return stepAfterSoldReport(move);
    case 'callback':
      return stepAfterCallback(move);
    case 'reversal':
      return stepAfterReversal(move.at, move.supplierId);
    case 'resend':
      return stepToResend(move.context);
    case 'no operator':
      return stepWithoutOperator;
  }
};
