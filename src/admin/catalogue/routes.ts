/** Serves the catalogue in the back office over HTTP: lists, switches and prices. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static, TObject } from 'typebox';
import { printCatalogue } from '../../catalogue/file/file.ts';
import type { Snapshot } from '../../catalogue/snapshot.ts';
import type { Db } from '../../db/types.ts';
import { nextTurn } from '../../lib/clock.ts';
import { GatewayError } from '../../lib/errors.ts';
import { mustBe } from '../../lib/field-texts.ts';
import { dropEmptyQuery } from '../../lib/http/query.ts';
import type { Turn } from '../../lib/time-slices.ts';
import type { Currency } from '../../settings/currency.ts';
import { actorIn, visitIn } from '../access/guard.ts';
import { AdminError } from '../errors.ts';
import type { Exports } from '../exports.ts';
import { createListing } from './listing.ts';
import { type PricesBody, previewToWire } from './price-wire.ts';
import { type PriceChange, readPercent } from './prices.ts';
import { schemas } from './schemas.ts';
import { type ListQuery, oneToWire, rowToWire, type ViewQuery } from './wire.ts';
import type { Done, PricesJob } from './worker/messages.ts';
import type { CatalogueWorker } from './worker/worker.ts';

export type CatalogueAdminDeps = {
  readonly db: Db;
  readonly snapshot: () => Snapshot;
  /** Shows a change immediately. */
  readonly reload: () => Promise<void>;
  readonly worker: CatalogueWorker;
  readonly exports: Exports;
  /** Of all prices. */
  readonly currency: () => Currency | null;
  /** The products whose prices are the operator's. */
  readonly personalOffers: readonly number[];
  /** Receives unexpected errors. */
  readonly failed: (error: unknown) => void;
};

const mostRows = 100;
const usualRows = 50;

const numberIn = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);

type View = Static<TObject<typeof ViewQuery>>;

const viewOf = (query: View) => ({
  filter: {
    search: query.search,
    operatorId: numberIn(query.operator_id),
    categoryId: numberIn(query.category_id),
    type: query.type,
    simCardType: query.sim_card_type,
    on: query.on === undefined ? undefined : query.on === '1',
    priceFrom: numberIn(query.price_from),
    priceTo: numberIn(query.price_to),
  },
  sort: query.sort ?? 'id',
  order: query.order ?? 'asc',
});

const listOptionsOf = (query: Static<typeof ListQuery>) => ({
  ...viewOf(query),
  page: numberIn(query.page) ?? 1,
  limit: Math.min(numberIn(query.limit) ?? usualRows, mostRows),
});

const changeIn = ({
  percent,
  amount,
  price,
}: {
  readonly percent?: string;
  readonly amount?: number;
  readonly price?: number;
}): PriceChange => {
  if (amount !== undefined) return { amount };
  if (price !== undefined) return { price };
  const read = readPercent(percent ?? '');
  if (read !== undefined) return { percent: read };
  const rule = { en: 'a number such as 5.5 or -5.5', fa: 'عددی مانند 5.5 یا -5.5' };
  const errors = { 'change.percent': [mustBe('change.percent', rule)] };
  throw new GatewayError('VALIDATION_FAILED', { errors });
};

type Prices = { readonly [Name in keyof typeof PricesBody]: Static<(typeof PricesBody)[Name]> };

const filterOf = ({
  operator_id: operatorId,
  category_id: categoryId,
  sim_card_type: simCardType,
  price_from: priceFrom,
  price_to: priceTo,
  ...others
}: NonNullable<Prices['which']['filter']>) => ({
  operatorId,
  categoryId,
  simCardType,
  priceFrom,
  priceTo,
  ...others,
});

const jobOf = ({
  which,
  change,
  fields = ['price'],
  round_to: roundTo = 1,
}: Pick<Prices, 'which' | 'change'> & Partial<Prices>): Pick<
  PricesJob,
  'kind' | 'which' | 'update'
> => ({
  kind: 'prices',
  which:
    which.product_ids === undefined
      ? { filter: filterOf(which.filter ?? {}) }
      : { productIds: which.product_ids },
  update: { change: changeIn(change), fields, roundTo },
});

