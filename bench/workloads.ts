/** Defines the workloads: what is sent, to which gateway, beside which baseline, and the target. */
import type { Answers } from './bare.ts';
import { capture } from './capture.ts';
import { catalogueSize, postgresShop, type Shop, sqliteShop } from './fill.ts';
import { startPeer } from './peer/start.ts';
import { makeRival, runRival, runSql } from './pgbench.ts';
import {
  filterRequest,
  type Kind,
  listRequest,
  mixed,
  offersRequest,
  only,
  type Plan,
  purchaseRequest,
} from './requests.ts';
import { type Running, startBare, startGateway, startSimulator } from './resources.ts';
import { steadyLoad } from './wrk.ts';

/** Another baseline for throughput than the bare server. */
export type Rival = {
  readonly perSecond: (seconds: number) => Promise<number>;
  /** After the first load: PostgreSQL would do it on its own within a minute. */
  readonly analyze: () => Promise<void>;
};

/** Everything that a workload needs, running. */
export type Stage = {
  readonly gateway: Running;
  readonly bare: Running;
  readonly rival?: Rival;
  /** A plain implementation that answers the same requests. */
  readonly peer?: Running;
  /** The requests of one load; if they need new keys, the keys begin with `keys`. */
  readonly plan: (keys: string) => Plan;
  readonly close: () => Promise<void>;
};

export type Work = {
  readonly name: string;
  readonly about: string;
  /** Throughput relative to the baseline; without it there is no target. */
  readonly ratio?: number;
  /** How much longer than a bare answer a purchase's p99 may be, in milliseconds. */
  readonly addedP99Ms?: number;
  /** A quick run skips it unless it is named. */
  readonly long?: true;
  readonly open: () => Promise<Stage>;
};

const buyPath = '/api/top-up/package/';
const bareBuyBytes = 60;

/** A bare server answers a purchase with this many bytes, and all else with the gateway's own. */
const bareFor = async (gateway: Running, plan: Plan): Promise<Running> => {
  const answers: Answers = await capture(gateway, plan, (path) =>
    path === buyPath ? 'x'.repeat(bareBuyBytes) : undefined,
  );
  return startBare(answers);
};

type Setting = {
  readonly shop: Shop;
  readonly plan: (keys: string) => Plan;
  /** The arguments of `simgate serve`. */
  readonly args?: readonly string[];
  readonly rival?: Rival;
  /** Before anything is measured, of the gateway and of the peer. */
  readonly prepare?: (server: Running) => Promise<void>;
  /** Whether a plain implementation is measured beside it. */
  readonly withPeer?: boolean;
  /** An operator in a process of its own; without it deliveries are simulated. */
  readonly operator?: Running;
};

const stageOf = async (setting: Setting): Promise<Stage> => {
  const { shop, plan, args = [], rival, prepare, withPeer = false, operator } = setting;
  const gateway = await startGateway(shop.folder, {
    env: { ...shop.env, ...(operator === undefined ? {} : { OPERATOR_URL: operator.url }) },
    args,
  });
  const peer = withPeer ? await startPeer(shop, operator?.url) : undefined;
  const own = [gateway, ...(peer === undefined ? [] : [peer])];
  for (const server of own) await prepare?.(server);
  const bare = await bareFor(gateway, plan('first'));
  const beside = operator === undefined ? [] : [operator];
  return {
    gateway,
    bare,
    ...(rival === undefined ? {} : { rival }),
    ...(peer === undefined ? {} : { peer }),
    plan,
    close: async () => {
      for (const one of [...own, bare, ...beside]) await one.stop();
    },
  };
};

/** Identical requests, to a gateway with the large catalogue. */
const reading = async (kind: Kind, withPeer = false): Promise<Stage> => {
  const shop = await sqliteShop();
  return stageOf({ shop, plan: () => only(kind, shop.tokens), withPeer });
};

const buying = async (): Promise<Stage> => {
  const shop = await sqliteShop();
  const plan = (keys: string): Plan => only(purchaseRequest(shop.bought, keys), shop.tokens);
  return stageOf({ shop, plan, withPeer: true });
};

