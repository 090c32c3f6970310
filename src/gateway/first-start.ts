/** Fills an empty database with the demo catalogue and a demo client. */
import { demoCatalogue } from '../catalogue/demo.ts';
import type { ImportedProduct, Product } from '../catalogue/product.ts';
import { hasProducts } from '../catalogue/store.ts';
import { importInto } from '../catalogue/write/import.ts';
import { createClient } from '../clients/client.ts';
import type { ClientDeps } from '../clients/errors.ts';
import { hasClients } from '../clients/store.ts';
import { lockSetUp } from '../db/engine.ts';
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

/**
 * Fills an empty database, all or nothing; returns the demo client's token, or undefined if it was not empty.
 */
export const firstStart = (deps: ClientDeps): Promise<DemoClient | undefined> =>
  deps.db.transaction().execute(async (db) => {
    await lockSetUp(db);
    if ((await hasClients(db)) || (await hasProducts(db))) return undefined;
    const inside = { ...deps, db };
    const products = demoCatalogue();
    await importInto(inside, products);
    const { currency } = await setCurrency(inside);
    const client = await createClient(inside, { name: 'Demo reseller', balance: demoBalance });
    const product = firstPackage(products);
    return { id: client.id, token: client.token.token, balance: demoBalance, currency, product };
  });
