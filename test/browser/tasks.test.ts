/** Tests the ten daily tasks by visible labels alone, and that none takes more clicks than before. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { formatFor } from '../../console/src/writing.ts';
import type { Role } from '../../src/admin/access/roles.ts';
import { readCatalogue } from '../../src/catalogue/read.ts';
import { readAccount } from '../../src/ledger/store.ts';
import { advanceIn } from '../../src/purchases/commit/advance.ts';
import { textFact } from '../../src/purchases/facts/facts.ts';
import { giveUp, isOpen } from '../../src/purchases/purchase.ts';
import {
  aPackage,
  aTopUp,
  type BuyOptions,
  buy,
  catalogue,
  type Fields,
  operatorThat,
  purchaseDefaults,
  served,
  topUps,
  untilRecorded,
} from '../contract/buying.ts';
import { sampleProduct } from '../contract/sample-product.ts';
import { here, sessionCookie, tokenOfSession } from '../support/admin.ts';
import {
  beginning,
  type Language,
  languages,
  sharing,
  testConsole,
  type Visit,
} from '../support/browser.ts';
import { eventually } from '../support/live.ts';
import { addClient, request } from '../support/server.ts';

/** How many clicks, choices and filled fields each task takes at most, from the overview on. */
const tasks = [
  { task: 'find why a purchase failed', clicks: 3 },
  { task: 'resolve a purchase in review', clicks: 7 },
  { task: 'deposit to a client', clicks: 6 },
  { task: 'create a client with a token', clicks: 6 },
  { task: 'limit a client to one operator', clicks: 8 },
  { task: 'switch a product off', clicks: 4 },
  { task: 'raise prices by 5 % and revert it', clicks: 12 },
  { task: 'suspend an operator', clicks: 4 },
  { task: 'export yesterday’s sales by operator', clicks: 3 },
  { task: 'find who changed a setting', clicks: 2 },
] as const;

type Task = (typeof tasks)[number]['task'];

/** What differs by language, so that a task in one leaves the other its own. */
const given = {
  en: {
    barred: '989123456790',
    typed: '09123456790',
    client: 'Corner shop',
    off: 200,
    operator: 1,
  },
  fa: { barred: '989123456791', typed: '۰۹۱۲۳۴۵۶۷۹۱', client: 'Bazaar', off: 202, operator: 2 },
} as const satisfies Record<Language, object>;

const silent = '989123456792';
const silence = { kind: 'unknown', detail: '4712' } as const;

const operator = operatorThat(
  {
    buy: async ({ ref, mobile }) => {
      if (languages.some((language) => given[language].barred === mobile))
        return { kind: 'refused', code: 'declined', blame: 'subscriber', reason: '4711' };
      return mobile === silent ? silence : { kind: 'done', ref };
    },
    status: async () => silence,
  },
  // The operator is not polled during the tests.
  { inquiries: { firstInquiryMs: 600_000, widestInquiryMs: 600_000, reviewAfterMs: 86_400_000 } },
);

/** Sold by the second operator. */
const second = sampleProduct({ id: 300, operator_id: 2, price: 7000 });

const { inTurn, server, clock, admin } = testConsole({
  ...served(operator, { purchases: { ...purchaseDefaults, pendingAfterMs: 20 } }),
  products: [...catalogue, second].map((product) => ({
    ...product,
    name: `بسته ${product.id}`,
    name_en: `Package ${product.id}`,
  })),
  balance: 10_000_000,
});

const bought = async (fields: Fields, options: BuyOptions = {}): Promise<string> =>
  untilRecorded(server(), await buy(server(), fields, options));

type Client = Awaited<ReturnType<typeof addClient>>;

/** A purchase that needs review. */
const stuck = async ({ id: clientId, token }: Client): Promise<string> => {
  const id = await bought({ ...aPackage, mobile: silent }, { token });
  const last = textFact('4712');
  const reason = { code: 'unresolved', values: { inquiries: 3, last } } as const;
  await server()
    .deps.db.transaction()
    .execute((db) =>
      advanceIn(db, async () => clock.now(), [
        {
          name: { clientId, id },
          fence: 'any',
          step: (purchase) =>
            isOpen(purchase)
              ? giveUp(purchase, reason, { kind: 'inquiry', fact: last })
              : undefined,
        },
      ]),
    );
  return id;
};

