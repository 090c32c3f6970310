/** Simulates operators: how they misbehave, and their own records of deliveries. */

import type {
  Blame,
  Connection,
  Order,
  OrderOutcome,
  RefusalCode,
  Report,
  ReportsOutcome,
  StatusOutcome,
} from '../../src/connector/connector.ts';
import { checkedConnection } from '../../src/connector/contain.ts';
import { sameText } from '../../src/lib/text.ts';
import type { Operator } from '../../src/operators/registry.ts';
import { type CallBack, statementsIn } from './callbacks.ts';
import { type Declaration, offersFor, resendWithin } from './declarations.ts';
import { createDraw } from './draw.ts';
import { costAt } from './floats.ts';
import type { BookEntry, Model } from './model.ts';
import type { Process } from './process.ts';
import type { FaultKind, World } from './world.ts';

/** Beyond every quiet time. */
const longestPauseMs = 12_000;

/** How long an operator that declares no bound may take in this world. */
const unboundedMs = 9000;

type Refusal = {
  readonly kind: 'refused';
  readonly code: RefusalCode;
  readonly blame: Blame;
  readonly reason: string;
};

type OrderRecord = {
  state: 'accepted' | 'delivered' | 'refused' | 'reversed';
  refusal: Refusal;
  reversedAt: number;
  readonly sentAt: number;
  /** From this time on an inquiry returns the truth. */
  readonly visibleFrom: number;
  /** Says that it refused, whatever it does. */
  denies: boolean;
  /** Says that it knows nothing until it has delivered. */
  hides: boolean;
  /** What lay at the operator right after the delivery. */
  balance: number | undefined;
};

const never = <T>(): Promise<T> => new Promise<T>(() => {});

const refusal = (code: RefusalCode, blame: Blame): Refusal => ({
  kind: 'refused',
  code,
  blame,
  reason: 'not for this number',
});

/** Who is to blame for each refusal. Only a decline has several: the order decides which one it is. */
const refusals = {
  declined: [
    refusal('declined', 'subscriber'),
    refusal('declined', 'request'),
    refusal('declined', 'supplier'),
    refusal('out_of_stock', 'supplier'),
    refusal('out_of_funds', 'supplier'),
    refusal('throttled', 'supplier'),
  ],
  not_subscriber: [refusal('not_subscriber', 'subscriber')],
  wrong_sim_type: [refusal('wrong_sim_type', 'subscriber')],
  offer_gone: [refusal('offer_gone', 'request')],
  price_changed: [refusal('price_changed', 'request')],
  out_of_stock: [refusal('out_of_stock', 'supplier')],
} as const satisfies Partial<Record<RefusalCode, readonly [Refusal, ...Refusal[]]>>;

const refusalKinds = [
  'declined',
  'not_subscriber',
  'wrong_sim_type',
  'offer_gone',
  'price_changed',
] as const satisfies readonly (keyof typeof refusals)[];

export type OperatorOptions = {
  readonly declared: Declaration;
  /** The operator whose products are ordered from it. */
  readonly operatorId: number;
  /** The name of the system behind it. */
  readonly system: string;
  /** Whether there is another system to which it moves, or has moved: then its reports may be missed. */
  readonly moves: boolean;
  /** The share of the faults in the table that happens in this world. */
  readonly rate: number;
  /** Whether it deduplicates deliveries, and judges a refused order again. */
  readonly judgesAgain: boolean;
  /** Whether it takes no inquiries, and recognizes an order that is sent again for a while. */
  readonly resends: boolean;
  /** Whether the database's clock steps: then it does not forget what it recognizes. */
  readonly clockSteps: boolean;
  /** Whether it has much more to report than fits on a page. */
  readonly manyReports: boolean;
  /** Whether its answers often contradict its deeds. */
  readonly contradicts: boolean;
  /**
   * Whether the database is restored: an order that is pending for longer than declared is not delivered
   * then.
   */
  readonly restores: boolean;
  /** Whether its operator has other suppliers: then it is often out of stock. */
  readonly hasOthers: boolean;
  /** The suppliers that may yet deliver an order, or have. */
  readonly mayDeliver: (ref: string) => readonly number[];
  /** Sends what it says by itself; absent where it says nothing. */
  readonly callBack?: CallBack;
};

