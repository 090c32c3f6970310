/** Connects to Maple Recharge, an aggregator that speaks signed forms as operator-document.md describes. */
import * as simgate from 'simgate/connector';
import * as wire from './wire.ts';

const { Type } = simgate;

export const mapleRecharge = simgate.defineConnector({
  connectorApi: 1,
  name: 'maple-recharge',
  settings: Type.Object({
    ...simgate.transportFields,
    merchant: Type.String({ pattern: '^\\d{1,12}$', description: 'Your merchant number.' }),
    key: Type.String({ minLength: 16, secret: true, description: 'The key that signs messages.' }),
  }),
  identifiedBy: ['baseUrl', 'merchant'], // A merchant sees its own orders only.
  // Section 4. A repeated reference is refused (result 40), so nothing is promised about repeats.
  settlesWithin: 20_000,
  connect: (settings, { clock }) => {
    const transport = simgate.openTransport(settings, clock);
    const headers = { 'content-type': wire.formType };
    const post = (path: string, body: string, context?: simgate.CallContext) =>
      transport.send({ method: 'POST', path, headers, body, context });
    return {
      buy: async (order, context) => {
        const form = wire.orderForm(order, settings, clock.now());
        if (typeof form !== 'string') return form;
        const reply = await post('/order', form, context);
        return simgate.ordered(reply, (one) => wire.readOrder(one, order.ref, settings.key));
      },
      status: async (ref, context) => {
        // Nothing was ever sent under another one.
        if (!wire.isReference(ref)) return { kind: 'not_found' };
        const form = wire.formOf({ reference: ref }, settings, clock.now());
        const reply = await post('/status', form, context);
        return simgate.asked(reply, (one) => wire.readStatus(one, ref, settings.key));
      },
      deadlineMs: settings.answerMs,
      atOnce: settings.connections,
      close: transport.close,
    };
  },
});
