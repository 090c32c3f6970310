/** Opens the real simulated suppliers of test clients for a process, and enters what they say in the model's books. */
import { callWithin } from '../../src/connector/call.ts';
import type { Connection, StatusOutcome } from '../../src/connector/connector.ts';
import { inquireAt } from '../../src/connector/suite/inquire-at.ts';
import type { DatabaseTime, Db } from '../../src/db/types.ts';
import type { Operator } from '../../src/operators/registry.ts';
import { openTestSuppliers } from '../../src/operators/simulator/test-connection.ts';
import { createTestOrders } from '../../src/purchases/test-orders/store.ts';
import type { Declaration } from './declarations.ts';
import type { BookEntry, Model } from './model.ts';
import type { Process } from './process.ts';
import type { World } from './world.ts';

/** What a process reads the purchases of test clients by. */
export type Reading = { readonly db: Db; readonly databaseTime: DatabaseTime };

type Deps = Reading & {
  readonly world: World;
  readonly model: Model;
  readonly process: Process;
};

const entryIn = (model: Model, ref: string, supplierId: number): BookEntry => {
  const known = model.entryAt(ref, supplierId);
  if (known !== undefined) return known;
  const made: BookEntry = {
    deliveries: 0,
    deliveredAt: 0,
    refusals: 0,
    reversed: false,
    lied: false,
    reported: false,
    moves: false,
  };
  model.enter(ref, supplierId, made);
  return made;
};

/** The outcome follows from the purchase: the first answer that tells of it is its entry. */
const enter = (
  { world, model }: Deps,
  { ref, supplierId }: { readonly ref: string; readonly supplierId: number },
  { kind }: StatusOutcome,
): void => {
  const entry = entryIn(model, ref, supplierId);
  if (kind === 'refused') entry.refusals += 1;
  if (kind !== 'done' && kind !== 'reversed') return;
  if (entry.deliveries === 0) entry.deliveredAt = world.now();
  entry.deliveries = 1;
  entry.reversed ||= kind === 'reversed';
};

const watched = (deps: Deps, supplier: Operator): Operator => {
  const { model, process } = deps;
  const { id: supplierId, connection, connector } = supplier;
  const surfacesMs = connection.deadlineMs + (connector.settlesWithin ?? 0);
  const buy: Connection['buy'] = async (order, context) => {
    const attempt = model.attemptOf(order.ref);
    const outcome = await connection.buy(order, context);
    enter(deps, { ref: order.ref, supplierId }, outcome);
    model.reached(order.ref, { process, outcome, attempt, supplierId });
    return outcome;
  };
  const status: Connection['status'] = async (ref, context) => {
    model.asking(ref, { by: process.name, supplierId, surfacesMs });
    const outcome = await inquireAt(connection, ref, context);
    enter(deps, { ref, supplierId }, outcome);
    return outcome;
  };
  return { ...supplier, connection: { ...connection, buy, status } };
};

export const testSuppliersFor = (deps: Deps, declared: readonly Declaration[]): Operator[] => {
  const { world, process, db, databaseTime } = deps;
  const { clock } = process;
  const call = callWithin(clock);
  const random = (count: number): Uint8Array =>
    Uint8Array.from({ length: count }, () => world.draw.whole(0, 255));
  const newId = (): string => `offers ${world.now()}`;
  const operators = declared.map(({ id, name }) => ({ id, name, connector: name, settings: {} }));
  return openTestSuppliers(operators, createTestOrders(db, databaseTime), (operatorId) => ({
    operatorId,
    clock,
    random,
    newId,
    call,
  })).map((supplier) => watched(deps, supplier));
};
