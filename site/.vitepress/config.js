// Configures the site: structure, languages, search, and markup that needs no inline styles.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCssVariablesTheme } from 'shiki';
import { bundled } from '../bundled.js';
import { indexOptions } from '../search.ts';
import { slugOf } from '../slug.ts';
import { sidebarOf } from '../structure.ts';

const pages = join(import.meta.dirname, '../pages');

const titles = new Map(
  globSync('**/*.md', { cwd: pages })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .map((file) => [
      file.slice(0, -'.md'.length),
      /^# (.+?)(?: \{#.+\})?$/m.exec(readFileSync(join(pages, file), 'utf8'))?.[1] ?? file,
    ]),
);

// Styles within the page are against the gateway's policy: colours of code and alignments become classes.
const classOf = (style) => `code-${/--shiki-([\w-]+)/.exec(style)?.[1] ?? 'foreground'}`;

const codeClasses = {
  name: 'simgate:classes',
  pre(node) {
    delete node.properties.style;
  },
  span(node) {
    const { style } = node.properties;
    if (style === undefined) return;
    delete node.properties.style;
    node.properties.class = classOf(style);
  },
};

const alignByClass = (md) => {
  md.core.ruler.push('align-by-class', ({ tokens }) => {
    for (const token of tokens) {
      const align = /^text-align:(\w+)$/.exec(token.attrGet('style') ?? '')?.[1];
      if (align === undefined) continue;
      token.attrs = token.attrs.filter(([name]) => name !== 'style');
      token.attrJoin('class', `align-${align}`);
    }
  });
};

// What the theme writes into every page; style.css has the first, and a script sets the second when it matters.
const stylesOfTheme = / style="(?:position:relative;|--vp-vh:0px;)"/g;

// Not enumerable: VitePress would write the functions into the page as text, to be evaluated there, which the
// gateway's policy forbids. The page imports them instead (see changes).
const miniSearch = Object.defineProperty({}, 'options', { value: indexOptions });

const searchFile = JSON.stringify(join(import.meta.dirname, '../search.ts'));

/** Changes of the theme's own components: what to find in each, how often, and what to write instead. */
const changes = {
  // The functions of search.ts, imported instead of evaluated.
  'VPLocalSearchBox.vue': [
    [/theme\.value\.search\.options\?\.miniSearch\?\.searchOptions/g, 1, 'searchOptions'],
    [/theme\.value\.search\.options\?\.miniSearch\?\.options/g, 1, 'indexOptions'],
    [
      /<script lang="ts" setup>/g,
      1,
      `<script lang="ts" setup>\nimport { indexOptions, searchOptions } from ${searchFile}`,
    ],
  ],
  // A button within a button: the heading of a group already opens and closes it.
  'VPSidebarItem.vue': [
    [
      /role="button"\s+aria-label="toggle section"[^>]*tabindex="0"/g,
      1,
      'aria-hidden="true" @click="onCaretClick"',
    ],
  ],
};

const changeTheme = {
  name: 'simgate:theme',
  enforce: 'pre',
  transform(code, id) {
    const name = id.slice(id.lastIndexOf('/') + 1);
    if (!Object.hasOwn(changes, name)) return undefined;
    return changes[name].reduce((text, [pattern, times, replacement]) => {
      if (text.match(pattern)?.length !== times) throw new Error(`${name} has changed: ${pattern}`);
      return text.replaceAll(pattern, replacement);
    }, code);
  },
};

/** The package that a module is of, by the last folder of packages in its path. */
const packageOf = (id) =>
  /^.*\/node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//.exec(id.replaceAll('\\', '/'))?.[1];

const checkBundled = {
  name: 'simgate:bundled',
  generateBundle(options, bundle) {
    // The other one is for rendering pages here.
    if (String(options.dir).includes('.temp')) return;
    const modules = Object.values(bundle).flatMap((chunk) =>
      Object.entries(chunk.modules ?? {}).filter(([, { renderedLength }]) => renderedLength > 0),
    );
    const names = new Set(
      modules.map(([id]) => packageOf(id)).filter((name) => name !== undefined),
    );
    const found = [...names].sort().join(', ');
    if (found !== bundled.join(', ')) throw new Error(`site/bundled.js should list: ${found}`);
  },
};

