/** Checks the model: what must hold at every commit, order, delivery and answer, and at the end. */
import { type ClientRules, mayBuy } from '../../src/clients/rules/rules.ts';
import type { Blame, Order, OrderOutcome } from '../../src/connector/connector.ts';
import { utcDays } from '../../src/lib/business-day.ts';
import { isTestSupplier } from '../../src/operators/supplier.ts';
import type { Fields } from '../../src/purchases/decide.ts';
import type { FactCode } from '../../src/purchases/facts/facts.ts';
import type { Answer } from '../../src/purchases/purchase.ts';
import { leftIn } from '../../src/purchases/rows.ts';
import { longestLeaseMs, type RecoveryConfig } from '../../src/purchases/terms.ts';
import { productOf } from './catalogue.ts';
import type { Commit } from './database.ts';
import { resendWithin } from './declarations.ts';
import type { PriceModel } from './prices.ts';
import type { Process } from './process.ts';
import type { AccountRecord, PurchaseRecord } from './store.ts';
import type { WebhookModel } from './webhooks.ts';
import type { World } from './world.ts';

/** What an operator has done with an order, by its own book. */
export type BookEntry = {
  deliveries: number;
  deliveredAt: number;
  /** How often it has said that it refuses. */
  refusals: number;
  reversed: boolean;
  /** By its last refusal. */
  blame?: Blame;
  /** Whether the operator's answers contradict its deeds. */
  lied: boolean;
  /** Whether its reports include it. */
  readonly reported: boolean;
  /** Whether its operator moves, so that its reports may be missed. */
  readonly moves: boolean;
};

type Money = { readonly deposit: number; held: number; captured: number; available: number };

/** What is held for a purchase and captured. */
const chargedBy = ({ charged_amount, amount }: PurchaseRecord): number => charged_amount ?? amount;

export const openStates: ReadonlySet<string> = new Set(['submitted', 'unknown', 'review']);
const soldStates = new Set(['succeeded', 'reversed']);
const moneyStates = new Set([...openStates, 'succeeded']);

/** The possible steps; a purchase may also be written again in its current state. */
const steps: Readonly<Record<string, readonly string[]>> = {
  '': ['refused', 'submitted'],
  refused: [],
  submitted: ['succeeded', 'failed', 'unknown', 'review', 'reversed'],
  unknown: ['submitted', 'succeeded', 'failed', 'review', 'reversed'],
  review: ['succeeded', 'failed', 'reversed'],
  succeeded: ['reversed'],
  failed: [],
  reversed: [],
};

/** The request and its end: none of it ever changes. */
const settledColumns = ['answer_status', 'answer_body', 'settled_at', 'operator_ref'] as const;
const requestColumns = [
  'client_id',
  'idempotency_key',
  'fingerprint',
  'product_id',
  'operator_id',
  'mobile',
  'amount',
  'charged_amount',
  'price_entry_id',
  'offer_code',
  'offer_type',
  'profile_id',
  'webservice_code',
  'request_id',
  'began_at',
] as const satisfies readonly (keyof PurchaseRecord)[];

/** Its progress; not why it waits, which a report may extend. */
const progressColumns = [
  'state',
  'attempts',
  'inquiries',
  'send_before',
  'quiet_at',
  'due_at',
  'disputed',
  ...settledColumns,
] as const satisfies readonly (keyof PurchaseRecord)[];

/** The facts that record a delivery while it needs review. */
const deliveries: ReadonlySet<string> = new Set([
  'reported_delivered',
  'called_back_delivered',
  'late_delivered',
  'left_delivered',
  'said_delivered',
] satisfies readonly FactCode[]);

const timeColumns: ReadonlySet<string> = new Set(['send_before', 'quiet_at', 'due_at']);

export type Asked = {
  readonly clientId: string;
  readonly key: string;
  readonly fields: Fields;
};

const sameFields = (row: PurchaseRecord, fields: Fields): boolean =>
  row.product_id === fields.productId &&
  row.mobile === fields.mobile &&
  row.amount === fields.price &&
  row.webservice_code === fields.webserviceCode &&
  row.offer_code === (fields.offer?.code ?? null) &&
  row.offer_type === (fields.offer?.type ?? null);

/** An answer that reached its process in time, and the faults until then. */
type Heard = {
  readonly by: string;
  readonly at: number;
  readonly calm: boolean;
  readonly failures: number;
  readonly delays: number;
};

/** A final answer as it reaches the process that has ordered. */
export type HeardAnswer = {
  readonly process: Process;
  readonly outcome: OrderOutcome;
  /** The number of the attempt that it answers. */
  readonly attempt: number;
  readonly supplierId: number;
};

/** The process that committed something, the database's time as that process sees it, and its wait. */
type By = { readonly by: string; readonly now: number; readonly waitedMs: number };

/** A report of an unknown order, and its position among its operator's reports. */
export type UnknownReport = {
  readonly operatorId: number;
  readonly ref: string;
  readonly position: number;
};

/** What a person decided about a purchase. */
export type PersonsDecision = {
  readonly at: number;
  /** Whether the evidence supported it. */
  readonly supported: boolean;
};

export type ModelOptions = {
  readonly deposits: ReadonlyMap<string, number>;
  /** The test clients. */
  readonly tests: ReadonlySet<string>;
  readonly rules: ReadonlyMap<string, ClientRules>;
  readonly recovery: RecoveryConfig;
  /** Whether clocks may go back. */
  readonly clockSteps: boolean;
  /** Whether an operator gets other settings. */
  readonly moves: boolean;
  /** The supplier that takes no inquiries. */
  readonly resendsTo: number;
  /** What purchases charge, where price lists change. */
  readonly prices: PriceModel | undefined;
};