const finishedKeys = 4000;

const repeatOf = (shop: Shop): Kind => purchaseRequest(shop.bought, 'finished', finishedKeys);

/** Buys once under each key that is to be repeated. */
const finishKeys =
  (shop: Shop) =>
  async (gateway: Running): Promise<void> => {
    const load = { rate: finishedKeys, seconds: 1 };
    const { others } = await steadyLoad(gateway, only(repeatOf(shop), shop.tokens), load);
    if (Object.keys(others).length > 0) throw new Error(`Not bought: ${JSON.stringify(others)}`);
  };

const repeating = async (): Promise<Stage> => {
  const shop = await sqliteShop();
  const plan = () => only(repeatOf(shop), shop.tokens);
  return stageOf({ shop, plan, prepare: finishKeys(shop), withPeer: true });
};

const mixing = async (): Promise<Stage> => {
  const shop = await sqliteShop();
  const plan = (keys: string): Plan =>
    mixed(
      [
        [listRequest(1), 14],
        [filterRequest(), 2],
        [offersRequest(), 1],
        [purchaseRequest(shop.bought, keys), 2],
        [repeatOf(shop), 1],
      ],
      shop.tokens,
    );
  return stageOf({ shop, plan, prepare: finishKeys(shop) });
};

const orderMs = 50;

const buyingOverHttp = async (): Promise<Stage> => {
  const shop = await sqliteShop();
  const operator = await startSimulator(orderMs);
  return stageOf({
    shop,
    plan: (keys) => only(purchaseRequest(shop.bought, keys), shop.tokens),
    operator,
    withPeer: true,
  });
};

const buyingOnPostgres = async (
  name: string,
  clients: number,
  args: readonly string[] = [],
): Promise<Stage> => {
  const [ours, theirs] = [`gateway_${name}`, `rival_${name}`];
  const shop = await postgresShop(ours, clients);
  await makeRival(theirs, clients);
  return stageOf({
    shop,
    args,
    plan: (keys) => only(purchaseRequest(shop.bought, keys), shop.tokens),
    withPeer: true,
    rival: {
      perSecond: (seconds) => runRival(theirs, clients, seconds),
      analyze: async () => {
        for (const database of [ours, theirs]) await runSql(database, 'analyze');
      },
    },
  });
};

const lastPage = catalogueSize / 100;

export const works: readonly Work[] = [
  {
    name: 'list',
    about: `a page of 100 of ${catalogueSize} products`,
    ratio: 0.8,
    open: () => reading(listRequest(1), true),
  },
  {
    name: 'last-page',
    about: 'the same, the last page',
    long: true,
    open: () => reading(listRequest(lastPage)),
  },
  {
    name: 'filter',
    about: 'a page of 100 of the products that a filter finds',
    ratio: 0.7,
    open: () => reading(filterRequest()),
  },
  {
    name: 'offers',
    about: 'the personal offers of a subscriber',
    open: () => reading(offersRequest()),
  },
  {
    name: 'purchase',
    about: 'a purchase on SQLite',
    ratio: 0.4,
    addedP99Ms: 15,
    open: buying,
  },
  {
    name: 'repeat',
    about: 'a purchase that was made before, under the same key',
    ratio: 0.6,
    open: repeating,
  },
  {
    name: 'pg-many',
    about: 'purchases of 1,000 clients on PostgreSQL',
    ratio: 0.8,
    addedP99Ms: 25,
    open: () => buyingOnPostgres('many', 1000),
  },
  {
    name: 'pg-hot',
    about: 'purchases of one client on PostgreSQL',
    ratio: 1.5,
    addedP99Ms: 25,
    open: () => buyingOnPostgres('hot', 1),
  },
  {
    name: 'http',
    about: `a purchase on SQLite from an operator over HTTP that takes ${orderMs} ms`,
    open: buyingOverHttp,
  },
  {
    name: 'mixed',
    about: '70 % list, 10 % filter, 5 % offers, 10 % purchases, 5 % repeats',
    open: mixing,
  },
];
