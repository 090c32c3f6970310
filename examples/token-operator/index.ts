/** Connects to Poplar Hub, an aggregator with access tokens and callbacks, as operator-document.md describes. */
import * as simgate from 'simgate/connector';
import * as wire from './wire.ts';

const { Type, transportFields } = simgate;
const json = { accept: 'application/json', 'content-type': 'application/json' };

export const poplarHub = simgate.defineConnector({
  connectorApi: 1,
  name: 'poplar-hub',
  settings: Type.Object({
    ...transportFields,
    answerMs: Type.Integer({ minimum: 1, default: 4_000, description: 'Of one answer.' }),
    tokenUrl: Type.String({ pattern: '^https?://[^\\s?#@]+$', description: 'For signing in.' }),
    clientId: Type.String({ minLength: 1, description: 'Your client ID.' }),
    clientSecret: Type.String({ minLength: 1, secret: true, description: 'Its secret.' }),
    callbackKey: Type.String({ minLength: 16, secret: true, description: 'Signs callbacks.' }),
  }),
  identifiedBy: ['baseUrl', 'clientId'],
  settlesWithin: 30_000, // Section 3.
  deduplicates: true, // Section 2, "Repeats".
  connect: (settings, { clock }) => {
    const { clientId: client_id, clientSecret: client_secret } = settings;
    const transport = simgate.openTransport(settings, clock);
    const signIn = simgate.openTransport({ ...settings, baseUrl: settings.tokenUrl }, clock);
    const body = JSON.stringify({ client_id, client_secret });
    const askToken = { method: 'POST', path: '/token', headers: json, body } as const;
    const withToken = simgate.createTokens({
      clock,
      fetch: async () => wire.readToken(await signIn.send(askToken)),
      isRefused: wire.isExpired,
    });
    const headersWith = (token: string) => ({ ...json, authorization: `Bearer ${token}` });
    const send = (request: simgate.TransportRequest) =>
      withToken((token) => transport.send({ ...request, headers: headersWith(token) }));
    return {
      buy: async (order, context) => {
        const text = wire.orderText(order);
        if (typeof text !== 'string') return text;
        const reply = await send({ method: 'POST', path: '/v2/orders', body: text, context });
        return simgate.ordered(reply, (answer) => wire.readOrder(answer, order.ref));
      },
      status: async (ref, context) => {
        if (!wire.isReference(ref)) return { kind: 'not_found' };
        const reply = await send({ method: 'GET', path: `/v2/orders/${ref}`, context });
        return simgate.asked(reply, (answer) => wire.readStatus(answer, ref));
      },
      callbacks: { read: (one) => wire.readCallback(one, settings.callbackKey), final: true },
      deadlineMs: 4 * settings.answerMs, // A token and the order, and both once more.
      atOnce: settings.connections,
      close: async () => void (await Promise.all([transport.close(), signIn.close()])),
    };
  },
});
