/** Serves the back office over HTTP as one plugin, with its own guard, errors and OpenAPI document. */

import swagger from '@fastify/swagger';
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  RouteHandlerMethod,
} from 'fastify';
import { OutcomeUnknown } from '../db/transaction.ts';
import { textsIn } from '../lib/errors.ts';
import type { MobileFormat } from '../lib/mobile.ts';
import { preferredLocale } from '../lib/text.ts';
import { accountRoutes, auditRoutes } from './access/account-routes.ts';
import { type GuardDeps, guard, type Needs } from './access/guard.ts';
import { ownSafetyRoutes } from './access/own/routes.ts';
import { passkeyRoutes } from './access/passkeys/routes.ts';
import { ownRoutes, signInRoutes } from './access/sign-in-routes.ts';
import { importRoutes } from './catalogue/import-routes.ts';
import { type CatalogueAdminDeps, catalogueAdminRoutes } from './catalogue/routes.ts';
import type { ClientsDeps } from './clients/act.ts';
import { moneyRoutes, statementRoutes } from './clients/money-routes.ts';
import { clientRoutes } from './clients/routes.ts';
import { tokenRoutes } from './clients/token-routes.ts';
import { webhookRoutes } from './clients/webhook-routes.ts';
import { AdminError, type AdminErrorCode, adminErrorOf } from './errors.ts';
import type { Exports } from './exports.ts';
import type { OperatorAdminDeps } from './operators/change.ts';
import { operatorAdminRoutes } from './operators/routes.ts';
import { type OverviewRouteDeps, overviewRoutes } from './overview/routes.ts';
import { purchaseActionRoutes } from './purchases/action-routes.ts';
import type { PurchaseParts } from './purchases/actions.ts';
import { purchaseRoutes, purchaseTag } from './purchases/routes.ts';
import type { Unmasking } from './purchases/unmask/unmask.ts';
import { type SettingsRouteDeps, settingsRoutes } from './settings/routes.ts';
import { alsoRefuses } from './wire.ts';

declare module 'fastify' {
  interface FastifyInstance {
    adminSwagger: FastifyInstance['swagger'];
  }
}

/** What the areas of the back office work with, beside what signing in needs. */
export type AreaDeps = Pick<ClientsDeps, 'clients'> &
  OverviewRouteDeps &
  SettingsRouteDeps &
  OperatorAdminDeps & {
    readonly catalogue: CatalogueAdminDeps;
    readonly purchases: PurchaseParts;
    readonly exports: Exports;
    readonly unmasking: Unmasking;
    /** How a number is recognised in a text that others wrote. */
    readonly mobile: MobileFormat;
    /** Hears why a request ended without its end being known, or shown. */
    readonly failed: (requestId: string, err: unknown) => void;
  };

export type AdminRouteDeps = GuardDeps &
  AreaDeps & {
    /** Makes a handler that sends a description of the API, which is rendered once. */
    readonly sendApi: (describe: () => unknown) => RouteHandlerMethod;
  };

/** Whether an address belongs to the back office, and not to clients. */
export const isOfAdmin = (url: string): boolean => url.startsWith('/admin/');

const description = `The back office of a Simgate gateway, for those who run it. Clients have an API of their own.

Signing in creates a **session**, kept in a cookie. Requests that change something must come from a page of the gateway itself: with \`Sec-Fetch-Site: same-origin\`, or with the gateway's own \`Origin\` if the browser does not send that header.

**Errors** have \`message\`, \`code\` and \`request_id\`, and \`errors\` where fields are at fault. Any route may refuse as clients' routes do too, with 422 \`VALIDATION_FAILED\` or 503 \`DATABASE_UNAVAILABLE\`. For requests that change something, 503 \`OUTCOME_UNKNOWN\` means that it is not known whether the change was made, and 503 \`DONE_NOT_SHOWN\` that it was made but cannot be shown now.

\`x-needs\` of a route is what it needs: \`none\` (no session), \`half\` (a session that may wait for its second factor), \`waiting\` (one that waits for it, else 409 \`SIGNED_IN\`), \`enroll\` (one whose role may still require two-factor authentication), \`session\`, or a right of the role. Where \`x-fresh\` is true, the session has to have proved a short time ago whose it is: else 403 \`PROOF_NEEDED\`, then \`POST /admin/api/me/proof\`, then the same again.`;