/** The part of the model that goes back with a restored database. */
const createBooks = (deposits: ReadonlyMap<string, number>) => ({
  purchases: new Map<string, PurchaseRecord>(),
  byKey: new Map<string, PurchaseRecord>(),
  answers: new Map<string, Answer>(),
  firsthand: new Set<string>(),
  claimants: new Map<string, string>(),
  sendUntil: new Map<string, number>(),
  /** When the last attempt was written. */
  submittedAt: new Map<string, number>(),
  closedDisputes: new Set<string>(),
  /** What a person decided, from the commit of it on. */
  decisions: new Map<string, PersonsDecision>(),
  /** Missing purchases that a person accepted, and those accepted before all operators answered. */
  accepted: new Set<string>(),
  acceptedUnasked: new Set<string>(),
  money: new Map<string, Money>(
    [...deposits].map(([client, deposit]) => [
      client,
      { deposit, held: 0, captured: 0, available: deposit },
    ]),
  ),
});

export type Books = ReturnType<typeof createBooks>;

const copyBooks = (books: Books): Books => ({
  purchases: new Map(books.purchases),
  byKey: new Map(books.byKey),
  answers: new Map(books.answers),
  firsthand: new Set(books.firsthand),
  claimants: new Map(books.claimants),
  sendUntil: new Map(books.sendUntil),
  submittedAt: new Map(books.submittedAt),
  closedDisputes: new Set(books.closedDisputes),
  decisions: new Map(books.decisions),
  accepted: new Set(books.accepted),
  acceptedUnasked: new Set(books.acceptedUnasked),
  money: new Map([...books.money].map(([client, money]) => [client, { ...money }])),
});

/** Time alone is not enough: an operator is asked this often before it needs review. */
const leastInquiries = 3;

/** What is left of the time to send an order again, after the longest quiet time of those that take it. */
const resendsFor = resendWithin - 8000;

/** By a clock that has not gone back no quiet time is longer. */
const longestQuietMs = 60_000;

/** The simulator of test clients has its own time until review. */
const testReviewAfterMs = 30_000;

/** The name of the process in which people decide. */
export const person = 'office';

/** How long a process may take to write a received answer, if nothing delays it. */
const settleWithinMs = 3000;

/** How long after a loss late timers still ask the operators for the first time. */
const askedWithinMs = 15_000;

/** Two of the slowest statements: after that a time which was read is no longer written. */
const longestUseMs = 5000;

