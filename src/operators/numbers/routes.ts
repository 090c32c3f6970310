/** Serves number lookups: by the prefix table, and by asking the operator. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import type { Auth } from '../../clients/auth.ts';
import type { Config } from '../../config/config.ts';
import type { Call } from '../../connector/call.ts';
import { GatewayError } from '../../lib/errors.ts';
import { invalidMobile, mustBe } from '../../lib/field-texts.ts';
import { dropEmptyQuery, optionalText } from '../../lib/http/query.ts';
import { exampleMobile, type MobileFormat, readMobile } from '../../lib/mobile.ts';
import { answer } from '../../lib/openapi/answer.ts';
import { errorResponses, tokenErrors } from '../../lib/openapi/errors.ts';
import { readPositive } from '../../lib/page.ts';
import type { Admission } from '../admission.ts';
import { type Brand, type Brands, findSupplier, type Registry } from '../registry.ts';
import { supplierFor } from '../supplier.ts';
import { prefixTable } from './prefixes.ts';

export type NumberRouteDeps = {
  readonly auth: Auth;
  readonly registry: Brands & Pick<Registry, 'tests' | 'byId'>;
  readonly mobile: MobileFormat;
  readonly admission: Admission;
  readonly call: Call;
  readonly config: Pick<Config, 'operators'>;
};

const SaidSchema = Type.Union(
  [
    Type.Object({
      operator_id: Type.Integer({ description: 'The ID of the operator that was asked.' }),
      subscriber: Type.Boolean({
        description: 'Whether the number is a subscriber of this operator.',
      }),
      sim_card_type: Type.Union([Type.Literal('credit'), Type.Literal('permanent'), Type.Null()], {
        description:
          '`credit` (prepaid) or `permanent` (postpaid); null if it is not a subscriber.',
      }),
    }),
    Type.Null(),
  ],
  { description: 'The answer of the operator; null if it does not know or was not asked.' },
);

export const NumberSchema = Type.Object(
  {
    mobile: Type.String({ description: 'The mobile number.' }),
    operator_id: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'The operator that issued the number, by its prefix; null if the prefix is unknown. The number may have been ported since.',
    }),
    operator: Type.Union([Type.String(), Type.Null()], {
      description: 'The name of that operator.',
    }),
    said: SaidSchema,
  },
  { title: 'NumberLookup', description: 'The operator of a mobile number.' },
);

type Said = Static<typeof SaidSchema>;

const ask = async (
  { admission, call, registry }: NumberRouteDeps,
  { id: operatorId }: Brand,
  { mobile, test }: { readonly mobile: string; readonly test: boolean },
): Promise<Said> => {
  const supplier = findSupplier(registry, supplierFor({ test }, operatorId));
  if (supplier === undefined) return null;
  const { id, connection } = supplier;
  const { subscriber, deadlineMs } = connection;
  if (subscriber === undefined) return null;
  const leave = admission.enter(id);
  try {
    const asked = { operatorId: id, kind: 'subscriber' } as const;
    const result = await call(deadlineMs, () => subscriber(mobile), asked);
    const answer = result.kind === 'answer' ? result.value : result;
    admission.recordOutcome(id, 'question', answer);
    if (answer.kind === 'unknown') {
      throw new GatewayError('OPERATOR_UNAVAILABLE', { headers: { 'retry-after': '5' } });
    }
    return answer.kind === 'subscriber'
      ? { operator_id: operatorId, subscriber: true, sim_card_type: answer.simType }
      : { operator_id: operatorId, subscriber: false, sim_card_type: null };
  } finally {
    leave();
  }
};

/** The operator that a query names, or undefined if it names none. */
const chosen = (registry: Brands, text: string | undefined): Brand | undefined => {
  if (text === undefined) return undefined;
  const operator = registry.operatorById(readPositive(text) ?? 0);
  if (operator !== undefined) return operator;
  const ids = registry.operators.map(({ id }) => id).join(', ');
  throw new GatewayError('VALIDATION_FAILED', {
    errors: { operator_id: [mustBe('operator_id', { en: `one of ${ids}`, fa: `یکی از ${ids}` })] },
  });
};

const readNumber = (text: string, format: MobileFormat): string => {
  const mobile = readMobile(text, format);
  if (mobile !== undefined) return mobile;
  throw new GatewayError('INVALID_MOBILE', invalidMobile(format));
};

const schemaFor = (mobile: string) => {
  const example = {
    mobile,
    operator_id: 2,
    operator: 'operator_2',
    said: { operator_id: 2, subscriber: true, sim_card_type: 'credit' },
  } as const satisfies Static<typeof NumberSchema>;
  return {
    tags: ['Operators'],
    security: [{ token: [] }],
    operationId: 'lookUpNumber',
    summary: 'Look up a mobile number',
    description:
      'Returns the operator that issued the number, by its prefix, and asks that operator about the subscriber. For a ported number, pass `operator_id`. Then buy a product of the new operator, with `ported=1` if the gateway checks prefixes.',
    params: Type.Object({
      mobile: Type.String({ description: 'The mobile number.', examples: [mobile] }),
    }),
    querystring: Type.Object({
      operator_id: optionalText(
        'The ID of the operator to ask. Default: the operator of the prefix.',
        '2',
      ),
    }),
    response: {
      200: answer(NumberSchema, 'The operator of the number.', example),
      ...errorResponses(
        ...tokenErrors,
        'VALIDATION_FAILED',
        'INVALID_MOBILE',
        'OPERATOR_UNAVAILABLE',
      ),
    },
  };
};

export const numberRoutes =
  (deps: NumberRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { registry } = deps;
    const operatorOf = prefixTable(deps.config.operators);
    const options = {
      onRequest: deps.auth.needs('offers'),
      preValidation: dropEmptyQuery,
      schema: schemaFor(exampleMobile(deps.mobile)),
    };
    app.get('/api/numbers/:mobile', options, async (request) => {
      const { clientTest: test } = request;
      const mobile = readNumber(request.params.mobile, deps.mobile);
      const named = chosen(registry, request.query.operator_id);
      const id = operatorOf(mobile);
      const byPrefix = id === undefined ? undefined : registry.operatorById(id);
      const asked = named ?? byPrefix;
      return {
        mobile,
        operator_id: byPrefix?.id ?? null,
        operator: byPrefix?.name ?? null,
        said: asked === undefined ? null : await ask(deps, asked, { mobile, test }),
      };
    });
  };