const isKind = <Kind extends Done['kind']>(
  done: Done,
  kind: Kind,
): done is Extract<Done, { readonly kind: Kind }> => done.kind === kind;

/** A job's result, validated. */
export const resultOf = <Kind extends Done['kind']>(
  done: Done,
  kind: Kind,
): Extract<Done, { readonly kind: Kind }> => {
  if (!isKind(done, kind)) throw new Error(`The thread answers ${done.kind}, not ${kind}.`);
  return done;
};

/** Joined, because the stream takes longer per line than the printing. */
const linesAtATime = 200;

/** A file in pieces, yielding between two of them. */
async function* inPieces(lines: Iterable<string>, rest: Turn): AsyncGenerator<string> {
  let [piece, count] = ['', 0];
  for (const line of lines) {
    piece += line;
    count += 1;
    if (count % linesAtATime > 0) continue;
    yield piece;
    piece = '';
    await rest();
  }
  yield piece;
}

const fileTypes = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
} as const;

const base = '/admin/api/catalogue';
const reading = { adminNeeds: 'read' } as const;
const changing = { adminNeeds: 'catalogue' } as const;

const readingRoutes =
  ({ snapshot, exports, currency }: CatalogueAdminDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const listing = createListing(snapshot, nextTurn);
    const options = { config: reading, schema: schemas.list };

    app.addHook('preValidation', dropEmptyQuery);

    app.get(`${base}/products`, options, async ({ query }) => {
      const { products, total, version } = await listing.products(listOptionsOf(query));
      return { data: products.map(rowToWire), total, version };
    });

    app.get(
      `${base}/products/:product_id`,
      { config: reading, schema: schemas.one },
      async ({ params }) => {
        const product = snapshot().product(Number(params.product_id));
        if (product === undefined) throw new AdminError('PRODUCT_NOT_FOUND');
        return oneToWire(product);
      },
    );

    app.get(`${base}/categories`, { config: reading, schema: schemas.categories }, async () => ({
      data: listing.categories().map((one) => ({ ...one })),
    }));

    app.get(
      `${base}/export`,
      { config: reading, schema: schemas.export },
      async (request, reply) => {
        const { format = 'csv' } = request.query;
        const { body, rest } = exports.open(visitIn(request).account.id, reply.raw);
        const found = await listing.view(viewOf(request.query));
        const products = found.values().map(({ product }) => product);
        return reply
          .type(fileTypes[format])
          .header('content-disposition', `attachment; filename="products.${format}"`)
          .send(body(inPieces(printCatalogue(products, format, currency()), rest)));
      },
    );
  };

/** A change is committed even if it cannot be shown yet: the watch for changes shows it later. */
export const showChange = ({
  reload,
  failed,
}: Pick<CatalogueAdminDeps, 'reload' | 'failed'>): Promise<void> => reload().catch(failed);

const changingRoutes =
  (deps: CatalogueAdminDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { worker, personalOffers } = deps;

    app.post(`${base}/switch`, { config: changing, schema: schemas.switch }, async (request) => {
      const { product_ids: productIds, on } = request.body;
      const actor = actorIn(request);
      const done = await worker.run({ kind: 'switch', productIds, on, actor });
      const { changed, version } = resultOf(done, 'changed');
      await showChange(deps);
      return { changed, version };
    });

    app.post(
      `${base}/prices/preview`,
      { config: changing, schema: schemas.preview },
      async (request) => {
        const actor = actorIn(request);
        const job = { ...jobOf(request.body), personalOffers, digest: undefined, actor };
        return previewToWire(resultOf(await worker.run(job), 'prices').preview);
      },
    );

    app.post(`${base}/prices`, { config: changing, schema: schemas.prices }, async (request) => {
      const actor = actorIn(request);
      const { digest, ...body } = request.body;
      const done = await worker.run({ ...jobOf(body), personalOffers, digest, actor });
      const { changed, version, changeId } = resultOf(done, 'priced');
      await showChange(deps);
      return { changed, version, change_id: changeId };
    });
  };

export const catalogueAdminRoutes =
  (deps: CatalogueAdminDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    await app.register(readingRoutes(deps));
    await changingRoutes(deps)(app, {});
  };
