/** Simulates a world: its time, its turns in an order drawn from the seed, and its trace. */
import { hash } from 'node:crypto';
import { createDraw, type Draw } from './draw.ts';

/** The injected faults; each is counted when it happens. */
export const faultKinds = [
  'crash',
  'crash at a statement',
  'crash at a commit',
  'failed start',
  'statement error',
  'failed commit',
  'lost commit',
  'both answers lost',
  'slow statement',
  'database outage',
  'outage at a commit',
  'trouble of the database',
  'database clock step',
  'wall clock jump',
  'pause',
  'graceful restart',
  'lost request',
  'late request',
  'sent after death',
  'request after the deadline',
  'duplicated request',
  'lost answer',
  'late answer',
  'nonsense',
  'refusal',
  'supplier out of stock',
  'refused order judged again',
  'refused repeat',
  'late delivery',
  'late refusal',
  'stuck order',
  'lagging inquiry',
  'lost inquiry',
  'reversal',
  'contradiction',
  'silent subscriber',
  'silent offers',
  'lost report',
  'undated report',
  'repeated report',
  'report of an unknown order',
  'lost callback',
  'late callback',
  'repeated callback',
  'false callback',
  'callback about another order',
  'operator moved',
  'secret rotated',
  'late word of settings',
  'instance without an operator',
  'webhook refused',
  'webhook lost',
  'decision',
  'decision against the evidence',
  'restored backup',
  'promoted standby',
  'impatient client',
  'simultaneous repeat',
  'key with other fields',
] as const;

export type FaultKind = (typeof faultKinds)[number];

const failing = new Set<FaultKind>(['statement error', 'failed commit', 'lost commit']);

const stalling = new Set<FaultKind>([
  'slow statement',
  'database outage',
  'outage at a commit',
  'trouble of the database',
  'restored backup',
  'promoted standby',
]);

/** How long each fault may delay processes, in milliseconds. */
const holdUp: Readonly<Partial<Record<FaultKind, number>>> = {
  pause: 15_000,
  'slow statement': 3000,
  'database outage': 12_000,
  'outage at a commit': 12_000,
  'trouble of the database': 6000,
  'database clock step': 1_000_000,
  'wall clock jump': 1_000_000,
  crash: 3000,
  'crash at a statement': 3000,
  'crash at a commit': 3000,
  'graceful restart': 20_000,
  'restored backup': 1_000_000,
  'promoted standby': 1_000_000,
};

export type Delays = {
  readonly count: number;
  readonly until: number;
  /** The same for those that delay every process, as the database does. */
  readonly stalls: number;
  readonly stalledUntil: number;
};

export type World = {
  readonly draw: Draw;
  /** The true time in milliseconds, which is also the database's. */
  readonly now: () => number;
  /** Runs `run` after this many milliseconds; the seed orders what is due together. */
  readonly after: (ms: number, run: () => unknown) => void;
  /** Whether a fault of that probability happens now; none does once faults have stopped. */
  readonly fault: (kind: FaultKind, probability: number) => boolean;
  /** Counts faults that happened by other means, also once faults have stopped. */
  readonly happened: (kind: FaultKind) => void;
  /** How many faults made a statement or a process fail, without delaying others. */
  readonly failures: () => number;
  /** How many faults delayed processes, and until when the last of them does. */
  readonly delays: () => Delays;
  /** Counts the delay by a suspended process that has locked the database. */
  readonly stall: (until: number) => void;
  readonly stopFaults: () => void;
  readonly faulty: () => boolean;
  readonly say: (line: string) => void;
  /** An invariant is broken. The first violation or failure ends the seed. */
  readonly violate: (what: string) => void;
  /** The program raised an error that was not injected. */
  readonly fail: (what: string) => void;
  readonly violated: () => boolean;
};

/** What ended a seed: a broken invariant, or an error that was not injected. */
export type Violation = { readonly kind: 'invariant' | 'error'; readonly text: string };

export type Run = {
  readonly violation: Violation | undefined;
  readonly faults: ReadonlyMap<FaultKind, number>;
  readonly trace: readonly string[];
  /** The same for the same seed. */
  readonly hash: () => string;
  readonly milliseconds: number;
};

/** A turn that returns false has had no effect. */
type Turn = { readonly due: number; readonly tie: number; readonly run: () => unknown };

