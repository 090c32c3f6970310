/** Tests that every page speaks one language: no English in Persian pages, and no Persian in English ones. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Page, Request } from 'playwright-core';
import { writePostings } from '../../src/ledger/store.ts';
import { advanceIn } from '../../src/purchases/commit/advance.ts';
import { textFact } from '../../src/purchases/facts/facts.ts';
import { giveUp, isOpen } from '../../src/purchases/purchase.ts';
import {
  aPackage,
  buy,
  catalogue,
  operatorThat,
  purchaseDefaults,
  served,
  untilRecorded,
} from '../contract/buying.ts';
import { type Language, sharing, testConsole } from '../support/browser.ts';
import { eventually } from '../support/live.ts';
import { makeEndpoint } from '../support/webhooks.ts';

const barred = '989123456790';
const silent = '989123456792';

const operator = operatorThat(
  {
    buy: async ({ ref, mobile }) => {
      if (mobile === barred)
        return { kind: 'refused', code: 'declined', blame: 'subscriber', reason: '4711' };
      return mobile === silent ? { kind: 'unknown', detail: '4712' } : { kind: 'done', ref };
    },
    status: async () => ({ kind: 'unknown', detail: '4712' }),
  },
  // The operator is not polled during the tests.
  { inquiries: { firstInquiryMs: 600_000, widestInquiryMs: 600_000, reviewAfterMs: 86_400_000 } },
);

const { inBoth, inTurn, server, clock } = testConsole({
  ...served(operator, { purchases: { ...purchaseDefaults, pendingAfterMs: 20 } }),
  products: catalogue.map((product) => ({
    ...product,
    name: `بسته ${product.id}`,
    name_en: `Package ${product.id}`,
  })),
  balance: 10_000_000,
});

const bought = async (mobile: string, code: string): Promise<string> =>
  untilRecorded(server(), await buy(server(), { ...aPackage, mobile, webservice_code: code }));

/** A purchase that needs review. */
const stuck = async (): Promise<string> => {
  const id = await bought(silent, '1003');
  const { deps, client } = server();
  await deps.db.transaction().execute((db) =>
    advanceIn(db, async () => clock.now(), [
      {
        name: { clientId: client.id, id },
        fence: 'any',
        step: (purchase) =>
          isOpen(purchase)
            ? giveUp(
                purchase,
                { code: 'unresolved', values: { inquiries: 3, last: textFact('4712') } },
                { kind: 'inquiry', fact: textFact('4712') },
              )
            : undefined,
      },
    ]),
  );
  return id;
};

/** Something to bill in December. */
const sellInDecember = async (): Promise<void> => {
  const { deps, client } = server();
  const bought = { amount: 1000, purchaseId: randomUUID() };
  const postings = (['hold', 'capture'] as const).map((kind) => ({ kind, ...bought }));
  await writePostings(deps.db, client.id, postings, Date.UTC(2025, 11, 15));
};

const seed = async () => {
  await sellInDecember();
  await makeEndpoint(server(), { events: ['purchase.succeeded', 'purchase.failed'] });
  return {
    sold: await bought('989123456700', '1000'),
    failed: await bought(barred, '1001'),
    pending: await bought(silent, '1002'),
    review: await stuck(),
  };
};

const seeded = sharing(seed);

/** A route with every kind of term that is shown in words. */
const routeTerms = {
  operator_id: 1,
  product_id: 100,
  category_id: null,
  product_type: 'cell_internet',
  supplier_id: 1,
  product_code: null,
  cost: '2.5%',
  allow_dearer: false,
  priority: 5,
  weight: 2,
  hours: '22:00-06:00',
  days: ['sat', 'wed'],
  valid_from: '2026-01-01T00:00:00Z',
  valid_until: '2027-01-01T00:00:00Z',
  enabled: true,
};

/** Entries with several kinds of scope, from a day on. */
const entries = {
  csv: 'product_id,category_id,operator_id,product_type,commission\n100,,,,5%\n,,1,cell_internet,2.5%\n,,,,7\n',
  valid_from: '2026-03-01T00:00:00Z',
};

/** Sends a request of the signed-in page. */
const post = (page: Page, path: string, body: object): Promise<Readonly<Record<string, unknown>>> =>
  page.evaluate(`fetch('/admin/api/${path}', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify(body))},
  }).then(async (answer) => {
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return JSON.parse(text);
  })`);

/**
 * Texts that are shown or read aloud. Code, names and JSON are data, which reads from left to right.
 * Sentences are not, except those of a foreign connector: these are marked as English.
 */
