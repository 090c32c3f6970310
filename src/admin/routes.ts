/** Serves the back office over HTTP as one plugin, with its own guard, errors and OpenAPI document. */

import type {
  FastifyPluginAsyncTypebox,
  TypeBoxTypeProvider,
} from '@fastify/type-provider-typebox';
import type {
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  RouteHandlerMethod,
  RouteOptions,
} from 'fastify';
import { OutcomeUnknown } from '../db/transaction.ts';
import { textsIn } from '../lib/errors.ts';
import type { MobileFormat } from '../lib/mobile.ts';
import { buildDocument } from '../lib/openapi/document.ts';
import { shareParameters } from '../lib/openapi/parameters.ts';
import { preferredLocale } from '../lib/text.ts';
import { accountRoutes } from './access/account-routes.ts';
import { cookieName, type GuardDeps, guard, type Needs } from './access/guard.ts';
import { ownSafetyRoutes } from './access/own/routes.ts';
import { passkeyRoutes } from './access/passkeys/routes.ts';
import { ownRoutes, signInRoutes } from './access/sign-in-routes.ts';
import { type AlarmRouteDeps, alarmRoutes } from './alarms/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { importRoutes } from './catalogue/import-routes.ts';
import { priceChangeRoutes } from './catalogue/price-change-routes.ts';
import { productRoutes } from './catalogue/product-routes.ts';
import { type CatalogueAdminDeps, catalogueAdminRoutes } from './catalogue/routes.ts';
import type { ClientsDeps } from './clients/act.ts';
import { contactRoutes } from './clients/contact-routes.ts';
import { clientListRoutes } from './clients/list-routes.ts';
import { moneyRoutes, statementRoutes } from './clients/money-routes.ts';
import { clientRoutes } from './clients/routes.ts';
import { tokenRoutes } from './clients/token-routes.ts';
import { webhookRoutes } from './clients/webhook-routes.ts';
import { AdminError, adminErrorOf } from './errors.ts';
import type { Exports } from './exports.ts';
import { type FloatDeps, floatRoutes } from './floats/routes.ts';
import { invoiceRoutes, invoicesTag } from './invoices/routes.ts';
import type { OperatorAdminDeps } from './operators/change.ts';
import { operatorAdminRoutes } from './operators/routes.ts';
import { supplierRoutes } from './operators/supplier-routes.ts';
import { type OverviewRouteDeps, overviewRoutes } from './overview/routes.ts';
import type { PricingRouteDeps } from './pricing/request.ts';
import { pricingRoutes } from './pricing/routes.ts';
import { pricesTag } from './pricing/schemas.ts';
import { purchaseActionRoutes } from './purchases/action-routes.ts';
import type { PurchaseParts } from './purchases/actions.ts';
import { purchaseRoutes, purchaseTag } from './purchases/routes.ts';
import type { Unmasking } from './purchases/unmask/unmask.ts';
import { type RoutingRouteDeps, routingRoutes } from './routing/routes.ts';
import { routesTag } from './routing/schemas.ts';
import { type SalesRouteDeps, salesRoutes, salesTag } from './sales/routes.ts';
import { type SettingsRouteDeps, settingsRoutes } from './settings/routes.ts';
import { alsoRefuses } from './wire.ts';

/** What the parts of the back office need, besides signing in. */
export type AreaDeps = Pick<ClientsDeps, 'clients'> &
  OverviewRouteDeps &
  SalesRouteDeps &
  Pick<RoutingRouteDeps, 'routing'> &
  Pick<PricingRouteDeps, 'pricing'> &
  Pick<FloatDeps, 'floats' | 'databaseTime'> &
  SettingsRouteDeps &
  AlarmRouteDeps &
  OperatorAdminDeps & {
    readonly catalogue: CatalogueAdminDeps;
    readonly purchases: PurchaseParts;
    readonly exports: Exports;
    readonly unmasking: Unmasking;
    /** How to recognize a number in others' texts. */
    readonly mobile: MobileFormat;
    /** Receives the cause when a request's outcome is unknown, or cannot be shown. */
    readonly failed: (requestId: string, err: unknown) => void;
  };

