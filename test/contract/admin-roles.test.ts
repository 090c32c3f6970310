/** Tests on every route that permitted roles get what they request, and that other roles change nothing. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { createAccount } from '../../src/admin/access/accounts.ts';
import { type Role, roles } from '../../src/admin/access/roles.ts';
import { findAccount } from '../../src/admin/access/store.ts';
import { codeOf, fromBase32, stepAt } from '../../src/admin/access/two-factor/totp.ts';
import { readConfig } from '../../src/config/config.ts';
import type { OrderOutcome } from '../../src/connector/connector.ts';
import { makeKey } from '../../src/db/secrets/seal.ts';
import { writePostings } from '../../src/ledger/store.ts';
import { systemRandom } from '../../src/lib/random.ts';
import { simulator } from '../../src/operators/simulator/index.ts';
import {
  type BackOffice,
  backOffice,
  type Cookie,
  command,
  here,
  sessionCookie,
  tokenOfSession,
} from '../support/admin.ts';
import { at, keysOf, listOf } from '../support/answers.ts';
import { onlyOnce } from '../support/cleanup.ts';
import { parsed } from '../support/live.ts';
import {
  type Answer,
  addClient,
  request,
  startServer,
  type TestServer,
} from '../support/server.ts';
import { makeEndpoint } from '../support/webhooks.ts';
import { aPackage, buy, catalogue, operatorThat, sold, untilRecorded } from './buying.ts';

let order: OrderOutcome = { kind: 'done', ref: 'r' };
const inquiries = { firstInquiryMs: 600_000, widestInquiryMs: 600_000, reviewAfterMs: 1 };
const operator = operatorThat(
  { buy: async () => order, status: async () => ({ kind: 'pending' }) },
  { settlesWithin: 1, inquiries },
);
const { admin, purchases } = readConfig({});
const options = {
  products: catalogue,
  connectors: [operator.connector, simulator],
  config: {
    operators: [
      { id: 1, name: 'operator_1', connector: 'test', settings: {} },
      { id: 3, name: 'operator_3', connector: 'simulator', settings: {} },
    ],
    admin: { ...admin, rate: null, anonymousRate: null },
    purchases: { ...purchases, pendingAfterMs: 20 },
    secretsKey: makeKey(systemRandom),
    alarms: { allowedNetworks: ['127.0.0.1'] },
  },
};

let server: TestServer;
let office: BackOffice;
let owner: Cookie;
let seller: TestServer['client'];
let boughtId: string;

before(async () => {
  server = await startServer(options);
  office = await backOffice(server);
  owner = await office.enter('owner');
  seller = await addClient(server, { balance: 10_000_000 });
  boughtId = await purchase();
});
after(() => server.stop());

const password = 'correct horse battery';
const why = 'the subscriber called';
let count = 0;

/** Sends a request as an owner for setup, which must succeed. */
const asOwner = async (method: string, path: string, json?: unknown): Promise<unknown> => {
  const answer = await office.send(method, path, owner, json);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
};

const purchase = async (outcome: OrderOutcome = { kind: 'done', ref: 'r' }): Promise<string> => {
  order = outcome;
  return untilRecorded(server, await buy(server, aPackage, { token: seller.token }));
};

/** A purchase that needs review. */
const disputed = async (): Promise<string> => {
  const id = await purchase({
    kind: 'refused',
    code: 'declined',
    blame: 'subscriber',
    reason: 'no',
  });
  const change = server.deps.db
    .updateTable('purchases')
    .set({ disputed: 'late_delivered', disputed_values: '{}' });
  await change.where('id', '=', id).execute();
  return id;
};

/** An endpoint of its own client, to which nothing is ever sent. */
const endpointOf = async (): Promise<{ client_id: string; endpoint_id: string }> => {
  const { id, token } = await addClient(server);
  const endpoint = await makeEndpoint(server, { token, events: ['balance.low'], balanceBelow: 1 });
  return { client_id: id, endpoint_id: endpoint.id };
};