const seedFor = async (language: Language) => {
  const { barred, client: name } = given[language];
  const client = await addClient(server(), { name, balance: 1_000_000 });
  await bought({ ...aPackage, mobile: barred }, { token: client.token });
  return { clientId: client.id, review: await stuck(client) };
};

/** Sells of both operators, and dates it to yesterday. */
const sellYesterday = async (): Promise<void> => {
  await bought(aPackage);
  await bought(aTopUp, { path: topUps });
  await bought({ ...aPackage, product_id: second.id, price: second.price });
  const { db } = server().deps;
  await eventually('they are counted', async () => {
    const rows = await db.selectFrom('sales').select('sold').where('kind', '=', 'full').execute();
    return rows.reduce((sum, { sold }) => sum + sold, 0) === 3;
  });
  await db
    .updateTable('sales')
    .set({ day: Math.floor(beginning / 86_400_000) - 1 })
    .where('kind', '!=', 'month')
    .execute();
};

const seed = async () => {
  await sellYesterday();
  return { en: await seedFor('en'), fa: await seedFor('fa') };
};

const withSeed = sharing(seed);

/** Does a task, and counts what it takes. */
type Hand = {
  readonly click: (place: Locator) => Promise<void>;
  readonly fill: (place: Locator, text: string) => Promise<void>;
  /** Opens a page by the menu. */
  readonly menu: (name: string) => Promise<void>;
  /** Opens the only result of the search over everything, within a group. */
  readonly find: (text: string, group: string) => Promise<void>;
};

const handFor = ({ page, words }: Visit) => {
  let clicks = 0;
  const click = async (place: Locator): Promise<void> => {
    clicks += 1;
    await place.click();
  };
  const fill = async (place: Locator, text: string): Promise<void> => {
    clicks += 1;
    await place.fill(text);
  };
  const menu = async (name: string): Promise<void> => {
    const links = page.getByRole('navigation', { name: words.shell.menu });
    await click(links.getByRole('link', { name, exact: true }));
    // Until it has loaded, the page before is shown, which may have buttons of the same name.
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  };
  const find = async (text: string, group: string): Promise<void> => {
    await click(page.getByRole('button', { name: words.search.open }));
    await fill(page.getByRole('combobox', { name: words.search.title }), text);
    await click(page.getByRole('group', { name: group }).getByRole('option'));
  };
  return { hand: { click, fill, menu, find }, counted: () => clicks };
};

type Doing = Visit & {
  readonly hand: Hand;
  readonly mine: (typeof given)[Language] & Awaited<ReturnType<typeof seedFor>>;
};

const daily = (task: Task, role: Role, body: (doing: Doing) => Promise<void>): void => {
  const most = tasks.find((one) => one.task === task)?.clicks ?? 0;
  inTurn(
    `daily task: ${task}`,
    withSeed(async (visit, seeded) => {
      const { page, words, language, signIn, diagnostic } = visit;
      const mine = { ...given[language], ...seeded[language] };
      const { hand, counted } = handFor(visit);
      await signIn(role);
      await page.getByRole('heading', { level: 1, name: words.pages.overview }).waitFor();
      const began = performance.now();
      await body({ ...visit, hand, mine });
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      diagnostic(`${task} (${language}): ${counted()} clicks, ${seconds} s`);
      assert.ok(counted() <= most, `${counted()} clicks, at most ${most}`);
    }),
  );
};

/** A sentence with its values put in. */
const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/%\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

const operatorName = ({ language }: Visit, id: number): string =>
  language === 'fa' ? `اپراتور ${formatFor(language).digits(id)}` : `Operator ${id}`;

daily('find why a purchase failed', 'support', async ({ page, words, hand, mine }) => {
  await hand.find(mine.typed, words.search.purchases);
  await page
    .getByRole('region', { name: words.purchases.explanation })
    .getByText(filled(words.purchaseWords.operatorSaid, { words: '4711' }))
    .waitFor();
});

daily('resolve a purchase in review', 'support', async ({ page, words, hand, mine }) => {
  const say = words.purchases;
  await hand.click(page.getByRole('link', { name: words.overview.reviewLink }));
  const list = page.getByRole('table', { name: say.list });
  await hand.click(list.getByRole('row').filter({ hasText: mine.client }).getByRole('link'));
  await hand.click(page.getByRole('button', { name: say.resolve, exact: true }));
  const form = page.getByRole('region', { name: say.resolveTitle });
  await hand.click(form.getByLabel(say.delivered));
  await hand.click(form.getByRole('button', { name: say.preview }));
  await hand.fill(form.getByLabel(words.common.reason), 'The subscriber has it.');
  await hand.click(form.getByRole('button', { name: say.decideDelivered }));
  await page.getByRole('status').getByText(say.resolved, { exact: true }).waitFor();
  const { state } = await server()
    .deps.db.selectFrom('purchases')
    .select('state')
    .where('id', '=', mine.review)
    .executeTakeFirstOrThrow();
  assert.equal(state, 'succeeded');
});

