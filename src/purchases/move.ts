/** Defines moves: what leads to a step of a purchase, as data, and the step that each is. Pure. */
import type { OrderOutcome, Report, StatusOutcome } from '../connector/connector.ts';
import { type CalledBack, stepAfterCallback } from './callbacks/step.ts';
import type { Purchase, Step } from './purchase.ts';
import {
  type Scene,
  type SettleContext,
  stepAfterInquiry,
  stepAfterLateAnswer,
  stepAfterOrder,
  stepAfterReport,
  stepAfterReversal,
  stepWithoutOperator,
} from './settle.ts';

/** A step as data, by what has led to it: lanes and the witness read it before the step is taken. */
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
      /** The number of the attempt that it answers. */
      readonly attempts: number;
    }
  | { readonly kind: 'report'; readonly report: Report; readonly seenNotes: number }
  | (CalledBack & { readonly kind: 'callback' })
  | { readonly kind: 'reversal'; readonly at: number | null }
  | { readonly kind: 'no operator' };

/** The step from where the purchase is, or undefined where there is none to take. */
export type TakeStep = (purchase: Purchase, now: number, scene?: Scene) => Step | undefined;

/** The step that a move is, from wherever the purchase has come to. */
export const stepOf = (move: Move): TakeStep => {
  switch (move.kind) {
    case 'order':
      return stepAfterOrder(move.outcome, move.context);
    case 'inquiry':
      return stepAfterInquiry(move.outcome, move.context, move.askedAt, move.askedIn);
    case 'late answer':
      return stepAfterLateAnswer(move.outcome, move.context, move.attempts);
    case 'report':
      return stepAfterReport(move.report, move.seenNotes);
    case 'callback':
      return stepAfterCallback(move);
    case 'reversal':
      return stepAfterReversal(move.at);
    case 'no operator':
      return stepWithoutOperator;
  }
};
