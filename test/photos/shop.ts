/** Fills a gateway with months of sales as a business would have them: clients, purchases, prices, notes. */
import { demoCatalogue } from '../../src/catalogue/demo.ts';
import type { ImportedProduct } from '../../src/catalogue/product.ts';
import { readConfig } from '../../src/config/config.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import { readProgress } from '../../src/purchases/sales/store.ts';
import { currencyOf } from '../../src/settings/currency.ts';
import { buy, packages, topUps } from '../contract/buying.ts';
import { type BackOffice, backOffice } from '../support/admin.ts';
import { at } from '../support/answers.ts';
import { createClient, deposit } from '../support/clients.ts';
import { eventually } from '../support/live.ts';
import { type StartedServer, startServer } from '../support/server.ts';
import { type Hooks, type OpenClock, openHooks } from './hooks.ts';
import { type Ask, importRoutes, makePriceLists, topUpSuppliers } from './terms.ts';

const dayMs = 86_400_000;
const days = 62;

/** The moment that the pictures show. */
export const shownAt = Date.parse('2026-01-31T09:30:00Z');

/** A clock that is set forward from day to day, and runs until it is held: all pictures show one moment. */
const openClock = (start: number): OpenClock => {
  const began = systemClock.monotonic();
  let skipped = 0;
  const monotonic = (): number => systemClock.monotonic() + skipped;
  let held: number | undefined;
  const now = (): number => held ?? start + Math.floor(monotonic() - began);
  const set = (time: number): void => {
    skipped += Math.max(0, time - now());
  };
  const hold = (time: number): void => {
    held = time;
  };
  return { ...systemClock, monotonic, now, set, hold };
};

const shops = [
  { name: 'Blue Kiosk', share: 5 },
  { name: 'موبایل آفتاب', share: 4 },
  { name: 'City Travel Cards', share: 3 },
  { name: 'فروشگاه مرکزی', share: 3 },
  { name: 'Harbour Post', share: 2 },
  { name: 'پیشخوان دولت ۱۲', share: 2 },
  { name: 'Station News', share: 1 },
] as const;

type Draw = (below: number) => number;

/** The same at every run: a picture that changes has a reason. */
const createDraw = (seed: number): Draw => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

type Shop = (typeof shops)[number] & { readonly id: string; readonly token: string };

/** Endings of numbers that the simulated operators refuse or reverse. */
const troubled = ['90', '91', '99'];
const prefixes = ['912', '935', '921', '998', '932'];

const mobileFor = (draw: Draw, { operator_id, sim_card_type }: ImportedProduct): string => {
  const middle = String(draw(100_000)).padStart(5, '0');
  const isTroubled = draw(100) < 4;
  // An even last digit is a prepaid SIM card, an odd one a postpaid one.
  const digit = draw(5) * 2 + (sim_card_type === 'permanent' ? 1 : 0);
  const ending = isTroubled ? troubled[draw(troubled.length)] : `${1 + draw(8)}${digit}`;
  return `98${prefixes[operator_id - 1]}${middle}${ending}`;
};

const isForAll = ({ price, second_price, type }: ImportedProduct): boolean =>
  price > 0 && second_price === null && type !== 'td_lte_internet';

type Sale = () => Promise<unknown>;

/** What a shop sells in one day: more on some days than on others. */
const salesOf = (
  {
    server,
    draw,
    products,
  }: Pick<Filled, 'server'> & {
    readonly draw: Draw;
    readonly products: readonly ImportedProduct[];
  },
  shop: Shop,
  day: number,
): readonly Sale[] => {
  const many = shop.share * (2 + draw(3)) + (day % 7 === 4 ? shop.share : 0);
  return Array.from({ length: many }, (_, number) => {
    const product = products[Math.min(draw(products.length), draw(products.length))];
    if (product === undefined) throw new Error('The catalogue is empty.');
    const path = product.type === 'cell_direct_charge' ? topUps : packages;
    const fields = {
      product_id: product.id,
      mobile: mobileFor(draw, product),
      price: product.price,
      webservice_code: `${day}-${number}`,
    };
    const order = () =>
      buy(server, fields, {
        path,
        token: shop.token,
        key: `${shop.name.length}-${day}-${number}`,
      });
    // A connection may have grown old overnight; the key makes a repeat safe.
    return () => order().catch(order);
  });
};

const sell = (sales: readonly Sale[]): Promise<unknown> =>
  Promise.all(sales.map((order) => order()));

/** When the shops sell on the last day, in minutes before its pictures: little at night, and something just now. */
const lastDay = [761, 688, 402, 347, 281, 263, 224, 198, 171, 143, 122, 97, 68, 44, 21, 3, 0, 0];
const minuteMs = 60_000;

/** Spreads the sales of the last day over its hours. */
const sellOverHours = async (
  sales: readonly Sale[],
  { draw, clock, hooks }: { readonly draw: Draw; readonly clock: OpenClock; readonly hooks: Hooks },
): Promise<void> => {
  const placed = sales.map((order) => ({ order, minutes: lastDay[draw(lastDay.length)] ?? 0 }));
  for (const minutes of new Set(lastDay)) {
    const moment = shownAt - minutes * minuteMs;
    await hooks.sendUntil(moment);
    clock.set(moment);
    await sell(placed.filter((one) => one.minutes === minutes).map(({ order }) => order));
  }
};

export type Filled = {
  readonly server: StartedServer;
  readonly clock: Clock;
  readonly clients: readonly Shop[];
  readonly office: BackOffice;
  readonly hooks: Hooks;
};