const availableOf = async (clientId: string): Promise<number> =>
  (await readAccount(server().deps.db, clientId))?.available ?? assert.fail('no account');

daily('deposit to a client', 'manager', async ({ page, words, hand, mine, language }) => {
  const say = words.clients;
  const { digits, money } = formatFor(language);
  const after = (await availableOf(mine.clientId)) + 5_000_000;
  await hand.find(mine.client, words.search.clients);
  await hand.click(page.getByRole('button', { name: say.deposit, exact: true }));
  const dialog = page.getByRole('dialog', {
    name: filled(say.depositTitle, { name: mine.client }),
  });
  await hand.fill(dialog.getByLabel(say.amount), digits(5_000_000));
  await hand.click(dialog.getByRole('button', { name: say.depositSubmit }));
  const amounts = { amount: money(5_000_000), after: money(after) };
  await page.getByText(filled(say.depositDone, amounts)).waitFor();
  assert.equal(await availableOf(mine.clientId), after);
});

daily('create a client with a token', 'manager', async (doing) => {
  const { page, words, hand, language, context } = doing;
  const say = words.clients;
  const name = `New shop ${language}`;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await hand.menu(words.pages.clients);
  await hand.click(page.getByRole('button', { name: say.create, exact: true }));
  await hand.fill(page.getByRole('dialog', { name: say.create }).getByLabel(say.name), name);
  await hand.click(page.getByRole('button', { name: say.createSubmit }));
  const handed = page.getByRole('dialog', { name: filled(say.tokenTitle, { name }) });
  await hand.click(handed.getByRole('button', { name: words.common.copy }));
  const token = String(await page.evaluate('navigator.clipboard.readText()'));
  await hand.click(handed.getByRole('button', { name: words.common.close }));
  await page.getByRole('heading', { level: 1, name }).waitFor();
  assert.equal((await request(server(), '/api/account', { token })).status, 200);
});

daily('limit a client to one operator', 'manager', async (doing) => {
  const { page, words, hand, mine } = doing;
  const say = words.clientRules;
  await hand.find(mine.client, words.search.clients);
  await hand.click(page.getByRole('tab', { name: words.clients.rules, exact: true }));
  const operators = page.getByRole('group', { name: say.operators });
  await hand.click(operators.getByRole('button', { name: words.common.clear }));
  await hand.click(operators.getByLabel(operatorName(doing, 2)));
  await hand.click(page.getByRole('button', { name: say.look }));
  const dialog = page.getByRole('dialog', { name: filled(say.saveTitle, { name: mine.client }) });
  await dialog.getByRole('cell', { name: operatorName(doing, 2), exact: true }).waitFor();
  await hand.click(dialog.getByRole('button', { name: say.saveSubmit }));
  await page.getByText(say.saved).waitFor();
  const { operators: allowed } = await server()
    .deps.db.selectFrom('client_rules')
    .select('operators')
    .where('client_id', '=', mine.clientId)
    .executeTakeFirstOrThrow();
  assert.equal(allowed, '[2]');
});

const stored = async () => (await readCatalogue(server().deps.db)).products;

daily('switch a product off', 'manager', async ({ page, words, hand, mine, language }) => {
  const say = words.catalogue;
  const name = language === 'fa' ? `بسته ${mine.off}` : `Package ${mine.off}`;
  await hand.find(name, words.search.products);
  await hand.click(page.getByRole('switch', { name: filled(say.sell, { name }), exact: true }));
  await page.getByText(filled(say.isOff, { name })).waitFor();
  assert.equal((await stored()).find(({ id }) => id === mine.off)?.status, 0);
});

