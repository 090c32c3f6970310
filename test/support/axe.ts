/** Checks pages with axe: by all rules, but the contrast of each way in which text looks only once. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

type Fault = {
  readonly id: string;
  readonly impact: string;
  readonly isWcag: boolean;
  readonly where: readonly string[];
};

type Checked = { readonly faults: readonly Fault[]; readonly looks: readonly string[] };

// Where something covers the first one, axe cannot say.
const perLook = 5;

/**
 * Contrast is most of what axe costs: for every text it asks the browser what lies below it. Texts of the same look
 * on the same background have the same contrast. What is placed freely may lie on anything: it is checked each time.
 */
const findNewLooks = `(known) => {
  const found = new Map();
  const counts = new Map(known.map((look) => [look, Infinity]));
  const behindText = (style, behind) => {
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position } = style;
    const effects = [backgroundImage, opacity, filter, mixBlendMode].join(' ');
    const isPlain = effects === 'none 1 none normal';
    if (isPlain && backgroundColor.startsWith('rgb(')) return backgroundColor;
    if (behind === undefined || ['absolute', 'fixed', 'sticky'].includes(position)) return undefined;
    if (isPlain && backgroundColor === 'rgba(0, 0, 0, 0)') return behind;
    return [behind, backgroundColor, effects].join(' ');
  };
  const hasText = (element) =>
    'value' in element || [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '');
  const visit = (element, behind) => {
    const style = getComputedStyle(element);
    if (style.display === 'none') return;
    const background = behindText(style, behind);
    const { color, fontSize, fontWeight, textShadow } = style;
    const look = background && [background, color, fontSize, fontWeight, textShadow].join(' ');
    const count = counts.get(look) ?? 0;
    if (hasText(element) && style.visibility === 'visible' && (look === undefined || count < ${perLook})) {
      found.set(element, look);
      counts.set(look, count + 1);
    }
    for (const child of element.children) visit(child, background);
  };
  visit(document.documentElement, getComputedStyle(document.documentElement).colorScheme);
  return found;
}`;

/**
 * One run for all rules: a second one would read the whole page again. Rules whose faults are never grave are a
 * quarter of the work.
 */
const check = `async (known) => {
  const rule = 'color-contrast';
  const isGrave = ({ impact, tags }) =>
    ['serious', 'critical'].includes(impact) || tags.some((tag) => /^wcag/.test(tag));
  const others = axe._audit.rules.filter((one) => !isGrave(one)).map(({ id }) => [id, { enabled: false }]);
  const mark = 'data-new-look';
  const found = (${findNewLooks})(known);
  for (const element of found.keys()) element.setAttribute(mark, '');
  axe.configure({ rules: [{ id: rule, selector: '[' + mark + ']' }] });
  // As axe found them: its own reporters describe thousands of elements that passed.
  axe.addReporter('found', (results, options, done) => done(results));
  const results = await axe.run(document, {
    reporter: 'found',
    rules: { ...Object.fromEntries(others), 'target-size': { enabled: true } },
  });
  for (const element of found.keys()) element.removeAttribute(mark);
  const passed = results.find(({ id }) => id === rule)?.passes ?? [];
  return {
    faults: results.filter(({ violations }) => violations.length > 0).map(({ id, impact, tags, violations }) => ({
      id,
      impact: String(impact),
      isWcag: tags.some((tag) => /^wcag/.test(tag)),
      where: violations.map(({ node }) => node.source.slice(0, 200)),
    })),
    looks: passed.map(({ node }) => found.get(node.element)).filter((look) => look !== undefined),
  };
}`;

/** Those of enough contrast. */
const known = new Set<string>();

/** Fails where axe finds a fault against WCAG 2.2 AA, or any other that is serious or critical. */
export const axeOn = async (page: Page): Promise<void> => {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axeSource);
  const { faults, looks }: Checked = await page.evaluate(
    `(${check})(${JSON.stringify([...known])})`,
  );
  const grave = faults.filter(
    ({ impact, isWcag }) => isWcag || impact === 'serious' || impact === 'critical',
  );
  assert.deepEqual(grave, [], page.url());
  for (const look of looks) known.add(look);
};
