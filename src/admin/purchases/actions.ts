/** Runs people's actions on one purchase, inquiry and decision, each with an audit entry. */
import type { Snapshot } from '../../catalogue/snapshot.ts';
import type { StatusOutcome } from '../../connector/connector.ts';
import type { DatabaseTime } from '../../db/types.ts';
import { type FieldErrors, GatewayError } from '../../lib/errors.ts';
import type { MobileFormat } from '../../lib/mobile.ts';
import { claimOne } from '../../purchases/claims.ts';
import { isOpen, type Open, type Purchase } from '../../purchases/purchase.ts';
import type { Recovery } from '../../purchases/recover.ts';
import type { Recovered } from '../../purchases/recover-one.ts';
import { evidenceText, type ReviewOutcome } from '../../purchases/review/evidence.ts';
import {
  type Preview,
  preview,
  type ResolveDeps,
  type Resolved,
  resolve,
} from '../../purchases/review/resolve.ts';
import { NotResolved, type NotResolvedCode } from '../../purchases/review/undecided.ts';
import { longestLeaseMs } from '../../purchases/terms.ts';
import { type Actor, type AdminDeps, transact, writeAudit } from '../audit/audit.ts';
import { AdminError, type AdminErrorCode } from '../errors.ts';
import { maskNumber } from '../mask.ts';
import { persianErrors } from '../persian-errors.ts';
import { findOne } from './detail.ts';
import { factOrNullToWire } from './wire.ts';

/** What the back office needs of purchases. */
export type PurchaseParts = {
  readonly mobile: MobileFormat;
  readonly catalogue: () => Pick<Snapshot, 'product'>;
  readonly databaseTime: DatabaseTime;
  readonly recoverOne: Recovery['recoverOne'];
  /** Whether this instance can ask an operator. */
  /** Why a person cannot ask the supplier from this instance; undefined if it is possible. */
  readonly whyNotAsked: (
    supplierId: number,
  ) => 'OPERATOR_NOT_CONFIGURED' | 'NO_INQUIRIES' | undefined;
  readonly ask: ResolveDeps['ask'];
  /** Signals that messages may be due for these endpoints. */
  readonly wake: (endpointIds: Iterable<string>) => void;
};

export type PurchaseActionDeps = Pick<AdminDeps, 'db' | 'clock' | 'newId' | 'retryLocked'> & {
  readonly purchases: PurchaseParts;
};

export const shortestReason = 3;

/** A reason must say something, and must not contain the number. */
export const reasonOf = (deps: PurchaseActionDeps, { mobile }: Purchase, text: string): string => {
  const reason = maskNumber(mobile, deps.purchases.mobile)(text.trim());
  if (reason.length >= shortestReason) return reason;
  const errors: FieldErrors = {
    reason: [
      {
        en: 'reason must have at least 3 characters.',
        fa: 'reason باید حداقل ۳ نویسه داشته باشد.',
      },
    ],
  };
  throw new GatewayError('VALIDATION_FAILED', { errors });
};

const outcomeTexts = {
  done: ['delivered', 'The operator says that it was delivered.'],
  reversed: ['reversed', 'The operator says that it was delivered and then reversed.'],
  refused: ['refused', 'The operator says that it did not deliver, and will not.'],
  pending: ['pending', 'The operator says that it is still pending.'],
  not_found: ['not_found', 'The operator knows no such order.'],
  unknown: ['unknown', 'The operator gave no answer of use.'],
} as const satisfies Record<StatusOutcome['kind'], readonly [string, string]>;

export const inquiryOutcomes = Object.values(outcomeTexts).map(([name]) => name);

export type Inquired = {
  readonly outcome: (typeof inquiryOutcomes)[number];
  readonly words: string;
};

const standing: Readonly<Record<Purchase['state'], string>> = {
  submitted: 'It was ordered again, and goes on by itself.',
  unknown: 'Nothing is decided yet: it is asked about again by itself.',
  review: 'It needs review.',
  succeeded: 'It is sold.',
  failed: 'It failed, and its money was given back.',
  reversed: 'It was sold, and its money was given back.',
  refused: 'It was refused.',
};

const inquiredOf = ({ outcome, purchase }: Recovered): Inquired => {
  if (outcome === undefined) {
    const words = 'Its operator is not configured, and was not asked.';
    return { outcome: 'unknown', words: `${words} ${standing[purchase.state]}` };
  }
  const [name, words] = outcomeTexts[outcome.kind];
  return { outcome: name, words: `${words} ${standing[purchase.state]}` };
};

