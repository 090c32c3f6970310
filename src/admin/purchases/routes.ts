/** Serves the purchase search over HTTP: pages, a CSV file, and one purchase in detail. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { dropEmpty } from '../../lib/http/query.ts';
import { readTypedMobile } from '../../lib/mobile.ts';
import { answer } from '../../lib/openapi/answer.ts';
import { examplePurchase } from '../../purchases/inquiry/wire.ts';
import type { CurrentSettings } from '../../settings/current.ts';
import { actorIn, type GuardDeps, visitIn } from '../access/guard.ts';
import { mayDo } from '../access/roles.ts';
import { type Change, transact, writeAudit } from '../audit/audit.ts';
import { AdminError } from '../errors.ts';
import type { Exports } from '../exports.ts';
import { maskFor } from '../mask.ts';
import { csvFile, guarded, refusals, textOrNull } from '../wire.ts';
import type { PurchaseParts } from './actions.ts';
import { mostRows, printPurchases } from './csv.ts';
import { readDetail } from './detail.ts';
import { exampleDetail } from './example-detail.ts';
import {
  FilterSchema,
  maskQuery,
  type Query,
  readLimit,
  readSearchFilter,
  SearchSchema,
} from './filter.ts';
import { createSearchRecorder } from './record-search.ts';
import { filterOf, search, totalsOf } from './search.ts';
import { DetailSchema, exampleRow, type Names, RowSchema, rowToWire } from './wire.ts';

export type PurchaseRouteDeps = GuardDeps & {
  readonly purchases: PurchaseParts;
  readonly exports: Exports;
  readonly settings: Pick<CurrentSettings, 'current'>;
};

export const purchaseTag = {
  name: 'Purchases',
  description: 'Search purchases, inquire, and decide.',
};

const common = { tags: [purchaseTag.name] };

export const params = Type.Object({
  purchase_id: Type.String({
    description: 'The ID of the purchase.',
    examples: [examplePurchase.id],
  }),
});

/** What rows need to be shown to the caller. */
export const namesFor = (request: FastifyRequest, { mobile, catalogue }: PurchaseParts): Names => ({
  mobile,
  others: maskFor(visitIn(request).account.role, mobile),
  product: (id) => catalogue().product(id),
});

const schemas = {
  search: {
    ...common,
    operationId: 'searchPurchases',
    summary: 'Search purchases',
    description:
      'Lists purchases of all clients that match every filter, newest first unless `order` says otherwise. The filters are in the body because browsers and proxies keep addresses. A search by mobile number is written to the audit log. A page examines about 10,000 purchases at most: if few of them match, it may be short or empty and still have a `next`.',
    body: SearchSchema,
    response: {
      200: answer(
        Type.Object({
          data: Type.Array(RowSchema, { description: 'The purchases of the page.' }),
          next: textOrNull('Send it as `before` for the next page; null on the last page.'),
        }),
        'A page of purchases.',
        { data: [exampleRow], next: null },
      ),
      ...refusals(...guarded, 'NUMBER_SEARCH_REFUSED'),
    },
  },
  totals: {
    ...common,
    operationId: 'sumPurchases',
    summary: 'Add up purchases',
    description:
      'Counts the purchases that match every filter, and adds up their amounts. It examines about 10,000 purchases at most, the newest first: if there are more, `complete` is false and the totals are of those.',
    body: FilterSchema,
    response: {
      200: answer(
        Type.Object({
          count: Type.Integer({ description: 'How many purchases match.' }),
          amount: Type.Integer({ description: 'Their amounts, added up.' }),
          complete: Type.Boolean({ description: 'Whether all purchases were examined.' }),
        }),
        'The totals.',
        { count: 12, amount: 5_016_000, complete: true },
      ),
      ...refusals(...guarded, 'NUMBER_SEARCH_REFUSED'),
    },
  },
  get: {
    ...common,
    operationId: 'getPurchase',
    summary: 'Get a purchase',
    description:
      'Returns the purchase with its history, callbacks, ledger entries, webhook messages and decisions.',
    params,
    response: {
      200: answer(DetailSchema, 'The purchase.', exampleDetail),
      ...refusals(...guarded, 'PURCHASE_NOT_FOUND'),
    },
  },
  csv: {
    ...common,
    operationId: 'exportPurchases',
    summary: 'Export purchases',
    description: `Exports the purchases of a search as CSV, newest first, up to ${mostRows} rows. If there are more, the last line says so. The export is written to the audit log.`,
    body: FilterSchema,
    response: {
      200: csvFile,
      ...refusals(...guarded, 'NUMBER_SEARCH_REFUSED', 'EXPORT_BUSY'),
    },
  },
};

