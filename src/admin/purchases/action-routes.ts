/** Serves the actions on one purchase over HTTP: inquire, decide, show its number. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { answer } from '../../lib/openapi/answer.ts';
import { actorIn, visitIn } from '../access/guard.ts';
import { afterCommit } from '../audit/audit.ts';
import { maskNumber } from '../mask.ts';
import { bodyOf, guarded, refusals } from '../wire.ts';
import {
  decideResolution,
  inquireNow,
  inquiryOutcomes,
  previewResolution,
  shortestReason,
} from './actions.ts';
import { readDetail } from './detail.ts';
import { exampleDetail } from './example-detail.ts';
import { namesFor, type PurchaseRouteDeps, params, purchaseTag } from './routes.ts';
import { type UnmaskDeps, unmask } from './unmask/unmask.ts';
import { DetailSchema, EvidenceSchema, factToWire, MoneySchema } from './wire.ts';

const common = { tags: [purchaseTag.name], params };
const ofOne = [...guarded, 'PURCHASE_NOT_FOUND'] as const;

const reason = (maxLength: number) =>
  Type.String({
    minLength: shortestReason,
    maxLength,
    description: 'The reason, for the audit log.',
  });
const verdict = Type.Enum(['succeeded', 'failed'], {
  description: '`succeeded`: it was delivered. `failed`: it was not.',
});
const exampleMoney = { code: 'charged', amount: 418_000 } as const;
const exampleReason = 'The subscriber confirmed it by telephone.';

const schemas = {
  inquire: {
    ...common,
    operationId: 'inquirePurchase',
    summary: 'Send an inquiry to the operator',
    description:
      'Asks the operator about an open purchase now. The answer settles the purchase by the usual rules.',
    body: bodyOf({ reason: reason(200) }, { reason: exampleReason }),
    response: {
      200: answer(
        Type.Object({
          outcome: Type.Enum([...inquiryOutcomes], { description: 'The answer of the operator.' }),
          words: Type.String({ description: 'The same, and what came of it, in words.' }),
          purchase: DetailSchema,
        }),
        'The result of the inquiry.',
        {
          outcome: 'delivered',
          words: 'The operator says that it was delivered. It is sold.',
          purchase: exampleDetail,
        },
      ),
      ...refusals(...ofOne, 'NOT_OPEN', 'PURCHASE_BUSY', 'OPERATOR_NOT_CONFIGURED', 'NO_INQUIRIES'),
    },
  },
  preview: {
    ...common,
    operationId: 'previewResolution',
    summary: 'Preview a decision',
    description: 'Asks the operator again and collects the evidence. Nothing is decided.',
    body: bodyOf({ verdict }, { verdict: 'succeeded' }),
    response: {
      200: answer(
        Type.Object({
          evidence: Type.Array(EvidenceSchema, {
            description: 'The evidence for and against the decision.',
          }),
          contradicted: Type.Boolean({
            description: 'Whether the evidence contradicts the decision, so that it needs `force`.',
          }),
          money: MoneySchema,
          version: Type.String({ description: 'Send it with the decision.' }),
        }),
        'The preview.',
        {
          evidence: [{ says: 'delivered', fact: { code: 'now_delivered', values: {} } }],
          contradicted: false,
          money: exampleMoney,
          version: '3-7',
        },
      ),
      ...refusals(...ofOne, 'NOT_UNDECIDED'),
    },
  },
  decide: {
    ...common,
    operationId: 'resolvePurchase',
    summary: 'Decide a purchase',
    description:
      'Decides a purchase that is in review or disputed. The operator is asked again. A decision against its answer needs `force`.',
    body: bodyOf(
      {
        verdict,
        reason: reason(500),
        force: Type.Optional(Type.Boolean({ description: 'Decide even against the evidence.' })),
        version: Type.String({ maxLength: 64, description: 'The `version` of the preview.' }),
      },
      { verdict: 'succeeded', reason: exampleReason, version: '3-7' },
    ),
    response: {
      200: answer(
        Type.Object({
          money: MoneySchema,
          forced: Type.Boolean({
            description: 'Whether the decision was made against the evidence.',
          }),
          purchase: DetailSchema,
        }),
        'The purchase was decided.',
        { money: exampleMoney, forced: false, purchase: exampleDetail },
      ),
      ...refusals(...ofOne, 'NOT_UNDECIDED', 'PURCHASE_CHANGED', 'EVIDENCE_AGAINST'),
    },
  },
  number: {
    ...common,
    operationId: 'unmaskPurchase',
    summary: 'Show the mobile number',
    description:
      'Your access and its reason are written to the audit log before the number is returned. Each account has an hourly and a daily limit.',
    body: bodyOf({ reason: reason(200) }, { reason: exampleReason }),
    response: {
      200: answer(
        Type.Object({ mobile: Type.String({ description: 'The full mobile number.' }) }),
        'The mobile number.',
        { mobile: '989123456700' },
      ),
      ...refusals(...ofOne, 'UNMASK_LIMIT_REACHED'),
    },
  },
};

const one = '/admin/api/purchases/:purchase_id';
const resolving = { adminNeeds: 'resolve' } as const;

export const purchaseActionRoutes =
  (deps: PurchaseRouteDeps & UnmaskDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, purchases } = deps;
    /** The purchase after the action. */
    const shown = async (request: FastifyRequest, id: string) =>
      readDetail(db, id, {
        role: visitIn(request).account.role,
        names: namesFor(request, purchases),
      });

    const inquire = { config: resolving, schema: schemas.inquire };
    app.post(`${one}/inquire`, inquire, async (request) => {
      const { purchase_id: id } = request.params;
      const inquired = await inquireNow(deps, actorIn(request), id, request.body.reason);
      return { ...inquired, purchase: await afterCommit(() => shown(request, id)) };
    });

    const preview = { config: resolving, schema: schemas.preview };
    app.post(`${one}/resolution/preview`, preview, async ({ params, body }) => {
      const found = await previewResolution(deps, params.purchase_id, body.verdict);
      const { purchase, evidence, contradicted, money, version } = found;
      const mask = maskNumber(purchase.mobile, purchases.mobile);
      const shown = evidence.map(({ says, fact }) => ({ says, fact: factToWire(fact, mask) }));
      return { evidence: shown, contradicted, money, version };
    });

    const decide = { config: resolving, schema: schemas.decide };
    app.post(`${one}/resolution`, decide, async (request) => {
      const { purchase_id: id } = request.params;
      const done = await decideResolution(deps, actorIn(request), id, request.body);
      const purchase = await afterCommit(() => shown(request, id));
      return { money: done.money, forced: done.forced, purchase };
    });

    const number = { config: { adminNeeds: 'unmask' }, schema: schemas.number } as const;
    app.post(`${one}/number`, number, async (request) => {
      const { params, body } = request;
      return { mobile: await unmask(deps, actorIn(request), params.purchase_id, body.reason) };
    });
  };
