/** Serves the routes that validate a purchase without buying. */
import type { FastifyPluginAsync } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Auth } from '../../clients/auth.ts';
import { answer } from '../../lib/openapi/answer.ts';
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

export const CheckedSchema = Type.Object(
  {
    message: Type.String({ description: 'A confirmation, for a person to read.' }),
    product_id: Type.Integer({ description: 'The ID of the product.' }),
    operator_id: Type.Integer({ description: 'The ID of the operator.' }),
    mobile: Type.String({ description: 'The mobile number.' }),
    price: Type.Integer({ description: 'The price: the sum of its parts.' }),
    commission: Type.Integer({ description: 'Your commission now.' }),
    charged_amount: Type.Integer({
      description: 'What the purchase would charge: the price less the commission.',
    }),
    parts: Type.Object(
      {
        net: Type.Integer({
          description: 'The price without tax. For a personal offer: its `amount`.',
        }),
        vat: Type.Integer({ description: 'VAT on a personal offer; otherwise 0.' }),
      },
      { description: 'The parts of the price.' },
    ),
    available: Type.Integer({ description: 'What you can spend now, with your credit.' }),
  },
  { title: 'ValidatedPurchase', description: 'A purchase that would be accepted.' },
);

const description = `Checks a purchase without buying. Send the same fields as for buying, without a key, for packages, personal offers and top-ups. The response is the price, or the error that the purchase would get now. The purchase itself is checked again.`;

export const checkRoute =
  (deps: CheckRouteDeps, example: ExampleFields): FastifyPluginAsync =>
  async (app) => {
    const exampleAnswer = {
      message: 'This can be bought.',
      product_id: example.product_id,
      operator_id: 2,
      mobile: example.mobile,
      price: example.price,
      commission: 0,
      charged_amount: example.price,
      parts: { net: example.price, vat: 0 },
      available: 5_000_000,
    } satisfies Static<typeof CheckedSchema>;
    app.route({
      method: 'post',
      url: '/api/top-up/check',
      onRequest: deps.auth.needs('purchase'),
      validatorCompiler: () => () => true,
      schema: {
        operationId: 'validatePurchase',
        tags: ['Purchases'],
        security: [{ token: [] }],
        summary: 'Validate a purchase',
        description,
        body: { ...fieldsSchema(deps.rules, 'package', example), examples: [example] },
        consumes: ['application/x-www-form-urlencoded', 'multipart/form-data', 'application/json'],
        response: {
          200: answer(CheckedSchema, 'The purchase would be accepted.', exampleAnswer),
          ...errorResponses(...tokenErrors, ...judgementErrors),
        },
      },
      handler: async (request) => {
        const fields = readFields(await rawFields(request, deps.bodyBytes), 'package', deps.rules);
        const { clientId, clientRules: rules, clientTest: test, id: requestId, trace } = request;
        const origin = { requestId, trace };
        const checked = await deps.check({ clientId, test, origin, fields, rules });
        if (checked.kind === 'no') throw checked.error;
        const { operatorId, price, charged, net, vat, available } = checked;
        return {
          message: exampleAnswer.message,
          product_id: fields.productId,
          operator_id: operatorId,
          mobile: fields.mobile,
          price,
          commission: price - charged,
          charged_amount: charged,
          parts: { net, vat },
          available,
        };
      },
    });
  };
