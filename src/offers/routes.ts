/** Serves the personal offers of one subscriber. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Auth } from '../clients/auth.ts';
import { GatewayError } from '../lib/errors.ts';
import { invalidMobile, mobileRule } from '../lib/field-texts.ts';
import { formType, readNestedForm } from '../lib/http/form.ts';
import { exampleMobile, type MobileFormat, readMobile } from '../lib/mobile.ts';
import { answer } from '../lib/openapi/answer.ts';
import { errorResponses, tokenErrors } from '../lib/openapi/errors.ts';
import { exampleOffer, OfferSchema } from '../lib/openapi/offer.ts';
import { fieldOf } from '../lib/record.ts';
import { type Brands, findSupplier, type Operator, type Registry } from '../operators/registry.ts';
import { supplierFor } from '../operators/supplier.ts';
import type { Offers, OffersAnswer } from './offers.ts';
import { offersToWire } from './wire.ts';

export type OffersRouteDeps = {
  readonly auth: Auth;
  readonly offers: Offers;
  readonly registry: Brands & Pick<Registry, 'tests' | 'byId'>;
  readonly mobile: MobileFormat;
};

export const OffersSchema = Type.Object(
  {
    status: Type.Boolean({ description: 'Whether the operator listed offers for this number.' }),
    ResultCode: Type.Integer({ description: '0 on success; otherwise the code of the operator.' }),
    TransactionID: Type.String({ description: 'The transaction ID of the operator.' }),
    CommandStatus: Type.String({ description: '`Completed` or `Rejected`.' }),
    OrigResponseMessage: Type.String({ description: 'The original message of the operator.' }),
    message: Type.String({ description: 'The message of the operator, for a person to read.' }),
    offersList: Type.Array(OfferSchema, {
      description: 'The offers; empty if the operator refused the request.',
    }),
  },
  { title: 'OfferList', description: 'The personal offers of a subscriber.' },
);

const exampleAnswer = {
  status: true,
  ResultCode: 0,
  TransactionID: '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18',
  CommandStatus: 'Completed',
  OrigResponseMessage: 'Successful.',
  message: 'Successful.',
  offersList: [exampleOffer],
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

/** Numbers are accepted too, and normalized before validation. */
const describeBody = (mobile: MobileFormat) => {
  const example = exampleMobile(mobile);
  const body = Type.Object(
    {
      mobile: Type.Union([Type.String(), Type.Integer()], {
        description: `The mobile number: ${mobileRule(mobile).en}.`,
      }),
    },
    { examples: [{ mobile: example }, { mobile: Number(example) }] },
  );
  return { body, consumes: ['application/json', formType] };
};

const schemaOf = ({ name }: Pick<Operator, 'name'>, isOneOfSeveral: boolean) => ({
  operationId: isOneOfSeveral ? `listOffersOf_${name}` : 'listOffers',
  tags: ['Offers'],
  security: [{ token: [] }],
  summary: isOneOfSeveral ? `List personal offers of ${name}` : 'List personal offers',
  description:
    'Asks the operator for the personal offers of a mobile number. The response is cached for some minutes. During that time you can buy its offers at the prices shown.',
  body: Type.Object({ mobile: Type.String() }),
  response: {
    200: answer(
      OffersSchema,
      'The response of the operator, with or without offers.',
      exampleAnswer,
    ),
    ...errorResponses(
      ...tokenErrors,
      'NOT_FOUND',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'INVALID_MOBILE',
      'OPERATOR_UNAVAILABLE',
    ),
  },
});

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
    app.addContentTypeParser<Buffer>(
      formType,
      { parseAs: 'buffer' },
      async (_: unknown, body: Buffer) => readNestedForm(body),
    );
    const listing = deps.registry.operators.filter(
      ({ connection }) => connection.offers !== undefined,
    );
    for (const operator of listing) {
      app.post(
        `/api/${operator.name}/offers`,
        {
          onRequest: deps.auth.needs('offers'),
          preValidation: readBody,
          config: { describes: describeBody(deps.mobile) },
          schema: schemaOf(operator, listing.length > 1),
        },
        async (request) => {
          const { id: requestId, trace, body, clientTest: test } = request;
          // The current one: its settings may have changed.
          const found = test
            ? findSupplier(deps.registry, supplierFor({ test }, operator.id))
            : (deps.registry.operatorById(operator.id) ?? operator);
          if (found === undefined) throw new GatewayError('NOT_FOUND');
          const origin = { requestId, trace };
          return answerToWire(await deps.offers.list(found, body.mobile, origin));
        },
      );
    }
  };
