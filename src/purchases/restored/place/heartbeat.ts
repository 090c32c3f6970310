/** Writes this instance's heartbeat to the examined place, and deletes dead instances. */
import type { Db } from '../../../db/types.ts';
import { type Clock, repeat } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log/log.ts';
import { createPeers } from './peers.ts';
import { lacksBeat, type OwnRow } from './place.ts';
import { beatInstance, deleteInstance, listInstances } from './store.ts';

const beatEveryMs = 2000;

// Half of the time after which others may consider this instance dead.
const registeredMs = 30_000;

export type HeartbeatDeps = {
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  readonly instanceId: string;
  /** Runs a transaction in the examined place; undefined in any other. */
  readonly within: <T>(work: (db: Db, now: number) => Promise<T>) => Promise<T | undefined>;
  /** Called when the database lacks a heartbeat. */
  readonly suspect: () => void;
};

export type Heartbeat = {
  readonly own: () => OwnRow;
  /** The other instances at the last reading. */
  readonly peers: () => readonly string[];
  /** Remembers a committed heartbeat, whose transaction began at that monotonic time. */
  readonly beaten: (beat: number, began: number) => void;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

export const createHeartbeat = ({
  clock,
  log,
  instanceId,
  within,
  suspect,
}: HeartbeatDeps): Heartbeat => {
  const peers = createPeers(instanceId, clock.monotonic);
  let [lastBeat, lastBeatAt] = [0, Number.NEGATIVE_INFINITY];
  let stop = async (): Promise<void> => {};

  const own = (): OwnRow => ({
    beat: lastBeat,
    registered: clock.monotonic() - lastBeatAt < registeredMs,
  });
  const beaten = (beat: number, began: number): void => {
    [lastBeat, lastBeatAt] = [beat, began];
  };

  /** Writes a heartbeat, unless the database lacks an earlier one: then it lacks more. */
  const beatIn = async (db: Db, now: number): Promise<number | undefined> => {
    const known = own();
    const rows = await listInstances(db);
    if (
      lacksBeat(
        rows.find(({ id }) => id === instanceId),
        known,
      )
    ) {
      suspect();
      return undefined;
    }
    // A database with this deletion also has everything committed before it by the dead instance.
    for (const { id, beat } of peers.observe(rows)) await deleteInstance(db, id, beat);
    return beatInstance(db, { id: instanceId, beat: known.beat + 1 }, now);
  };

  const beat = async (): Promise<void> => {
    const began = clock.monotonic();
    const committed = await within(beatIn);
    if (committed !== undefined) beaten(committed, began);
  };

  return {
    own,
    peers: peers.ids,
    beaten,
    start: () => {
      stop = repeat(clock, beatEveryMs, () =>
        beat().catch((err: unknown) => log.error({ err }, 'the heartbeat failed')),
      );
    },
    stop: () => stop(),
  };
};
