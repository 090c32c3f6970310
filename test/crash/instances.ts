/** Runs the instances of a crash test, and kills, restarts or pauses each of them. */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { createDraw, type Draw } from '../simulation/draw.ts';
import { freePort } from '../support/port.ts';
import { type GatewayDeps, isRunning, type Life, startSurely } from './gateway.ts';

export type Blow = 'kill' | 'restart' | 'pause' | 'longPause';

export type Instance = {
  readonly gateway: GatewayDeps;
  readonly draw: Draw;
  life: Life;
  /** How it ended without a fault. */
  readonly died: string[];
  /** The current fault. */
  blow: Promise<void>;
};

/** Longer than the longest lease. */
export const longPauseMs = 22_000;

const noteDeath = async ({ life, gateway, died }: Instance): Promise<void> => {
  if (isRunning(life)) return;
  died.push(`${gateway.logFile}: ${await life.ended}\n${life.lastLines()}`);
};

/** Starts it again. The demo data exists since its first start. */
const restart = async (instance: Instance): Promise<void> => {
  const { gateway } = instance;
  const env = { ...gateway.env, SIMGATE_DEMO: 'off' };
  instance.life = await startSurely({ ...gateway, env });
};

const strike = async (instance: Instance, blow: Blow): Promise<void> => {
  const { draw, life, gateway } = instance;
  // Among its own lines, to be read in order.
  const note = (what: string): void =>
    appendFileSync(gateway.logFile, `${new Date().toISOString()} ${what}\n`);
  note(blow);
  if (!isRunning(life)) {
    await noteDeath(instance);
    return restart(instance);
  }
  switch (blow) {
    case 'kill':
    case 'restart':
      life.child.kill(blow === 'kill' ? 'SIGKILL' : 'SIGTERM');
      await life.ended;
      await rest(draw.whole(0, 1500));
      await restart(instance);
      return;
    case 'pause':
    case 'longPause':
      // It continues afterwards, with everything it believes is still its own.
      life.child.kill('SIGSTOP');
      await rest(blow === 'pause' ? draw.whole(200, 6000) : longPauseMs);
      note('goes on');
      life.child.kill('SIGCONT');
  }
};

/** Each kind occurs once, however short a run is. */
const firstBlows: readonly Blow[] = ['kill', 'pause', 'restart'];

const drawBlow = (draw: Draw): Blow =>
  draw.pick(['kill', 'kill', 'kill', 'restart', 'pause', 'pause']);

export type Fleet = {
  readonly instances: readonly Instance[];
  readonly counted: Record<Blow, number>;
  /** Faults continue until `end`; each instance has had one by then. */
  readonly trouble: () => Promise<void>;
  readonly end: () => void;
  /** Waits until no fault is active; none occurs until the returned function is called. */
  readonly hush: () => Promise<() => void>;
  /** Kills all instances; the returned function starts them, and lets the faults continue. */
  readonly killAll: () => Promise<() => Promise<void>>;
  /** Starts what is not running. */
  readonly heal: () => Promise<void>;
  /** Asks all to stop. */
  readonly stop: () => Promise<void>;
};

export type FleetDeps = {
  readonly folder: string;
  readonly seed: number;
  readonly instances: number;
  readonly env: Readonly<Record<string, string>>;
  /** Whether there is time for each instance to be paused for longer than a lease, once. */
  readonly longPauses: boolean;
  /** Ends the instances and their faults. */
  readonly over: AbortSignal;
};

const startAll = async ({ folder, seed, instances, env, over }: FleetDeps): Promise<Instance[]> =>
  Promise.all(
    Array.from({ length: instances }, async (_, index): Promise<Instance> => {
      const dataDir = join(folder, `instance-${index}`);
      mkdirSync(dataDir, { recursive: true });
      const logFile = join(folder, `instance-${index}.log`);
      const gateway = { dataDir, port: await freePort(), env, logFile, over };
      const draw = createDraw(seed * 1000 + index);
      const life = await startSurely(gateway);
      return { gateway, draw, life, died: [], blow: Promise.resolve() };
    }),
  );

export const startFleet = async (deps: FleetDeps): Promise<Fleet> => {
  const instances = await startAll(deps);
  const counted = { kill: 0, restart: 0, pause: 0, longPause: 0 };
  const state = { hushed: 0, over: false };

  /** One instance's faults, at least one. The instances have their long pauses in turn. */
  const troubleOf = async (instance: Instance, index: number): Promise<void> => {
    const { draw } = instance;
    const longAt = performance.now() + index * (longPauseMs + 3000);
    let rested = !deps.longPauses;
    let blow: Blow = firstBlows[index % firstBlows.length] ?? 'kill';
    do {
      // If a start takes long, it lives that much longer.
      await rest(draw.whole(300, 3500) + draw.next() * instance.life.startMs);
      while (state.hushed > 0 && !deps.over.aborted) await rest(50);
      deps.over.throwIfAborted();
      counted[blow] += 1;
      instance.blow = strike(instance, blow);
      await instance.blow;
      const long = !rested && performance.now() >= longAt;
      rested ||= long;
      blow = long ? 'longPause' : drawBlow(draw);
    } while (!state.over);
  };

  const hush: Fleet['hush'] = async () => {
    state.hushed += 1;
    await Promise.all(instances.map(({ blow }) => blow));
    return () => {
      state.hushed -= 1;
    };
  };

  return {
    instances,
    counted,
    trouble: async () => {
      await Promise.all(instances.map(troubleOf));
    },
    end: () => {
      state.over = true;
    },
    hush,
    killAll: async () => {
      const goOn = await hush();
      for (const instance of instances) {
        await noteDeath(instance);
        instance.life.child.kill('SIGKILL');
        await instance.life.ended;
        counted.kill += 1;
      }
      return async () => {
        await Promise.all(instances.map(restart));
        goOn();
      };
    },
    heal: async () => {
      for (const instance of instances) {
        if (isRunning(instance.life)) continue;
        await noteDeath(instance);
        await restart(instance);
      }
    },
    stop: async () => {
      for (const { life } of instances) life.child.kill('SIGTERM');
      for (const { life, died, gateway } of instances) {
        const end = await life.ended;
        if (end === 0) continue;
        died.push(`${gateway.logFile}: ${end}, asked to stop\n${life.lastLines()}`);
      }
    },
  };
};