const before = (one: Turn, other: Turn): boolean =>
  one.due < other.due || (one.due === other.due && one.tie < other.tie);

/** A heap of turns: by time, and at the same time by lot. */
const createTurns = () => {
  const heap: Turn[] = [];
  const rise = (from: number, turn: Turn): void => {
    let index = from;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || !before(turn, parent)) break;
      heap[index] = parent;
      index = above;
    }
    heap[index] = turn;
  };
  const sink = (turn: Turn): void => {
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const one = heap[left];
      const other = heap[left + 1];
      if (one === undefined) break;
      const right = other !== undefined && before(other, one);
      const child = right ? other : one;
      if (!before(child, turn)) break;
      heap[index] = child;
      index = right ? left + 1 : left;
    }
    heap[index] = turn;
  };
  return {
    push: (turn: Turn): void => {
      heap.push(turn);
      rise(heap.length - 1, turn);
    },
    pop: (): Turn | undefined => {
      const first = heap[0];
      const last = heap.pop();
      if (last !== undefined && first !== last) sink(last);
      return first;
    },
  };
};

// The next tick comes only once the microtask queue is empty, however long its chains are.
const drain = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

export type WorldControl = {
  readonly world: World;
  /** Takes turn after turn until `done`, a violation or the end of the time. */
  readonly run: (done: () => boolean, latest: () => number) => Promise<'done' | 'late'>;
  readonly end: () => Run;
};

export type WorldOptions = {
  /** Without it nothing is recorded, which is faster; the seed runs the same. */
  readonly traced: boolean;
  /** What has to end outside of the world before the next turn; undefined if nothing is in flight. */
  readonly busy?: () => Promise<void> | undefined;
};

export const createWorld = (seed: number, { traced, busy }: WorldOptions): WorldControl => {
  const draw = createDraw(seed);
  const turns = createTurns();
  const trace: string[] = [];
  const faults = new Map<FaultKind, number>();
  let now = 0;
  let faulty = true;
  let violation: Violation | undefined;
  let failures = 0;
  let delays: Delays = { count: 0, until: 0, stalls: 0, stalledUntil: 0 };

  const say = (line: string): void => {
    if (traced) trace.push(`${now} ${line}`);
  };
  const world: World = {
    draw,
    now: () => now,
    after: (ms, run) => turns.push({ due: now + Math.max(ms, 0), tie: draw.next(), run }),
    fault: (kind, probability) => {
      const happens = faulty && draw.next() < probability;
      if (happens) {
        faults.set(kind, (faults.get(kind) ?? 0) + 1);
        if (failing.has(kind)) failures += 1;
        const ms = holdUp[kind];
        if (ms !== undefined) {
          const isStall = stalling.has(kind);
          delays = {
            count: delays.count + 1,
            until: Math.max(delays.until, now + ms),
            stalls: delays.stalls + (isStall ? 1 : 0),
            stalledUntil: Math.max(delays.stalledUntil, isStall ? now + ms : 0),
          };
        }
        say(`! ${kind}`);
      }
      return happens;
    },
    happened: (kind) => {
      faults.set(kind, (faults.get(kind) ?? 0) + 1);
      say(`! ${kind}`);
    },
    failures: () => failures,
    delays: () => delays,
    stall: (until) => {
      const stalledUntil = Math.max(delays.stalledUntil, until);
      delays = { ...delays, stalls: delays.stalls + 1, stalledUntil };
    },
    stopFaults: () => {
      faulty = false;
    },
    faulty: () => faulty,
    say,
    violate: (text) => {
      say(`VIOLATION ${text}`);
      violation ??= { kind: 'invariant', text };
    },
    fail: (text) => {
      say(`ERROR ${text}`);
      violation ??= { kind: 'error', text };
    },
    violated: () => violation !== undefined,
  };
  return {
    world,
    run: async (done, latest) => {
      for (;;) {
        const turn = turns.pop();
        if (turn === undefined || turn.due > latest()) return 'late';
        now = turn.due;
        if (turn.run() === false) continue;
        await drain();
        for (let wait = busy?.(); wait !== undefined; wait = busy?.()) {
          await wait;
          await drain();
        }
        if (violation !== undefined || done()) return 'done';
      }
    },
    end: () => ({
      violation,
      faults,
      trace,
      hash: () => hash('sha256', trace.join('\n'), 'hex').slice(0, 16),
      milliseconds: now,
    }),
  };
};
