/** Serves `/`: a page with links for people, and 404 for programs. */
import { createHash } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import { GatewayError } from '../../lib/errors.ts';
import { sendStatic } from './static-page.ts';

export type FrontPageDeps = {
  readonly publicUrl: string | undefined;
  /** Whether there is documentation to link to. */
  readonly hasDocs: boolean;
  /** Whether there is a console to link to. */
  readonly hasConsole: boolean;
};

const style = `
:root { color-scheme: light dark; }
body { font: 1.1rem/1.7 system-ui, sans-serif; margin: 12vh auto; max-width: 32rem; padding: 0 1rem; }
section + section { border-top: 1px solid; margin-top: 2rem; padding-top: 1rem; }
`;

// The page needs no script and no file, so it may load none.
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

type Words = {
  readonly lang: string;
  readonly dir: string;
  readonly title: string;
  readonly text: string;
  readonly docs: string;
  readonly console: string;
};

type Shown = Pick<FrontPageDeps, 'hasDocs' | 'hasConsole'> & { readonly base: string };

const languages: readonly Words[] = [
  {
    lang: 'en',
    dir: 'ltr',
    title: 'Simgate',
    text: 'This gateway sells mobile data packages and top-ups. Programs use its API.',
    docs: 'Documentation',
    console: 'Console for staff',
  },
  {
    lang: 'fa',
    dir: 'rtl',
    title: 'سیم‌گیت',
    text: 'این درگاه بسته‌های اینترنت و شارژ سیم‌کارت می‌فروشد. برنامه‌ها از رابط برنامه‌نویسی آن استفاده می‌کنند.',
    docs: 'مستندات',
    console: 'کنسول مدیریت',
  },
];

const sectionOf = (words: Words, { base, hasDocs, hasConsole }: Shown): string => {
  const docs = `<li><a href="${base}/docs">${words.docs}</a></li>`;
  const console = `<li><a href="${base}/console">${words.console}</a></li>`;
  return `<section lang="${words.lang}" dir="${words.dir}">
<h1>${words.title}</h1>
<p>${words.text}</p>
<ul>
${hasDocs ? docs : ''}
${hasConsole ? console : ''}
</ul>
</section>
`;
};

const html = (shown: Shown): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simgate</title>
<style>${style}</style>
</head>
<body>
<main>
${languages.map((words) => sectionOf(words, shown)).join('')}</main>
</body>
</html>
`;

/** Browsers ask for HTML by name; programs that accept anything do not. */
const isBrowser = (accept: string | undefined): boolean => /\btext\/html\b/i.test(accept ?? '');

export const frontPage =
  ({ publicUrl, hasDocs, hasConsole }: FrontPageDeps): FastifyPluginAsync =>
  async (app) => {
    // A proxy may serve the gateway under a path prefix.
    const base = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
    const vary = 'accept, accept-encoding';
    const send = sendStatic({
      type: 'text/html; charset=utf-8',
      make: () => Buffer.from(html({ base, hasDocs, hasConsole })),
      headers: { vary, 'content-security-policy': policy },
    });
    app.get('/', { schema: { hide: true } }, async (request, reply) => {
      if (isBrowser(request.headers.accept)) return send(request, reply);
      throw new GatewayError('NOT_FOUND', { headers: { vary: 'accept, accept-language' } });
    });
  };