/** Signs the owner in. */
const enterAsOwner = async (office: BackOffice): Promise<Ask> => {
  const owner = await office.enter('owner');
  return async (method, path, json) => {
    const { status, text, body } = await office.send(method, path, owner, json);
    if (status >= 300) throw new Error(`${path}: ${text}`);
    return body;
  };
};

const fund = async (
  server: StartedServer,
  clock: Clock,
  clients: readonly Shop[],
): Promise<void> => {
  for (const { id, share } of clients) {
    await deposit({ ...server.deps, clock }, { clientId: id, amount: share * 40_000_000 });
  }
};

/** Bills December, and corrects one invoice. */
const bill = async (send: Ask, server: StartedServer): Promise<void> => {
  const invoices = {
    seller_name: 'Example Mobile Ltd.',
    seller_number: '4111 2233 4455',
    seller_address: '1 Example Street',
    tax_percent: '10',
    calendar: 'gregorian',
  };
  await send('PATCH', 'settings', { invoices });
  await send('POST', 'invoices', { month: '2025-12', client_id: null });
  const note = { key: server.deps.newId(), amount: 387_000, reason: 'A wrong price.' };
  await send('POST', 'invoices/1/credit-notes', note);
};

/** What people do besides selling: a contact, a note, a change of prices, and a low balance. */
const work = async (shop: Filled): Promise<void> => {
  const { server, office } = shop;
  const [client] = shop.clients;
  const send = await enterAsOwner(office);
  await send('PATCH', 'settings', { low_balance_below: 5_000_000 });
  await send('PUT', `clients/${client?.id}/contact`, {
    name: 'Accounting desk',
    email: 'accounting@shop.example',
    phone: '+98 21 5555 0100',
    about: 'Weekdays from 9 to 5.',
  });
  await send('POST', `clients/${client?.id}/notes`, {
    note: 'Wants a monthly statement by e-mail.',
    key: server.deps.newId(),
  });
  const change = {
    which: { filter: { operator_id: 1, type: 'cell_internet' } },
    change: { percent: '5' },
    round_to: 1000,
  };
  const preview = await send('POST', 'catalogue/prices/preview', change);
  await send('POST', 'catalogue/prices', { ...change, digest: at(preview, 'digest') });
  await bill(send, server);
};

/** Dates the first client by the shop's clock: it was created before the gateway had one. */
const dateFirst = async ({ deps, client }: StartedServer, opened: number): Promise<void> => {
  await deps.db
    .updateTable('clients')
    .set({ name: 'Corner Shop', created_at: opened })
    .where('id', '=', client.id)
    .execute();
};

/** Days before the last one. */
const maintained = new Set([4, 1]);
const maintenanceMs = 1_500_000;

/** Suspends an operator for a while, after a day's sales; its clients get messages about it. */
const maintain = async (office: BackOffice, clock: OpenClock, hooks: Hooks): Promise<void> => {
  const end = clock.now() + maintenanceMs;
  const suspension = 'operators/5/suspension';
  const send = await enterAsOwner(office);
  await send('POST', suspension, { reason: 'Maintenance of the operator.' });
  await hooks.sendUntil(end);
  clock.set(end);
  await send('DELETE', suspension);
};

/** A gateway with two months of sales, up to the moment that is shown. */
export const fillShop = async (): Promise<Filled> => {
  const opened = shownAt - days * dayMs;
  const openedAt = new Date(opened).toISOString();
  const clock = openClock(opened);
  // The demo's own times are later.
  const catalogue = demoCatalogue().map((product) => ({
    ...product,
    created_at: openedAt,
    updated_at: openedAt,
  }));
  const webhooks = { ...readConfig({}).webhooks, allowedNetworks: ['127.0.0.1'] };
  const server = await startServer({
    engine: 'sqlite',
    clock,
    products: catalogue,
    config: { webhooks },
  });
  const deps = { ...server.deps, clock, newId: uuidV7(clock, systemRandom) };
  const office = await backOffice({ ...server, deps }, clock);
  const send = await enterAsOwner(office);
  await send('PATCH', 'settings', {
    company_name: 'Example Mobile',
    currency: currencyOf('IRR'),
    time_zone: 'Asia/Tehran',
  });
  const clients: Shop[] = [];
  for (const shop of shops) {
    const { id, token } = await createClient(deps, { name: shop.name });
    clients.push({ ...shop, id, token: token.token });
  }
  await importRoutes(send);
  await topUpSuppliers(send, deps.newId);
  await makePriceLists(send, { server, clients });
  const draw = createDraw(7);
  const products = catalogue.filter(isForAll);
  const hooks = await openHooks(server, clock, clients[0]?.token ?? '');
  const salesOn = (day: number) =>
    clients.flatMap((shop) => salesOf({ server, draw, products }, shop, day));
  for (let day = 0; day < days; day += 1) {
    const moment = shownAt - (days - day) * dayMs;
    await hooks.sendUntil(moment);
    clock.set(moment);
    if (day % 10 === 0) await fund(server, clock, clients);
    await sell(salesOn(day));
    if (day === days - 1) hooks.fail();
    if (maintained.has(days - day)) await maintain(office, clock, hooks);
  }
  await sellOverHours(salesOn(days), { draw, clock, hooks });
  const filled = { server, clock, clients, office, hooks };
  await work(filled);
  await dateFirst(server, opened);
  await hooks.sendUntil(clock.now());
  await hooks.close();
  await eventually('all sales are counted', async () => {
    const { postings, counted } = await readProgress(server.deps.db);
    return postings === counted;
  });
  clock.hold(clock.now());
  return filled;
};
