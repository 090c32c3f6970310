/** Tests that texts are found by their keys, with their values, and that both languages ask for the same values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { own as english } from '../../console/src/i18n/en/index.ts';
import { own as persian } from '../../console/src/i18n/fa/index.ts';
import { createSay, flat } from '../../console/src/i18n/say.ts';

test('a text is filled with its values', () => {
  const say = createSay(english);
  assert.equal(say('common.save'), 'Save');
  assert.equal(say('common.page', { page: 3 }), 'Page 3');
  assert.equal(say('common.page', { page: "$& $1 $' %{page}" }), "Page $& $1 $' %{page}");
  assert.equal(createSay(persian)('common.page', { page: '۳' }), 'صفحهٔ ۳');
});

test('both languages need the same values', () => {
  const valuesIn = (text: string): string[] => [...new Set(text.match(/%\{\w+\}/g))].sort();
  const inPersian = new Map(flat(persian));
  for (const [key, text] of flat(english)) {
    assert.deepEqual(valuesIn(inPersian.get(key) ?? ''), valuesIn(text), key);
  }
});

test('a thing has one name in Persian, wherever it is shown', () => {
  const inPersian = new Map(flat(persian));
  for (const name of ['Delivered', 'Failed', 'Pending', 'Held after']) {
    const keys = flat(english).flatMap(([key, text]) => (text === name ? [key] : []));
    assert.ok(keys.length > 1, name);
    const names = new Set(keys.map((key) => inPersian.get(key)));
    assert.equal(names.size, 1, `${keys.join(', ')}: ${[...names].join(', ')}`);
  }
  const { overview, facts, operators, clientTokens, purchases } = persian;
  for (const code of ['answered_pending', 'now_pending'] as const) {
    assert.ok(facts.code[code].includes(overview.pending), code);
  }
  assert.ok(operators.canOffers.includes(clientTokens.scope.offers));
  // An ID of the operator would be its number in the configuration.
  assert.doesNotMatch(purchases.operatorRef, /شناسه/);
});
