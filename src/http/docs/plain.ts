/** Writes the documentation pages that need no built site: the list for programs, and a placeholder. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { StaticPage } from '../pages/static-page.ts';
import type { DocsFiles } from './files.ts';

const titleIn = (text: string, path: string): string =>
  /^# (.+?)(?: \{#.+\})?$/m.exec(text)?.[1] ?? path;

/** The title of every page, by its path. */
const titlesOf = (texts: DocsFiles['texts']): Promise<(readonly [string, string])[]> =>
  Promise.all(
    [...texts].map(async ([path, file]) => [path, titleIn(await readFile(file, 'utf8'), path)]),
  );

/** The list of all pages as Markdown. */
export const pageList = (texts: DocsFiles['texts'], base: string): StaticPage => ({
  type: 'text/plain; charset=utf-8',
  make: async () => {
    const lines = (await titlesOf(texts)).map(
      ([path, title]) => `- [${title}](${base}/docs/${path})`,
    );
    return Buffer.from(`# Simgate

> A self-hosted gateway for selling mobile data packages and top-ups, exactly once.

The API as OpenAPI: ${base}/openapi.json

${lines.join('\n')}
`);
  },
});

const style = `
:root { color-scheme: light dark; }
body { font: 1.1rem/1.7 system-ui, sans-serif; margin: 8vh auto; max-width: 40rem; padding: 0 1rem; }
`;
const hash = createHash('sha256').update(style).digest('base64');
const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const html = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;

const pageOf = (make: StaticPage['make']): StaticPage => ({
  type: 'text/html; charset=utf-8',
  make,
  headers: { 'content-security-policy': policy },
});

/** The placeholder in a checkout without a built site. */
export const notBuiltPage = (texts: DocsFiles['texts'], prefix: string): StaticPage =>
  pageOf(async () => {
    const links = (await titlesOf(texts)).map(
      ([path, title]) => `<li><a href="${prefix}/docs/${path}">${escaped(title)}</a></li>`,
    );
    return Buffer.from(
      html(
        'Simgate documentation',
        `<p>The site is not built in this checkout. Run <code>npm run build:docs</code> and start the gateway again.</p>
<p>The API is described by <a href="${prefix}/openapi.json">openapi.json</a>. The pages as Markdown:</p>
<ul>
${links.join('\n')}
</ul>`,
      ),
    );
  });

/** The page for a browser without a token. */
export const tokenNeededPage = pageOf(() =>
  Buffer.from(
    html(
      'Sign in to read the documentation',
      '<p>Reload this page and enter your access token as the password; the user name does not matter. A session of the console works too.</p>',
    ),
  ),
);
