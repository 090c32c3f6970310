/** Sets up a place that tests can move, and instances that monitor it. */
import type { ExamineDeps, Standing } from '../../src/purchases/restored/place/examine.ts';
import {
  createPlaceMonitor,
  type PlaceMonitor,
  type PlaceMonitorDeps,
} from '../../src/purchases/restored/place/monitor.ts';
import type { SeenPlace } from '../../src/purchases/restored/place/store.ts';
import { createWitness } from '../../src/purchases/restored/place/witness.ts';
import { termsOfWorld, type World } from './purchase-world.ts';

export const placeAt = (
  now: number,
  signature: string,
  other: Partial<SeenPlace> = {},
): SeenPlace => ({
  system_id: 'system',
  database_oid: 1,
  accounts_oid: 2,
  timeline: 1,
  signature,
  now,
  ...other,
});

export const examineDeps = (world: World, readPlace: ExamineDeps['readPlace']): ExamineDeps => ({
  ...world.deps,
  instanceId: 'one',
  sendWithinMs: termsOfWorld.sendWithinMs,
  synchronous: false,
  readPlace,
  mask: () => '',
  onLoss: async () => {},
});

/** A test's place: a new timeline is a promoted standby, a change of `started` alone a restart. */
export type MovedByHand = { timeline: number; started: number };

export const seenBy =
  (world: World, where: MovedByHand): ExamineDeps['readPlace'] =>
  async () => {
    const { timeline, started } = where;
    return placeAt(world.clock.now(), `${started} ${timeline}`, { timeline });
  };

/** An instance that monitors a place. */
export const monitorOf = (
  world: World,
  where: MovedByHand,
  more: Partial<Pick<PlaceMonitorDeps, 'instanceId' | 'witness' | 'suspected' | 'db'>> = {},
): PlaceMonitor =>
  createPlaceMonitor({
    ...examineDeps(world, seenBy(world, where)),
    witness: createWitness({ clients: 10, held: 10 }),
    suspected: () => {},
    ...more,
  });

/** The knowledge of a process that has just started. */
export const nothingYet: Standing = {
  fresh: true,
  registered: false,
  beat: 0,
  peers: [],
  known: { posted: [], recorded: [], held: [] },
};