const messageOf = async () => {
  const params = await endpointOf();
  const { client_id: client, endpoint_id: endpoint } = params;
  await asOwner('PATCH', `clients/${client}/webhooks/${endpoint}`, { status: 'disabled' });
  const id = `msg_${server.deps.newId()}`;
  const ended = { state: 'failed', attempts: 1, step: 1, due_at: null, ended_at: 2 } as const;
  const told = { type: 'balance.low', payload: '{}', tried: '[]', created_at: 1 };
  await server.deps.db
    .insertInto('webhook_messages')
    .values({ endpoint_id: endpoint, id, ...told, ...ended })
    .execute();
  return { ...params, message_id: id };
};

const tokenOf = async () => {
  const { id } = await addClient(server);
  const body = await asOwner('GET', `clients/${id}`);
  return { client_id: id, token_id: String(at(body, 'tokens', 0, 'id')) };
};

const newAccount = async (role: Role = 'viewer', more: { readonly password?: string } = {}) => {
  const name = `other-${(count += 1)}`;
  return (await createAccount(office.deps, command, { name, role, ...more })).account;
};

/** A signed-in account of that role with a password. */
const withPassword = async (role: Role): Promise<{ cookie: string; accountId: string }> => {
  const account = await newAccount(role, { password });
  const token = await tokenOfSession(office.deps, account);
  return { cookie: `${sessionCookie}=${token}`, accountId: account.id };
};

const begun = async (role: Role) => {
  const session = await withPassword(role);
  const { cookie } = session;
  const { body } = await office.send('POST', 'me/totp', { cookie }, { password });
  const secret = fromBase32(String(at(body, 'secret')));
  return { session, json: { code: codeOf(secret, stepAt(server.deps.clock.now())) } };
};

// Not the product that is bought here: its price has to stay.
const repriced = sold.permanent;

const wish = () => ({
  which: { product_ids: [repriced] },
  change: { amount: 1000 * (1 + (count += 1)) },
  fields: ['price'],
});

const file = () =>
  catalogue
    .filter(({ id }) => id === repriced)
    .map((product) => ({ ...product, price: 10_000 + (count += 1) }));

const price = () => 10_000 + (count += 1);

const newProduct = () => ({
  name: 'New',
  price: price(),
  type: 'cell_internet',
  sim_card_type: 'credit',
  operator_id: 1,
});

/** A bulk change of prices that was applied. */
const priceChange = async () => {
  const json = wish();
  const seen = await asOwner('POST', 'catalogue/prices/preview', json);
  const wanted = { ...json, digest: at(seen, 'digest') };
  const body = await asOwner('POST', 'catalogue/prices', wanted);
  return { change_id: String(at(body, 'change_id')) };
};

const digestOfImport = async (products: unknown): Promise<string> => {
  const { text } = await office.send('POST', 'catalogue/import/preview', owner, products);
  return String(at(parsed(text.trimEnd().split('\n').at(-1) ?? ''), 'result', 'digest'));
};

const versionOf = async (): Promise<unknown> => at(await asOwner('GET', 'operators/3'), 'version');

const setSettings = async (): Promise<unknown> =>
  asOwner('PUT', 'operators/3/settings', {
    settings: { deadline: 4000 + (count += 1) },
    version: await versionOf(),
  });

type Asked = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly json?: unknown;
  /** If it is not the role's shared account. */
  readonly session?: { readonly cookie: string; readonly accountId: string };
};

type Case = {
  readonly may: readonly Role[];
  readonly status: number;
  /** Whether it changes something; then it is in the audit log. */
  readonly changes: boolean;
  /** A valid request about something that no other request uses. */
  readonly ask: (role: Role) => Promise<Asked> | Asked;
};

const reads = (ask: Case['ask'] = () => ({}), may: readonly Role[] = roles): Case => ({
  may,
  status: 200,
  changes: false,
  ask,
});
const does = (may: readonly Role[], status: number, ask: Case['ask']): Case => ({
  may,
  status,
  changes: true,
  ask,
});

const support: readonly Role[] = ['support', 'manager', 'owner'];
const manager: readonly Role[] = ['manager', 'owner'];
const onlyOwner: readonly Role[] = ['owner'];

