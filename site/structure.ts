/** Defines the sidebar of the site: its groups and their pages, in both languages. */

export type Language = 'en' | 'fa';

/** A page by its path without `.md`; `api/*` stands for the pages of the API reference. */
type Group = { readonly text: string; readonly pages: readonly string[]; readonly folded?: true };

const english: readonly Group[] = [
  { text: 'Start', pages: ['start'] },
  {
    text: 'Guides',
    pages: [
      'guides/retries',
      'guides/catalogue',
      'guides/offers',
      'guides/statement',
      'guides/local-testing',
      'guides/going-live',
    ],
  },
  { text: 'API reference', pages: ['api/index', 'api/*'] },
  { text: 'Errors', pages: ['errors'] },
  { text: 'Webhooks', pages: ['webhooks'] },
  { text: 'Test numbers', pages: ['test-numbers'] },
  { text: 'SDK', pages: ['sdk'] },
  {
    text: 'Operate',
    folded: true,
    pages: [
      'operate/index',
      'operate/install',
      'operate/configuration',
      'operate/operators',
      'operate/routes',
      'operate/second-supplier',
      'operate/price-lists',
      'operate/costs',
      'operate/invoices',
      'operate/catalogue',
      'operate/console',
      'operate/admin',
      'operate/operations',
      'operate/upgrades',
      'operate/restore',
      'operate/alarms',
      'operate/metrics',
      'operate/tracing',
      'operate/runbooks',
      'operate/slo',
      'operate/protection',
      'operate/scale',
      'operate/move',
      'operate/high-availability',
      'operate/support',
      'operate/releases',
      'operate/dependencies',
      'security',
    ],
  },
  {
    text: 'Extend',
    folded: true,
    pages: [
      'extend/index',
      'extend/connectors',
      'extend/callbacks',
      'extend/catalogue-sync',
      'extend/architecture',
      'extend/contributing',
      'adr/index',
    ],
  },
  {
    text: 'Reliability',
    folded: true,
    pages: ['reliability', 'performance', 'performance-history'],
  },
  { text: 'Changelog', pages: ['changelog'] },
];

const persian: readonly Group[] = [
  { text: 'شروع', pages: ['fa/start'] },
  {
    text: 'راهنماها',
    pages: [
      'fa/guides/retries',
      'fa/guides/catalogue',
      'fa/guides/offers',
      'fa/guides/statement',
      'fa/guides/local-testing',
      'fa/guides/going-live',
    ],
  },
  { text: 'خطاها', pages: ['fa/errors'] },
  { text: 'وب‌هوک‌ها', pages: ['fa/webhooks'] },
  { text: 'شماره‌های آزمایشی', pages: ['fa/test-numbers'] },
];

const groups: Readonly<Record<Language, readonly Group[]>> = { en: english, fa: persian };

type Link = { readonly text: string; readonly link: string };
export type SidebarGroup =
  | Link
  | { readonly text: string; readonly collapsed: boolean; readonly items: readonly Link[] };

const linkTo = (page: string): string => `/${page.replace(/(^|\/)index$/, '$1')}`;

/** The sidebar, of those pages that there are; `titles` is by path. */
export const sidebarOf = (
  language: Language,
  titles: ReadonlyMap<string, string>,
): SidebarGroup[] => {
  const all = [...titles.keys()];
  const expand = (page: string): readonly string[] =>
    page === 'api/*' ? all.filter((one) => /^api\/(?!index$)/.test(one)) : [page];
  return groups[language].flatMap(({ text, pages, folded = false }): SidebarGroup[] => {
    const items = pages
      .flatMap(expand)
      .filter((page) => titles.has(page))
      .map((page) => ({ text: titles.get(page) ?? page, link: linkTo(page) }));
    const [only] = items;
    if (only === undefined) return [];
    return items.length === 1 ? [{ text, link: only.link }] : [{ text, collapsed: folded, items }];
  });
};

/** Whether a page needs no place in the sidebar: home pages, and decisions, which have a list of their own. */
export const isUnlisted = (page: string): boolean => /^((fa\/)?index|adr\/.+)$/.test(page);
