/** Serves the API documentation page with Swagger UI. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type StaticPage, sendStatic } from './static-page.ts';

/** Only what this origin serves, and images inside its own style sheet. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const pathOf = (url: string): string => new URL(url).pathname.replace(/\/$/, '');

const require = createRequire(import.meta.url);
const folder = join(dirname(require.resolve('@fastify/swagger-ui/package.json')), 'static');

const javascript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';

/** The files of Swagger UI that the page names. */
const types: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': javascript,
  'swagger-ui-standalone-preset.js': javascript,
  'swagger-ui.css': css,
  'index.css': css,
  'favicon-32x32.png': 'image/png',
};

const html = (base: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Simgate API</title>
<link rel="stylesheet" href="${base}/static/swagger-ui.css">
<link rel="stylesheet" href="${base}/static/index.css">
<link rel="stylesheet" href="${base}/static/simgate.css">
<link rel="icon" type="image/png" href="${base}/static/favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${base}/static/swagger-ui-bundle.js"></script>
<script src="${base}/static/swagger-ui-standalone-preset.js"></script>
<script src="${base}/static/simgate-initializer.js"></script>
</body>
</html>
`;

const initializer = (base: string): string => `window.ui = SwaggerUIBundle({
  url: ${JSON.stringify(`${base}/json`)},
  dom_id: '#swagger-ui',
  deepLinking: true,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

/** Registers the page; `text` is the description of the API. */
export const docsPage = (
  app: FastifyInstance,
  publicUrl: string | undefined,
  text: StaticPage,
): void => {
  // A proxy that serves us below a path takes the path away; the page must ask for it.
  const base = `${publicUrl === undefined ? '' : pathOf(publicUrl)}/docs`;
  const of = (type: string, text: string): StaticPage => ({ type, make: () => Buffer.from(text) });
  const page = of('text/html; charset=utf-8', html(base));
  const pages: Readonly<Record<string, StaticPage>> = {
    '/docs': { ...page, headers: { 'content-security-policy': policy } },
    '/docs/json': text,
    '/docs/static/simgate.css': of(css, '.swagger-ui .topbar { display: none; }\n'),
    '/docs/static/simgate-initializer.js': of(javascript, initializer(base)),
    ...Object.fromEntries(
      Object.entries(types).map(([file, type]) => [
        `/docs/static/${file}`,
        { type, make: () => readFile(join(folder, file)) },
      ]),
    ),
  };
  for (const [path, one] of Object.entries(pages)) {
    app.get(path, { schema: { hide: true } }, sendStatic(one));
  }
};