const ofClient = async () => ({ client_id: (await addClient(server, { balance: 1000 })).id });
const wholeTerms = {
  operator_id: 4,
  product_id: null,
  category_id: null,
  product_type: null,
  client_id: null,
  supplier_id: 3,
  product_code: null,
  cost: null,
  allow_dearer: false,
  priority: 50,
  weight: 1,
  hours: null,
  days: [],
  valid_from: null,
  valid_until: null,
  enabled: true,
};
const newRoute = () => ({ ...wholeTerms, key: key() });
const ofRoute = async () => ({
  params: { route_id: String(at(await asOwner('POST', 'routes', newRoute()), 'id')) },
});
const newSupplier = () => ({
  key: key(),
  name: `supplier-${(count += 1)}`,
  names: { en: 'Supplier', fa: 'تأمین‌کننده' },
});
const ofSupplier = async () => ({
  params: { operator_id: String(at(await asOwner('POST', 'suppliers', newSupplier()), 'id')) },
});
const routesFile = () => ({
  csv: 'operator_id,supplier_id,priority\n4,3,60\n',
  remove_missing: false,
});

const newPriceList = () => ({
  key: key(),
  name: `List ${(count += 1)}`,
  parent_id: 1,
  allow_below_cost: false,
});
const priceListId = async (): Promise<string> =>
  String(at(await asOwner('POST', 'price-lists', newPriceList()), 'id'));
const ofPriceList = async () => ({ params: { price_list_id: await priceListId() } });
const priceEntry = {
  product_id: null,
  category_id: null,
  operator_id: 2,
  product_type: null,
  commission: '4%',
  valid_from: '2126-01-31T00:00:00Z',
};
const ofPriceVersion = async () => {
  const id = await priceListId();
  await asOwner('POST', `price-lists/${id}/entries`, priceEntry);
  return { params: { price_list_id: id, number: '1' } };
};
const priceFile = { csv: 'operator_id,commission\n2,4%\n', valid_from: null };

/** A month that has ended, for a client that bought something in it. */
const billable = async () => {
  const { client_id } = await ofClient();
  const month = at(await asOwner('GET', 'invoices/months'), 'data', 0);
  const bought = { amount: 100, purchaseId: randomUUID() };
  const postings = (['hold', 'capture'] as const).map((kind) => ({ kind, ...bought }));
  const moment = Date.parse(String(at(month, 'begins_at'))) + 1;
  await writePostings(server.deps.db, client_id, postings, moment);
  return { month: at(month, 'month'), client_id };
};

const ofInvoice = async () => {
  const made = await asOwner('POST', 'invoices', await billable());
  return { params: { number: String(at(made, 'made', 0, 'number')) } };
};

const ofSeller = () => ({ params: { client_id: seller.id } });
const key = () => randomUUID();

const own: Readonly<Record<string, Case>> = {
  getMe: reads(),
  changeMyPassword: does(roles, 204, async (role) => ({
    session: await withPassword(role),
    json: { current: password, password: 'a staple of brown paper' },
  })),
  beginMyTotp: does(roles, 200, async (role) => ({
    session: await withPassword(role),
    json: { password },
  })),
  confirmMyTotp: does(roles, 204, begun),
  removeMyTotp: does(roles, 204, async (role) => ({
    session: await withPassword(role),
    json: { password },
  })),
};

const withCodes = async (role: Role) => {
  const session = await withPassword(role);
  const change = server.deps.db.updateTable('admin_accounts').set({ totp_secret: 'JBSWY3DP' });
  await change.where('id', '=', session.accountId).execute();
  return session;
};

/** Reads and writes only the account's own data. */
const quietly = (status: number, ask: Case['ask']): Case => ({
  may: roles,
  status,
  changes: false,
  ask,
});

const ownSafety: Readonly<Record<string, Case>> = {
  proveMe: quietly(204, async (role) => ({
    session: await withPassword(role),
    json: { password },
  })),
  createMyRecoveryCodes: does(roles, 201, async (role) => ({ session: await withCodes(role) })),
  listMySessions: reads(),
  endMySession: does(roles, 204, async (role) => {
    const session = await withPassword(role);
    const { body } = await office.send('GET', 'me/sessions', { cookie: session.cookie });
    return { session, params: { session_id: String(at(body, 'data', 0, 'id')) } };
  }),
  endMyOtherSessions: does(roles, 200, async (role) => {
    const session = await withPassword(role);
    const account = await findAccount(server.deps.db, session.accountId);
    assert.ok(account !== undefined);
    await tokenOfSession(office.deps, account);
    return { session };
  }),
  listMyNotices: reads(),
  seeMyNotices: quietly(204, async (role) => ({
    session: await withPassword(role),
    json: { id: '0190' },
  })),
  listMyPasskeys: reads(),
};