const persianSearch = {
  translations: {
    button: { buttonText: 'جست‌وجو', buttonAriaLabel: 'جست‌وجو در مستندات' },
    modal: {
      displayDetails: 'نمایش جزئیات',
      resetButtonTitle: 'پاک کردن',
      backButtonTitle: 'بستن جست‌وجو',
      noResultsText: 'چیزی پیدا نشد برای',
      footer: {
        selectText: 'انتخاب',
        selectKeyAriaLabel: 'اینتر',
        navigateText: 'جابه‌جایی',
        navigateUpKeyAriaLabel: 'بالا',
        navigateDownKeyAriaLabel: 'پایین',
        closeText: 'بستن',
        closeKeyAriaLabel: 'اسکیپ',
      },
    },
  },
};

export default {
  base: '/docs/',
  srcDir: 'pages',
  outDir: 'dist',
  cleanUrls: true,
  // A page would load the scripts of all pages that it links to, many times its own size.
  router: { prefetchLinks: false },
  // With it, a change of colours writes a style into the page, which the gateway's policy forbids.
  appearance: { disableTransition: false },
  // One file for what all pages share, instead of a script in each of them.
  metaChunk: true,
  title: 'Simgate',
  description: 'A self-hosted gateway for selling mobile data packages and top-ups.',
  // Without it browsers ask for /favicon.ico, which no gateway has.
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/docs/icon.svg' }]],
  markdown: {
    theme: createCssVariablesTheme({ name: 'simgate' }),
    codeTransformers: [codeClasses],
    anchor: { slugify: slugOf },
    config: alignByClass,
  },
  themeConfig: {
    i18nRouting: false,
    search: {
      provider: 'local',
      options: { miniSearch, detailedView: false, locales: { fa: persianSearch } },
    },
  },
  locales: {
    root: {
      label: 'English',
      lang: 'en',
      themeConfig: {
        nav: [
          { text: 'Start', link: '/start' },
          { text: 'API reference', link: '/api/' },
          { text: 'Errors', link: '/errors' },
          { text: 'Operate', link: '/operate/' },
        ],
        sidebar: sidebarOf('en', titles),
        outline: [2, 3],
      },
    },
    fa: {
      label: 'فارسی',
      lang: 'fa',
      dir: 'rtl',
      link: '/fa/',
      title: 'سیم‌گیت',
      description: 'درگاه فروش بسته‌های اینترنت و شارژ سیم‌کارت روی سرور خودتان.',
      themeConfig: {
        nav: [
          { text: 'شروع', link: '/fa/start' },
          { text: 'خطاها', link: '/fa/errors' },
          { text: 'مرجع API (انگلیسی)', link: '/api/' },
        ],
        sidebar: sidebarOf('fa', titles),
        outline: { level: [2, 3], label: 'در این صفحه' },
        docFooter: { prev: 'صفحه قبل', next: 'صفحه بعد' },
        darkModeSwitchLabel: 'حالت تیره',
        lightModeSwitchTitle: 'حالت روشن',
        darkModeSwitchTitle: 'حالت تیره',
        sidebarMenuLabel: 'فهرست',
        returnToTopLabel: 'بازگشت به بالا',
        langMenuLabel: 'زبان',
        skipToContentLabel: 'رفتن به متن',
        notFound: {
          title: 'این صفحه پیدا نشد',
          quote: 'نشانی را بررسی کنید یا در مستندات جست‌وجو کنید.',
          linkText: 'صفحه اصلی',
          linkLabel: 'رفتن به صفحه اصلی',
        },
      },
    },
  },
  transformHtml: (code) => code.replaceAll(stylesOfTheme, ''),
  vite: { plugins: [changeTheme, checkBundled] },
};
