/** Simulates a process: nothing reaches it while it sleeps, and nothing after its death. */
import type { Clock } from '../../src/lib/clock.ts';
import type { World } from './world.ts';

export type Process = {
  readonly name: string;
  readonly alive: () => boolean;
  /** Runs after this many milliseconds, later if it is suspended, never if it has died. */
  readonly after: (ms: number, run: () => void) => () => void;
  /** Runs now, later if it is suspended, never if it has died. */
  readonly now: (run: () => void) => void;
  readonly pause: (ms: number) => void;
  readonly wake: () => void;
  readonly asleep: () => boolean;
  /** Until when it is suspended, or was last. */
  readonly wakesAt: () => number;
  /** How often it was suspended. */
  readonly naps: () => number;
  readonly die: (why: string) => void;
  readonly onDeath: (run: () => void) => void;
  readonly clock: Clock;
  readonly jump: (ms: number) => void;
};

/** What clocks show at the beginning of the world. */
export const epoch = Date.UTC(2026, 0, 31, 9, 30);

/** A machine, whose wall clock continues where the last process on it left it. */
export type Machine = { wallOffset: number };

export const createProcess = (
  world: World,
  name: string,
  machine: Machine = { wallOffset: 0 },
): Process => {
  let alive = true;
  let asleep = 0;
  let naps = 0;
  let wakesAt = 0;
  let backlog: (() => void)[] = [];
  const mourners: (() => void)[] = [];
  const booted = world.draw.whole(0, 1_000_000);

  const receive = (run: () => void): void => {
    if (!alive) return;
    if (asleep > 0) backlog.push(run);
    else run();
  };
  const wake = (): void => {
    if (asleep === 0 || !alive) return;
    asleep = 0;
    world.say(`${name} wakes`);
    const missed = backlog;
    backlog = [];
    for (const run of missed) world.after(0, () => receive(run));
  };
  const after = (ms: number, run: () => void): (() => void) => {
    let called = true;
    world.after(ms, () => {
      const due = called && alive;
      if (due) {
        receive(() => {
          if (called) run();
        });
      }
      return due;
    });
    return () => {
      called = false;
    };
  };
  return {
    name,
    alive: () => alive,
    after,
    now: receive,
    pause: (ms) => {
      if (!alive || asleep > 0) return;
      asleep += 1;
      naps += 1;
      wakesAt = world.now() + ms;
      world.say(`${name} sleeps ${ms}`);
      world.after(ms, wake);
    },
    wake,
    asleep: () => asleep > 0,
    wakesAt: () => wakesAt,
    naps: () => naps,
    die: (why) => {
      if (!alive) return;
      alive = false;
      world.say(`${name} dies: ${why}`);
      for (const mourn of mourners) mourn();
    },
    onDeath: (run) => {
      mourners.push(run);
    },
    clock: {
      now: () => epoch + world.now() + machine.wallOffset,
      monotonic: () => booted + world.now(),
      after,
    },
    jump: (ms) => {
      machine.wallOffset += ms;
    },
  };
};