const accounts: Readonly<Record<string, Case>> = {
  listAccounts: reads(undefined, onlyOwner),
  createAccount: does(onlyOwner, 201, () => ({
    json: { name: `made-${(count += 1)}`, role: 'viewer' },
  })),
  updateAccount: does(onlyOwner, 200, async () => ({
    params: { account_id: (await newAccount()).id },
    json: { role: 'support' },
  })),
  createSetup: does(onlyOwner, 201, async () => ({
    params: { account_id: (await newAccount()).id },
  })),
  endSessions: does(onlyOwner, 204, async (role) => ({
    params: { account_id: (await withPassword(role)).accountId },
  })),
  resetTotp: does(onlyOwner, 204, async () => {
    const { id } = await newAccount();
    const change = server.deps.db.updateTable('admin_accounts').set({ totp_secret: 'JBSWY3DP' });
    await change.where('id', '=', id).execute();
    return { params: { account_id: id } };
  }),
  resetPasskeys: does(onlyOwner, 204, async () => ({
    params: { account_id: (await newAccount()).id },
  })),
  listAudit: reads(undefined, manager),
  listAuditActors: reads(undefined, manager),
  exportAudit: reads(undefined, manager),
};

const clients: Readonly<Record<string, Case>> = {
  listClients: reads(),
  exportClients: reads(),
  getClient: reads(ofSeller),
  countClientOutcomes: reads(ofSeller),
  getClientContact: reads(ofSeller),
  setClientContact: does(manager, 200, async () => ({
    params: await ofClient(),
    json: { name: 'Accounting desk', email: '', phone: '', about: '' },
  })),
  listClientNotes: reads(ofSeller),
  addClientNote: does(manager, 201, async () => ({
    params: await ofClient(),
    json: { note: 'called today', key: key() },
  })),
  createClient: does(manager, 201, () => ({ json: { name: 'A shop', key: key() } })),
  updateClient: does(manager, 200, async () => ({
    params: await ofClient(),
    json: { name: 'Another name', status: 'suspended' },
  })),
  setClientRules: does(manager, 200, async () => {
    const params = await ofClient();
    const body = await asOwner('GET', `clients/${params.client_id}`);
    const rules = at(body, 'rules');
    assert.ok(typeof rules === 'object' && rules !== null);
    return { params, json: { ...rules, daily_limit: 5000, version: at(body, 'rules_version') } };
  }),
  createToken: does(manager, 201, async () => ({
    params: await ofClient(),
    json: { key: key(), name: 'the shop' },
  })),
  rotateToken: does(manager, 201, async () => ({
    params: await tokenOf(),
    json: { key: key(), overlap_hours: 1 },
  })),
  revokeToken: does(manager, 200, async () => ({ params: await tokenOf() })),
  depositMoney: does(manager, 201, async () => ({
    params: await ofClient(),
    json: { amount: 500, note: 'a transfer', key: key() },
  })),
  correctBalance: does(manager, 201, async () => ({
    params: await ofClient(),
    json: { amount: -500, reason: 'counted again', key: key() },
  })),
  setClientCredit: does(manager, 200, async () => ({
    params: await ofClient(),
    json: { credit_limit: 500, seen: 0, reason: 'a contract' },
  })),
  getClientStatement: reads(ofSeller),
  exportClientStatement: reads(ofSeller),
  listClientWebhooks: reads(ofSeller),
  listClientMessages: reads(async () => ({ params: await endpointOf() })),
  getClientMessage: reads(async () => ({ params: await messageOf() })),
  replayClientMessage: does(manager, 202, async () => ({ params: await messageOf() })),
  updateClientWebhook: does(manager, 200, async () => ({
    params: await endpointOf(),
    json: { status: 'disabled' },
  })),
};