daily('raise prices by 5 % and revert it', 'manager', async (doing) => {
  const { page, words, hand, language } = doing;
  const { catalogue: say, cataloguePrices: prices, common } = words;
  const { count, digits } = formatFor(language);
  const before = await stored();
  const raised = before.map((one) =>
    one.operator_id === 1 ? { ...one, price: one.price * 1.05 } : one,
  );
  const many = count(before.filter((one) => one.operator_id === 1).length);
  const pricesOf = (products: typeof before) => products.map(({ id, price }) => [id, price]);
  await hand.menu(words.pages.catalogue);
  await hand.click(page.getByRole('button', { name: common.addFilter, exact: true }));
  await hand.click(page.getByRole('menuitem', { name: say.operator, exact: true }));
  await hand.click(page.getByRole('menuitemradio', { name: operatorName(doing, 1), exact: true }));
  await page
    .getByRole('button', { name: filled(common.removeFilter, { name: say.operator }) })
    .waitFor();
  const chosen = page.getByRole('group', { name: say.chosenProducts });
  await hand.click(chosen.getByRole('link', { name: say.prices }));
  await hand.click(page.getByLabel(filled(prices.whichFilter, { count: many })));
  await hand.fill(page.getByLabel(prices.percent, { exact: true }), digits(5));
  await hand.click(page.getByRole('button', { name: prices.show }));
  const apply = filled(prices.apply, { count: many });
  await hand.click(page.getByRole('button', { name: apply }));
  await hand.click(page.getByRole('dialog').getByRole('button', { name: apply }));
  await page.getByText(filled(prices.doneText, { count: many })).waitFor();
  assert.deepEqual(pricesOf(await stored()), pricesOf(raised));
  await hand.click(page.getByRole('button', { name: prices.revert, exact: true }));
  const dialog = page.getByRole('dialog', { name: prices.revertTitle });
  await hand.click(dialog.getByRole('button', { name: prices.revert, exact: true }));
  await page.getByText(filled(prices.revertDone, { prices: many, products: many })).waitFor();
  assert.deepEqual(pricesOf(await stored()), pricesOf(before));
});

daily('suspend an operator', 'manager', async (doing) => {
  const { page, words, hand, mine } = doing;
  const say = words.operators;
  const name = operatorName(doing, mine.operator);
  const suspend = filled(say.suspendOf, { name });
  await hand.menu(words.pages.operators);
  await hand.click(page.getByRole('button', { name: suspend }));
  const dialog = page.getByRole('dialog', { name: suspend });
  await hand.fill(dialog.getByLabel(words.common.reason), 'Maintenance tonight');
  await hand.click(dialog.getByRole('button', { name: say.suspend }));
  await page.getByText(filled(say.suspendDone, { name })).waitFor();
  const row = page.getByRole('row').filter({ hasText: name });
  await row.getByText(say.suspended, { exact: true }).waitFor();
});

daily('export yesterday’s sales by operator', 'manager', async (doing) => {
  const { page, words, hand } = doing;
  await hand.menu(words.pages.sales);
  const yesterday = { name: words.sales.yesterday, exact: true };
  await hand.click(page.getByRole('button', yesterday));
  await page.getByRole('button', { ...yesterday, pressed: true }).waitFor();
  const downloading = page.waitForEvent('download');
  await hand.click(page.getByRole('button', { name: words.sales.export }));
  const file = readFileSync(await (await downloading).path(), 'utf8');
  assert.match(file, new RegExp(`^1,${operatorName(doing, 1)},2,15000,`, 'm'));
  assert.match(file, new RegExp(`^2,${operatorName(doing, 2)},1,7000,`, 'm'));
});

/** Another account changes the threshold, without this page. */
const setThreshold = async ({ accountOf }: Visit, amount: number): Promise<void> => {
  const token = await tokenOfSession(admin(), await accountOf('owner'));
  const answer = await request(server(), '/admin/api/settings', {
    method: 'PATCH',
    token: null,
    headers: { ...here, cookie: `${sessionCookie}=${token}` },
    json: { low_balance_below: amount },
  });
  assert.equal(answer.status, 200, answer.text);
};

daily('find who changed a setting', 'manager', async (doing) => {
  const { page, words, hand, language } = doing;
  const amount = { en: 700_000, fa: 800_000 }[language];
  await setThreshold(doing, amount);
  await hand.menu(words.pages.settings);
  await hand.click(page.getByRole('link', { name: words.audit.history, exact: true }));
  const row = page.getByRole('row').filter({ hasText: formatFor(language).money(amount) });
  await row.getByText(words.audit.fields.low_balance_below).first().waitFor();
  await row.getByRole('cell', { name: 'the-owner', exact: true }).waitFor();
});
