/** Owns a simulated world: its time, its turns in an order drawn from the seed, and its trace. */
import { hash } from 'node:crypto';
import { createDraw, type Draw } from './draw.ts';

/** What is injected; each is counted where it happens. */
export const faultKinds = [
  'crash',
  'crash at a statement',
  'crash at a commit',
  'failed start',
  'statement error',
  'failed commit',
  'lost commit',
  'slow statement',
  'wall clock jump',
  'pause',
  'graceful restart',
  'lost request',
  'late request',
  'sent after death',
  'duplicated request',
  'lost answer',
  'late answer',
  'nonsense',
  'refusal',
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
  'impatient client',
  'simultaneous repeat',
  'key with other fields',
] as const;

export type FaultKind = (typeof faultKinds)[number];

export type World = {
  readonly draw: Draw;
  /** The true time in milliseconds, which is also the database's. */
  readonly now: () => number;
  /** Runs `run` after so many milliseconds; among what is due together the seed decides. */
  readonly after: (ms: number, run: () => unknown) => void;
  /** Whether a fault of that probability happens now; none does once faults have stopped. */
  readonly fault: (kind: FaultKind, probability: number) => boolean;
  readonly stopFaults: () => void;
  readonly faulty: () => boolean;
  readonly say: (line: string) => void;
  /** The first violation ends the seed. */
  readonly violate: (what: string) => void;
  readonly violated: () => boolean;
};

export type Run = {
  readonly violation: string | undefined;
  readonly faults: ReadonlyMap<FaultKind, number>;
  readonly trace: readonly string[];
  /** The same for the same seed. */
  readonly hash: () => string;
  readonly milliseconds: number;
};

/** A turn that says false has set nothing off. */
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

// The next tick comes only once the queue of microtasks is empty, however long their chains are.
const drain = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

export type WorldControl = {
  readonly world: World;
  /** Takes turn after turn until `done`, a violation or the end of the time. */
  readonly run: (done: () => boolean, latest: () => number) => Promise<'done' | 'late'>;
  readonly end: () => Run;
};

/** Without `traced` nothing is written down, which is quicker; the seed takes the same course. */
export const createWorld = (seed: number, traced: boolean): WorldControl => {
  const draw = createDraw(seed);
  const turns = createTurns();
  const trace: string[] = [];
  const faults = new Map<FaultKind, number>();
  let now = 0;
  let faulty = true;
  let violation: string | undefined;

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
        say(`! ${kind}`);
      }
      return happens;
    },
    stopFaults: () => {
      faulty = false;
    },
    faulty: () => faulty,
    say,
    violate: (what) => {
      say(`VIOLATION ${what}`);
      violation ??= what;
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
