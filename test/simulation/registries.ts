/** Defines which operators each simulated process knows, and which system it takes for theirs. */
import type { Registry } from '../../src/operators/registry.ts';
import type { Routing } from '../../src/purchases/routing.ts';
import type { CallBack } from './callbacks.ts';
import {
  type Declaration,
  declarations,
  furtherSuppliers,
  personalProduct,
  sharedOperator,
} from './declarations.ts';
import { createDraw } from './draw.ts';
import { costAt, hasCosts } from './floats.ts';
import type { Model } from './model.ts';
import { createOperator, type SimulatedOperator } from './operators.ts';
import type { Plan } from './plan.ts';
import type { Process } from './process.ts';
import { type Reading, testSuppliersFor } from './test-suppliers.ts';
import type { World } from './world.ts';

/** An operator: its current system, and the one it moves to. */
type Reached = {
  readonly id: number;
  readonly before: SimulatedOperator;
  readonly after: SimulatedOperator | undefined;
  isMoved: boolean;
};

export type Registries = {
  readonly pending: () => number;
  readonly registryFor: (process: Process, reading: Reading) => Registry;
  /** The processes whose configuration lacks an operator. */
  readonly lacking: ReadonlySet<Process>;
};

/** The order of suppliers depends on the purchase, and is the same on every process. */
const rankOf = (purchaseId: string, supplierId: number): number =>
  createDraw(Number(purchaseId.slice(1)) * 64 + supplierId).whole(0, 1_000_000);

/** How a process finds the suppliers of products; undefined where every operator is its only one. */
export const routingOf = (plan: Plan, registry: Registry): Routing | undefined => {
  if (plan.suppliers === 1) return undefined;
  const ids = new Set(furtherSuppliers.slice(0, plan.suppliers - 1).map(({ id }) => id));
  const serving = (operatorId: number) =>
    registry.all.filter(
      ({ id }) => id === operatorId || (operatorId === sharedOperator && ids.has(id)),
    );
  return {
    choose: ({ product, purchaseId, left }) => ({
      // Routes do not matter for personal offers: another supplier must never get one.
      candidates: serving(product.id === personalProduct ? sharedOperator : product.operator_id)
        .filter(({ id }) => !left.includes(id))
        .toSorted((one, other) => rankOf(purchaseId, one.id) - rankOf(purchaseId, other.id))
        .map((supplier) => ({
          supplier,
          routeId: null,
          supplierCode: null,
          cost: hasCosts(plan) ? costAt(supplier.id) : undefined,
        })),
      passedOver: [],
      version: '',
    }),
    renew: async () => {},
    serving,
    record: () => {},
    mostSuppliers: 3,
    giveUpAfterMs: 30_000,
  };
};

/** How late a process may learn of other settings: beyond every quiet time. */
const latestWordMs = 14_000;

export const createRegistries = (
  world: World,
  model: Model,
  plan: Plan,
  callBack: CallBack,
): Registries => {
  const { draw, fault } = world;
  const isSold = ({ name }: Declaration): boolean =>
    (name !== 'slow' || plan.slowOperator) && (name !== 'unbounded' || !plan.reportingOnly);
  const further = furtherSuppliers.slice(0, plan.suppliers - 1);
  const sold = [...declarations, ...further]
    .filter(isSold)
    .map((one) => (one.name === 'slow' ? { ...one, reports: plan.slowReports } : one));
  const serves = ({ id }: { readonly id: number }): boolean =>
    id === sharedOperator || further.some((one) => one.id === id);
  const mayDeliver = (ref: string): number[] =>
    reached
      .filter(({ before, after }) => before.mayDeliver(ref) || after?.mayDeliver(ref) === true)
      .map(({ id }) => id);
  const moving = plan.moves ? draw.whole(1, 3) : 0;
  const open = (declared: Declaration, system: string): SimulatedOperator => {
    const resends = declared.id === plan.resendsTo;
    return createOperator(world, model, {
      declared,
      operatorId: further.includes(declared) ? sharedOperator : declared.id,
      system,
      rate: plan.operatorRate,
      judgesAgain: (plan.judgesAgain || resends) && declared.deduplicates,
      resends,
      clockSteps: plan.clockSteps,
      manyReports: plan.manyReports,
      contradicts: plan.people,
      restores: plan.restore !== 'none',
      moves: declared.id === moving,
      hasOthers: plan.suppliers > 1 && serves(declared),
      mayDeliver,
      ...(plan.callbacks ? { callBack } : {}),
    });
  };
  const reached = sold.map((declared): Reached => {
    const before = open(declared, declared.name);
    const after = declared.id === moving ? open(declared, `${declared.name} elsewhere`) : undefined;
    return { id: declared.id, before, after, isMoved: false };
  });
  const lacking = new Set<Process>();
  const processes: { readonly process: Process; readonly hear: (id: number) => void }[] = [];

  /** New settings: running processes learn of them sooner or later, those that start later at once. */
  const change = (): void => {
    const one = reached.find(({ id }) => id === moving);
    if (one === undefined) return;
    const isMoved = fault('operator moved', 0.7);
    if (!isMoved) {
      fault('secret rotated', 1);
      return;
    }
    one.isMoved = true;
    for (const { process, hear } of processes) {
      const late = fault('late word of settings', 0.4);
      process.after(late ? draw.whole(1500, latestWordMs) : draw.whole(0, 1500), () =>
        hear(one.id),
      );
    }
  };
  if (plan.moves) world.after(draw.whole(1000, 9000), change);

  return {
    lacking,
    pending: () =>
      reached.reduce(
        (sum, { before, after }) => sum + before.pending() + (after?.pending() ?? 0),
        0,
      ),
    registryFor: (process, reading) => {
      const isServer = process.name !== 'office';
      const lacks =
        isServer && plan.partialConfiguration && fault('instance without an operator', 0.4);
      const left = lacks ? draw.whole(1, 3) : 0;
      if (lacks) lacking.add(process);
      const heard = new Set(reached.filter(({ isMoved }) => isMoved).map(({ id }) => id));
      const known = reached
        .filter(({ id }) => id !== left)
        .map(({ id, before, after }) => ({
          id,
          before: before.operatorFor(process),
          after: after?.operatorFor(process),
        }));
      const now = ({ id, before, after }: (typeof known)[number]) =>
        heard.has(id) && after !== undefined ? after : before;
      const declared = sold.filter(
        ({ id }) => id !== left && !further.some((one) => one.id === id),
      );
      const isTested = plan.tests.size > 0;
      const deps = { ...reading, world, model, process };
      const registry = {
        ...(isTested ? { tests: testSuppliersFor(deps, declared) } : {}),
        all: known.map(now),
        byId: (id: number) => {
          const found = known.find((one) => one.id === id);
          if (found === undefined) return undefined;
          // A copy: nothing is remembered of its subscribers, so that worlds take the course of before.
          const operator = now(found);
          return { ...operator, connection: { ...operator.connection } };
        },
        close: async () => {},
      };
      processes.push({
        process,
        hear: (id) => {
          world.say(`${process.name} hears that operator ${id} has moved`);
          heard.add(id);
          registry.all = known.map(now);
        },
      });
      return registry;
    },
  };
};
