// Configures the site: structure, languages, search, and markup that needs no inline styles.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCssVariablesTheme } from 'shiki';
import { indexOptions } from '../search.ts';
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
// gateway's policy forbids. The page imports them instead (see ourSearch).
const miniSearch = Object.defineProperty({}, 'options', { value: indexOptions });

const searchBox = 'VPLocalSearchBox.vue';
const givenOptions = /theme\.value\.search\.options\?\.miniSearch\?\.(searchOptions|options)/g;

/** Makes the search box use search.ts. */
const ourSearch = {
  name: 'simgate:search',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith(searchBox)) return undefined;
    if (code.match(givenOptions)?.length !== 2) throw new Error(`${searchBox} has changed.`);
    const from = JSON.stringify(join(import.meta.dirname, '../search.ts'));
    const names = 'indexOptions as ourOptions, searchOptions as ourSearchOptions';
    return code
      .replaceAll(givenOptions, (_, name) =>
        name === 'options' ? 'ourOptions' : 'ourSearchOptions',
      )
      .replace(/<script[^>]*>/, (tag) => `${tag}\nimport { ${names} } from ${from}`);
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
  // With it, a change of colours writes a style into the page, which the gateway's policy forbids.
  appearance: { disableTransition: false },
  // One file for what all pages share, instead of a script in each of them.
  metaChunk: true,
  title: 'Simgate',
  description: 'A self-hosted gateway for selling mobile data packages and top-ups.',
  markdown: {
    theme: createCssVariablesTheme({ name: 'simgate' }),
    codeTransformers: [codeClasses],
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
  vite: { plugins: [ourSearch] },
};
