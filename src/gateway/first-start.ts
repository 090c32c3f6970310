/** Fills an empty database with the demo catalogue, a demo client and two suppliers for one operator. */
import { demoCatalogue } from '../catalogue/demo.ts';
import type { ImportedProduct, Product } from '../catalogue/product.ts';
import { hasProducts } from '../catalogue/store.ts';
import { importInto } from '../catalogue/write/import.ts';
import { createClient } from '../clients/client.ts';
import type { ClientDeps } from '../clients/errors.ts';
import { hasClients } from '../clients/store.ts';
import type { Config } from '../config/config.ts';
import { demoSupplier } from '../config/sections/operators.ts';
import { createDatabaseTime, setUp } from '../db/engine.ts';
import type { Clock } from '../lib/clock.ts';
import { setRoute } from '../routing/change.ts';
import { implicitRoute } from '../routing/route.ts';
import { type Currency, currencyOf } from '../settings/currency.ts';
import { changeSettings, defaults, readSettings, type Settings } from '../settings/settings.ts';

export type DemoClient = {
  readonly id: string;
  readonly token: string;
  readonly balance: number;
  readonly currency: Currency | null;
  /** A first example purchase. */
  readonly product: Pick<Product, 'id' | 'price'>;
};

// Enough for some hundred purchases of every size.
const demoBalance = 50_000_000;

/** A package for a prepaid SIM, like that of the example's number. */
const firstPackage = (products: readonly ImportedProduct[]): DemoClient['product'] => {
  const found = products.find(
    ({ type, sim_card_type, price }) =>
      type === 'cell_internet' && sim_card_type === 'credit' && price > 0,
  );
  if (found === undefined) throw new Error('The demo catalogue has no package.');
  return { id: found.id, price: found.price };
};

/** The demo's prices are those of Iran; what was set before stays. */
const setCurrency = async (deps: ClientDeps): Promise<Settings> => {
  const before = await readSettings(deps.db);
  const isSet = before.currency !== null || before.timeZone !== defaults.timeZone;
  const demo = { currency: currencyOf('IRR'), timeZone: 'Asia/Tehran' };
  return isSet ? before : (await changeSettings(deps, demo)).after;
};

type FirstStartDeps = ClientDeps & Pick<Config, 'suppliers'> & { readonly clock: Clock };

// The one whose test numbers the documentation explains.
const demoOperator = 1;

/** Its own connection comes first, the second supplier next: it shows how a purchase moves on. */
const setRoutes = async (deps: FirstStartDeps): Promise<void> => {
  const { suppliers, clock } = deps;
  if (!suppliers.some(({ id, name }) => id === demoSupplier.id && name === demoSupplier.name)) {
    return;
  }
  const databaseTime = createDatabaseTime(clock);
  const { id: _, ...terms } = implicitRoute(demoOperator);
  for (const [index, supplierId] of [demoOperator, demoSupplier.id].entries()) {
    const route = { ...terms, supplierId, priority: index + 1 };
    await setRoute({ ...deps, databaseTime, knowsSupplier: () => true }, null, route);
  }
};

/**
 * Fills an empty database, all or nothing; returns the demo client's token, or undefined if it was not empty.
 */
export const firstStart = (deps: FirstStartDeps): Promise<DemoClient | undefined> =>
  setUp(deps.db, async (db) => {
    if ((await hasClients(db)) || (await hasProducts(db))) return undefined;
    const inside = { ...deps, db };
    const products = demoCatalogue();
    await importInto(inside, products);
    await setRoutes(inside);
    const { currency } = await setCurrency(inside);
    const client = await createClient(inside, { name: 'Demo reseller', balance: demoBalance });
    const product = firstPackage(products);
    return { id: client.id, token: client.token.token, balance: demoBalance, currency, product };
  });
