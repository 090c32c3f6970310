/** Gives the shop of the pictures its routes and price lists. */
import { at } from '../support/answers.ts';
import type { StartedServer } from '../support/server.ts';

/** Sends a request. */
export type Ask = (method: string, path: string, json?: unknown) => Promise<unknown>;

type Sellers = {
  readonly server: StartedServer;
  readonly clients: readonly { readonly id: string }[];
};

// What operator 5 costs is not known. The last two are off or not valid any more.
const routes = `operator_id,product_id,product_type,supplier_id,product_code,cost,priority,weight,hours,days,valid_until,enabled
1,,,1,,2.5%,10,4,,,,1
1,,,101,,2%,20,1,,,,1
2,,cell_internet,2,,3%,5,1,22:00-06:00,,,1
2,,,2,,2.5%,20,1,,,,1
3,,,3,,4%,20,1,,,,1
4,,,4,,1.5%,20,1,,,,1
4,,,101,,,30,1,,fri sat,2026-01-01T00:00:00Z,1
5,5004,,101,PKG-7,135000,40,1,,,,0
`;

const partners = 'operator_id,product_type,commission\n2,cell_internet,4%\n2,,2.5%\n,,1%\n';

/** A list for two partners: one version in force, and one to come. */
export const makePriceLists = async (send: Ask, { server, clients }: Sellers): Promise<void> => {
  const terms = { name: 'Partners', parent_id: 1, allow_below_cost: false };
  await send('POST', 'price-lists', { key: server.deps.newId(), ...terms });
  for (const { id } of clients.slice(0, 2)) {
    await send('PUT', `clients/${id}/price-list`, { price_list_id: 2 });
  }
  for (const [csv, valid_from] of [
    [partners, null],
    [`${partners.replace('4%', '4.5%')},cell_direct_charge,0.5%\n`, '2026-02-28T20:30:00Z'],
  ] as const) {
    const file = { csv, valid_from };
    const shown = await send('POST', 'price-lists/2/import/preview', file);
    await send('POST', 'price-lists/2/import', { ...file, version: at(shown, 'version') });
  }
};

/** Routes with their costs. */
export const importRoutes = async (send: Ask): Promise<void> => {
  const file = { csv: routes, remove_missing: false };
  const shown = await send('POST', 'routes/import/preview', file);
  await send('POST', 'routes/import', { ...file, version: at(shown, 'version') });
};

/** Money that was sent to the first two suppliers: enough for months, and for some days. */
export const topUpSuppliers = async (send: Ask, newId: () => string): Promise<void> => {
  for (const [id, amount] of [
    [1, 9_000_000_000],
    [2, 2_000_000_000],
  ] as const) {
    const topUp = {
      kind: 'top_up',
      amount,
      reference: `transfer 47${id}1`,
      reason: 'Monthly top-up',
    };
    await send('POST', `operators/${id}/float/entries`, { key: newId(), ...topUp });
  }
};
