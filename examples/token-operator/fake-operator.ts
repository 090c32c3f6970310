/** Simulates Poplar Hub for tests: its sign-in, orders and callbacks, with misbehaviour by number. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

export type FakeOperator = {
  readonly url: string;
  /** The references of all deliveries, in order. */
  readonly deliveries: readonly string[];
  /** How many tokens were given. */
  readonly tokens: () => number;
  /** Ends all tokens that were given, and gives none from now on where told so. */
  readonly endTokens: (givesMore?: boolean) => void;
  readonly close: () => Promise<void>;
};

export const partner = {
  clientId: 'partner-7',
  clientSecret: 'the secret of partner 7',
  callbackKey: 'a key for the callbacks',
};

type Values = Readonly<Record<string, unknown>>;

/** The header of a callback, as section 4 has it. */
export const signatureOf = (body: string, seconds: number, key = partner.callbackKey): string => {
  const signature = createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
};

/** What is known of an order: its state, and where it was refused at once, the error. */
type Entry = { readonly state: Values; readonly error?: string };

const outcomes: ReadonlyMap<string, Entry> = new Map([
  ['90', { state: { state: 'rejected', reason: 'barred' }, error: 'barred' }],
  [
    '91',
    { state: { state: 'rejected', reason: 'unknown_subscriber' }, error: 'unknown_subscriber' },
  ],
  ['97', { state: { state: 'accepted' } }],
]);

/** Numbers whose order gets lost before it is read, and those whose answer gets lost. */
const lost: ReadonlySet<string> = new Set(['94', '96']);
const silent: ReadonlySet<string> = new Set(['93', '94']);

const fieldOf = (json: string, name: string): string => {
  try {
    const content: unknown = JSON.parse(json);
    const value: unknown =
      typeof content === 'object' && content !== null ? Reflect.get(content, name) : '';
    return typeof value === 'string' ? value : '';
  } catch {
    return '';
  }
};

type Say = (status: number, values: Values) => void;

/** Keeps the book of orders, and answers each by the end of its number. */
const createOrders = () => {
  const entries = new Map<string, Entry>();
  const deliveries: string[] = [];

  const takeOrder = (reference: string, digits: string): Entry => {
    const known = entries.get(reference);
    if (known !== undefined) return known;
    const served = { state: { state: 'delivered', receipt: `PH-${entries.size + 1}` } };
    const entry = outcomes.get(digits) ?? served;
    entries.set(reference, entry);
    if (entry === served) deliveries.push(reference);
    return entry;
  };

  const order = (text: string, response: ServerResponse, say: Say): void => {
    const [reference, msisdn] = [fieldOf(text, 'reference'), fieldOf(text, 'msisdn')];
    const digits = msisdn.slice(-2);
    if (!/^\+98\d{10}$/.test(msisdn)) return say(400, { error: 'bad_request' });
    const entry = lost.has(digits) ? undefined : takeOrder(reference, digits);
    if (silent.has(digits)) return undefined;
    if (entry === undefined) {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Down for repairs</p>');
      return undefined;
    }
    return entry.error === undefined
      ? say(200, { reference, ...entry.state })
      : say(422, { reference, error: entry.error });
  };

  return { entries, deliveries, order };
};

export const startFakeOperator = async (): Promise<FakeOperator> => {
  const { entries, deliveries, order } = createOrders();
  let [given, valid, gives] = [0, '', true];

  const giveToken = (text: string, say: Say): void => {
    const isPartner = fieldOf(text, 'client_secret') === partner.clientSecret;
    if (!gives || !isPartner) return say(403, { error: 'forbidden' });
    given += 1;
    valid = `token-${given}`;
    return say(200, { access_token: valid, expires_in: 3600 });
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await textOf(request);
    const say: Say = (status, values) => {
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(values));
    };
    const { url = '', headers } = request;
    if (url === '/auth/token') return giveToken(text, say);
    if (headers.authorization !== `Bearer ${valid}`) return say(401, { error: 'token_expired' });
    if (request.method === 'POST') return order(text, response, say);
    const reference = url.split('/').at(-1) ?? '';
    const entry = entries.get(reference);
    return entry === undefined
      ? say(404, { error: 'no_such_order', reference })
      : say(200, { reference, ...entry.state });
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    deliveries,
    tokens: () => given,
    endTokens: (givesMore = true) => {
      [valid, gives] = ['', givesMore];
    },
    close: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
};