export const createOperator = (world: World, model: Model, options: OperatorOptions) => {
  const { declared, system, moves, rate, judgesAgain, resends } = options;
  const { manyReports, contradicts, restores } = options;
  const { draw } = world;
  const fault = (kind: FaultKind, probability: number): boolean =>
    world.fault(kind, probability * rate);
  const { deadlineMs, deduplicates } = declared;
  const forgets = resends && !options.clockSteps;
  const isSlow = declared.name === 'slow';
  const settlesMs = declared.settlesWithin ?? unboundedMs;
  const orders = new Map<string, OrderRecord>();
  const reports: Report[] = [];
  const sold = new Map<string, Set<string>>();
  const counted = { pending: 0 };
  /** What lies there by its own book. */
  let held = 1_000_000;
  /** How many orders under a reference are on their way to it. */
  const inAir = new Map<string, number>();
  /** The process that holds the refusal of each order. */
  const sleepers = new Map<string, Process>();

  /** An event of the operator itself; the world does not end before it. */
  const later = (ms: number, run: () => void): void => {
    counted.pending += 1;
    world.after(ms, () => {
      counted.pending -= 1;
      run();
    });
  };

  const entryOf = (ref: string): BookEntry => {
    const known = model.entryAt(ref, declared.id);
    if (known !== undefined) return known;
    const made: BookEntry = {
      deliveries: 0,
      deliveredAt: 0,
      refusals: 0,
      reversed: false,
      lied: false,
      reported: declared.reports && !moves,
      moves,
    };
    model.enter(ref, declared.id, made);
    return made;
  };

  const report = (ref: string, kind: Report['kind']): void => {
    world.say(`${system} ${ref} ${kind}`);
    if (!declared.reports) return;
    const undated = fault('undated report', 0.05);
    reports.push({ ref, kind, at: undated ? draw.pick([Number.NaN, -1, 1e21]) : world.now() });
    if (fault('report of an unknown order', 0.03)) reportUnknown(1);
    const last = reports.at(-1);
    const isRepeated = fault('repeated report', entryOf(ref).lied ? 0.5 : 0.05);
    if (isRepeated && last !== undefined) later(draw.whole(500, 8000), () => reports.push(last));
  };

  /** Orders of other gateways, as when several share an account with the operator. */
  const reportUnknown = (count: number): void => {
    for (let one = 0; one < count; one += 1) {
      const position = reports.length;
      const ref = `other-${declared.id}-${position}`;
      if (!moves) model.reportedUnknown.push({ operatorId: declared.id, ref, position });
      reports.push({ ref, kind: 'delivered', at: world.now() });
    }
  };
  if (declared.reports && manyReports) reportUnknown(160);

  /** Tells by itself what became of an order: perhaps late, twice, falsely, or of an order of another operator. */
  const tell = (ref: string, outcome: StatusOutcome): void => {
    const { callBack } = options;
    if (callBack === undefined || declared.callbacks === 'none') return;
    const send = (about: string, what: StatusOutcome): void => {
      const ms = fault('late callback', 0.3) ? draw.whole(0, 12_000) : draw.whole(0, 300);
      later(ms, () => callBack({ operatorId: declared.id, ref: about, outcome: what }));
    };
    const done: StatusOutcome = { kind: 'done', ref: `receipt of ${ref}` };
    if (declared.callbacks === 'hints' && fault('false callback', 0.3)) {
      entryOf(ref).lied = true;
      send(ref, done);
    }
    // Never of an order that may come to it later.
    const others = [...model.purchases().values()].filter(
      (one) => one.operator_id !== options.operatorId,
    );
    const other = others.at(-1);
    if (other !== undefined && fault('callback about another order', 0.3)) send(other.id, done);
    if (fault('lost callback', 0.2)) return;
    send(ref, outcome);
    if (fault('repeated callback', 0.3)) send(ref, outcome);
  };

  const takeBack = (ref: string, record: OrderRecord): void => {
    held += costAt(declared.id);
    record.state = 'reversed';
    record.reversedAt = world.now();
    entryOf(ref).reversed = true;
    report(ref, 'reversed');
    tell(ref, { kind: 'reversed', at: world.now() });
  };

  const deliver = (order: Order, record: OrderRecord): void => {
    const entry = entryOf(order.ref);
    model.delivering(order.ref, entry);
    entry.deliveries += 1;
    entry.deliveredAt = world.now();
    record.state = 'delivered';
    record.hides = false;
    held -= costAt(declared.id);
    record.balance = held;
    if (order.offer !== undefined) {
      const gone = sold.get(order.mobile) ?? new Set<string>();
      sold.set(order.mobile, gone.add(order.offer.code));
    }
    report(order.ref, 'delivered');
    tell(order.ref, { kind: 'done', ref: `receipt of ${order.ref}` });
    const reversals = record.denies ? (options.hasOthers ? 0.9 : 0) : 0.15;
    if (fault('reversal', reversals)) {
      later(draw.chance(0.5) ? draw.whole(0, 400) : draw.whole(0, 10_000), () =>
        takeBack(order.ref, record),
      );
    }
  };

  /** A time by which an order sent now has appeared, by the operator's declaration. */
  const withinBounds = (sentAt: number): number =>
    draw.whole(world.now(), sentAt + deadlineMs + settlesMs) - world.now();

  const surfaces = (sentAt: number): number =>
    fault('lagging inquiry', isSlow ? 0.8 : 0.3) ? world.now() + withinBounds(sentAt) : 0;

  /** One lie about an order often comes with another supplier's. */
  const contradictions = (ref: string): number => {
    if (!options.hasOthers) return contradicts ? 0.15 : 0.02;
    if (model.bookOf(ref)?.lied === true) return 0.9;
    return contradicts ? 0.15 : 0.4;
  };

  const accept = (order: Order, sentAt: number): OrderRecord => {
    const record: OrderRecord = {
      state: 'accepted',
      refusal: refusals.declined[0],
      reversedAt: 0,
      sentAt,
      visibleFrom: surfaces(sentAt),
      denies: false,
      hides: false,
      balance: undefined,
    };
    const refuse = (kind: keyof typeof refusals): void => {
      record.state = 'refused';
      // Drawn apart: worlds take the course that they took before refusals said who is to blame.
      record.refusal = createDraw(world.now()).pick<Refusal>(refusals[kind]);
      const { code, blame } = record.refusal;
      const entry = entryOf(order.ref);
      entry.refusals += 1;
      // One that keeps no record of its refusals may be left, whatever they said.
      if (!judgesAgain) entry.blame = blame;
      world.say(`${system} ${order.ref} refused ${code} by the ${blame}`);
      tell(order.ref, record.refusal);
    };
    const gone = order.offer !== undefined && sold.get(order.mobile)?.has(order.offer.code);
    if (gone === true) refuse('offer_gone');
    else if (options.hasOthers && fault('supplier out of stock', 0.5)) refuse('out_of_stock');
    else if (fault('refusal', judgesAgain ? 0.3 : 0.08)) refuse(draw.pick(refusalKinds));
    else if (fault('late delivery', 0.2)) {
      record.hides = draw.chance(0.5);
      later(withinBounds(sentAt), () => deliver(order, record));
    } else if (fault('late refusal', 0.02)) {
      later(withinBounds(sentAt), () => refuse(draw.pick(refusalKinds)));
    } else if (fault('stuck order', 0.01)) {
      if (!restores && draw.chance(0.4)) {
        later(draw.whole(5000, 60_000), () => deliver(order, record));
      }
    } else if (declared.reports && !moves && fault('contradiction', contradictions(order.ref))) {
      entryOf(order.ref).lied = true;
      entryOf(order.ref).refusals += 1;
      record.refusal = createDraw(world.now()).pick<Refusal>(refusals.declined);
      record.denies = draw.chance(0.7);
      record.hides = !record.denies;
      // Soon where others sell it meanwhile: before they have ended.
      const ms = record.denies
        ? draw.whole(0, options.hasOthers ? 2000 : 12_000)
        : deadlineMs + settlesMs + draw.whole(0, 12_000);
      later(ms, () => deliver(order, record));
    } else deliver(order, record);
    return record;
  };

  const outcomeOf = (ref: string, record: OrderRecord): OrderOutcome => {
    // A lie about a delivery blames each in turn, as a refusal does.
    if (record.denies || record.state === 'refused') return record.refusal;
    if (record.state === 'accepted') return { kind: 'unknown', detail: 'accepted' };
    return { kind: 'done', ref: `receipt of ${ref}` };
  };

  /** To an order it says what was left after its delivery, and to an inquiry it does not. */
  const answerTo = (ref: string, record: OrderRecord): OrderOutcome => {
    const outcome = outcomeOf(ref, record);
    const { balance } = record;
    return outcome.kind === 'done' && balance !== undefined ? { ...outcome, balance } : outcome;
  };

  /** A duplicated message is always recognized; a further order may be judged again. */
  const isNew = (ref: string, known: OrderRecord, sentAt: number): boolean => {
    if (forgets && world.now() - known.sentAt > resendWithin) return true;
    if (!deduplicates) return resends ? known.state === 'refused' : true;
    if (!judgesAgain || known.state !== 'refused' || known.sentAt === sentAt) return false;
    world.happened('refused order judged again');
    // The worst moment for the answer to the first attempt.
    world.after(0, () => sleepers.get(ref)?.wake());
    return true;
  };

  /** A repeat may be refused by itself, whatever became of the order. */
  const refusedRepeat = (known: OrderRecord, sentAt: number): Refusal | undefined => {
    if (!resends || known.sentAt === sentAt || !fault('refused repeat', 0.3)) return undefined;
    return deduplicates ? refusal('throttled', 'supplier') : refusals.out_of_stock[0];
  };

  const receive = (order: Order, sentAt: number): OrderOutcome => {
    const known = orders.get(order.ref);
    world.say(`${system} ${order.ref} arrives${known === undefined ? '' : ' again'}`);
    if (known !== undefined && !isNew(order.ref, known, sentAt)) {
      return refusedRepeat(known, sentAt) ?? answerTo(order.ref, known);
    }
    const record = accept(order, sentAt);
    orders.set(order.ref, record);
    return answerTo(order.ref, record);
  };

  /** A late answer of the slow operator arrives around the end of the lease and the deadline. */
  const travelBack = (): number => {
    if (!fault('late answer', isSlow || judgesAgain ? 0.5 : 0.08)) return draw.whole(0, 30);
    return draw.whole(isSlow ? Math.round(deadlineMs * 0.8) : 0, Math.round(deadlineMs * 1.1));
  };

  /** One exchange: the request travels, is handled, and the answer travels back, or is lost. */
  const exchange = <T>(process: Process, deal: () => T, arrivesAfter: number): Promise<T> => {
    const answer = Promise.withResolvers<T>();
    const sentAlive = process.alive();
    const outlives = draw.chance(0.5);
    later(arrivesAfter, () => {
      if (sentAlive && !process.alive()) {
        if (!outlives) return;
        world.fault('sent after death', 1);
      }
      const dealt = deal();
      // A suspended process acts on an answer when the world has moved on.
      if (process.alive() && fault('pause', 0.012)) process.pause(draw.whole(500, longestPauseMs));
      if (fault('lost answer', 0.08)) return;
      process.after(travelBack(), () => answer.resolve(dealt));
    });
    return answer.promise;
  };

  const travel = (): number =>
    fault('late request', 0.12) ? draw.whole(0, deadlineMs) : draw.whole(0, 30);

  /** An order may also arrive when its sender has given up, and while inquiries are already answered. */
  const travelOfOrder = (): number =>
    fault('request after the deadline', resends ? 0.15 : 0.03)
      ? draw.whole(deadlineMs, deadlineMs + settlesMs)
      : travel();

  const buy = (process: Process, order: Order): Promise<OrderOutcome> => {
    const sentAt = world.now();
    world.say(`${process.name} orders ${order.ref}`);
    const mayDeliver = options.mayDeliver(order.ref);
    model.sending(order, process.name, {
      supplierId: declared.id,
      mayDeliver,
      deduplicates: deduplicates || resends,
    });
    const attempt = model.attemptOf(order.ref);
    const isRepeat = model.isRepeat(order.ref);
    if (fault('lost request', 0.05)) return never();
    const nonsense = fault('nonsense', 0.04);
    inAir.set(order.ref, (inAir.get(order.ref) ?? 0) + 1);
    let isInAir = true;
    const land = (): void => {
      if (!isInAir) return;
      isInAir = false;
      inAir.set(order.ref, (inAir.get(order.ref) ?? 1) - 1);
    };
    const deal = (): OrderOutcome => {
      land();
      const outcome = receive(order, sentAt);
      // The worst moment: the order has arrived, and the gateway does not know.
      if (process.alive() && fault('crash', 0.03)) process.die('killed as its order arrived');
      if (process.alive() && judgesAgain && outcome.kind === 'refused' && fault('pause', 0.5)) {
        sleepers.set(order.ref, process);
        process.pause(draw.whole(6000, longestPauseMs));
      }
      return outcome;
    };
    const arrivesAfter = travelOfOrder();
    // Also what is never dealt with, because its sender is dead.
    world.after(arrivesAfter, land);
    const answer = exchange(process, deal, arrivesAfter);
    if (deduplicates && fault('duplicated request', 0.1)) {
      later(draw.whole(0, deadlineMs), () => receive(order, sentAt));
    }
    if (nonsense) return Promise.resolve({ kind: 'unknown', detail: 'nonsense' });
    return answer.then((outcome) => {
      if (outcome.kind === 'unknown') return outcome;
      const answer = { process, outcome, attempt, supplierId: declared.id };
      model.reached(order.ref, answer);
      // The refusal of a repeat may be about the repeat alone.
      const isProof = outcome.kind === 'done' || !resends || !isRepeat;
      if (isProof && world.now() - sentAt < deadlineMs) model.heard(order.ref, answer);
      return outcome;
    });
  };

  const look = (ref: string): StatusOutcome => {
    const record = orders.get(ref);
    if (record === undefined || record.hides) return { kind: 'not_found' };
    // It keeps no record of refused orders.
    if (judgesAgain && record.state === 'refused') return { kind: 'not_found' };
    if (world.now() < record.visibleFrom) {
      return { kind: draw.pick(['not_found', 'pending'] as const) };
    }
    if (record.denies) return outcomeOf(ref, record);
    if (record.state === 'accepted') return { kind: 'pending' };
    if (record.state === 'reversed') return { kind: 'reversed', at: record.reversedAt };
    return outcomeOf(ref, record);
  };

  const status = (process: Process, ref: string): Promise<StatusOutcome> => {
    model.asking(ref, {
      by: process.name,
      supplierId: declared.id,
      surfacesMs: declared.settlesWithin === undefined ? Infinity : deadlineMs + settlesMs,
    });
    if (fault('lost inquiry', 0.05)) return never();
    return exchange(
      process,
      () => {
        const seen = look(ref);
        world.say(`${system} ${ref} looks ${seen.kind}`);
        if (process.alive() && seen.kind === 'not_found' && fault('pause', 0.15)) {
          process.pause(draw.whole(500, longestPauseMs));
        }
        return seen;
      },
      travel(),
    );
  };

  const readReports = (process: Process, cursor: string): Promise<ReportsOutcome> => {
    if (fault('lost report', 0.05)) return never();
    const from = Number(cursor === '' ? 0 : cursor);
    return exchange(
      process,
      () => {
        const page = reports.slice(from, from + draw.whole(1, manyReports ? 8 : 40));
        return { kind: 'reports', reports: page, cursor: String(from + page.length) };
      },
      draw.whole(0, 30),
    );
  };

  const connectionFor = (process: Process): Connection => ({
    deadlineMs,
    buy: (order) => buy(process, order),
    status: resends ? { resendWithin } : (ref) => status(process, ref),
    close: async () => {},
    ...(options.callBack === undefined || declared.callbacks === 'none'
      ? {}
      : { callbacks: { read: statementsIn, final: declared.callbacks === 'final' } }),
    ...(declared.reports ? { reports: (cursor) => readReports(process, cursor) } : {}),
    ...(declared.tellsSubscribers
      ? {
          subscriber: (mobile) =>
            fault('silent subscriber', 0.04)
              ? Promise.resolve({ kind: 'unknown', detail: 'silent' })
              : exchange(
                  process,
                  () =>
                    mobile.endsWith('9')
                      ? { kind: 'not_subscriber' }
                      : { kind: 'subscriber', simType: 'credit' },
                  draw.whole(0, 10),
                ),
        }
      : {}),
    ...(declared.listsOffers
      ? {
          offers: (mobile) =>
            fault('silent offers', 0.06)
              ? Promise.reject(new Error('silent'))
              : exchange(
                  process,
                  () => ({
                    kind: 'offers',
                    offers: offersFor(mobile).filter(({ code }) => !sold.get(mobile)?.has(code)),
                    transactionId: 'T',
                    message: '',
                  }),
                  draw.whole(0, 10),
                ),
        }
      : {}),
  });

  const mayDeliver = (ref: string): boolean => {
    const record = orders.get(ref);
    if (record !== undefined && record.state !== 'refused') return true;
    const judgesNext = record === undefined || !deduplicates || judgesAgain;
    return judgesNext && (inAir.get(ref) ?? 0) > 0;
  };

  return {
    mayDeliver,
    pending: () => counted.pending,
    operatorFor: (process: Process): Operator => ({
      id: declared.id,
      kind: 'operator',
      name: declared.name,
      names: sameText(declared.name),
      connector: declared.connector,
      connection: checkedConnection(connectionFor(process)),
      system,
    }),
  };
};

export type SimulatedOperator = ReturnType<typeof createOperator>;
