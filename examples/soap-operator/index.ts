/** Connects to Larch Mobile, an operator that speaks SOAP as operator-document.md describes. */
import {
  asked,
  type CallContext,
  type Connection,
  type ConnectorContext,
  defineConnector,
  openTransport,
  ordered,
  type Static,
  Type,
  transportFields,
} from 'simgate/connector';
import { type Message, queryMessage, readQuery, readRecharge, rechargeMessage } from './wire.ts';

// What XML can carry, so that a mistyped secret fails the start and not the first sale.
const printable = '^[\\x20-\\x7e]+$';

const settingsSchema = Type.Object({
  ...transportFields,
  dealer: Type.String({
    pattern: printable,
    description: 'The dealer number in the contract with the operator.',
  }),
  pin: Type.String({ pattern: printable, secret: true, description: "The dealer's PIN." }),
});

type Settings = Static<typeof settingsSchema>;

const connect = (settings: Settings, { clock }: ConnectorContext): Connection => {
  const transport = openTransport(settings, clock);
  const post = ({ soapAction, text }: Message, context?: CallContext) =>
    transport.send({
      method: 'POST',
      path: '/recharge',
      headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: soapAction },
      body: text,
      context,
    });
  return {
    buy: async (order, context) => {
      const message = rechargeMessage(order, settings);
      if ('kind' in message) return message;
      return ordered(await post(message, context), (answer) => readRecharge(answer, order.ref));
    },
    status: async (ref, context) => {
      const message = queryMessage(ref, settings);
      // Nothing was ever sent under such a reference.
      if (message === undefined) return { kind: 'not_found' };
      return asked(await post(message, context), (answer) => readQuery(answer, ref));
    },
    deadlineMs: settings.answerMs,
    atOnce: settings.connections,
    close: transport.close,
  };
};

export const larchMobile = defineConnector({
  connectorApi: 1,
  name: 'larch-mobile',
  settings: settingsSchema,
  // A dealer sees its own orders only.
  identifiedBy: ['baseUrl', 'dealer'],
  // Section 3: what they have received shows in `Query` no later than this.
  settlesWithin: 15_000,
  // Section 2, "Repeats".
  deduplicates: true,
  // They recognise a reference for 30 days, and nothing is ordered again after `reviewAfterMs`.
  inquiries: { firstInquiryMs: 2_000, widestInquiryMs: 600_000, reviewAfterMs: 86_400_000 },
  connect,
});