/** Claims the purchase from recovery and records the actor, before the operator is asked. */
const take = async (
  deps: PurchaseActionDeps,
  actor: Actor,
  id: string,
  reason: string,
): Promise<Open> => {
  const { databaseTime, whyNotAsked } = deps.purchases;
  return transact(deps, async (db) => {
    const purchase = await findOne(db, id);
    if (!isOpen(purchase)) throw new AdminError('NOT_OPEN');
    // This instance could only give the claim up, so it leaves the purchase to one that can ask.
    const why = whyNotAsked(purchase.supplierId ?? 0);
    if (why !== undefined) throw new AdminError(why);
    const after = { reason: reasonOf(deps, purchase, reason) };
    const now = await databaseTime(db);
    const claimed = await claimOne(db, purchase, { now, leaseUntil: now + longestLeaseMs });
    if (claimed === undefined || !isOpen(claimed)) throw new AdminError('PURCHASE_BUSY');
    const before = { state: purchase.state };
    await writeAudit(db, deps, actor, { action: 'purchase inquire', subject: id, before, after });
    return claimed;
  });
};

/** Asks the operator now, and settles its answer as recovery does: the same steps, the same conditions. */
export const inquireNow = async (
  deps: PurchaseActionDeps,
  actor: Actor,
  id: string,
  reason: string,
): Promise<Inquired> => {
  const taken = await take(deps, actor, id, reason);
  try {
    return inquiredOf(await deps.purchases.recoverOne(taken));
  } catch (cause) {
    // The request is recorded; whether it reached the operator before it failed is unknown.
    throw new AdminError('OUTCOME_UNKNOWN', { cause });
  }
};

const codeOf: Readonly<Record<NotResolvedCode, AdminErrorCode>> = {
  'not found': 'PURCHASE_NOT_FOUND',
  'not undecided': 'NOT_UNDECIDED',
  contradicted: 'EVIDENCE_AGAINST',
  changed: 'PURCHASE_CHANGED',
};

/** An operator's words may contain the number. */
const asAdminError = (error: unknown, mask: (text: string) => string): unknown => {
  if (!(error instanceof NotResolved)) return error;
  const code = codeOf[error.why];
  if (code !== 'EVIDENCE_AGAINST') return new AdminError(code);
  const evidence = mask(evidenceText(error.evidence));
  const message = {
    en: `The evidence contradicts the decision: ${evidence}. Nothing was changed. Send "force" to decide against it.`,
    // The words of evidence are English; the preview gives it as codes.
    fa: persianErrors[code],
  };
  return new AdminError(code, { message });
};

/** What a decision would do, and the evidence for and against it. The operator's answer is stored. */
export const previewResolution = async (
  { purchases, ...deps }: PurchaseActionDeps,
  id: string,
  verdict: ReviewOutcome,
): Promise<Preview> => {
  try {
    return await preview({ ...deps, ...purchases }, id, verdict);
  } catch (error) {
    throw asAdminError(error, (text) => text);
  }
};

export type Decision = {
  readonly verdict: ReviewOutcome;
  readonly reason: string;
  readonly force?: boolean;
  readonly version: string;
};

/** Writes a decision to the audit log, beside the purchase's own record. */
export const auditResolution =
  (
    deps: Pick<AdminDeps, 'clock' | 'newId'> & { readonly mobile: MobileFormat },
    actor: Actor,
    { verdict, reason }: Pick<Decision, 'verdict' | 'reason'>,
  ): NonNullable<ResolveDeps['alsoWrite']> =>
  (db, { before, purchase, forced }) => {
    const mask = maskNumber(before.mobile, deps.mobile);
    return writeAudit(db, deps, actor, {
      action: 'purchase resolve',
      subject: before.id,
      before: { state: before.state, disputed: factOrNullToWire(before.disputed, mask) },
      after: {
        state: purchase.state,
        disputed: factOrNullToWire(purchase.disputed, mask),
        decided: verdict,
        forced,
        reason: mask(reason),
      },
    });
  };

/** Decides one purchase, as the command does, with an entry in the audit log. */
export const decideResolution = async (
  deps: PurchaseActionDeps,
  actor: Actor,
  id: string,
  { verdict, force = false, version, ...decision }: Decision,
): Promise<Resolved> => {
  const { db, purchases } = deps;
  const found = await findOne(db, id);
  const reason = reasonOf(deps, found, decision.reason);
  const mask = maskNumber(found.mobile, purchases.mobile);
  const alsoWrite = auditResolution({ ...deps, mobile: purchases.mobile }, actor, {
    verdict,
    reason,
  });
  const { databaseTime, ask } = purchases;
  const resolution = { verdict, reason, actor: actor.name, force, version };
  try {
    const done = await resolve({ ...deps, databaseTime, ask, alsoWrite }, id, resolution);
    purchases.wake(done.endpoints);
    return done;
  } catch (error) {
    throw asAdminError(error, mask);
  }
};