const texts = `(() => {
  const found = [];
  const data = 'script, style, noscript, pre, code, [dir="ltr"]:not(html)';
  const sentence = /[a-z]{2,}(?: [a-z]{2,}){2}/i;
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const { parentElement, nodeValue } = nodes.currentNode;
    const isData = parentElement?.closest(data) !== null;
    const isOfOthers = parentElement?.closest('script, style, noscript, pre, code, [lang="en"]:not(html)') !== null;
    if (!isData || (!isOfOthers && sentence.test(nodeValue))) found.push(nodeValue);
  }
  for (const one of document.body.querySelectorAll('[aria-label], [placeholder], [title]')) {
    if (one.closest(data) !== null) continue;
    for (const name of ['aria-label', 'placeholder', 'title']) found.push(one.getAttribute(name) ?? '');
  }
  return [document.title, ...found];
})()`;

/** Ids, codes, names of formats, standards and others' products, and names in the tests. */
const latinAllowed: readonly RegExp[] = [
  /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi,
  /\b(?:root|the-owner|key-\d+|operator_\d|sqlite|Node\.js)\b/gi,
  /\b(?:API|CSV|HTTP|IPv6|JSON|MB|PostgreSQL|TD-LTE|TLS|UTC|UTF-8|XLSX|GB|kB)\b/g,
  /\b(?:Asia\/Tehran|Europe\/Berlin|IRR|IRT|USD)\b/g,
  /https?:\/\/\S+/g,
  /Mozilla\/5\.0 [\w ;/.,()]+Safari\/[\d.]+/g,
  /Chrome · Linux/g,
  /\ba تا z\b|\b192\.0\.2\.0\/24\b/g,
  /\bEnglish\b/g,
  /\b[\da-f]{8}\b|\.\/data\b/g,
  /\b(?:First|default|Package \d+|A package)\b|\(…\w{4}\)|2xx/g,
];
const persianAllowed: readonly RegExp[] = [/فارسی/g, /بسته \d+/g];

/** Files with faults of each kind: of the file, of its rows and of their fields. */
const faultyFiles = [
  { name: 'faults.csv', text: 'id,prise,price,price\n1,2\nx,,-1,3\n1,"a\n' },
  {
    name: 'faults.json',
    text: JSON.stringify([
      { id: 0, name: ' ', price: 'many', type: 'x', operator_id: 9, status: [], created_at: 'now' },
      { id: 1, categories: [{ id: 1, name: 'a', data: [1], pivot: { category_id: 2 } }], more: 1 },
      5,
    ]).replace('5]', '5,, {"a": tru} {]'),
  },
];

const foreignOn = async (page: Page, language: Language): Promise<readonly string[]> => {
  const shown: string[] = await page.evaluate(texts);
  const [letters, allowed] =
    language === 'fa' ? [/[a-z]/i, latinAllowed] : [/[\u0600-\u06ff]/, persianAllowed];
  return [...new Set(shown)].filter((text) =>
    letters.test(allowed.reduce((rest, pattern) => rest.replaceAll(pattern, ''), text)),
  );
};

// As long as a browser waits before it calls a page loaded and idle.
const idleMs = 500;

/** Returns a function that waits until no request has been open for a while. */
const watchRequests = (page: Page): (() => Promise<void>) => {
  const open = new Set<Request>();
  let lastChange = performance.now();
  page.on('request', (request) => {
    open.add(request);
    lastChange = performance.now();
  });
  const ended = (request: Request): void => {
    open.delete(request);
    lastChange = performance.now();
  };
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return () =>
    eventually(
      'no request is open',
      async () => open.size === 0 && performance.now() - lastChange > idleMs,
    );
};

