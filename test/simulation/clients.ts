/** Simulates clients: what they buy, and how they retry until they know the outcome. */
import { GatewayError } from '../../src/lib/errors.ts';
import type { BuyResult } from '../../src/purchases/buy.ts';
import type { Fields } from '../../src/purchases/decide.ts';
import { productOf } from './catalogue.ts';
import { InjectedFault } from './database.ts';
import { offerCode, offerPrice, personalProduct } from './declarations.ts';
import type { Instance } from './instance.ts';
import type { Model } from './model.ts';
import type { Plan } from './plan.ts';
import type { World } from './world.ts';

/** One purchase that a client wants, under one key. */
type Wanted = {
  readonly clientId: string;
  readonly key: string;
  readonly fields: Fields;
  /** Whether the key was ever sent with other fields. */
  misused: boolean;
  /** How many requests with it are in flight. */
  inFlight: number;
  /** How often its client's rules refused it. */
  turnedAway: number;
  done: boolean;
};

const path = 'package' as const;
const plain = { path, offer: null, profileId: null } as const;

const chooseFields = ({ draw }: World, plan: Plan, number: number): Fields => {
  const mobile = `98912000000${draw.whole(0, 9)}`.slice(0, 12);
  const webserviceCode = `order ${number}`;
  const common = { ...plain, mobile, webserviceCode, allowRepeat: draw.chance(0.1) };
  const kind = draw.whole(0, 19);
  if (plan.slowOperator && draw.chance(0.3)) return { ...common, productId: 5, price: 150 };
  if (kind < 8) return { ...common, productId: 1, price: 300 };
  if (kind < 9) {
    return {
      ...common,
      productId: 6,
      price: 120,
      profileId: draw.pick([null, 'data-6', 'data-9']),
    };
  }
  if (kind < 12 && !plan.reportingOnly) {
    return { ...common, productId: 2, price: draw.whole(100, 500) };
  }
  if (kind < 15) return { ...common, path: 'top-up', productId: 3, price: 200 };
  if (kind < 19) {
    const name = draw.pick(['a', 'b', 'c', 'd']);
    const offer = { code: offerCode(name), type: 'daily' };
    return { ...common, productId: personalProduct, price: offerPrice(mobile, name), offer };
  }
  const wrong = draw.pick<{ readonly productId: number; readonly price: number }>([
    { productId: 1, price: 301 },
    { productId: plan.reportingOnly ? 1 : 2, price: 999 },
    { productId: 4, price: 250 },
    { productId: 99, price: 100 },
  ]);
  return { ...common, ...wrong };
};

export type ClientsDeps = {
  readonly world: World;
  readonly model: Model;
  readonly instances: () => readonly Instance[];
  readonly clientIds: readonly [string, ...string[]];
  readonly plan: Plan;
  /** During how many milliseconds they begin. */
  readonly during: number;
};

/** Longer than any wait that the gateway promises, with every possible delay. */
const patienceMs = 60_000;