const selling: Readonly<Record<string, Case>> = {
  getOverview: reads(),
  watchOverview: reads(),
  getSales: reads(),
  exportSales: reads(),
  exportSalesAsXlsx: reads(),
  getSalesOverview: reads(),
  getSettings: reads(),
  getSetup: reads(),
  listAlerts: reads(),
  updateSettings: does(onlyOwner, 200, () => ({ json: { company_name: `C ${(count += 1)}` } })),
  listAlarms: reads(),
  getAlarmSettings: reads(),
  updateAlarmSettings: does(onlyOwner, 200, () => ({ json: { review_at_least: (count += 1) } })),
  testAlarms: reads(undefined, onlyOwner),
  rotateAlarmSecret: does(onlyOwner, 200, async () => {
    // Nothing listens there.
    await asOwner('PATCH', 'alarms/settings', { webhook_url: 'http://127.0.0.1:9/' });
    return {};
  }),
  listBilledMonths: reads(),
  listInvoices: reads(),
  getInvoice: reads(ofInvoice),
  exportInvoice: reads(ofInvoice),
  makeInvoices: does(manager, 200, async () => ({ json: await billable() })),
  creditInvoice: does(manager, 201, async () => ({
    ...(await ofInvoice()),
    json: { key: key(), amount: 1, reason: 'a wrong price' },
  })),
  listRoutes: reads(undefined, support),
  listRouteVersions: reads(ofRoute, support),
  explainRoutes: reads(() => ({ query: `?product_id=${sold.credit}` }), support),
  exportRoutes: reads(undefined, support),
  createRoute: does(manager, 201, () => ({ json: newRoute() })),
  changeRoute: does(manager, 200, async () => ({ ...(await ofRoute()), json: { priority: 51 } })),
  removeRoute: does(manager, 204, ofRoute),
  previewRouteImport: reads(() => ({ json: routesFile() }), manager),
  importRoutes: does(manager, 200, async () => ({
    json: {
      csv: `operator_id,supplier_id,priority\n4,3,${100 + (count += 1)}\n`,
      remove_missing: false,
      version: at(await asOwner('GET', 'routes'), 'version'),
    },
  })),
  listPriceLists: reads(undefined, support),
  getPriceList: reads(ofPriceList, support),
  explainPrice: reads(() => ({ query: `?product_id=${sold.credit}` }), support),
  exportPriceList: reads(ofPriceList, support),
  createPriceList: does(manager, 201, () => ({ json: newPriceList() })),
  changePriceList: does(manager, 200, async () => ({
    ...(await ofPriceList()),
    json: { allow_below_cost: true },
  })),
  removePriceList: does(manager, 204, ofPriceList),
  setPriceEntry: does(manager, 200, async () => ({ ...(await ofPriceList()), json: priceEntry })),
  removePriceListVersion: does(manager, 204, ofPriceVersion),
  previewPriceListImport: reads(
    async () => ({ ...(await ofPriceList()), json: priceFile }),
    manager,
  ),
  importPriceList: does(manager, 200, async () => {
    const { params } = await ofPriceList();
    const path = `price-lists/${params.price_list_id}/import/preview`;
    const version = at(await asOwner('POST', path, priceFile), 'version');
    return { params, json: { ...priceFile, version } };
  }),
  getClientPriceList: reads(ofSeller, support),
  assignPriceList: does(manager, 200, async () => ({
    params: await ofClient(),
    json: { price_list_id: Number(await priceListId()) },
  })),
  listProducts: reads(),
  getProduct: reads(() => ({ params: { product_id: String(sold.credit) } })),
  listCategories: reads(),
  exportCatalogue: reads(() => ({ query: '?format=csv' })),
  listProductPrices: reads(() => ({ params: { product_id: String(sold.credit) } })),
  createProduct: does(manager, 201, () => ({ json: { fields: newProduct(), key: key() } })),
  updateProduct: does(manager, 200, async () => {
    const revision = at(await asOwner('GET', `catalogue/products/${repriced}`), 'revision');
    return {
      params: { product_id: String(repriced) },
      json: { fields: { price: price() }, revision, key: key() },
    };
  }),
  listPriceChanges: reads(),
  getPriceChange: reads(async () => ({ params: await priceChange() })),
  previewRevert: reads(async () => ({ params: await priceChange() }), manager),
  revertPrices: does(manager, 200, async () => ({
    params: await priceChange(),
    json: { key: key() },
  })),
  switchProducts: does(manager, 200, async () => {
    await asOwner('POST', 'catalogue/switch', { product_ids: [sold.topUp], on: true });
    return { json: { product_ids: [sold.topUp], on: false } };
  }),
  previewPrices: reads(() => ({ json: wish() }), manager),
  updatePrices: does(manager, 200, async () => {
    const json = wish();
    const body = await asOwner('POST', 'catalogue/prices/preview', json);
    return { json: { ...json, digest: at(body, 'digest') } };
  }),
  previewImport: reads(() => ({ json: file() }), manager),
  importCatalogue: does(manager, 200, async () => {
    const json = file();
    return { query: `?digest=${await digestOfImport(json)}`, json };
  }),
};

