/** Owns the first start: a demo catalogue and a demo client, so that a newcomer can try everything at once. */
import { demoCatalogue } from './catalogue/demo.ts';
import { importInto } from './catalogue/import.ts';
import { anyProduct } from './catalogue/store.ts';
import { type ClientDeps, createClientIn } from './clients/client.ts';
import { anyClient } from './clients/store.ts';

export type DemoClient = { readonly id: string; readonly token: string; readonly balance: number };

// Enough for some hundred purchases of every size.
const demoBalance = 50_000_000;

/** Fills an empty database, all or nothing; tells the demo client's token, or nothing was empty. */
export const firstStart = (deps: ClientDeps): Promise<DemoClient | undefined> =>
  deps.db.transaction().execute(async (db) => {
    if ((await anyClient(db)) || (await anyProduct(db))) return undefined;
    const inside = { ...deps, db };
    await importInto(inside, demoCatalogue());
    const client = await createClientIn(inside, { name: 'Demo reseller', balance: demoBalance });
    return { id: client.id, token: client.token.token, balance: demoBalance };
  });
