/** Provides what all crash tests share: failing operators, clients and products, and the final checks of keys and books. */
import { setTimeout as rest } from 'node:timers/promises';
import type { Draw } from '../simulation/draw.ts';
import { at, listOf } from '../support/answers.ts';
import { ask, parsed } from '../support/live.ts';
import type { Finished } from '../support/process.ts';
import { type CrashResult, endOf, type ReadPurchases } from './judge.ts';
import type { Person } from './person.ts';
import type { Client, Shop, Wanted, Ware } from './shop.ts';

export const operatorIds = [1, 2, 3, 4, 5];

/** Fast in everything, so that each purchase ends soon after its fault. */
export const settings = {
  headersMs: 1000,
  answerMs: 1000,
  settlesWithin: 1000,
  inquiries: { firstInquiryMs: 300, widestInquiryMs: 1000, reviewAfterMs: 20_000 },
};

export const config = {
  purchases: { pendingAfterMs: 8000, sendWithinMs: 1000 },
  operators: Object.fromEntries(operatorIds.map((id) => [id, { connector: 'http', settings }])),
  // Nothing is left to do once a server listens: a start that fails then would look like a death.
  admin: { firstLink: false },
  // The faults below must not open it: then nothing would be bought to be lost.
  breaker: { leastCalls: 1_000_000 },
};

/** Every way in which an operator's answer is lost, without a double delivery. */
export const faults = [
  ['--only', 'orders', '--only', 'inquiries', '--only', 'reports'],
  ['--lose-answers', '0.04'],
  ['--lose-requests', '0.02'],
  ['--resets', '0.01'],
  ['--errors', '0.01'],
  ['--nonsense', '0.01'],
  ['--hangs', '0.005'],
  ['--lag', '0.05', '--lag-time', '800'],
].flat();

/** Runs a command on the database under test. */
export type RunCommand = (...args: readonly string[]) => Promise<Finished>;

export const clientsOf = async (run: RunCommand): Promise<[Client, Client, Client]> => {
  const create = async (name: string, balance: number): Promise<Client> => {
    const args = ['client', 'create', '--json', '--name', name, '--balance', String(balance)];
    const made = parsed((await run(...args)).out);
    return { id: String(at(made, 'id')), token: String(at(made, 'token')), balance };
  };
  return [
    await create('rich', 1_000_000_000_000),
    await create('also rich', 1_000_000_000_000),
    // Runs out of money during the test.
    await create('poor', 5_000_000),
  ];
};

/** A package and a top-up of each operator, for prepaid SIMs. */
export const waresOf = async (url: string, token: string): Promise<[Ware, ...Ware[]]> => {
  const { body } = await ask(url, token, '/api/clients/products?per_page=100');
  const wares = listOf(at(body, 'data'))
    .filter(
      (one) =>
        at(one, 'status') === 1 &&
        at(one, 'sim_card_type') === 'credit' &&
        ![510, 511].includes(Number(at(one, 'id'))),
    )
    .map((one) => ({
      id: Number(at(one, 'id')),
      price: Number(at(one, 'price')),
      path: at(one, 'type') === 'cell_direct_charge' ? '/api/top-up/' : '/api/top-up/package/',
    }));
  const [first, ...others] = wares;
  if (first === undefined) throw new Error('There is nothing to buy.');
  return [first, ...others];
};

/** Lets buyers buy what a restore will lose. */
export const sellMore = async (shop: Shop, draw: Draw): Promise<void> => {
  const mark = shop.all.length;
  const sold = (): number =>
    shop.all.slice(mark).filter(({ answer }) => answer?.status === 200).length;
  const enough = draw.whole(1, 60);
  await rest(draw.whole(200, 3000));
  while (sold() < enough) {
    shop.over.throwIfAborted();
    await rest(50);
  }
};

