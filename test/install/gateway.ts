/** Uses a gateway that was just installed as its first user does: reads the printed token, lists, buys, stops it. */
import assert from 'node:assert/strict';
import { setTimeout as rest } from 'node:timers/promises';
import { at, listOf } from '../support/answers.ts';
import { type Place, type Started, start } from './process.ts';

/** What a first start prints for its user. */
export type Gateway = Started & {
  readonly url: string;
  readonly buyer: Buyer;
};

export type Buyer = {
  readonly token: string;
  readonly product: string;
  readonly price: string;
};

export type Answer = { readonly status: number; readonly text: string };

// Separates "late" from "never" within the time of a step.
const patienceMs = 300_000;
const pollMs = 100;

export const until = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> => {
  const end = performance.now() + patienceMs;
  while (!(await holds())) {
    assert.ok(performance.now() < end, `It never came about that ${what}.`);
    await rest(pollMs);
  }
};

const partOf = (text: string, pattern: RegExp): string => {
  const [, found] = pattern.exec(text) ?? [];
  assert.ok(found !== undefined, `The first start did not print ${pattern.source}:\n${text}`);
  return found;
};

/**
 * Starts a gateway on a free port and waits until it listens. Only the first on a database prints a token.
 */
export const startGateway = async (
  file: string,
  args: readonly string[],
  { cwd, env }: Place,
  known?: Buyer,
): Promise<Gateway> => {
  const started = start(file, args, { cwd, env: { PORT: '0', ...env } });
  let status: number | undefined;
  started.ended.then(
    (ended) => (status = ended),
    () => (status = -1),
  );
  const listens = /"url":"(http:[^"]+)"/;
  await until('the gateway listens', () => {
    assert.equal(status, undefined, `The gateway ended:\n${started.printed()}`);
    return listens.test(started.printed());
  });
  const text = started.printed();
  return {
    ...started,
    url: partOf(text, listens),
    buyer: known ?? {
      token: partOf(text, /Bearer (simgate_\w+)/),
      product: partOf(text, /product_id=(\d+)/),
      price: partOf(text, /price=(\d+)/),
    },
  };
};

const read = async (response: Response): Promise<Answer> => ({
  status: response.status,
  text: await response.text(),
});

export const get = async (url: string, token?: string): Promise<Answer> =>
  read(
    await fetch(url, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  );

/** Buys the product of the printed example. The last two digits of the number choose what the simulator does. */
export const buy = async (
  url: string,
  { token, product, price }: Buyer,
  { key, digits = '00' }: { readonly key: string; readonly digits?: string },
): Promise<Answer> =>
  read(
    await fetch(`${url}/api/top-up/package/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
      body: new URLSearchParams({
        product_id: product,
        price,
        mobile: `9891234567${digits}`,
        webservice_code: key,
      }),
    }),
  );

/** Lists products, buys one, and sends the same key again. */
export const tryBuying = async ({ url, buyer }: Pick<Gateway, 'url' | 'buyer'>): Promise<void> => {
  const first = await buy(url, buyer, { key: 'check-1' });
  assert.equal(first.status, 200, first.text);
  assert.deepEqual(await buy(url, buyer, { key: 'check-1' }), first);
  const purchases = await get(`${url}/api/purchases`, buyer.token);
  assert.equal(listOf(at(JSON.parse(purchases.text), 'data')).length, 1, purchases.text);
};

/** The simulator takes three seconds for this number. */
const slowNumber = '92';

const isInProgress = async (url: string, { token }: Buyer, key: string): Promise<boolean> =>
  (await get(`${url}/api/purchases`, token)).text.includes(key);

/**
 * Asks it to stop while a purchase is in progress: the purchase is answered, and the process exits with 0.
 */
export const stopWhileBuying = async (
  { url, buyer, ended, printed }: Gateway,
  stop: () => unknown,
): Promise<void> => {
  const slow = buy(url, buyer, { key: 'check-slow', digits: slowNumber });
  await until('the purchase has begun', () => isInProgress(url, buyer, 'check-slow'));
  await stop();
  const answer = await slow;
  assert.equal(answer.status, 200, answer.text);
  assert.equal(await ended, 0, printed());
  assert.match(printed(), /"msg":"draining"[^]*"msg":"stopped"/);
};
