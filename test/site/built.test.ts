/** Tests the built site: every link and anchor leads somewhere, and every page is in the sidebar. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { buildSite } from '../../site/build.ts';
import { isUnlisted, sidebarOf } from '../../site/structure.ts';
import { errorTable } from '../../src/lib/errors.ts';
import { root } from '../support/selection.ts';

const dist = join(root, 'site/dist');
const base = '/docs/';

type BuiltPage = { readonly html: string; readonly ids: ReadonlySet<string> };

const pages = new Map<string, BuiltPage>();
const files = new Set<string>();

/** The address of a page, as links have it. */
const addressOf = (file: string): string => base + file.replace(/(^|\/)index\.html$|\.html$/, '$1');

before(async () => {
  await buildSite();
  for (const file of globSync('**/*.*', { cwd: dist }))
    files.add(base + file.replaceAll('\\', '/'));
  for (const file of globSync('**/*.html', { cwd: dist }).map((one) => one.replaceAll('\\', '/'))) {
    const html = readFileSync(join(dist, file), 'utf8');
    const ids = new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id));
    pages.set(addressOf(file), { html, ids });
  }
});

const linksIn = (html: string): readonly string[] =>
  [...html.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  );

/** What is wrong with a link of a page; undefined where nothing is. */
const faultOf = (from: string, href: string): string | undefined => {
  const url = new URL(href, `https://site.example${from}`);
  if (url.host !== 'site.example' || url.protocol !== 'https:') return undefined;
  const id = decodeURIComponent(url.hash.slice(1));
  const page = pages.get(url.pathname) ?? pages.get(`${url.pathname}/`);
  if (page === undefined) return files.has(url.pathname) ? undefined : 'no such page';
  return id === '' || page.ids.has(id) ? undefined : 'no such anchor';
};

test('every link of every page leads to a page and an anchor that are there', () => {
  assert.ok(pages.size > 30);
  const faults = [...pages].flatMap(([from, { html }]) =>
    [...new Set(linksIn(html))].flatMap((href) => {
      const fault = faultOf(from, href);
      return fault === undefined ? [] : [`${from} → ${href}: ${fault}`];
    }),
  );
  assert.deepEqual(faults, []);
});

test('would find a link that leads nowhere', () => {
  assert.equal(faultOf('/docs/errors', './none'), 'no such page');
  assert.equal(faultOf('/docs/errors', '#none'), 'no such anchor');
});

test('every code of the error table has its anchor', () => {
  const { ids } = pages.get('/docs/errors') ?? { ids: new Set() };
  const missing = Object.keys(errorTable).filter((code) => !ids.has(code.toLowerCase()));
  assert.deepEqual(missing, []);
});

test('every page is in the sidebar, and as Markdown beside the page', () => {
  const paths = globSync('**/*.md', { cwd: dist }).map((file) =>
    file.replaceAll('\\', '/').slice(0, -'.md'.length),
  );
  const titles = new Map(paths.map((path) => [path, path]));
  const listed = new Set(
    [...sidebarOf('en', titles), ...sidebarOf('fa', titles)]
      .flatMap((group) => ('items' in group ? group.items : [group]))
      .map(({ link }) => link),
  );
  const linkOf = (path: string): string => `/${path.replace(/(^|\/)index$/, '$1')}`;
  const unlisted = paths.filter((path) => !isUnlisted(path) && !listed.has(linkOf(path)));
  assert.deepEqual(unlisted, []);
  assert.deepEqual(
    paths.filter((path) => !pages.has(base + linkOf(path).slice(1))),
    [],
  );
});