export type AdminRouteDeps = GuardDeps &
  AreaDeps & {
    /** Creates a handler for the API document, which is built once from the routes of the server. */
    readonly sendApi: (
      describe: (routes: readonly RouteOptions[]) => unknown,
    ) => RouteHandlerMethod;
  };

/** Whether an address belongs to the back office rather than to clients. */
export const isOfAdmin = (url: string): boolean => url.startsWith('/admin/');

const description = `The API of the back office. Clients have a separate API.

Signing in creates a **session** in a cookie. Requests that change something must come from a page of the gateway: with \`Sec-Fetch-Site: same-origin\`, or with the gateway's own \`Origin\` if the browser does not send that header.

**Errors** have \`message\`, \`code\` and \`request_id\`, and \`errors\` if fields are invalid. After a change, 503 \`OUTCOME_UNKNOWN\` means that it may or may not have been made. 503 \`DONE_NOT_SHOWN\` means that it was made, but its result cannot be read now.

\`x-needs\` says what a route requires:

- \`none\`: no session.
- \`half\`: a session, even before its second factor.
- \`waiting\`: a session that waits for its second factor; otherwise 409 \`SIGNED_IN\`.
- \`enroll\`: a session, even before its role's two-factor authentication is set up.
- \`session\`: a complete session.
- Any other value: a right of the role.

\`x-fresh: true\` means that you must have confirmed your identity recently. On 403 \`PROOF_NEEDED\`, call \`POST /admin/api/me/proof\` and send the request again.`;

const beforeEnrolment: ReadonlySet<Needs> = new Set(['none', 'half', 'waiting', 'enroll']);

const bodyErrors = ['MALFORMED_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const;

const isWrite = ({ method }: Pick<RouteOptions, 'method'>): boolean =>
  [method].flat().some((one) => one !== 'GET' && one !== 'HEAD');

/** The errors of a route beside those in its schema: of the guard, of its input and of the database. */
const refusedBy = (route: Pick<RouteOptions, 'config' | 'method' | 'schema'>) => {
  const { adminNeeds: needs, adminFresh: fresh } = route.config ?? {};
  const { body, querystring } = route.schema ?? {};
  return [
    'TOO_MANY_REQUESTS',
    ...(needs !== undefined && beforeEnrolment.has(needs)
      ? []
      : (['SECOND_FACTOR_REQUIRED'] as const)),
    ...(needs === 'waiting' ? (['SIGNED_IN'] as const) : []),
    ...(fresh === true ? (['PROOF_NEEDED'] as const) : []),
    ...(body === undefined ? [] : bodyErrors),
    ...(body === undefined && querystring === undefined ? [] : (['VALIDATION_FAILED'] as const)),
    'INTERNAL_ERROR',
    'OVERLOADED',
    'DRAINING',
    'DATABASE_UNAVAILABLE',
    ...(isWrite(route) ? (['OUTCOME_UNKNOWN', 'DONE_NOT_SHOWN'] as const) : []),
  ] as const;
};

const tags = [
  { name: 'Sign-in', description: 'Sign in and out.' },
  { name: 'Own account', description: 'Your password, two-factor authentication and sessions.' },
  { name: 'Overview', description: 'Sales figures and operator status.' },
  salesTag,
  invoicesTag,
  { name: 'Settings', description: 'Settings of the console, and the configuration.' },
  { name: 'Accounts', description: 'Accounts of the back office and their roles.' },
  purchaseTag,
  { name: 'Catalogue', description: 'Products, prices and imports.' },
  routesTag,
  pricesTag,
  { name: 'Operators', description: 'Status, settings and suspension of operators and suppliers.' },
  { name: 'Audit', description: 'The audit log.' },
  { name: 'Clients', description: 'Clients: balance, rules, tokens and webhooks.' },
];

const describeSession = (publicUrl: string | undefined) => ({
  type: 'apiKey',
  in: 'cookie',
  name: cookieName(publicUrl?.startsWith('https:') === true),
  description:
    'The session cookie, which `POST /admin/api/login` sets. Over https its name is `__Host-simgate-admin`.',
});

const describeRoute = (route: RouteOptions) => {
  const { method, url, schema, config } = route;
  return {
    method,
    url,
    schema: {
      ...schema,
      // On every route, so that none has to repeat it.
      response: alsoRefuses(schema?.response, ...refusedBy(route)),
      security: config?.adminNeeds === 'none' ? [] : [{ session: [] }],
      'x-needs': config?.adminNeeds,
      ...(config?.adminFresh === true ? { 'x-fresh': true } : {}),
    },
  };
};

const describeApi =
  ({ version, publicUrl }: AdminRouteDeps) =>
  (routes: readonly RouteOptions[]) => {
    const components = { securitySchemes: { session: describeSession(publicUrl) } };
    const api = { title: 'Simgate admin API', version, description, publicUrl, tags, components };
    const own = routes.filter(({ url }) => isOfAdmin(url));
    return shareParameters(buildDocument(api, own.map(describeRoute)));
  };

/** Its own errors; all others are answered as everywhere. */
const refuse =
  ({ failed }: Pick<AreaDeps, 'failed'>) =>
  async (thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const error =
      thrown instanceof OutcomeUnknown
        ? new AdminError('OUTCOME_UNKNOWN', { cause: thrown })
        : thrown;
    if (!(error instanceof AdminError)) throw error;
    const { code, text, headers, cause } = error;
    if (cause !== undefined) failed(request.id, cause);
    const locale = preferredLocale(request.headers['accept-language']);
    const errors = error.errors && textsIn(error.errors, locale);
    return reply
      .code(adminErrorOf(code).status)
      .headers(headers)
      .header('vary', 'accept-language')
      .header('content-language', locale)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ message: text[locale], code, errors, request_id: request.id }));
  };

