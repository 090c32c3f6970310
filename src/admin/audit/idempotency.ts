/** Makes actions in the back office idempotent, by a key that the page creates for each. */
import { hash } from 'node:crypto';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { AdminError } from '../errors.ts';
import type { AuditAction, AuditContext, Person } from './audit.ts';
import { findKey, insertKey, updateAnswer } from './store.ts';

/** Longer than a page stays open and retries a request. */
export const keysLiveMs = 30 * 86_400_000;

export const KeySchema = Type.String({
  pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  title: 'ActionKey',
  description: 'A new UUID for this action. A retry with the same key does not repeat it.',
});

export type IdempotentAction = {
  readonly key: string;
  readonly action: AuditAction;
  /** All fields of the request, in one order. */
  readonly input: object;
};

/** The action: `answerOf` returns what is stored under the key of the result of `work`. */
export type Once<T extends TSchema, Made, Given extends readonly unknown[] = []> = {
  readonly answers: T;
  readonly work: (...given: Given) => Promise<Made>;
  readonly answerOf: (made: Made) => Static<T>;
};

/** The answer, and the result unless an earlier request produced it. */
export type Done<T, Made> = { readonly answer: T; readonly made?: Made };

const fingerprintOf = ({ action, input }: IdempotentAction): string =>
  hash('sha256', JSON.stringify([action, input]), 'hex');

/**
 * Runs some work in the caller's transaction and stores its answer under the key; a known key returns its
 * stored answer. An error releases the key for a retry.
 */
export const runOnce = async <T extends TSchema, Made>(
  { db, clock }: Pick<AuditContext, 'db' | 'clock'>,
  { accountId }: Pick<Person, 'accountId'>,
  asked: IdempotentAction,
  { answers, work, answerOf }: Once<T, Made>,
): Promise<Done<Static<T>, Made>> => {
  // A key is compared without regard to case.
  const key = asked.key.toLowerCase();
  const { action } = asked;
  const fingerprint = fingerprintOf(asked);
  const row = { key, account_id: accountId, action, fingerprint, answer: '', at: clock.now() };
  if (await insertKey(db, row)) {
    const made = await work();
    const answer = answerOf(made);
    await updateAnswer(db, key, JSON.stringify(answer));
    return { answer, made };
  }
  const before = await findKey(db, key);
  if (before?.account_id !== accountId || before.fingerprint !== fingerprint) {
    throw new AdminError('KEY_REUSED');
  }
  const answer: unknown = JSON.parse(before.answer);
  if (!Value.Check(answers, answer)) throw new Error(`The answer under key ${key} is another.`);
  return { answer };
};
