/** Uses the API by its generated types: lists, filters, asks for offers, buys and retries. */
import type { components, operations } from './api.js';

type Schemas = components['schemas'];
type Body<Id extends keyof operations> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer T } };
}
  ? T
  : never;

const [url = '', token = ''] = process.argv.slice(2);
const authorization = `Bearer ${token}`;

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url + path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const listed = await fetch(`${url}/api/clients/products`, { headers: { authorization } });
const page = (await listed.json()) as Schemas['ProductPage'];
const total: number = page.meta.total;

const filter: Body<'filterProducts'> = {
  table: 'product',
  items: { type: 'cell_direct_charge', pagination: false },
};
const found = (await (await post('/api/filter', filter)).json()) as Schemas['ProductPage'];
const product: Schemas['Product'] | undefined = found.data.find(({ status }) => status === 1);
if (product === undefined) throw new Error('no top-up is on sale');

const subscriber: Body<'listOffers'> = { mobile: 989123456700 };
const offers = (await (
  await post('/api/operator_2/offers/', subscriber)
).json()) as Schemas['OfferList'];
const amounts: string[] = offers.offersList.map(({ amount }) => amount);

const purchase: Body<'buyTopUp'> = {
  product_id: product.id,
  mobile: '989123456700',
  price: product.price,
  webservice_code: 'generated',
};
const key: operations['buyTopUp']['parameters']['header'] = { 'Idempotency-Key': 'generated-1' };
const first = await post('/api/top-up/', purchase, key);
const replay = await post('/api/top-up/', purchase, key);
const bought = (await first.json()) as Schemas['PurchaseConfirmation'];

type Refused = operations['buyTopUp']['responses']['402']['content']['application/json'];
const code: Refused['code'] = 'INSUFFICIENT_BALANCE';

console.log(
  JSON.stringify({
    total,
    type: product.type,
    offers: amounts.length,
    status: first.status,
    message: bought.message,
    replayed: replay.headers.get('idempotent-replayed'),
    sameId: replay.headers.get('purchase-id') === first.headers.get('purchase-id'),
    code,
  }),
);