const config = { adminNeeds: 'read' } as const;
const base = '/admin/api/purchases';

export const purchaseRoutes =
  (deps: PurchaseRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, purchases } = deps;
    const { mobile } = purchases;
    const note = createSearchRecorder(deps, mobile);
    const preValidation = async ({ body }: { readonly body: unknown }): Promise<void> => {
      if (typeof body === 'object' && body !== null) dropEmpty(body);
    };
    /** Roles without the right to numbers learn nothing about one, not even whether it is valid. */
    const wantedBy = (request: FastifyRequest, asked: Query) => {
      const numbers = mayDo(visitIn(request).account.role, 'unmask');
      if (!numbers && asked.number !== undefined) throw new AdminError('NUMBER_SEARCH_REFUSED');
      return { wanted: readSearchFilter(asked, mobile), seeing: { mobile, numbers } };
    };

    /** The filter of a search, which is recorded if it is for a number; undefined if nothing can match. */
    const searchedBy = async (request: FastifyRequest, asked: Query) => {
      const { wanted, seeing } = wantedBy(request, asked);
      const filter = await filterOf(db, wanted, seeing);
      const { text = '' } = wanted;
      const number = filter === undefined ? readTypedMobile(text, mobile) : filter.number;
      if (number !== undefined) await note(actorIn(request), number);
      return filter;
    };

    const options = { config, preValidation, schema: schemas.search };
    app.post(`${base}/search`, options, async (request) => {
      const { before, order, ...body } = request.body;
      const limit = readLimit(body.limit);
      const filter = await searchedBy(request, body);
      if (filter === undefined) return { data: [], next: null };
      const { rows, next } = await search(db, filter, { before, order, limit, piece: 'page' });
      const names = namesFor(request, purchases);
      return { data: rows.map((row) => rowToWire(row, names)), next };
    });

    const totals = { config, preValidation, schema: schemas.totals };
    app.post(`${base}/totals`, totals, async (request) => {
      const filter = await searchedBy(request, request.body);
      return filter === undefined ? { count: 0, amount: 0, complete: true } : totalsOf(db, filter);
    });

    app.get(`${base}/:purchase_id`, { config, schema: schemas.get }, async (request) => {
      const names = namesFor(request, purchases);
      const { role } = visitIn(request).account;
      return readDetail(db, request.params.purchase_id, { role, names });
    });

    app.post(
      `${base}/export`,
      { config, preValidation, schema: schemas.csv },
      async (request, reply) => {
        const { account } = visitIn(request);
        const { wanted, seeing } = wantedBy(request, request.body);
        const { body, ...reading } = deps.exports.open(account.id, reply.raw);
        const filter = await filterOf(db, wanted, seeing);
        const names = namesFor(request, purchases);
        const { currency } = deps.settings.current();
        const after = maskQuery(request.body, mobile);
        const change: Change = { action: 'purchase export', subject: 'purchases', after };
        await transact(deps, (db) => writeAudit(db, deps, actorIn(request), change));
        return reply
          .type('text/csv; charset=utf-8; header=present')
          .header('content-disposition', 'attachment; filename="purchases.csv"')
          .header('x-most-rows', `${mostRows}`)
          .send(body(printPurchases(db, filter, { names, currency, ...reading })));
      },
    );
  };
