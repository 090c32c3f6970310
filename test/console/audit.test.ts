/** Proves that whatever the back office writes down is told in words, in both languages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { own as english } from '../../console/src/i18n/en/index.ts';
import { own as persian } from '../../console/src/i18n/fa/index.ts';
import { auditActions } from '../../src/admin/audit.ts';

// The compiler lets nothing be written down that is not in this list.
test('every action of the audit has words in both languages, and nothing else has', () => {
  const written = [...auditActions].sort();
  for (const { audit } of [english, persian]) {
    assert.deepEqual(Object.keys(audit.actions).sort(), written);
    for (const words of Object.values(audit.actions)) assert.notEqual(words.trim(), '');
  }
});