const beforeEnrolment: ReadonlySet<Needs> = new Set(['none', 'half', 'waiting', 'enroll']);

/** What the guard refuses of a route, beside what its schema says. */
const refusedBy = ({
  adminNeeds: needs,
  adminFresh: fresh,
}: FastifyContextConfig): readonly AdminErrorCode[] => [
  'TOO_MANY_REQUESTS',
  ...(needs !== undefined && beforeEnrolment.has(needs)
    ? []
    : (['SECOND_FACTOR_REQUIRED'] as const)),
  ...(needs === 'waiting' ? (['SIGNED_IN'] as const) : []),
  ...(fresh === true ? (['PROOF_NEEDED'] as const) : []),
];

const describe = (app: FastifyInstance, { version, publicUrl }: AdminRouteDeps): unknown =>
  app.register(swagger, {
    decorator: 'adminSwagger',
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Simgate back office', version, description, license: { name: 'MIT' } },
      servers: [{ url: publicUrl ?? '/' }],
      tags: [
        { name: 'Signing in', description: 'The way in and out.' },
        { name: 'Own account', description: 'What everybody changes for themselves.' },
        { name: 'Overview', description: 'How it goes.' },
        { name: 'Settings', description: 'What is set, here and in the configuration.' },
        { name: 'Accounts', description: 'Who may enter, and as what.' },
        purchaseTag,
        { name: 'Catalogue', description: 'What is sold, at which price.' },
        {
          name: 'Operators',
          description: 'How they are, how they are reached, whether they sell.',
        },
        { name: 'Audit', description: 'Who changed what.' },
        { name: 'Clients', description: 'Who buys: their money, rules, tokens and webhooks.' },
      ],
    },
    transform: ({ schema, url, route }) => ({
      schema: {
        ...schema,
        // Of any route, so that none has to say it.
        response: alsoRefuses(schema?.response, ...refusedBy(route.config ?? {})),
        'x-needs': route.config?.adminNeeds,
        ...(route.config?.adminFresh === true ? { 'x-fresh': true } : {}),
      },
      url,
    }),
  });

/** Its own errors; all others are answered as everywhere. */
const refuse =
  ({ failed }: Pick<AreaDeps, 'failed'>) =>
  async (thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const error =
      thrown instanceof OutcomeUnknown
        ? new AdminError('OUTCOME_UNKNOWN', { cause: thrown })
        : thrown;
    if (!(error instanceof AdminError)) throw error;
    const { code, message, headers, cause } = error;
    if (cause !== undefined) failed(request.id, cause);
    const locale = preferredLocale(request.headers['accept-language']);
    const errors = error.errors && textsIn(error.errors, locale);
    return reply
      .code(adminErrorOf(code).status)
      .headers(headers)
      .header('vary', 'accept-language')
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ message, code, errors, request_id: request.id }));
  };

export const adminRoutes =
  (deps: AdminRouteDeps): FastifyPluginAsync =>
  async (app) => {
    app.setErrorHandler(refuse(deps));
    app.decorateRequest('adminVisit', undefined);
    app.addHook('onRequest', guard(deps));
    await describe(app, deps);
    await app.register(signInRoutes(deps));
    await app.register(ownRoutes(deps));
    await app.register(passkeyRoutes(deps));
    await app.register(ownSafetyRoutes(deps));
    await app.register(overviewRoutes(deps));
    await app.register(settingsRoutes(deps));
    await app.register(accountRoutes(deps));
    await app.register(auditRoutes(deps));
    await app.register(purchaseRoutes(deps));
    await app.register(purchaseActionRoutes(deps));
    await app.register(catalogueAdminRoutes(deps.catalogue));
    await app.register(importRoutes(deps.catalogue));
    await app.register(clientRoutes(deps));
    await app.register(tokenRoutes(deps));
    await app.register(moneyRoutes(deps));
    await app.register(statementRoutes(deps));
    await app.register(webhookRoutes(deps));
    await app.register(operatorAdminRoutes(deps));
    app.get(
      '/admin/openapi.json',
      { config: { adminNeeds: 'none' }, schema: { hide: true } },
      deps.sendApi(() => app.adminSwagger()),
    );
  };
