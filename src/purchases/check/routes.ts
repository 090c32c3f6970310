/** Serves the routes that validate a purchase without buying. */
import type { FastifyPluginAsync } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Auth } from '../../clients/auth.ts';
import { errorResponses, tokenErrors } from '../../lib/openapi/errors.ts';
import { type FieldRules, readFields } from '../request/fields.ts';
import { type ExampleFields, fieldsSchema, judgementErrors, rawFields } from '../request/schema.ts';
import type { Check } from './check.ts';

export type CheckRouteDeps = {
  readonly auth: Auth;
  readonly check: Check;
  readonly rules: FieldRules;
  readonly bodyBytes: number;
};

export const CheckedSchema = Type.Object({
  message: Type.String({ description: 'Says that it can be bought.' }),
  product_id: Type.Integer({ description: 'What would be bought.' }),
  operator_id: Type.Integer({ description: 'Of which operator.' }),
  mobile: Type.String({ description: 'For which number.' }),
  price: Type.Integer({ description: 'What it costs: the sum of its parts.' }),
  parts: Type.Object(
    {
      net: Type.Integer({ description: 'Without tax; of a personal offer its `amount`.' }),
      vat: Type.Integer({ description: 'Value-added tax on a personal offer, else 0.' }),
    },
    { description: 'What the price is made of.' },
  ),
  available: Type.Integer({ description: 'What you may spend now.' }),
});

const description = `Judges a purchase and buys nothing: the same fields as for buying, without a key, for packages, personal offers and top-ups alike. The answer is the price and its parts, or the very error that the purchase would get now. It promises nothing: what is bought later is judged again.`;

export const checkRoute =
  (deps: CheckRouteDeps, example: ExampleFields): FastifyPluginAsync =>
  async (app) => {
    const exampleAnswer = {
      message: 'This can be bought.',
      product_id: example.product_id,
      operator_id: 2,
      mobile: example.mobile,
      price: example.price,
      parts: { net: example.price, vat: 0 },
      available: 5_000_000,
    } satisfies Static<typeof CheckedSchema>;
    app.route({
      method: 'post',
      url: '/api/top-up/check',
      onRequest: deps.auth.needs('purchase'),
      validatorCompiler: () => () => true,
      schema: {
        operationId: 'checkPurchase',
        tags: ['Buying'],
        security: [{ token: [] }],
        summary: 'Validate a purchase',
        description,
        body: { ...fieldsSchema(deps.rules, 'package', example), examples: [example] },
        consumes: ['application/x-www-form-urlencoded', 'multipart/form-data', 'application/json'],
        response: {
          200: { ...CheckedSchema, description: 'It can be bought.', examples: [exampleAnswer] },
          ...errorResponses(...tokenErrors, ...judgementErrors),
        },
      },
      handler: async (request) => {
        const fields = readFields(await rawFields(request, deps.bodyBytes), 'package', deps.rules);
        const { clientId, clientRules: rules, id: requestId, trace } = request;
        const origin = { requestId, trace };
        const checked = await deps.check({ clientId, origin, fields, rules });
        if (checked.kind === 'no') throw checked.error;
        const { operatorId, price, net, vat, available } = checked;
        return {
          message: exampleAnswer.message,
          product_id: fields.productId,
          operator_id: operatorId,
          mobile: fields.mobile,
          price,
          parts: { net, vat },
          available,
        };
      },
    });
  };
