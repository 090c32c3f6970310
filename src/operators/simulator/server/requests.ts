/** Parses the requests of the simulator's server, and builds the JSON answers. */
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Order } from '../../../connector/connector.ts';
import { fieldOf } from '../../../lib/record.ts';
import type { OrderConditions } from '../book/book.ts';
import type { AnswerFault, RequestKind } from '../faults.ts';
import type { OrderAnswer, SimulatedOperator } from '../operator.ts';
import type { ServerAnswer } from './answer.ts';

/** The result of a request; `manner` if the number decides how the answer travels. */
export type Handled = { readonly answer: ServerAnswer; readonly manner?: AnswerFault };

/** A parsed request, ready to run. */
export type Asked = {
  readonly kind: RequestKind;
  readonly deal: (circumstances: OrderConditions) => Promise<Handled>;
  /** Of an order: the operator that it is for. */
  readonly operatorId?: string;
};

export type Incoming = {
  readonly method: string;
  /** As received, query included. */
  readonly url: string;
  readonly body: string;
};

const orderBody = Compile(
  Type.Object({
    ref: Type.String({ minLength: 1 }),
    mobile: Type.String({ minLength: 1 }),
    amount: Type.Integer(),
    product_id: Type.Integer(),
    sim_type: Type.Optional(Type.Enum(['credit', 'permanent'])),
    profile_id: Type.Optional(Type.String()),
    offer: Type.Optional(Type.Object({ code: Type.String(), type: Type.String() })),
  }),
);

export const plain = (status: number, body: unknown): Handled => ({ answer: { status, body } });
export const problem = (status: number, error: string): Handled => plain(status, { error });

const readOrder = (text: string): Order | undefined => {
  try {
    const body: unknown = JSON.parse(text);
    if (!orderBody.Check(body)) return undefined;
    const { product_id: productId, profile_id: profileId, sim_type: simType, ...rest } = body;
    return {
      ...rest,
      productId,
      ...(simType === undefined ? {} : { simType }),
      ...(profileId === undefined ? {} : { profileId }),
    };
  } catch {
    return undefined;
  }
};

const nobodyReads: ServerAnswer = { status: 200, body: null };

const orderAnswer = (ref: string, answer: OrderAnswer): Handled => {
  switch (answer.kind) {
    case 'done':
      return plain(200, { status: 'delivered', ref, cost: answer.cost, balance: answer.balance });
    case 'pending':
      return plain(202, { status: 'pending', ref });
    case 'refused': {
      const { code, reason } = answer;
      return plain(422, { status: 'refused', ref, code, reason });
    }
    case 'silence':
      return { answer: nobodyReads, manner: 'lose-answers' };
    case 'server_error':
      return { answer: nobodyReads, manner: 'errors' };
    case 'unreadable':
      return { answer: nobodyReads, manner: 'nonsense' };
  }
};

const order = (operator: SimulatedOperator, operatorId: string, body: string): Asked => ({
  kind: 'orders',
  operatorId,
  deal: async (circumstances) => {
    const read = readOrder(body);
    if (read === undefined) return problem(400, 'This is not an order.');
    return orderAnswer(read.ref, await operator.order(read, circumstances));
  },
});

/** The reference of an order that the answer calls delivered. */
export const deliveredIn = ({ body }: ServerAnswer): string | undefined => {
  const ref = fieldOf(body, 'status') === 'delivered' ? fieldOf(body, 'ref') : undefined;
  return typeof ref === 'string' ? ref : undefined;
};

const inquiry = (operator: SimulatedOperator, ref: string): Asked => ({
  kind: 'inquiries',
  deal: async () => {
    const standing = await operator.status(ref);
    switch (standing.kind) {
      case 'done':
        return plain(200, { status: 'delivered', ref, cost: standing.cost });
      case 'reversed':
        return plain(200, { status: 'reversed', ref, at: standing.at });
      case 'pending':
        return plain(200, { status: 'pending', ref });
      default:
        return plain(404, { status: 'not_found', ref });
    }
  },
});

const offers = (operator: SimulatedOperator, mobile: string): Asked => ({
  kind: 'offers',
  deal: async () => {
    const outcome = operator.offers(mobile);
    if (outcome.kind === 'unknown') return problem(500, outcome.detail);
    const transaction_id = outcome.transactionId;
    if (outcome.kind === 'refused') {
      const { code, reason } = outcome;
      return plain(422, { status: 'refused', code, reason, transaction_id });
    }
    const list = outcome.offers.map(({ descriptionLocal, validityDays, ...offer }) => ({
      ...offer,
      description_local: descriptionLocal,
      validity_days: validityDays,
    }));
    return plain(200, { status: 'ok', message: outcome.message, transaction_id, offers: list });
  },
});

const subscriber = (operator: SimulatedOperator, mobile: string): Asked => ({
  kind: 'subscribers',
  deal: async () => {
    const outcome = operator.subscriber(mobile);
    return outcome.kind === 'subscriber'
      ? plain(200, { status: 'subscriber', sim_type: outcome.simType })
      : plain(404, { status: 'not_subscriber' });
  },
});

const reports = (operator: SimulatedOperator, cursor: string): Asked => ({
  kind: 'reports',
  deal: async () => {
    const outcome = await operator.reports(cursor);
    if (outcome.kind === 'unknown') return problem(500, outcome.detail);
    return plain(200, { reports: outcome.reports, cursor: outcome.cursor });
  },
});

const balance = (operator: SimulatedOperator): Asked | Handled => {
  const amount = operator.balance();
  if (amount === undefined) return problem(404, 'This operator says no balance.');
  return plain(200, { status: 'ok', balance: amount });
};

const decoded = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
};

/** The operators and suppliers by their IDs in paths. */
export type OperatorsById = { readonly get: (id: string) => SimulatedOperator | undefined };

/** Parses a request to one of the operators, or says what is wrong with it. */
export const parseRequest = (
  operators: OperatorsById,
  { method, url, body }: Incoming,
): Asked | Handled => {
  const [path = '', query = ''] = url.split('?', 2);
  const [, root, id = '', what, segment, ...more] = path.split('/');
  const operator = root === 'operators' && more.length === 0 ? operators.get(id) : undefined;
  const name = segment === undefined ? undefined : decoded(segment);
  if (operator === undefined || (segment !== undefined && name === undefined)) {
    return problem(404, 'There is nothing at this address.');
  }
  const field = (key: string): string => new URLSearchParams(query).get(key) ?? '';
  const found = `${method} ${what}${name === undefined ? '' : '/…'}`;
  switch (found) {
    case 'POST orders':
      return order(operator, id, body);
    case 'GET orders/…':
      return inquiry(operator, name ?? '');
    case 'GET offers':
      return offers(operator, field('mobile'));
    case 'GET subscribers/…':
      return subscriber(operator, name ?? '');
    case 'GET balance':
      return balance(operator);
    case 'GET reports':
      return reports(operator, field('cursor'));
    default:
      return problem(404, 'There is nothing at this address.');
  }
};