export const createClients = (deps: ClientsDeps) => {
  const { world, model } = deps;
  const { draw, fault } = world;
  const counted = { requests: 0, answers: 0 };
  const all: Wanted[] = [];

  const isOver = (wanted: Wanted): boolean => {
    const row = model.find(wanted);
    if (row === undefined) return false;
    if (row.answer_status !== null || row.state === 'review') return true;
    return row.state === 'unknown' && row.inquiries > 10 && model.isEarly(row);
  };

  /** Nothing more is answered before a person decides. */
  const waitsForPerson = (wanted: Wanted): boolean => {
    const isOpen = model.find(wanted)?.answer_status === null;
    return isOpen && isOver(wanted) && !(deps.plan.people && world.faulty());
  };

  const isExpected = (wanted: Wanted, code: string): boolean => {
    const rules = deps.plan.rules.get(wanted.clientId);
    if (code === 'IDEMPOTENCY_KEY_REUSED') return wanted.misused;
    if (code === 'PRODUCT_NOT_ALLOWED') return rules !== undefined && rules.products !== null;
    if (code === 'DAILY_LIMIT_REACHED') return rules !== undefined && rules.dailyLimit !== null;
    return ['OPERATOR_UNAVAILABLE', 'DATABASE_UNAVAILABLE', 'OVERLOADED', 'DRAINING'].includes(
      code,
    );
  };

  const fail = (wanted: Wanted, error: unknown, finished: boolean): void => {
    if (error instanceof InjectedFault) return;
    const code = error instanceof GatewayError ? error.code : String(error);
    if (finished) return world.violate(`${wanted.key} was finished and now fails with ${code}`);
    if (!(error instanceof GatewayError)) return world.fail(`${wanted.key} fails with ${code}`);
    if (!isExpected(wanted, code)) world.violate(`${wanted.key} fails with ${code}`);
    const isForGood = code === 'PRODUCT_NOT_ALLOWED' || code === 'DAILY_LIMIT_REACHED';
    // The rules may allow it later; it is tried a few times.
    if (isForGood && model.find(wanted) === undefined) wanted.turnedAway += 1;
  };

  const take = (wanted: Wanted, fields: Fields, result: BuyResult): boolean => {
    counted.answers += 1;
    if (result.kind === 'pending') {
      world.say(`${wanted.key} pending`);
      return false;
    }
    world.say(`${wanted.key} answer ${result.answer.status}`);
    const own = productOf(fields.productId)?.profile_id;
    const isOther = own !== undefined && fields.profileId !== null && fields.profileId !== own;
    if (isOther && result.answer.status === 200) {
      world.violate(`${wanted.key} asks for item ${fields.profileId} and is sold ${own}`);
    }
    model.answered({ ...wanted, fields }, result.answer, result);
    return true;
  };

  const chooseInstance = (): Instance | undefined => {
    const [first, ...others] = deps.instances().filter((instance) => instance.listens());
    return first === undefined ? undefined : draw.pick([first, ...others]);
  };

  /** Sends once; `ended` receives whether the answer was final, also if the server died. */
  const send = (wanted: Wanted, fields: Fields, ended: (final: boolean) => void): void => {
    const instance = chooseInstance();
    if (instance === undefined) {
      world.after(draw.whole(50, 500), () => ended(false));
      return;
    }
    counted.requests += 1;
    const requestId = `request ${counted.requests}`;
    const { process } = instance;
    const known = model.find(wanted);
    const rewinds = model.rewinds();
    const finished =
      known !== undefined && known.answer_status !== null && model.sameFields(known, fields);
    // A repeat joins what began before the end was known, and fails with it.
    const alone = wanted.inFlight === 0;
    wanted.inFlight += 1;
    let open = true;
    const close = (final: boolean): void => {
      if (!open) return;
      open = false;
      wanted.inFlight -= 1;
      ended(final);
    };
    const watchdog = (left: number) => (): void => {
      if (!open || !process.alive()) return;
      if (left === 0) world.violate(`${wanted.key} is not answered by ${process.name}`);
      else world.after(patienceMs / 2, watchdog(left - 1));
    };
    process.onDeath(() => world.after(draw.whole(0, 400), () => close(false)));
    world.after(patienceMs / 2, watchdog(1));
    process.now(() => {
      world.say(`${process.name} gets ${wanted.key}`);
      const { clientId, key } = wanted;
      const rules = deps.plan.rules.get(clientId);
      const test = deps.plan.tests.has(clientId);
      instance.buying.buy({ clientId, key, requestId, trace: null, test, fields, rules }).then(
        (result) => close(take(wanted, fields, result)),
        (error: unknown) => {
          world.say(`${key} error ${error instanceof Error ? error.message : ''}`);
          const isFirst = alone && !wanted.misused && model.rewinds() === rewinds;
          fail(wanted, error, finished && isFirst);
          model.refusedUnrecorded(requestId, wanted);
          close(false);
        },
      );
    });
  };

  const misuse = (wanted: Wanted): void => {
    wanted.misused = true;
    const other = { ...wanted.fields, webserviceCode: `${wanted.fields.webserviceCode} again` };
    send(wanted, other, () => {});
  };

  /** A client that knows the answer repeats a few times more, perhaps much later. */
  const confirm = (wanted: Wanted, times: number): void => {
    if (times === 0 || wanted.turnedAway >= 3 || waitsForPerson(wanted)) {
      wanted.done = true;
      return;
    }
    world.after(draw.whole(0, 4000), () =>
      send(wanted, wanted.fields, (final) => confirm(wanted, final ? times - 1 : times)),
    );
  };

  /** Once faults have stopped there is nothing new to learn before the end: then it waits. */
  const pauseThen = (wanted: Wanted, ms: number, run: () => void): void =>
    world.after(ms, () => {
      const begun = model.find(wanted) !== undefined;
      if (world.faulty() || !begun || isOver(wanted)) run();
      else pauseThen(wanted, ms, run);
    });

  const pursue = (wanted: Wanted): void => {
    let ended = false;
    send(wanted, wanted.fields, (final) => {
      if (ended) return;
      ended = true;
      const row = model.find(wanted);
      const taken = row !== undefined && !model.sameFields(row, wanted.fields);
      if (final || taken || waitsForPerson(wanted) || wanted.turnedAway >= 3) {
        confirm(wanted, final && draw.chance(0.1) ? 1 : 0);
      } else pauseThen(wanted, draw.whole(500, 6000), () => pursue(wanted));
    });
    if (fault('simultaneous repeat', 0.05)) send(wanted, wanted.fields, () => {});
    if (fault('key with other fields', 0.02)) misuse(wanted);
    if (fault('impatient client', 0.03)) {
      world.after(draw.whole(0, 1500), () => send(wanted, wanted.fields, () => {}));
    }
  };

  /**
   * Many at the same moments, so that batches hold several; those of the slow operator late enough that its
   * answers come after all faults.
   */
  const chooseMoment = ({ productId }: Fields): number => {
    const isSlow = productOf(productId)?.operator_id === 4;
    if (isSlow && !deps.plan.people && draw.chance(0.7)) {
      return draw.whole(deps.during, deps.during + 5000);
    }
    return draw.chance(0.85) ? draw.whole(0, 2) * 2000 : draw.whole(0, deps.during);
  };

  /** The numbers of test clients decide what happens. */
  const withEnding = (clientId: string, fields: Fields): Fields => {
    if (!deps.plan.tests.has(clientId)) return fields;
    const ending = draw.pick(['00', '88', '90', '92', '94', '96', '98', '99']);
    return { ...fields, mobile: `9891200000${ending}` };
  };

  for (let number = 1; number <= deps.plan.purchases; number += 1) {
    const clientId = draw.pick(deps.clientIds);
    const wanted: Wanted = {
      clientId,
      key: `key-${number}`,
      fields: withEnding(clientId, chooseFields(world, deps.plan, number)),
      misused: false,
      inFlight: 0,
      turnedAway: 0,
      done: false,
    };
    all.push(wanted);
    if (wanted.fields.allowRepeat === true) model.mayRepeat(wanted);
    const moment = chooseMoment(wanted.fields);
    world.after(moment, () => pursue(wanted));
  }

  return {
    counted,
    done: () => all.every(({ done }) => done),
    mayBegin: () => all.some((wanted) => !wanted.done && model.find(wanted) === undefined),
    waiting: () => all.filter(({ done }) => !done).map(({ key }) => key),
  };
};
