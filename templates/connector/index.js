/** Connects to my-operator: its settings, its promises and its calls. */
import {
  asked,
  defineConnector,
  openTransport,
  ordered,
  Type,
  transportFields,
} from 'simgate/connector';
import { inquiryPath, orderMessage, readInquiry, readOrder } from './wire.js';

export default defineConnector({
  connectorApi: 1,
  name: 'my-operator',
  settings: Type.Object({
    ...transportFields,
    account: Type.String({
      pattern: '^[A-Za-z0-9-]{1,40}$',
      description: 'The account number in the contract with the operator.',
    }),
    token: Type.String({
      pattern: '^[!-~]{1,200}$',
      secret: true,
      description: 'The token that the operator gave us.',
    }),
  }),
  // Whose orders an inquiry sees: never a secret, which is rotated.
  identifiedBy: ['baseUrl', 'account'],
  // Promises. Write the line of the operator's document beside each, or remove it.
  settlesWithin: 15_000,
  deduplicates: true,
  connect: (settings, { clock }) => {
    const transport = openTransport(settings, clock);
    const headers = {
      authorization: `Bearer ${settings.token}`,
      'x-account': settings.account,
    };
    return {
      buy: async (order, context) => {
        const message = orderMessage(order);
        // It cannot be put into the operator's words, so nothing is sent.
        if (message.kind === 'refused') return message;
        const reply = await transport.send({
          method: 'POST',
          path: '/orders',
          headers: { ...headers, 'content-type': 'application/json' },
          body: message.text,
          context,
        });
        return ordered(reply, (answer) => readOrder(answer, order.ref));
      },
      status: async (ref, context) => {
        const path = inquiryPath(ref);
        // Nothing was ever sent under such a reference.
        if (path === undefined) return { kind: 'not_found' };
        const reply = await transport.send({ method: 'GET', path, headers, context });
        return asked(reply, (answer) => readInquiry(answer, ref));
      },
      deadlineMs: settings.answerMs,
      atOnce: settings.connections,
      close: transport.close,
    };
  },
});