const ofOperator = { operator_id: '3' };

const operators: Readonly<Record<string, Case>> = {
  listOperators: reads(),
  getOperator: reads(() => ({ params: ofOperator })),
  updateOperatorSettings: does(onlyOwner, 200, async () => ({
    params: ofOperator,
    json: { settings: { deadline: 4000 + (count += 1) }, version: await versionOf() },
  })),
  removeOperatorSettings: does(onlyOwner, 200, async () => {
    await setSettings();
    return { params: ofOperator };
  }),
  createSupplier: does(onlyOwner, 201, () => ({ json: newSupplier() })),
  changeSupplier: does(onlyOwner, 200, async () => ({
    ...(await ofSupplier()),
    json: { group: 'north' },
  })),
  removeSupplier: does(onlyOwner, 204, ofSupplier),
  checkOperator: reads(() => ({ params: ofOperator }), onlyOwner),
  suspendOperator: does(manager, 200, async () => {
    await asOwner('DELETE', 'operators/3/suspension');
    return { params: ofOperator, json: { reason: why } };
  }),
  resumeOperator: does(manager, 200, async () => {
    await asOwner('POST', 'operators/3/suspension', { reason: why });
    return { params: ofOperator };
  }),
  trustOperator: does(manager, 200, async () => {
    const broken = { supplier_id: 3, client_id: 'a', purchase_id: `b${(count += 1)}`, at: 1 };
    await server.deps.db.insertInto('broken_promises').values(broken).execute();
    return { params: ofOperator, json: { reason: why } };
  }),
  listFloats: reads(undefined, support),
  getFloat: reads(() => ({ params: ofOperator }), support),
  recordFloatEntry: does(manager, 201, () => ({
    params: ofOperator,
    json: { kind: 'top_up', amount: 10_000_000, reason: why, key: randomUUID() },
  })),
  listOperatorConnectors: reads(() => ({ params: ofOperator }), onlyOwner),
  getOperatorFaults: reads(() => ({ params: ofOperator }), onlyOwner),
  updateOperatorFaults: does(onlyOwner, 200, () => ({
    params: ofOperator,
    json: { errors: (count += 1) / 10_000 },
  })),
};

const reason = { reason: why };

const bought: Readonly<Record<string, Case>> = {
  searchPurchases: reads(() => ({ json: { client_id: seller.id } })),
  sumPurchases: reads(() => ({ json: { client_id: seller.id } })),
  getPurchase: reads(() => ({ params: { purchase_id: boughtId } })),
  exportPurchases: does(roles, 200, () => ({ json: { client_id: seller.id } })),
  inquirePurchase: does(support, 200, async () => ({
    params: { purchase_id: await purchase({ kind: 'unknown', detail: 'no answer' }) },
    json: reason,
  })),
  previewResolution: reads(
    async () => ({ params: { purchase_id: await disputed() }, json: { verdict: 'succeeded' } }),
    support,
  ),
  resolvePurchase: does(support, 200, async () => {
    const id = await disputed();
    const json = { verdict: 'succeeded' };
    const body = await asOwner('POST', `purchases/${id}/resolution/preview`, json);
    const decision = { ...json, ...reason, version: at(body, 'version'), force: true };
    return { params: { purchase_id: id }, json: decision };
  }),
  unmaskPurchase: does(support, 200, () => ({ params: { purchase_id: boughtId }, json: reason })),
};

const cases = {
  ...own,
  ...ownSafety,
  ...accounts,
  ...clients,
  ...selling,
  ...operators,
  ...bought,
};

/** Those that people use before they have a role. */
const withoutRole = [
  'getCompany',
  'signIn',
  'setUp',
  'sendCode',
  'getFactors',
  'beginPasskeySignIn',
  'sendPasskey',
  'signOut',
];