inBoth(
  'every page speaks one language',
  seeded(async ({ page, language, signIn, open, go, words }, { sold, failed, pending, review }) => {
    const untilIdle = watchRequests(page);
    const { client } = server();
    const foreign: Record<string, readonly string[]> = {};
    const note = async (shown: string): Promise<void> => {
      const found = await foreignOn(page, language);
      if (found.length > 0) foreign[shown] = found;
    };
    const look = async (path: string): Promise<void> => {
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.getByText(words.common.loading).first().waitFor({ state: 'detached' });
      await untilIdle();
      await note(path);
    };
    await open('/login');
    await look('/login');
    await signIn('owner', '/me');
    await look('/me');
    const route = { ...routeTerms, client_id: client.id, key: randomUUID() };
    await post(page, 'routes', route);
    const { version } = await post(page, 'price-lists/1/import/preview', entries);
    await post(page, 'price-lists/1/import', { ...entries, version });
    await post(page, 'invoices', { month: '2025-12', client_id: client.id });
    for (const path of [
      '/purchases',
      ...[sold, failed, pending, review].map((id) => `/purchases/${id}`),
      '/clients',
      `/clients/${client.id}`,
      ...['purchases', 'money', 'rules', 'tokens', 'webhooks', 'contact'].map(
        (tab) => `/clients/${client.id}?tab=${tab}`,
      ),
      '/invoices',
      '/invoices/1',
      '/catalogue',
      '/catalogue/products/100',
      '/catalogue/products/100/edit',
      '/catalogue/products/new',
      '/catalogue/categories',
      '/catalogue/prices',
      '/catalogue/import',
      '/operators',
      '/operators/1',
      '/routes?explain=1',
      '/routes/import',
      '/price-lists?explain=1',
      '/price-lists/1',
      '/price-lists/1/version?of=1',
      '/price-lists/1/import',
      '/accounts',
      '/audit',
      '/settings',
    ]) {
      await go(path);
      await look(path);
    }
    await open('/nothing');
    await look('/nothing');
    await go('/routes?explain=1');
    const picker = page.getByRole('combobox', { name: words.purchases.product });
    await picker.click();
    await page.getByRole('option').first().click();
    await page.getByRole('button', { name: words.question.explain, exact: true }).click();
    await page.getByRole('table', { name: words.routing.result }).waitFor();
    await look('/routes with an explanation');
    await page.getByRole('button', { name: words.routing.create }).click();
    await page.getByRole('dialog').waitFor();
    await untilIdle();
    // The page below the dialog has no heading meanwhile.
    await note('/routes with the form of a new one');
    await go('/price-lists/1/version?of=1');
    const fields = page.getByRole('form', { name: words.priceLists.newVersion });
    await fields.getByRole('textbox', { name: words.priceLists.commission }).last().fill('8');
    await fields.getByRole('button', { name: words.priceLists.show }).click();
    await page.getByRole('region', { name: words.priceLists.preview, exact: true }).waitFor();
    await look('/price-lists/1/version with a preview');
    await go('/price-lists');
    await page.getByRole('button', { name: words.priceLists.create }).click();
    await page.getByRole('dialog').waitFor();
    await note('/price-lists with the form of a new one');
    await go('/invoices');
    await page.getByRole('button', { name: words.invoices.make }).click();
    await page.getByRole('dialog').waitFor();
    await untilIdle();
    await note('/invoices with the form of a month');
    await go('/operators');
    await page.getByRole('button', { name: words.suppliers.create }).click();
    await page.getByRole('dialog').getByRole('textbox').first().press('Enter');
    await page.getByText(words.common.required).first().waitFor();
    await note('/operators with the form of a new supplier');
    await go('/operators/1');
    await page.getByRole('button', { name: words.operators.check }).click();
    await page.getByText(words.operators.checkFailed).waitFor();
    await look('/operators/1 with a tested connection');
    for (const { name, text } of faultyFiles) {
      await go('/catalogue/import');
      const say = words.catalogueImport;
      const file = { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByRole('button', { name: say.show }).click();
      await page.getByRole('table', { name: say.problems }).waitFor();
      await look(`/catalogue/import with the faults of ${name}`);
    }
    for (const [path, heading] of [
      ['/overview', words.overview.byClient],
      ['/sales', words.pages.sales],
      // Something on it is always loading.
      ['/design', words.gallery.timeline],
    ] as const) {
      await go(path);
      await page.getByRole('heading', { name: heading }).waitFor();
      await note(path);
    }
    assert.deepEqual(foreign, {});
  }),
);

inTurn(
  'no page contradicts another about what waits',
  seeded(async ({ page, signIn, go, words }, { sold, pending, review }) => {
    await signIn('viewer', '/overview');
    const [oldest = ''] = words.overview.oldestAt.split(' %{time}');
    for (const name of [words.overview.pending, words.overview.review]) {
      const tile = page.getByRole('region', { name, exact: true });
      await tile.getByText(oldest).waitFor();
    }
    for (const [id, text] of [
      [sold, words.purchases.noDecisions],
      [pending, words.purchases.noDecisionYet],
      [review, words.purchases.decisionNeeded],
    ] as const) {
      await go(`/purchases/${id}`);
      const decisions = page.getByRole('region', { name: words.purchases.decisions });
      await decisions.getByText(text, { exact: true }).waitFor();
    }
  }),
);