export const createModel = (world: World, options: ModelOptions) => {
  const { deposits, tests, rules, recovery, clockSteps, moves, resendsTo, prices } = options;
  let books = createBooks(deposits);
  /** The suppliers' books: by order, then by supplier. */
  const entries = new Map<string, Map<number, BookEntry>>();
  const heard = new Map<string, Heard>();
  /** When a process last inquired about a purchase, and how long an order may take to appear. */
  const inquiries = new Map<string, { readonly at: number; readonly surfacesMs: number }>();
  /** The final answers to orders that have reached a process. */
  const reached = new Set<string>();
  const toldNothing = new Set<string>();
  /** The orders that were sent, by supplier. */
  const sent = new Set<string>();
  /** The purchases in review whose delivery was noted. */
  const notedSold = new Set<string>();
  const repeatable = new Set<string>();
  /** What a person is about to decide. */
  const intentions = new Map<string, PersonsDecision>();
  /** Purchases that a restored database lacks. */
  const forgotten = new Map<string, PurchaseRecord>();
  /** Purchases whose end it lacks. */
  const lostEnds = new Map<string, PurchaseRecord>();
  /** Purchases for which a lost claim and a later one may have the same number. */
  const lostClaims = new Set<string>();
  const times = new Map<string, () => number>();
  /** When each process has read which times from the database. */
  const readings = new Map<string, Map<number, number>>();
  let webhooks: WebhookModel | undefined;
  let rewinds = 0;
  let isLossNoticed = true;
  let rewoundAt = -Infinity;
  let lastTime = 0;
  let closedAt: number | undefined;
  /** Whether the person opens a restore before all operators have answered. */
  let opensUnasked = false;
  /** A sale by an acceptance stays valid even if it is lost. */
  const everAccepted = new Set<string>();
  /** Purchases whose delivery was reported while they needed review. */
  const learned = new Set<string>();
  const { violate } = world;
  const keyOf = (clientId: string, key: string): string => `${clientId} ${key}`;
  const entriesOf = (id: string): readonly BookEntry[] => [...(entries.get(id)?.values() ?? [])];
  const entryAt = (id: string, supplierId: number): BookEntry | undefined =>
    entries.get(id)?.get(supplierId);

  /** What all suppliers together did, by the one that the purchase is with. */
  const bookOf = (id: string, supplierId?: number): BookEntry | undefined => {
    const all = entriesOf(id);
    const [first] = all;
    if (first === undefined || all.length === 1) return first;
    const row = books.purchases.get(id) ?? forgotten.get(id);
    const own = entryAt(id, supplierId ?? row?.supplier_id ?? 0);
    const sold = all.filter(({ deliveries }) => deliveries > 0);
    return {
      deliveries: all.reduce((sum, { deliveries }) => sum + deliveries, 0),
      deliveredAt: Math.max(...all.map(({ deliveredAt }) => deliveredAt)),
      refusals: own?.refusals ?? 0,
      reversed: own?.reversed ?? false,
      lied: all.some(({ lied }) => lied),
      reported: sold.every(({ reported }) => reported),
      moves: all.some(({ moves }) => moves),
    };
  };
  const delivered = (id: string): boolean => (bookOf(id)?.deliveries ?? 0) > 0;
  const isTest = (id: string): boolean =>
    tests.has((books.purchases.get(id) ?? forgotten.get(id))?.client_id ?? '');
  /** A test client's order goes to the simulator, and no supplier hears of it. */
  const checkReached = (id: string, supplierId: number): void => {
    if (isTest(id) !== isTestSupplier(supplierId)) {
      violate(
        `${id} reaches supplier ${supplierId}, ${isTest(id) ? 'of' : 'not of'} a test client`,
      );
    }
  };

  const count = (row: PurchaseRecord, sign: 1 | -1): void => {
    const account = books.money.get(row.client_id);
    if (account === undefined) return violate(`${row.id} is of a stranger, ${row.client_id}`);
    const charged = chargedBy(row);
    if (openStates.has(row.state)) account.held += sign * charged;
    if (row.state === 'succeeded') account.captured += sign * charged;
  };

  /** What its client's rules say about a purchase that has just begun. */
  const checkRules = (row: PurchaseRecord): void => {
    const rule = rules.get(row.client_id);
    if (rule === undefined || row.state === 'refused') return;
    const product = productOf(row.product_id);
    if (product !== undefined && !mayBuy(rule, product)) {
      violate(`${row.id} is of product ${row.product_id}, which its client may not buy`);
    }
    const before = [...books.purchases.values()].filter(
      (one) => one.client_id === row.client_id && one.id !== row.id && moneyStates.has(one.state),
    );
    const { begins } = utcDays(row.began_at);
    const spent = before
      .filter(({ began_at }) => began_at >= begins)
      .reduce((sum, one) => sum + chargedBy(one), chargedBy(row));
    if (rule.dailyLimit !== null && spent > rule.dailyLimit) {
      violate(`${row.client_id} spends ${spent} on a day, more than ${rule.dailyLimit}`);
    }
    const { repeatSeconds } = rule;
    if (repeatSeconds === null || repeatable.has(keyOf(row.client_id, row.idempotency_key))) return;
    const like = before.find(
      (one) =>
        one.began_at > row.began_at - repeatSeconds * 1000 &&
        one.mobile === row.mobile &&
        one.product_id === row.product_id &&
        one.amount === row.amount &&
        one.offer_code === row.offer_code,
    );
    if (like !== undefined) violate(`${row.id} repeats ${like.id}, and was not refused`);
  };

  /** What is held is what the version in force says at that moment. */
  const checkPrice = (row: PurchaseRecord): void => {
    if (row.state === 'refused') return;
    const charged = prices?.chargeOf(row) ?? row.amount;
    if (row.charged_amount !== charged) {
      violate(`${row.id} charges ${row.charged_amount}, and its price list says ${charged}`);
    }
  };

  const checkBeginning = (row: PurchaseRecord, { waitedMs }: By): void => {
    if (row.state === 'submitted' && closedAt !== undefined) {
      violate(`${row.id} begins while a restore is not opened`);
    }
    if (row.state === 'submitted' && waitedMs > recovery.sendWithinMs) {
      violate(`${row.id} begins ${waitedMs} ms after its transaction was asked for`);
    }
    if (toldNothing.has(row.request_id)) {
      violate(`${row.id} begins after its request was answered that nothing was done`);
    }
    const known = books.byKey.get(keyOf(row.client_id, row.idempotency_key));
    if (known !== undefined) violate(`${row.id} begins under the key of ${known.id}`);
    checkRules(row);
    checkPrice(row);
    const lost = [...forgotten.keys()].find(
      (id) => delivered(id) && bookOf(id)?.lied !== true && !books.accepted.has(id) && !isTest(id),
    );
    if (lost !== undefined) violate(`${row.id} is sold though ${lost} was delivered and forgotten`);
  };

  /** A purchase goes to another supplier only by proof, and only by a fault of the one that it leaves. */
  const checkSuppliers = (was: PurchaseRecord, row: PurchaseRecord): void => {
    if (was.left_suppliers === row.left_suppliers) {
      if (was.supplier_id !== row.supplier_id) violate(`${row.id} changes its supplier unseen`);
      return;
    }
    const left = leftIn(row.left_suppliers);
    if (new Set(left).size !== left.length || left.includes(row.supplier_id ?? 0)) {
      violate(`${row.id} is with a supplier twice: ${row.left_suppliers}, now ${row.supplier_id}`);
    }
    if (row.state !== 'submitted') return;
    if (row.fence <= was.fence) violate(`${row.id} moves on under an old fence`);
    if (row.offer_code !== null) violate(`${row.id} moves on with a personal offer`);
    if (was.disputed !== null) violate(`${row.id} moves on, though a supplier has delivered it`);
    const { refusals = 0, blame } = entryAt(row.id, was.supplier_id ?? 0) ?? {};
    if (refusals > 0 && blame !== undefined && blame !== 'supplier') {
      violate(`${row.id} moves on, though the ${blame} is to blame`);
    }
  };

  const checkChange = (was: PurchaseRecord | undefined, row: PurchaseRecord, commit: By): void => {
    const from = was?.state ?? '';
    if (from !== row.state && !steps[from]?.includes(row.state)) {
      violate(`${row.id} goes from "${from}" to ${row.state}`);
    }
    if (was === undefined) return checkBeginning(row, commit);
    if (was.state === 'review' && row.state !== 'review' && commit.by !== person) {
      violate(`${row.id} leaves review, and no person has decided`);
    }
    for (const column of requestColumns) {
      if (was[column] !== row[column]) violate(`${row.id} changes its ${column}`);
    }
    if (was.left_suppliers === row.left_suppliers && was.sent_to !== row.sent_to) {
      violate(`${row.id} changes its sent_to`);
    }
    checkSuppliers(was, row);
    if (row.fence < was.fence) violate(`${row.id} falls back to fence ${row.fence}`);
    if (row.state === 'review' && row.notes > was.notes && deliveries.has(row.reason ?? '')) {
      learned.add(row.id);
      notedSold.add(row.id);
    }
    if (was.answer_status === null) return;
    for (const column of settledColumns) {
      if (was[column] !== row[column]) violate(`${row.id} is final and changes its ${column}`);
    }
    // By what it was about: another delivery is another dispute.
    const about = (code: string): string => `${row.id} ${code}`;
    const mayRecur = row.disputed === 'left_delivered' && leftIn(row.left_suppliers).length > 1;
    if (was.disputed !== null && row.disputed === null) {
      books.closedDisputes.add(about(was.disputed));
    }
    const isReopened =
      was.disputed === null &&
      row.disputed !== null &&
      !mayRecur &&
      books.closedDisputes.has(about(row.disputed));
    if (isReopened) {
      violate(`${row.id} is disputed again after a person closed the dispute`);
    }
  };

  /** Whether it is due by a time that the process has just read; the clock may have gone back since. */
  const isMadeDue = ({ due_at: due }: PurchaseRecord, { by, now }: By): boolean =>
    due !== null &&
    (due <= now || world.now() - (readings.get(by)?.get(due) ?? -Infinity) <= longestUseMs);

  /**
   * Only the last claimant may move an open purchase. An operator's statement needs no claim: a report, and
   * the answer to an order, a refusal only if no other was sent since.
   */
  const checkClaim = (was: PurchaseRecord | undefined, row: PurchaseRecord, commit: By): void => {
    const { by } = commit;
    const claimed =
      was === undefined || (was.fence !== row.fence && was.left_suppliers === row.left_suppliers);
    if (claimed) books.claimants.set(row.id, by);
    const source = `${by} ${row.id} ${row.supplier_id}`;
    const reported = soldStates.has(row.state) && row.operator_ref === row.id;
    const answered =
      (soldStates.has(row.state) && reached.has(`${source} done`)) ||
      (row.state === 'failed' && reached.has(`${source} refused ${row.attempts}`));
    const isLeftDelivery =
      was !== undefined &&
      (row.disputed === 'left_delivered' || row.disputed === 'left_reversed') &&
      progressColumns.every((name) => name === 'disputed' || was[name] === row[name]);
    // A report or a callback is noted as evidence without a claim, and moves nothing.
    const noted =
      was !== undefined &&
      (was.state === 'review' || row.notes > was.notes) &&
      progressColumns.every((name) => was[name] === row[name]);
    if (claimed || reported || answered || noted || isLeftDelivery) return;
    if (!openStates.has(was.state)) return;
    if (lostClaims.has(row.id)) return;
    // After a clock step back open purchases are made due; in another place quiet times restart.
    const isOnlyTimes = progressColumns.every(
      (name) => timeColumns.has(name) || was[name] === row[name],
    );
    const isDue = row.due_at !== null && row.quiet_at === was.quiet_at && isMadeDue(row, commit);
    if (isOnlyTimes && (isDue || row.quiet_at !== was.quiet_at)) return;
    const claimant = books.claimants.get(row.id);
    if (claimant !== by) violate(`${by} moves ${row.id}, which ${claimant} has claimed`);
  };

  /** A test order is late by the time of its begin, which a clock may show again. */
  const isLateAgain = ({ id }: PurchaseRecord): boolean => clockSteps && isTest(id);

  const checkAgainstBook = (was: PurchaseRecord | undefined, row: PurchaseRecord): void => {
    const entry = bookOf(row.id, row.supplier_id ?? 0);
    const decided = books.decisions.get(row.id);
    // A supplier's lie supports a wrong decision.
    const excused = decided !== undefined && (!decided.supported || entry?.lied === true);
    if (soldStates.has(row.state) && !delivered(row.id) && !excused) {
      violate(`${row.id} is ${row.state} and was never delivered`);
    }
    const isElsewhere = (entryAt(row.id, row.supplier_id ?? 0)?.deliveries ?? 0) === 0;
    // A person decides that it was delivered, not by whom.
    const isUndecided = decided === undefined;
    if (row.state === 'succeeded' && delivered(row.id) && isElsewhere && isUndecided) {
      violate(`${row.id} is sold by ${row.supplier_id}, and another supplier has delivered it`);
    }
    const isOfLeft = row.disputed === 'left_delivered' && was?.disputed === row.disputed;
    const isRefunded = row.state === 'failed' || row.state === 'reversed';
    if (isRefunded && isOfLeft && was.state !== row.state && isUndecided) {
      violate(`${row.id} is ${row.state}, and a supplier that was left has delivered it`);
    }
    if (row.state === 'reversed' && entry?.reversed !== true) {
      violate(`${row.id} is reversed, and the operator never took it back`);
    }
    const unsold = row.state === 'failed' || row.state === 'refused';
    if (unsold && !isLateAgain(row) && delivered(row.id) && entry?.lied !== true && !excused) {
      const isTakenBack = entriesOf(row.id).every((one) => one.deliveries === 0 || one.reversed);
      if (!isTakenBack || decided === undefined)
        violate(`${row.id} is ${row.state} and was delivered`);
    }
    if (was?.state === row.state) return;
    const declined = row.state === 'failed' && row.reason === 'OPERATOR_DECLINED';
    if (declined && (entry?.refusals ?? 0) === 0) {
      violate(`${row.id} is answered as declined, and the operator refused nothing`);
    }
  };

  /** The wait for an operator: it is asked often, and long enough before a person is. */
  const checkWait = (was: PurchaseRecord | undefined, row: PurchaseRecord, commit: By): void => {
    const { now } = commit;
    if (was === undefined || !openStates.has(was.state)) return;
    const isResent = row.supplier_id === resendsTo;
    if (row.state === 'review' && was.state !== 'review') {
      const waited = now - row.began_at;
      const least = tests.has(row.client_id) ? testReviewAfterMs : recovery.reviewAfterMs;
      const isEarly = waited < least || row.inquiries < leastInquiries;
      // Where it cannot be sent again any more, nothing is left to wait for.
      const isOver = isResent && (waited >= resendsFor || clockSteps || moves);
      if (isEarly && !isOver) {
        violate(`${row.id} needs review after ${waited} ms, ${row.inquiries} inquiries`);
      }
    }
    // Word of a supplier that was left, of one after another, comes while the current one is being asked.
    const isAnswered =
      row.state === 'unknown' &&
      row.fence === was.fence &&
      row.quiet_at === was.quiet_at &&
      (row.inquiries !== was.inquiries || was.state === 'submitted');
    const widest = recovery.widestInquiryMs * 1.2 + 1;
    const waitsForQuiet = isResent && row.due_at === row.quiet_at;
    const isLate = row.due_at !== null && row.due_at - now > widest && !waitsForQuiet;
    if (isAnswered && isLate && !isMadeDue(row, commit)) {
      violate(`${row.id} is not asked about again for ${(row.due_at ?? now) - now} ms`);
    }
  };

  /** A claimed purchase was due, and no process that could write its answer has received it. */
  const checkDue = (was: PurchaseRecord | undefined, row: PurchaseRecord, now: number): void => {
    if (was === undefined || was.due_at === null || was.fence === row.fence) return;
    if (was.left_suppliers !== row.left_suppliers) {
      // That answer was the one before's.
      heard.delete(row.id);
      return;
    }
    // A server that takes over after another's death makes all due.
    const takesOver = row.due_at !== null && row.due_at <= now;
    // If the clock has gone back, by the time that was read before.
    const readAt = Math.max(now, (row.due_at ?? 0) - longestLeaseMs);
    if (was.due_at > readAt && !takesOver) violate(`${row.id} is claimed before it is due`);
    // The one that heard it is dead.
    if (takesOver) heard.delete(row.id);
    const answer = heard.get(row.id);
    if (answer === undefined) return;
    const isCalm =
      answer.calm &&
      world.delays().count === answer.delays &&
      world.failures() <= answer.failures + 2;
    if (isCalm && world.now() - answer.at > settleWithinMs) {
      violate(`${row.id} is claimed, though ${answer.by} has heard its answer`);
    }
  };

  /** "No such order" is proof only if it was asked after every order could have appeared. */
  const checkProof = (was: PurchaseRecord | undefined, row: PurchaseRecord, by: string): void => {
    if (row.state !== 'failed' || was?.state === 'failed' || books.decisions.has(row.id)) return;
    const entry = bookOf(row.id);
    if (entry !== undefined && entry.refusals > 0) return;
    const asked = inquiries.get(`${by} ${row.id}`);
    const sent = books.sendUntil.get(row.id) ?? 0;
    if (asked === undefined) return violate(`${row.id} fails, and its operator was not asked`);
    const early = sent + asked.surfacesMs - asked.at;
    if (early > 0) violate(`${row.id} fails by an inquiry that was made ${early} ms too early`);
  };

  const checkMoney = ({
    client_id: client,
    available,
    held,
    credit_limit: limit,
  }: AccountRecord): void => {
    const account = books.money.get(client);
    if (account === undefined) return violate(`a stranger ${client} has an account`);
    const spendable = account.deposit - account.captured - account.held;
    if (available !== spendable || held !== account.held) {
      const wanted = `${spendable} and ${account.held}`;
      violate(`${client} has ${available} available and ${held} held, not ${wanted}`);
    }
    if (held < 0) violate(`${client} falls to ${available} + ${held}`);
    // A limit that was lowered does not take back what was held before.
    if (available < account.available && available < -limit) {
      violate(`${client} buys beyond its credit: ${available}, with a limit of ${limit}`);
    }
    account.available = available;
  };

  /** A decision counts from the commit that makes it. */
  const noteDecision = (was: PurchaseRecord | undefined, row: PurchaseRecord, by: string): void => {
    const intended = intentions.get(row.id);
    if (was === undefined || intended === undefined || by !== person) return;
    const isEnded = was.state === 'review' && row.state !== 'review';
    if (isEnded || (was.disputed !== null && row.disputed === null)) {
      books.decisions.set(row.id, intended);
    }
  };

  const take = (row: PurchaseRecord, commit: By): void => {
    const { by, now } = commit;
    const disputed = row.disputed === null ? '' : ' disputed';
    world.say(`= ${row.id} ${row.state}${disputed} fence ${row.fence} due ${row.due_at}`);
    const was = books.purchases.get(row.id);
    noteDecision(was, row, by);
    checkChange(was, row, commit);
    checkClaim(was, row, commit);
    checkAgainstBook(was, row);
    checkWait(was, row, commit);
    checkDue(was, row, now);
    checkProof(was, row, by);
    if (was?.send_before !== row.send_before || was.attempts !== row.attempts) {
      books.sendUntil.set(row.id, world.now() + row.send_before - now);
    }
    if (was?.attempts !== row.attempts) books.submittedAt.set(row.id, world.now());
    if (was !== undefined) count(was, -1);
    count(row, 1);
    books.purchases.set(row.id, row);
    books.byKey.set(keyOf(row.client_id, row.idempotency_key), row);
    webhooks?.changed(was, row);
  };

  return {
    bookOf,
    entryAt,
    /** The suppliers' books of an order. */
    entriesOf: (id: string): Iterable<readonly [number, BookEntry]> => entries.get(id) ?? [],
    enter: (id: string, supplierId: number, entry: BookEntry): void => {
      const known = entries.get(id) ?? new Map<number, BookEntry>();
      entries.set(id, known.set(supplierId, entry));
    },
    /** All orders in the suppliers' books. */
    ordered: (): Iterable<string> => entries.keys(),
    /** Whether it is a test client's, and in the book of a supplier. */
    isTestElsewhere: (id: string): boolean =>
      isTest(id) && [...(entries.get(id)?.keys() ?? [])].some((one) => !isTestSupplier(one)),
    /** What operators have reported about unknown orders. */
    reportedUnknown: [] as UnknownReport[],
    // Not getters: the hidden class of an object with getters keeps it until a full garbage collection.
    decisions: (): ReadonlyMap<string, PersonsDecision> => books.decisions,
    /** A person is about to decide. */
    intend: (id: string, decision: PersonsDecision): void => void intentions.set(id, decision),
    forgotten,
    purchases: (): ReadonlyMap<string, PurchaseRecord> => books.purchases,
    find: ({ clientId, key }: Pick<Asked, 'clientId' | 'key'>) =>
      books.byKey.get(keyOf(clientId, key)),
    /** Tells the model how a process reads the database's time. */
    knows: (name: string, time: () => number): void => {
      times.set(name, time);
      readings.set(name, new Map());
    },
    /** How many processes there have been. */
    started: (): number => times.size,
    /** A process reads the database's time. */
    reads: (name: string, now: number): number => {
      readings.get(name)?.set(now, world.now());
      return now;
    },
    /** A restore was recorded, or the last one was opened. */
    restored: (isClosed: boolean, by: string): void => {
      closedAt = isClosed ? (closedAt ?? world.now()) : undefined;
      if (isClosed) isLossNoticed = true;
      if (isClosed || by !== person) return;
      for (const id of forgotten.keys()) {
        books.accepted.add(id);
        everAccepted.add(id);
        if (opensUnasked) books.acceptedUnasked.add(id);
      }
    },
    /** From now on events must be announced. */
    hearWith: (model: WebhookModel): void => {
      webhooks = model;
    },
    committed: ({ by, waitedMs, purchases: rows, accounts }: Commit): void => {
      const now = times.get(by)?.() ?? 0;
      lastTime = now;
      prices?.committed(by);
      const begins = rows.some(({ id }) => !books.purchases.has(id));
      for (const row of rows) take(row, { by, now, waitedMs });
      for (const account of accounts) checkMoney(account);
      webhooks?.moved(accounts, begins);
    },
    /** A process sends an order. */
    sending: (
      { ref: id, productId, profileId, offer }: Order,
      by: string,
      {
        supplierId,
        mayDeliver,
        deduplicates,
      }: { supplierId: number; mayDeliver: readonly number[]; deduplicates: boolean },
    ): void => {
      checkReached(id, supplierId);
      const order = `${supplierId} ${id}`;
      if (sent.has(order) && !deduplicates && rewinds === 0) {
        violate(`${id} is ordered again from ${supplierId}, which does not deduplicate`);
      }
      sent.add(order);
      const others = mayDeliver.filter(
        (one) => one !== supplierId && entryAt(id, one)?.lied !== true,
      );
      if (others.length > 0) {
        violate(`${id} is ordered from ${supplierId}, while ${others.join()} may deliver it`);
      }
      if (offer !== undefined && supplierId !== productOf(productId)?.operator_id) {
        violate(`${id} is a personal offer, and supplier ${supplierId} did not make it`);
      }
      const own = productOf(productId)?.profile_id;
      if (own !== undefined && own !== profileId) {
        violate(`${id} is ordered as ${profileId}, and its product is ${own}`);
      }
      const until = books.sendUntil.get(id);
      const submitted = books.submittedAt.get(id) ?? 0;
      if (closedAt !== undefined && submitted >= closedAt) {
        violate(`${by} orders ${id} while a restore is not opened`);
      }
      // A process from before a restore may still send what that lacks.
      if (forgotten.has(id)) return;
      if (until === undefined) return violate(`${id} is ordered before it is written`);
      const late = world.now() - until;
      if (late > 0) violate(`${id} is ordered ${late} ms after its time to send`);
    },
    /** A process inquires about an order. */
    asking: (
      id: string,
      { by, supplierId, surfacesMs }: { by: string; supplierId: number; surfacesMs: number },
    ): void => {
      checkReached(id, supplierId);
      inquiries.set(`${by} ${id}`, { at: world.now(), surfacesMs });
    },
    /** The final answer to an order has reached its process. */
    reached: (id: string, { process, outcome, attempt, supplierId }: HeardAnswer): void => {
      const what = outcome.kind === 'done' ? 'done' : `${outcome.kind} ${attempt}`;
      reached.add(`${process.name} ${id} ${supplierId} ${what}`);
    },
    /** The final answer to an order has reached its process before the deadline. */
    heard: (id: string, { process, outcome, attempt, supplierId }: HeardAnswer): void => {
      const { count, until, stalls, stalledUntil } = world.delays();
      const at = world.now();
      const by = process.name;
      heard.set(id, { by, at, calm: at >= until, failures: world.failures(), delays: count });
      if (at < stalledUntil || rewinds > 0) return;
      const [failures, naps] = [world.failures(), process.naps()];
      world.after(settleWithinMs, () => {
        const isCalm =
          world.delays().stalls === stalls &&
          world.failures() <= failures + 2 &&
          process.naps() === naps;
        const row = books.purchases.get(id);
        const isOfLast =
          row?.supplier_id === supplierId && (outcome.kind === 'done' || row.attempts === attempt);
        const isOpen = row !== undefined && row.state !== 'review' && openStates.has(row.state);
        if (isCalm && isOpen && isOfLast && process.alive()) {
          violate(`${id} is still ${row.state}, though ${by} has heard its answer`);
        }
      });
    },
    attemptOf: (id: string): number => books.purchases.get(id)?.attempts ?? 0,
    /** Whether its supplier may have been sent the order before. */
    isRepeat: (id: string): boolean => {
      const row = books.purchases.get(id);
      return row !== undefined && row.attempts > leftIn(row.left_suppliers).length + 1;
    },
    /** The operator delivers: call it before it is in the book. */
    delivering: (id: string, entry: BookEntry): void => {
      const row = books.purchases.get(id) ?? forgotten.get(id);
      const all = entriesOf(id);
      const isTwice = all.some(({ deliveries }) => deliveries > 0);
      if (entry.deliveries > 0 || (isTwice && !all.some(({ lied }) => lied))) {
        violate(`${id} is delivered twice`);
      }
      if (row === undefined) return violate(`${id} is delivered, and there is no such purchase`);
      const same = [...forgotten.values(), ...books.purchases.values()].find(
        (one) =>
          one.id !== id &&
          one.client_id === row.client_id &&
          one.idempotency_key === row.idempotency_key &&
          delivered(one.id),
      );
      // A lie of a supplier about what a restored database lacks comes out too late.
      const isExcused = (one: string): boolean =>
        everAccepted.has(one) || (forgotten.has(one) && entriesOf(one).some(({ lied }) => lied));
      if (same !== undefined && !isExcused(id) && !isExcused(same.id)) {
        violate(`${id} and ${same.id} are one key, delivered twice`);
      }
      const excused =
        entry.lied || forgotten.has(id) || books.decisions.get(id)?.supported === false;
      if (!openStates.has(row.state) && !excused) {
        violate(`${id} is delivered while it is ${row.state}: nothing is held for it`);
      }
    },
    /** A request was answered with an error, which says that nothing was done. */
    refusedUnrecorded: (requestId: string, asked: Pick<Asked, 'clientId' | 'key'>): void => {
      toldNothing.add(requestId);
      const row = books.byKey.get(keyOf(asked.clientId, asked.key));
      if (row?.request_id === requestId) {
        violate(`${row.id} has begun, and its request was answered that nothing was done`);
      }
    },
    answered: (
      asked: Asked,
      answer: Answer,
      { purchaseId, replayed }: { purchaseId: string; replayed: boolean },
    ): void => {
      const name = keyOf(asked.clientId, asked.key);
      const lost = forgotten.get(purchaseId) ?? lostEnds.get(purchaseId);
      // A surviving server answers from memory, although the database lacks it.
      if (lost?.answer_body === answer.body && lost.answer_status === answer.status) return;
      const row = books.byKey.get(name);
      if (row === undefined) return violate(`${name} is answered, and nothing is recorded`);
      if (row.id !== purchaseId) violate(`${name} is answered as ${purchaseId}, not as ${row.id}`);
      if (row.answer_status !== answer.status || row.answer_body !== answer.body) {
        violate(`${name} is answered ${answer.status} ${answer.body}, which is not recorded`);
      }
      if (!sameFields(row, asked.fields)) violate(`${name} answers a request with other fields`);
      const before = books.answers.get(name) ?? answer;
      if (before.status !== answer.status || before.body !== answer.body) {
        violate(`${name} was answered ${before.body} and now ${answer.body}`);
      }
      books.answers.set(name, before);
      const excused = books.decisions.get(row.id)?.supported === false;
      if (answer.status === 200 && !delivered(row.id) && !excused) {
        violate(`${name}: 200, and not delivered`);
      }
      if (!replayed && books.firsthand.has(name)) violate(`${name} is answered twice as the first`);
      if (!replayed) books.firsthand.add(name);
    },
    sameFields,
    /** The request itself confirms that it may look like a repeat. */
    mayRepeat: ({ clientId, key }: Pick<Asked, 'clientId' | 'key'>): void => {
      repeatable.add(keyOf(clientId, key));
    },
    /** Whether, by a clock that has gone back, it has not waited long enough for review, or for proof. */
    isEarly: (row: PurchaseRecord): boolean =>
      clockSteps &&
      (lastTime - row.began_at < recovery.reviewAfterMs ||
        row.quiet_at - lastTime > longestQuietMs),
    copy: (): Books => copyBooks(books),
    /** The database is as it was when the copy was made. */
    rewind: (copy: Books): void => {
      const now = books.purchases;
      books = copyBooks(copy);
      // A newer backup may bring back what an older one lacked.
      for (const id of books.purchases.keys()) forgotten.delete(id);
      for (const [id, row] of now) {
        const known = books.purchases.get(id);
        if (known === undefined) {
          forgotten.set(id, row);
          continue;
        }
        if (known.answer_status === null && row.answer_status !== null) lostEnds.set(id, row);
        if (known.fence < row.fence) lostClaims.add(id);
      }
      world.say(`the database forgets ${[...forgotten.keys()].join(', ')}`);
      rewinds += 1;
      isLossNoticed = [...forgotten.keys()].every(isTest);
      if (!isLossNoticed) rewoundAt = world.now();
      heard.clear();
      learned.clear();
      notedSold.clear();
    },
    isLateAgain,
    /** How often the database was restored. */
    rewinds: (): number => rewinds,
    /** Whether the last restore that has lost a purchase is recorded, and the operators could be asked. */
    isLossNoticed: (): boolean => isLossNoticed && world.now() - rewoundAt >= askedWithinMs,
    /**
     * A person is about to accept that missing purchases may be sold again, perhaps without knowing all of
     * them.
     */
    accept: (unasked: boolean): void => {
      opensUnasked = unasked;
    },
    isAcceptedUnasked: (id: string): boolean => books.acceptedUnasked.has(id),
    /** The operator answered a person that it was delivered. */
    toldPerson: (id: string): void => {
      const isInReview = books.purchases.get(id)?.state === 'review';
      if (isInReview && !notedSold.has(id))
        violate(`${id} was delivered by word, which is not noted`);
    },
    /** A person who asked is shown "no such order" as proof. */
    shownProof: (id: string): void => {
      const asked = inquiries.get(`${person} ${id}`);
      const early = (books.sendUntil.get(id) ?? 0) + (asked?.surfacesMs ?? 0) - (asked?.at ?? 0);
      if (early > 0 && rewinds === 0) {
        violate(`${id} is shown as not delivered by an inquiry ${early} ms too early`);
      }
    },
    /** A person was shown that it was delivered. */
    showSold: (id: string): void => void learned.add(id),
    /** The suppliers that were left and have reported a delivery which they have not reversed. */
    deliveredByLeft: (row: PurchaseRecord): number[] =>
      leftIn(row.left_suppliers).filter((supplierId) => {
        const { deliveries = 0, reversed, reported } = entryAt(row.id, supplierId) ?? {};
        return deliveries > 0 && reversed !== true && reported === true;
      }),
    /** Whether its delivery was reported to those who decide about it. */
    hasLearned: (id: string): boolean => learned.has(id),
    /** Whether its delivery was reported while it needed review, without its reversal. */
    isToldSold: (id: string): boolean =>
      learned.has(id) &&
      // There a person only closes the dispute about a second delivery.
      books.purchases.get(id)?.state !== 'succeeded' &&
      entriesOf(id).some(({ deliveries, reversed }) => deliveries > 0 && !reversed),
  };
};

