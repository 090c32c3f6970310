/** Calls a gateway back about what was delivered: after the answer, before it, late, twice, or forged as well. */
import { createHash } from 'node:crypto';
import { openTransport, type Transport } from '../../../connector/transport.ts';
import type { Clock } from '../../../lib/clock.ts';
import { keysOf } from '../../../lib/record.ts';
import { callbackHeaders } from '../../http/callback.ts';

export const callbackFaults = {
  'callbacks-lost': 'A callback does not come.',
  'callbacks-late': 'A callback comes later, by --late-time.',
  'callbacks-twice': 'A callback comes twice.',
  'callbacks-forged': 'A callback with a wrong signature, which says “reversed”, comes first.',
  'callbacks-early': 'A callback comes before the answer to the order.',
} as const;

export type CallbackFault = keyof typeof callbackFaults;
export type CallbackRates = Readonly<Record<CallbackFault, number>>;

export const callbackFaultNames = keysOf(callbackFaults);

export type CallbackOptions = {
  /** Where the gateway takes them; `{id}` is the ID of the operator. */
  readonly url: string;
  /** Signs them. */
  readonly secret: string;
  readonly rates: CallbackRates;
};

/** A delivery to call back about. */
export type Delivery = { readonly operatorId: string; readonly ref: string; readonly nth: number };

export type Caller = {
  /** Before the answer to an order: only what comes early. */
  readonly beforeAnswer: (delivery: Delivery) => Promise<void>;
  readonly afterAnswer: (delivery: Delivery) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The address without and with what follows its host. */
const partsOf = (url: string): { readonly baseUrl: string; readonly path: string } => {
  const baseUrl = /^https?:\/\/[^/]+/.exec(url)?.[0] ?? '';
  return { baseUrl, path: url.slice(baseUrl.length) };
};

const limits = {
  connectMs: 5000,
  headersMs: 5000,
  answerMs: 5000,
  connections: 50,
  pending: 10_000,
  answerBytes: 65_536,
} as const;

/** Which of the faults befall the callback about the nth request. Pure. */
export const planCallback = (
  seed: number,
  rates: CallbackRates,
  nth: number,
): ReadonlySet<CallbackFault> => {
  const digest = createHash('sha256').update(`${seed} ${nth} callback`).digest();
  return new Set(
    callbackFaultNames.filter(
      (fault, index) => digest.readUInt32BE(index * 4) < rates[fault] * 2 ** 32,
    ),
  );
};

const createSender = (transport: Transport, { url, secret }: CallbackOptions) => {
  const { path } = partsOf(url);
  return async ({ operatorId }: Delivery, said: object, key = secret): Promise<void> => {
    const body = JSON.stringify(said);
    const headers = { 'content-type': 'application/json', ...callbackHeaders(body, key) };
    // A gateway that does not take it asks for itself.
    await transport.send({ method: 'POST', path: path.replace('{id}', operatorId), headers, body });
  };
};

export const createCaller = (
  options: CallbackOptions & { readonly seed: number; readonly lateMs: number },
  clock: Clock,
): Caller => {
  const { seed, rates, lateMs, secret } = options;
  const transport = openTransport({ baseUrl: partsOf(options.url).baseUrl, ...limits }, clock);
  const send = createSender(transport, options);
  const call = async (delivery: Delivery, planned: ReadonlySet<CallbackFault>): Promise<void> => {
    const { ref } = delivery;
    if (planned.has('callbacks-forged')) {
      await send(delivery, { ref, status: 'reversed' }, `not ${secret}`);
    }
    const delivered = { ref, status: 'delivered' };
    if (!planned.has('callbacks-lost')) await send(delivery, delivered);
    if (planned.has('callbacks-twice')) await send(delivery, delivered);
  };
  const planOf = ({ nth }: Delivery): ReadonlySet<CallbackFault> => planCallback(seed, rates, nth);
  return {
    beforeAnswer: async (delivery) => {
      const planned = planOf(delivery);
      if (planned.has('callbacks-early')) await call(delivery, planned);
    },
    afterAnswer: async (delivery) => {
      const planned = planOf(delivery);
      if (planned.has('callbacks-early')) return;
      if (!planned.has('callbacks-late')) return call(delivery, planned);
      clock.after(lateMs, () => void call(delivery, planned));
    },
    close: transport.close,
  };
};
