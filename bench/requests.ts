/** Defines the bench's requests once, for the load generators at full speed and at a fixed rate. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A request as bytes, cut at its placeholders. A placeholder's value always has the same length, so that
 * Content-Length stays right.
 */
export type Kind = {
  readonly parts: readonly string[];
  /** After this many it starts over. */
  readonly cycle: number;
  /** Whether checking the status of each answer costs the load generator almost nothing. */
  readonly smallAnswer: boolean;
};

/** Kinds in the order in which they are sent, repeated. */
export type Plan = {
  readonly kinds: readonly Kind[];
  readonly order: readonly number[];
  readonly tokens: readonly string[];
};

const marks = /(<number>|<mobile>|<token>)/;
// As many numbers as differ before a mobile number repeats.
const allNumbers = 1_000_000;

const digits = (value: number, width: number): string => String(value).padStart(width, '0');

/** The nth request of a kind. */
export const fill = (
  { parts, cycle }: Pick<Kind, 'parts' | 'cycle'>,
  index: number,
  tokens: readonly string[],
): string => {
  const n = index % cycle;
  return parts
    .map((part) => {
      if (part === '<number>') return digits(n, 10);
      // Even: a prepaid SIM. Below 90: delivered at once.
      if (part === '<mobile>') return `9891${digits(n % allNumbers, 6)}${digits((n * 2) % 88, 2)}`;
      return part === '<token>' ? (tokens[n % tokens.length] ?? '') : part;
    })
    .join('');
};

const endless = Number.MAX_SAFE_INTEGER;

const kindOf = (text: string, cycle = endless, smallAnswer = false): Kind => ({
  parts: text.split(marks),
  cycle,
  smallAnswer,
});

const head = (line: string): string[] => [
  `${line} HTTP/1.1`,
  'Host: 127.0.0.1',
  'Authorization: Bearer <token>',
];

const get = (path: string): Kind => kindOf([...head(`GET ${path}`), '', ''].join('\r\n'));

type Posted = {
  readonly type: string;
  readonly body: string;
  readonly headers?: readonly string[];
  readonly cycle?: number;
  readonly smallAnswer?: boolean;
};

const post = (path: string, posted: Posted): Kind => {
  const { type, body, headers = [], cycle, smallAnswer } = posted;
  const length = fill(kindOf(body), 0, []).length;
  const about = [`Content-Type: ${type}`, `Content-Length: ${length}`];
  const lines = [...head(`POST ${path}`), ...headers, ...about, '', body];
  return kindOf(lines.join('\r\n'), cycle, smallAnswer);
};

export const listRequest = (page: number): Kind => get(`/api/clients/products?page=${page}`);

export const filterRequest = (): Kind =>
  post('/api/filter?page=1', {
    type: 'application/json',
    body: JSON.stringify({
      table: 'product',
      items: { operator: 'operator_2', type: 'cell_internet', categories: 'categories' },
    }),
  });

/** A different subscriber each time, so that the operator is asked. */
export const offersRequest = (): Kind =>
  post('/api/operator_2/offers/', {
    type: 'application/json',
    body: JSON.stringify({ mobile: '<mobile>' }),
  });

export type Bought = { readonly product: number; readonly price: number };

/** A purchase under a key that begins with `keys`; the same keys again after `cycle` of them. */
export const purchaseRequest = (
  { product, price }: Bought,
  keys: string,
  cycle: number = endless,
): Kind => {
  const fields = [`product_id=${product}`, `price=${price}`, 'mobile=<mobile>'];
  return post('/api/top-up/package/', {
    type: 'application/x-www-form-urlencoded',
    headers: [`Idempotency-Key: ${keys}-<number>`],
    body: [...fields, 'webservice_code=bench'].join('&'),
    cycle,
    smallAnswer: true,
  });
};

/** One kind, repeated. */
export const only = (kind: Kind, tokens: readonly string[]): Plan => ({
  kinds: [kind],
  order: [0],
  tokens,
});

/** Kinds by their shares of the total, spread as evenly as possible. */
export const mixed = (
  shares: readonly (readonly [Kind, number])[],
  tokens: readonly string[],
): Plan => {
  const order = shares
    .flatMap(([, share], kind) =>
      Array.from({ length: share }, (_, index) => ({ kind, at: (index + 0.5) / share })),
    )
    .sort((one, other) => one.at - other.at)
    .map(({ kind }) => kind);
  return { kinds: shares.map(([kind]) => kind), order, tokens };
};

const asLua = (value: string | number): string => {
  const text = JSON.stringify(value);
  // Outside ASCII the two languages escape texts differently.
  if (/[^\x20-\x7e]|\\u/.test(text)) throw new Error(`No text for Lua: ${text}`);
  return text;
};

const luaList = (values: readonly (string | number)[]): string =>
  `{${values.map(asLua).join(',')}}`;

/** Writes a plan to a folder: as Lua for `wrk`, and as JSON for our own generator. */
export const writePlan = (
  folder: string,
  { kinds, order, tokens }: Plan,
): { readonly lua: string; readonly json: string } => {
  const [lua, json] = [join(folder, 'plan.lua'), join(folder, 'plan.json')];
  const parts = kinds.map((kind) => `{cycle=${kind.cycle},parts=${luaList(kind.parts)}}`);
  // Lua counts from one.
  const luaOrder = luaList(order.map((kind) => kind + 1));
  writeFileSync(
    lua,
    `return {kinds={${parts.join(',')}},order=${luaOrder},tokens=${luaList(tokens)}}\n`,
  );
  writeFileSync(json, JSON.stringify({ kinds, order, tokens }));
  return { lua, json };
};