/** While no gateway reaches the restored database: what the buyers may rely on from now on. */
export const beginHistory = async ({
  shop,
  person,
  read,
}: {
  readonly shop: Shop;
  readonly person: Pick<Person, 'putBack'>;
  readonly read: ReadPurchases;
}): Promise<void> => {
  const purchases = await read();
  person.putBack(purchases);
  shop.restore((wanted) => endOf(purchases, wanted) !== undefined);
};

/** This long without a change means that nothing will change, even on a busy machine. */
const stillMs = 180_000;

/** Nothing new is bought; waits until every key is final or in review, or never will be. */
export const untilOver = async (shop: Shop, read: ReadPurchases): Promise<void> => {
  shop.close();
  const countOpen = async (): Promise<number> => {
    const purchases = await read();
    const stateOf = ({ client, key }: Wanted) => purchases.get(`${client.id} ${key}`)?.state;
    return shop.all.filter(
      (one) => one.answer === undefined && !one.settled && stateOf(one) !== 'review',
    ).length;
  };
  let least = Number.POSITIVE_INFINITY;
  let since = performance.now();
  while (least > 0 && performance.now() - since < stillMs) {
    shop.over.throwIfAborted();
    const open = await countOpen();
    if (open < least) since = performance.now();
    least = Math.min(least, open);
    if (open > 0) await rest(500);
  }
  shop.giveUp();
};

/** The gateway's own verification, and every client's balance against what was sold. */
export const checkBooks = async (
  run: RunCommand,
  read: ReadPurchases,
  clients: readonly Client[],
): Promise<string[]> => {
  const problems: string[] = [];
  const verified = await run('verify', '--json');
  if (verified.status !== 0) problems.push(`verify: ${verified.out}${verified.err}`);
  const listed = listOf(parsed((await run('client', 'list', '--json')).out));
  const purchases = await read();
  for (const { id, balance } of clients) {
    const client = listed.find((one) => at(one, 'id') === id);
    const spent = [...purchases]
      .filter(([name, { state }]) => name.startsWith(`${id} `) && state === 'succeeded')
      .reduce((sum, [, { amount }]) => sum + amount, 0);
    const held = [...purchases]
      .filter(([name, { state }]) => name.startsWith(`${id} `) && state === 'review')
      .reduce((sum, [, { amount }]) => sum + amount, 0);
    const left = Number(at(client, 'available'));
    if (left !== balance - spent - held) {
      problems.push(`${id} has ${left} of ${balance} and has spent ${spent}, ${held} held`);
    }
  }
  return problems;
};

/** The results that every form of the crash test reports. */
export type Report = CrashResult & {
  /** What was done to it, in words. */
  readonly blows: string;
  readonly keys: number;
  readonly requests: number;
  readonly repeats: number;
  readonly answers: ReadonlyMap<string, number>;
  /** How often a purchase moved on to another supplier. */
  readonly moves: number;
  /** What had begun before a stop and did not get its answer. */
  readonly cutOff: readonly string[];
  /** Servers that exited without being asked to. */
  readonly died: readonly string[];
  /** The result of `simgate verify`, and wrong balances. */
  readonly books: readonly string[];
  /** Where the gate of a restored database was wrongly open or closed. */
  readonly gate: readonly string[];
  readonly seconds: number;
};

/** What the buyers did, for the report. */
export const countsOf = (
  shop: Shop,
): Pick<Report, 'keys' | 'requests' | 'repeats' | 'answers'> => ({
  keys: shop.all.length,
  requests: shop.counted.requests,
  repeats: shop.counted.repeats,
  answers: shop.answers,
});

/** What has to be empty at the end, by name. */
export const faultsOf = (report: Report): readonly (readonly [string, readonly string[]])[] => [
  ['doubles', report.doubles],
  ['lost', report.lost],
  ['contradictions', report.contradictions],
  ['neither final nor in review', report.open],
  ['cut off by a stop', report.cutOff],
  ['exited unexpectedly', report.died],
  ['wrong in the books', report.books],
  ['wrong at the gate', report.gate],
];