export const adminRoutes =
  (deps: AdminRouteDeps): FastifyPluginAsync =>
  async (app) => {
    app.setErrorHandler(refuse(deps));
    app.decorateRequest('adminVisit', undefined);
    app.addHook('onRequest', guard(deps));
    const typed = app.withTypeProvider<TypeBoxTypeProvider>();
    // Without a context of their own, which takes time: only routes with hooks or parsers are registered.
    const add = (plugin: FastifyPluginAsyncTypebox): Promise<void> => plugin(typed, {});
    await add(signInRoutes(deps));
    await add(ownRoutes(deps));
    await add(passkeyRoutes(deps));
    await add(ownSafetyRoutes(deps));
    await add(overviewRoutes(deps));
    await add(salesRoutes(deps));
    await add(settingsRoutes(deps));
    await add(alarmRoutes(deps));
    await add(accountRoutes(deps));
    await add(auditRoutes(deps));
    await add(purchaseRoutes(deps));
    await add(purchaseActionRoutes(deps));
    await add(catalogueAdminRoutes(deps.catalogue));
    await add(productRoutes(deps.catalogue));
    await add(priceChangeRoutes(deps.catalogue));
    await app.register(importRoutes(deps.catalogue));
    await add(routingRoutes(deps));
    await add(pricingRoutes(deps));
    await add(invoiceRoutes(deps));
    await add(clientListRoutes(deps));
    await add(clientRoutes(deps));
    await add(contactRoutes(deps));
    await add(tokenRoutes(deps));
    await add(moneyRoutes(deps));
    await add(statementRoutes(deps));
    await add(webhookRoutes(deps));
    await add(operatorAdminRoutes(deps));
    await add(supplierRoutes(deps));
    await add(floatRoutes(deps));
    app.get(
      '/admin/openapi.json',
      { config: { adminNeeds: 'none' }, schema: { hide: true } },
      deps.sendApi(describeApi(deps)),
    );
  };