/** They work on a domain name only: admin-passkeys.test.ts covers them. */
const onDomain = ['beginMyPasskey', 'addMyPasskey', 'removeMyPasskey'];

type Route = { readonly method: string; readonly path: string };

const routes = onlyOnce(async (): Promise<ReadonlyMap<string, Route>> => {
  const { body } = await request(server, '/admin/openapi.json', { token: null });
  const paths = at(body, 'paths');
  return new Map(
    keysOf(paths).flatMap((path) =>
      keysOf(at(paths, path)).map((method) => [
        String(at(paths, path, method, 'operationId')),
        { method: method.toUpperCase(), path },
      ]),
    ),
  );
});

const send = async ({ method, path }: Route, asked: Asked, cookie: string): Promise<Answer> => {
  const { params = {}, query = '', json } = asked;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'missing');
  const headers = { ...here, cookie };
  if (path.endsWith('/live')) {
    // A stream is opened and left.
    const stop = new AbortController();
    const response = await fetch(server.url + filled, { headers, signal: stop.signal });
    stop.abort();
    return { status: response.status, headers: response.headers, text: '', body: null };
  }
  const body = json === undefined ? {} : { json };
  return request(server, filled + query, { token: null, method, headers, ...body });
};

/** What changes on its own, or by being read. */
const restless = new Set([
  'admin_attempts',
  'admin_sessions',
  'alarm_changes',
  'alarm_channels',
  'alarm_turn',
  'alarms',
  'instances',
  'migrations',
  'operator_files',
  'operator_reports',
  'operator_status',
  'place',
  'sales',
  'sales_cursors',
  'sales_zones',
  'stats',
  'stats_times',
  'vouches',
]);

const readTables = onlyOnce(async (): Promise<readonly string[]> => {
  const tables = await server.deps.db.introspection.getTables();
  return tables.map(({ name }) => name).filter((name) => !restless.has(name));
});

/** All stored rows, by table. */
const snapshot = async (): Promise<Readonly<Record<string, readonly string[]>>> => {
  const { db } = server.deps;
  const rows = (await readTables()).map(async (name) => {
    const found = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
    const texts = found.rows.map((row) => JSON.stringify({ ...row, last_used_at: null })).sort();
    return [name, texts] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
};

const auditedBy = async (accountId: string): Promise<number> => {
  const lines = server.deps.db.selectFrom('admin_audit').select('id');
  return (await lines.where('account_id', '=', accountId).execute()).length;
};

describe('Every route of the back office, with a valid request', () => {
  test('is tested here', async () => {
    assert.deepEqual(
      [...(await routes()).keys()].sort(),
      [...withoutRole, ...onDomain, ...keysOf(cases)].sort(),
    );
  });

  for (const [id, { may, status, changes, ask }] of Object.entries(cases)) {
    test(`${id} works for ${may.join(', ')}, and changes nothing for others`, async () => {
      const route = (await routes()).get(id) ?? assert.fail();
      for (const role of roles) {
        const asked = await ask(role);
        const session = asked.session ?? {
          ...(await office.enter(role)),
          accountId: office.account(role).id,
        };
        const [were, lines] = [await snapshot(), await auditedBy(session.accountId)];
        const answer = await send(route, asked, session.cookie);
        const what = `${id} as ${role}: ${answer.text}`;
        if (!may.includes(role)) {
          assert.deepEqual([answer.status, at(answer.body, 'code')], [403, 'RIGHT_MISSING'], what);
          assert.deepEqual(await snapshot(), were, what);
          continue;
        }
        assert.equal(answer.status, status, what);
        assert.ok(!answer.text.includes('{"error":'), what);
        if (!changes) assert.equal(await auditedBy(session.accountId), lines, what);
        else {
          assert.ok((await auditedBy(session.accountId)) > lines, what);
          assert.notDeepEqual(await snapshot(), were, what);
        }
      }
    });
  }

  test('would be caught changing something: a snapshot shows every change', async () => {
    const were = await snapshot();
    await asOwner('PATCH', 'settings', { company_name: `C ${(count += 1)}` });
    const are = await snapshot();
    assert.notDeepEqual(are['settings'], were['settings']);
    assert.ok(listOf(are['admin_audit']).length > listOf(were['admin_audit']).length);
  });
});
