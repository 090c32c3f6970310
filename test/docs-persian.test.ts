/** Tests that the Persian pages have the examples and the anchors of the English ones, which are executed. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';

const docs = new URL('../docs/', import.meta.url);
const read = (page: string): string => readFileSync(new URL(page, docs), 'utf8');

const pages = readdirSync(new URL('fa/', docs), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .toSorted();

const fencesIn = (page: string): readonly string[] =>
  [...read(page).matchAll(/^ *```[^]*?^ *```$/gm)].map(([fence]) => fence);

/** Without examples, in which a line may look like a heading. */
const headingsIn = (page: string): readonly string[] =>
  [
    ...read(page)
      .replaceAll(/^ *```[^]*?^ *```$/gm, '')
      .matchAll(/^#{2,} (.+)$/gm),
  ].map(([, heading = '']) => heading);

const anchorOf = (heading: string): string =>
  / \{#([\w-]+)\}$/.exec(heading)?.[1] ??
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

describe('The Persian documentation', () => {
  test('has the start, the guides, errors, webhooks and test numbers', () => {
    const guides = readdirSync(new URL('guides/', docs)).map((name) => `guides/${name}`);
    const others = ['index.md', 'start.md', 'errors.md', 'webhooks.md', 'test-numbers.md'];
    assert.deepEqual(pages, [...guides, ...others].toSorted());
  });

  for (const page of pages) {
    test(`${page} has the examples of the English page, in the same order`, () => {
      assert.deepEqual(fencesIn(`fa/${page}`), fencesIn(page));
    });

    test(`${page} has the sections of the English page, under the same anchors`, () => {
      assert.deepEqual(headingsIn(`fa/${page}`).map(anchorOf), headingsIn(page).map(anchorOf));
      for (const heading of headingsIn(`fa/${page}`)) assert.match(heading, / \{#[\w-]+\}$/);
    });

    test(`${page} is written in Persian letters, not in their Arabic forms`, () => {
      const text = read(`fa/${page}`);
      assert.match(text, /^# .*\p{Script=Arabic}|Simgate/mu);
      assert.doesNotMatch(text, /[يك٤٥٦]/);
    });
  }

  test('gives the same advice on retries as the English guide', () => {
    const advice = (page: string): readonly (readonly (string | undefined)[])[] =>
      [...read(page).matchAll(/^\| `(same_key|new_key)` .*$/gm)].map(([row]) =>
        [...row.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code),
      );
    assert.equal(advice('guides/retries.md').length, 2);
    assert.deepEqual(advice('fa/guides/retries.md'), advice('guides/retries.md'));
  });
});
