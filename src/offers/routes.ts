/** Serves the personal offers of one subscriber. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Auth } from '../clients/auth.ts';
import { GatewayError } from '../lib/errors.ts';
import { invalidMobile, mobileRule } from '../lib/field-texts.ts';
import { callContext } from '../lib/http/trace.ts';
import { exampleMobile, type MobileFormat, readMobile } from '../lib/mobile.ts';
import { errorResponses, tokenErrors } from '../lib/openapi/errors.ts';
import type { Random } from '../lib/random.ts';
import { fieldOf } from '../lib/record.ts';
import type { Registry } from '../operators/registry.ts';
import type { Offers, OffersAnswer } from './offers.ts';
import { OfferSchema, offersToWire } from './wire.ts';

export type OffersRouteDeps = {
  readonly auth: Auth;
  readonly offers: Offers;
  readonly registry: Registry;
  readonly mobile: MobileFormat;
  readonly random: Random;
};

const OffersSchema = Type.Object({
  status: Type.Boolean({ description: 'Whether the operator lists offers for this number.' }),
  ResultCode: Type.Integer({ description: "0, or the operator's code where it answered no." }),
  TransactionID: Type.String({ description: "The operator's name for this exchange." }),
  CommandStatus: Type.String({ description: '`Completed` or `Rejected`.' }),
  OrigResponseMessage: Type.String({ description: "The operator's own message." }),
  message: Type.String({ description: 'What the operator says, for a person.' }),
  offersList: Type.Array(OfferSchema, { description: 'The offers; empty where it answered no.' }),
});

const exampleAnswer = {
  status: true,
  ResultCode: 0,
  TransactionID: '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18',
  CommandStatus: 'Completed',
  OrigResponseMessage: 'Successful.',
  message: 'Successful.',
  offersList: [
    {
      offerCode: '70103',
      offerDesc: '2 GB data, 3 days',
      offerDescLN: '۲ گیگابایت اینترنت، ۳ روزه',
      validityDays: '3',
      offerType: '1',
      amount: '30000',
      name: 'بسته ۲ گیگابایت ۳ روزه',
    },
  ],
} as const satisfies Static<typeof OffersSchema>;

const answerToWire = (answer: OffersAnswer) => {
  const listed = answer.kind === 'offers';
  const text = listed ? answer.message : answer.reason;
  return {
    status: listed,
    ResultCode: listed ? 0 : answer.code,
    TransactionID: answer.transactionId,
    CommandStatus: listed ? 'Completed' : 'Rejected',
    OrigResponseMessage: text,
    message: text,
    offersList: listed ? offersToWire(answer.offers) : [],
  };
};

export const offersRoutes =
  (deps: OffersRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const readBody = async (request: FastifyRequest): Promise<void> => {
      const mobile = readMobile(fieldOf(request.body, 'mobile'), deps.mobile);
      if (mobile === undefined) {
        throw new GatewayError('INVALID_MOBILE', invalidMobile(deps.mobile));
      }
      request.body = { mobile };
    };
    for (const operator of deps.registry.all) {
      if (operator.connection.offers === undefined) continue;
      app.post(
        `/api/${operator.name}/offers`,
        {
          onRequest: deps.auth.needs('offers'),
          preValidation: readBody,
          schema: {
            operationId: `listOffersOf_${operator.name}`,
            tags: ['Offers'],
            security: [{ token: [] }],
            summary: `Get the personal offers of a subscriber of ${operator.name}`,
            description:
              'Asks the operator what it offers to one mobile number. The answer is remembered for some minutes: within them the same offers are listed, and sold at the prices that they show.',
            body: Type.Object(
              {
                mobile: Type.String({
                  description: `The subscriber's number: ${mobileRule(deps.mobile).en}.`,
                }),
              },
              { examples: [{ mobile: exampleMobile(deps.mobile) }] },
            ),
            response: {
              200: {
                ...OffersSchema,
                examples: [exampleAnswer],
                description: 'The operator answered, with offers or with a no.',
              },
              ...errorResponses(
                ...tokenErrors,
                'NOT_FOUND',
                'PAYLOAD_TOO_LARGE',
                'UNSUPPORTED_MEDIA_TYPE',
                'INVALID_MOBILE',
                'OPERATOR_UNAVAILABLE',
              ),
            },
          },
        },
        async (request) => {
          // As it is now: its settings may have changed.
          const current = deps.registry.byId(operator.id) ?? operator;
          const { id: requestId, trace, body } = request;
          const context = callContext({ requestId, trace }, deps.random);
          return answerToWire(await deps.offers.list(current, body.mobile, context));
        },
      );
    }
  };
