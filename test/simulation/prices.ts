/** Simulates a person who changes price lists in mid-run, and knows what each purchase must charge. */
import { inTransaction } from '../../src/db/transaction.ts';
import { assignClient, setVersion } from '../../src/pricing/change.ts';
import type { Commission, EntryTerms } from '../../src/pricing/price-list.ts';
import { productOf } from './catalogue.ts';
import type { Database } from './database.ts';
import type { Plan } from './plan.ts';
import { createProcess } from './process.ts';
import type { PurchaseRecord } from './store.ts';
import type { World } from './world.ts';

/** The default list, and one below it. */
export const priceLists = [
  { id: 1, name: 'default', parent_id: null, allow_below_cost: 0, created_at: 0 },
  { id: 2, name: 'resellers', parent_id: 1, allow_below_cost: 0, created_at: 0 },
] as const;

type Version = { readonly list: number; readonly from: number; readonly entries: EntryTerms[] };

/** What has been committed. */
type Truth = {
  readonly versions: readonly Version[];
  readonly listOf: ReadonlyMap<string, number>;
};

export type PriceModel = {
  /** A process has committed. */
  readonly committed: (by: string) => void;
  /** What a purchase must charge by the lists that are committed now. */
  readonly chargeOf: (row: PurchaseRecord) => number;
};

export const pricing = 'pricing';

type Surroundings = {
  readonly database: Database;
  readonly serverTime: () => number | undefined;
  /** Whether a purchase may still begin: by later lists nothing is charged. */
  readonly mayBegin: () => boolean;
};

const given = (commission: Commission, price: number): number =>
  commission.kind === 'fixed'
    ? commission.amount
    : Math.floor((price * Number(commission.percent)) / 100);

/** By the rules as they are written down, not by the code that follows them. */
const chargeBy = ({ versions, listOf }: Truth, row: PurchaseRecord): number => {
  const product = productOf(row.product_id);
  const own = listOf.get(row.client_id) ?? 1;
  for (const list of own === 1 ? [1] : [own, 1]) {
    const [version] = versions
      .filter((one) => one.list === list && one.from <= row.began_at)
      .toSorted((one, other) => other.from - one.from);
    const fitting = (version?.entries ?? [])
      .filter(({ operatorId }) => operatorId === null || operatorId === row.operator_id)
      .filter(({ productType }) => productType === null || productType === product?.type);
    const both = fitting.find((one) => one.operatorId !== null && one.productType !== null);
    const found =
      both ??
      fitting.find((one) => one.operatorId !== null) ??
      fitting.find((one) => one.productType !== null) ??
      fitting[0];
    if (found !== undefined) return Math.max(1, row.amount - given(found.commission, row.amount));
  }
  return row.amount;
};

/** The model, and the person as soon as there is a database. */
export const createPrices = (world: World, plan: Plan, seed: number) => {
  const { draw } = world;
  let truth: Truth = { versions: [], listOf: new Map() };
  let next: Truth | undefined;
  let ids = 0;
  // Those of a world before must not look like these.
  const newId = (): string => {
    ids += 1;
    return `prices ${seed} ${ids}`;
  };
  const model: PriceModel = {
    committed: (by) => {
      if (by !== pricing || next === undefined) return;
      truth = next;
      next = undefined;
    },
    chargeOf: (row) => chargeBy(truth, row),
  };

  const drawEntries = (): EntryTerms[] => {
    const commission = (): Commission =>
      draw.chance(0.7)
        ? { kind: 'percent', percent: `${draw.whole(0, 40)}.5` }
        : { kind: 'fixed', amount: draw.whole(1, 400) };
    const scopes = [
      { operatorId: null, productType: null },
      { operatorId: draw.whole(1, 4), productType: null },
      { operatorId: null, productType: 'cell_internet' },
      { operatorId: draw.whole(1, 2), productType: 'cell_internet' },
    ] as const;
    return scopes
      .filter(() => draw.chance(0.5))
      .map((scope) => ({ productId: null, categoryId: null, ...scope, commission: commission() }));
  };

  const start = ({ database, serverTime, mayBegin }: Surroundings): void => {
    const process = createProcess(world, pricing);
    process.onDeath(() => world.after(500, () => start({ database, serverTime, mayBegin })));
    const db = database.connect(process);
    // On a file the console is a part of the server, with the same clock.
    let last = process.clock.now();
    const databaseTime = async (): Promise<number> => {
      last = plan.alone ? (serverTime() ?? last) : database.time();
      return last;
    };

    const change = (): Promise<void> => {
      const entries = drawEntries();
      const list = draw.whole(1, 2);
      const later = draw.chance(0.5) ? draw.whole(100, 3000) : undefined;
      const client = draw.chance(0.25) ? draw.pick(['c1', 'c2', 'c3']) : undefined;
      return inTransaction(db, async (db) => {
        next = undefined;
        if (client !== undefined) {
          await assignClient({ db, newId }, client, list);
          next = { ...truth, listOf: new Map([...truth.listOf, [client, list]]) };
          return;
        }
        const rows = entries.map((terms, index) => ({ line: index + 1, terms }));
        const from = later === undefined ? null : (await databaseTime()) + later;
        const done = await setVersion({ db, newId, databaseTime }, list, { from, entries: rows });
        if ('problems' in done || done.number === null) return;
        const version: Version = { list, from: done.from, entries };
        const others = truth.versions.filter(
          (one) => one.list !== list || one.from !== version.from,
        );
        next = { ...truth, versions: [...others, version] };
      });
    };
    const again = (): void => {
      process.after(draw.whole(50, 1500), () => {
        if (!mayBegin()) return;
        if (plan.alone && serverTime() === undefined) return again();
        // What fails has changed nothing, or its commit has told.
        change().then(again, again);
      });
    };
    again();
  };
  return { model, start };
};
