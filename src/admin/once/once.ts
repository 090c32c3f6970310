/** Owns that what a page asks for is done once, however often it is sent: by a key that the page makes for it. */
import { hash } from 'node:crypto';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { AdminError } from '../errors.ts';
import { findKey, insertKey, updateAnswer } from './store.ts';

/** Longer than anybody keeps a page open, and sends again what it was not answered. */
export const keysLiveMs = 30 * 86_400_000;

export const KeySchema = Type.String({
  pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  description:
    'A UUID that the page makes for this. Sent again with the same key, it is not done again.',
});

export type Asked = {
  readonly key: string;
  /** Whose session it is. */
  readonly accountId: string;
  readonly action: string;
  /** All that is asked for, with its fields in one order. */
  readonly wish: object;
};

/** What was answered, and whether that was before. */
export type Done<T> = { readonly answer: T; readonly again: boolean };

const fingerprintOf = ({ action, wish }: Asked): string =>
  hash('sha256', JSON.stringify([action, wish]), 'hex');

/**
 * Does some work in the caller's transaction, and keeps its answer under the key; or gives the answer that
 * there is, and does nothing. What is thrown takes the key back: it may be tried again.
 */
export const once = async <T extends TSchema>(
  db: Db,
  clock: Pick<Clock, 'now'>,
  asked: Asked,
  { answers, work }: { readonly answers: T; readonly work: () => Promise<Static<T>> },
): Promise<Done<Static<T>>> => {
  // However a page writes the letters of its key, it is the same.
  const key = asked.key.toLowerCase();
  const { accountId, action } = asked;
  const fingerprint = fingerprintOf(asked);
  const row = { key, account_id: accountId, action, fingerprint, answer: '', at: clock.now() };
  if (await insertKey(db, row)) {
    const answer = await work();
    await updateAnswer(db, key, JSON.stringify(answer));
    return { answer, again: false };
  }
  const before = await findKey(db, key);
  if (before?.account_id !== accountId || before.fingerprint !== fingerprint) {
    throw new AdminError('KEY_REUSED');
  }
  const answer: unknown = JSON.parse(before.answer);
  if (!Value.Check(answers, answer)) throw new Error(`The answer under key ${key} is another.`);
  return { answer, again: true };
};
