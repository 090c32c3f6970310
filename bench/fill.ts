/** Fills the bench's gateways with a catalogue and funded clients. */
import { cpSync } from 'node:fs';
import type { ImportedProduct } from '../src/catalogue/product.ts';
import { createClient } from '../src/clients/client.ts';
import { readConfig } from '../src/config/config.ts';
import { openForCommand } from '../src/db/open.ts';
import { systemClock } from '../src/lib/clock.ts';
import { systemRandom, uuidV7 } from '../src/lib/random.ts';
import { sampleProduct } from '../test/contract/sample-product.ts';
import { importProducts } from '../test/support/import-products.ts';
import { largeCatalogue } from '../test/support/large-catalogue.ts';
import { runSql } from './pgbench.ts';
import type { Bought } from './requests.ts';
import { newFolder, postgres } from './resources.ts';

export const catalogueSize = 10_000;

// Enough for every purchase of the longest run.
export const balance = 1_000_000_000_000_000;

/** A database ready to be served: the environment of its gateway, and who may buy what. */
export type Shop = {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly tokens: readonly string[];
  readonly bought: Bought;
  readonly products: readonly ImportedProduct[];
};

const fill = async (
  env: Readonly<Record<string, string>>,
  products: readonly ImportedProduct[],
  clients: number,
): Promise<string[]> => {
  const { db, close } = await openForCommand(readConfig(env), systemClock);
  const newId = uuidV7(systemClock, systemRandom);
  const deps = { db, clock: systemClock, newId, random: systemRandom };
  await importProducts(deps, products);
  const tokens = await db.transaction().execute(async (db) => {
    const made: string[] = [];
    while (made.length < clients) {
      const name = `client ${made.length}`;
      made.push((await createClient({ ...deps, db }, { name, balance })).token.token);
    }
    return made;
  });
  await close();
  return tokens;
};

/** A plain product for prepaid SIMs of operator 1. */
const plainOf = (products: readonly ImportedProduct[]): Bought => {
  const found = products.find(
    (one) =>
      one.operator_id === 1 &&
      one.sim_card_type === 'credit' &&
      one.status === 1 &&
      one.second_price === null,
  );
  if (found === undefined) throw new Error('The catalogue has nothing plain to buy.');
  return { product: found.id, price: found.price };
};

let large: Promise<Shop> | undefined;

const fillLarge = async (): Promise<Shop> => {
  const folder = newFolder();
  const products = largeCatalogue(catalogueSize);
  const tokens = await fill({ DATA_DIR: folder }, products, 1);
  return { folder, env: {}, tokens, bought: plainOf(products), products };
};

/** The large catalogue and one client on SQLite; each caller gets its own copy. */
export const sqliteShop = async (): Promise<Shop> => {
  large ??= fillLarge();
  const shop = await large;
  const folder = newFolder();
  cpSync(shop.folder, folder, { recursive: true });
  return { ...shop, folder };
};

/** One product and this many clients in a database of the bench's PostgreSQL. */
export const postgresShop = async (database: string, clients: number): Promise<Shop> => {
  await runSql('postgres', `create database ${database}`);
  const env = { DATABASE_URL: (await postgres()).url(database) };
  const products = [sampleProduct({ id: 1 })];
  const tokens = await fill(env, products, clients);
  return { folder: newFolder(), env, tokens, bought: plainOf(products), products };
};