export type Model = ReturnType<typeof createModel>;

/** The problems at the end; empty if there are none. */
export const unsettled = (model: Model): string[] => {
  const problems: string[] = [];
  for (const row of model.purchases().values()) {
    const entry = model.bookOf(row.id);
    const decided = model.decisions().get(row.id);
    const delivered = (entry?.deliveries ?? 0) > 0;
    // If the clock has gone back it waits that much longer.
    const waits = row.state === 'unknown' && row.inquiries > 10 && model.isEarly(row);
    if (openStates.has(row.state) && row.state !== 'review' && !waits) {
      problems.push(`${row.id} is still ${row.state}`);
    }
    const isKnown =
      decided !== undefined && (entry?.reported !== true || entry.deliveredAt <= decided.at);
    // Nothing here knows of an attempt that a restored database lacks, so a lie about it stays unseen.
    const isLost = entry?.lied === true && model.rewinds() > 0;
    const isExcused = row.disputed !== null || isKnown || isLost || model.isLateAgain(row);
    if (row.state === 'failed' && delivered && !isExcused) {
      problems.push(`${row.id} is failed, was delivered, and is not disputed`);
    }
    const isReported = entry?.reported === true && delivered && model.rewinds() === 0;
    const isRefunded = row.state === 'failed' || row.state === 'reversed';
    if (
      isRefunded &&
      decided === undefined &&
      (row.disputed ?? 'left_reversed') === 'left_reversed'
    ) {
      const standing = model.rewinds() === 0 ? model.deliveredByLeft(row) : [];
      for (const supplier of standing) {
        problems.push(`${row.id} is ${row.state}, and the delivery by ${supplier} is not disputed`);
      }
    }
    // A left supplier's delivery is noted while it is open, and stays.
    const isNoted = model.hasLearned(row.id) || row.disputed !== null;
    if (row.state === 'review' && isReported && !isNoted) {
      problems.push(`${row.id} is in review, and its delivery is not noted`);
    }
    if (row.disputed !== null && entry?.lied !== true && decided?.supported !== false) {
      problems.push(`${row.id} is disputed without a reason`);
    }
    // Without reports a reversal is known only if an inquiry found it: then there is no receipt.
    const told = entry?.reported === true || (!entry?.moves && row.operator_ref === row.id);
    if (entry?.reversed === true && told && row.state === 'succeeded' && decided === undefined) {
      problems.push(`${row.id} was reversed by the operator and is not reversed here`);
    }
  }
  for (const id of model.ordered()) {
    const deliveries = model.bookOf(id)?.deliveries ?? 0;
    const known = model.purchases().has(id) || model.forgotten.has(id);
    if (deliveries > 0 && !known) problems.push(`${id} is in no books`);
    if (model.isTestElsewhere(id)) problems.push(`${id} of a test client is in a supplier's book`);
  }
  return problems;
};
