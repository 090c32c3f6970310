/** Defines sessions of the back office: the token, its stored hash, and its lifetime. Pure. */
import { hash } from 'node:crypto';
import type { Random } from '../../lib/random.ts';

/** 256 bits: too many to guess. */
const tokenBytes = 32;

/** For sessions, and for the links by which a password is set. */
export const makeSecret = (random: Random): string =>
  Buffer.from(random(tokenBytes)).toString('base64url');

/** Only this is stored, so a stolen database contains no usable tokens. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex');

export type SessionLimits = {
  /** How long an idle session lives. */
  readonly idleMs: number;
  /** How long a session lives at most. */
  readonly absoluteMs: number;
};

/** `code`: the password was right, and only the code of the second factor may be sent. */
export type Stage = 'code' | 'full';

export type SessionTimes = {
  readonly stage: Stage;
  readonly created_at: number;
  readonly seen_at: number;
};

// Long enough to find one's phone.
export const codeWithinMs = 300_000;

/** When it ends if it is not used again. */
export const endOf = (session: SessionTimes, limits: SessionLimits): number =>
  session.stage === 'code'
    ? session.created_at + Math.min(codeWithinMs, limits.absoluteMs)
    : Math.min(session.seen_at + limits.idleMs, session.created_at + limits.absoluteMs);

export const isOver = (session: SessionTimes, limits: SessionLimits, now: number): boolean =>
  now >= endOf(session, limits);

/** Whether to record this use: not at each request, but long before the session would end. */
export const isToBeSeen = (session: SessionTimes, limits: SessionLimits, now: number): boolean =>
  now - session.seen_at >= Math.min(60_000, limits.idleMs / 10);
