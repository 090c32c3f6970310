/** Gathers the pages of the site in pages/: the documents, the changelog and the API reference. */
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildLibrary } from '../sdk/build.ts';
import { request, startServer } from '../test/support/server.ts';
import { apiPages } from './api-pages.ts';
import { moveMarkdown, type Placed } from './links.ts';
import { jsonIn } from './openapi.ts';

const here = import.meta.dirname;
const root = join(here, '..');
const pages = join(here, 'pages');

/** Documents outside of docs/ that are pages, too. */
const outside: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changelog.md',
  'SECURITY.md': 'security.md',
  'ARCHITECTURE.md': 'extend/architecture.md',
  'CONTRIBUTING.md': 'extend/contributing.md',
};

/** What has a page under another name: the README is the home page of the repository. */
const otherNames: Readonly<Record<string, string>> = {
  'README.md': 'docs/index.md',
  'sdk/README.md': 'docs/sdk.md',
  'docs/adr': 'docs/adr/index.md',
  'docs/adr/': 'docs/adr/index.md',
};

const slashed = (path: string): string => path.replaceAll('\\', '/');

const gathered = (): readonly Placed[] => [
  ...globSync('docs/**/*.md', { cwd: root })
    .map(slashed)
    .map((source) => ({ source, page: source.slice('docs/'.length) })),
  ...Object.entries(outside).map(([source, page]) => ({ source, page })),
];

/** Files that pages link to, as they are. */
const files = globSync('docs/*.json', { cwd: root }).map(slashed);

const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? '';

const write = (path: string, text: string): void => {
  const file = join(pages, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

const decisionsText = (): string => {
  const rows = globSync('docs/adr/0*.md', { cwd: root })
    .map(slashed)
    .sort()
    .map(
      (file) =>
        `- [${titleOf(readFileSync(join(root, file), 'utf8'))}](./${file.slice('docs/adr/'.length)})`,
    );
  return `# Decisions\n\nWhy the main parts of Simgate are as they are.\n\n${rows.join('\n')}\n`;
};

const openApi = async (): Promise<unknown> => {
  const server = await startServer();
  try {
    return (await request(server, '/openapi.json', { token: null })).body;
  } finally {
    await server.stop();
  }
};

/** Writes all of them; what was there before goes. */
export const stagePages = async (): Promise<void> => {
  rmSync(pages, { recursive: true, force: true });
  const placed = gathered();
  const bySource = new Map<string, string>([
    ...placed.map(({ source, page }) => [source, page] as const),
    ...files.map((file) => [file, file.slice('docs/'.length)] as const),
    ['docs/adr/index.md', 'adr/index.md'],
  ]);
  const pageOf = (source: string): string | undefined => bySource.get(otherNames[source] ?? source);
  for (const one of placed) {
    const text = readFileSync(join(root, one.source), 'utf8');
    write(one.page, moveMarkdown(text, one, { pageOf }));
  }
  write('adr/index.md', decisionsText());
  for (const { path, text } of apiPages(jsonIn(await openApi()))) write(path, text);
  mkdirSync(join(pages, 'public'), { recursive: true });
  for (const file of files) {
    copyFileSync(join(root, file), join(pages, 'public', file.slice('docs/'.length)));
  }
  copyFileSync(join(root, 'console/public/icon.svg'), join(pages, 'public/icon.svg'));
  // Who has a gateway's address and a token can install the library from there.
  copyFileSync(await buildLibrary(), join(pages, 'public/simgate-client.tgz'));
};

if (import.meta.main) await stagePages();
