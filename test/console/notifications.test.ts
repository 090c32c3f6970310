/** Tests that short messages are shown one after another, and none twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dismiss, dismissAll, notification, notify } from '../../console/src/notifications.ts';

test('messages are shown in order, even if two are equal', () => {
  notify('success', 'Saved.');
  notify('success', 'Saved.');
  notify('error', 'Refused.');
  const first = notification();
  assert.ok(first !== undefined);
  dismiss(first);
  // Its end may be reported twice.
  dismiss(first);
  const second = notification();
  assert.ok(second !== undefined && second !== first);
  assert.equal(second.text, 'Saved.');
  dismiss(second);
  const third = notification();
  assert.deepEqual(third, { tone: 'error', text: 'Refused.' });
  if (third !== undefined) dismiss(third);
  assert.equal(notification(), undefined);
});

test('the next user sees none of the messages of the one before', () => {
  notify('success', 'Saved.');
  notify('error', 'Refused.');
  dismissAll();
  assert.equal(notification(), undefined);
});
