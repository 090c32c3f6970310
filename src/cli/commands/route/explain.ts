/** Defines the command that explains which routes a purchase would take, without buying. */
import { readCatalogue } from '../../../catalogue/read.ts';
import { inSnapshot } from '../../../db/engine.ts';
import type { Db } from '../../../db/types.ts';
import { daysIn } from '../../../lib/business-day.ts';
import { UsageError } from '../../../lib/errors.ts';
import { readTime } from '../../../lib/time.ts';
import { rowFor } from '../../../operators/settings/sealed.ts';
import { listSettings, listSuspensions } from '../../../operators/settings/store.ts';
import { coversCost, floatOf } from '../../../purchases/floats/float.ts';
import { emptyBooks, readBooks } from '../../../purchases/floats/store.ts';
import type { RouteRequest } from '../../../routing/choose.ts';
import { codeWords, type ExplainedRoute, explainRoutes } from '../../../routing/explain.ts';
import { listRoutes } from '../../../routing/store.ts';
import { readSettings } from '../../../settings/settings.ts';
import {
  type Arguments,
  type Command,
  InvalidUsage,
  iso,
  operand,
  readAmount,
  table,
  textOption,
  withDatabase,
} from '../../definition.ts';
import { databaseTime, dataOf, readId, rowOf, supplierNames, suppliersById } from './rows.ts';

const momentIn = async (args: Arguments, db: Db): Promise<number> => {
  const text = textOption(args, 'at');
  if (text === undefined) return databaseTime(db);
  const moment = readTime(text);
  if (moment !== undefined) return moment;
  throw new InvalidUsage(`--at must be a time such as 2026-01-31T09:30:00Z, not "${text}".`);
};

/** What a purchase would ask for. A command knows suspensions, but not what a server has in memory. */
const requestIn = async (args: Arguments, db: Db): Promise<RouteRequest> => {
  const id = readId(operand(args, 0), 'PRODUCT');
  const product = (await readCatalogue(db)).products.find((one) => one.id === id);
  if (product === undefined) throw new UsageError(`There is no product ${id}.`);
  const suppliers = await suppliersById(db);
  const settings = await listSettings(db);
  const suspended = new Set((await listSuspensions(db)).map((one) => one.operator_id));
  const books = await readBooks(db, await databaseTime(db));
  const given = textOption(args, 'price');
  const price = given === undefined ? product.price : readAmount(given, '--price');
  return {
    product,
    clientId: textOption(args, 'client') ?? '',
    price,
    charged: price,
    purchaseId: textOption(args, 'purchase') ?? '',
    moment: await momentIn(args, db),
    dayAt: daysIn((await readSettings(db)).timeZone),
    supplierState: (supplierId, _routeId, cost) => {
      const supplier = suppliers.get(supplierId);
      const hasConnector =
        supplier !== undefined && (supplier.connector !== '' || rowFor(supplier, settings));
      if (!hasConnector) return 'unknown_here';
      if (suspended.has(supplierId)) return 'suspended';
      const float = floatOf(books.get(supplierId) ?? emptyBooks(supplierId));
      return coversCost(float, cost) ? 'ready' : 'no_float';
    },
    left: [],
    groupOf: (supplierId) => suppliers.get(supplierId)?.group,
  };
};

const percentOf = (share: number | null): string =>
  share === null ? '' : `${(100 * share).toFixed(0)} %`;

const wordsOf = ({ code, share, place }: ExplainedRoute): string => {
  if (code !== null) return `no: ${codeWords[code]}`;
  if (share === null) return 'if those before it fail';
  return place === 1 && share === 1 ? 'taken' : 'drawn by weight';
};

export const routeExplain: Command = {
  name: 'route explain',
  summary: 'Explain which routes a purchase of a product may take, and why not the others.',
  operands: ['PRODUCT'],
  options: {
    client: { value: 'ID', about: 'For this client, whose own routes then fit too.' },
    at: { value: 'TIME', about: 'At this time, such as 2026-01-31T09:30:00Z (default: now).' },
    price: { value: 'AMOUNT', about: 'At this price (default: that of the product).' },
    purchase: { value: 'ID', about: 'Repeat the draw of this purchase.' },
  },
  run: async (args) => {
    const { request, routes, suppliers } = await withDatabase(({ db }) =>
      inSnapshot(db, async (db) => ({
        request: await requestIn(args, db),
        routes: await listRoutes(db),
        suppliers: await supplierNames(db),
      })),
    );
    const explained = explainRoutes(routes, request);
    const rows = explained.map((one) => ({
      ...rowOf(one.route, suppliers),
      place: one.place,
      id: one.route.id === 0 ? 'implicit' : one.route.id,
      share: percentOf(one.share),
      cost: one.cost,
      words: wordsOf(one),
    }));
    return {
      data: {
        product_id: request.product.id,
        price: request.price,
        at: iso(request.moment),
        routes: explained.map(({ route, ...one }) => ({ ...one, route: dataOf(route) })),
      },
      text: table(
        {
          TRY: 'place',
          ROUTE: 'id',
          FOR: 'scope',
          SUPPLIER: 'supplier',
          PRIORITY: 'priority',
          SHARE: 'share',
          COST: 'cost',
          WHY: 'words',
        },
        rows,
      ),
    };
  },
};
