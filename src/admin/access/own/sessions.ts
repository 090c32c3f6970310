/** Lists the sessions of one's own account, and ends them. */
import { hash } from 'node:crypto';
import { transact, writeAudit } from '../../audit/audit.ts';
import { AdminError } from '../../errors.ts';
import { isOver } from '../session.ts';
import { actorOf, type SignInDeps, type Visit } from '../sign-in.ts';
import { deleteSession, type SessionRow } from '../store.ts';
import { deleteOtherSessions, listSessions } from './store.ts';

export type OwnSession = {
  readonly id: string;
  readonly current: boolean;
  readonly session: SessionRow;
};

/** A session's public name: the stored hash of its token is not shown. */
const idOf = (session: Pick<SessionRow, 'hash'>): string =>
  hash('sha256', `session ${session.hash}`, 'hex').slice(0, 32);

/** All active sessions, the last used first. */
export const ownSessions = async (
  { db, clock, limits }: Pick<SignInDeps, 'db' | 'clock' | 'limits'>,
  visit: Visit,
): Promise<readonly OwnSession[]> => {
  const now = clock.now();
  const rows = await listSessions(db, visit.account.id);
  return rows
    .filter((session) => !isOver(session, limits, now))
    .map((session) => ({
      id: idOf(session),
      current: session.hash === visit.session.hash,
      session,
    }));
};

const endedEntry = (accountId: string, sessions: number) =>
  ({
    action: 'own sessions end',
    subject: accountId,
    after: { sessions },
  }) as const;

/** Ends one of one's own sessions; returns whether it was the current one. */
export const endOwnSession = (deps: SignInDeps, visit: Visit, id: string): Promise<boolean> =>
  transact(deps, async (db) => {
    const found = (await ownSessions({ ...deps, db }, visit)).find((one) => one.id === id);
    if (found === undefined || !(await deleteSession(db, found.session.hash))) {
      throw new AdminError('SESSION_NOT_FOUND');
    }
    const actor = actorOf(visit.account, visit.visitor.address);
    await writeAudit(db, deps, actor, endedEntry(visit.account.id, 1));
    return found.current;
  });

/** Ends all of one's own sessions but the current one; returns how many there were. */
export const endOtherSessions = (
  deps: SignInDeps,
  { account, session, visitor }: Visit,
): Promise<number> =>
  transact(deps, async (db) => {
    const ended = await deleteOtherSessions(db, account.id, session.hash);
    if (ended === 0) return 0;
    const actor = actorOf(account, visitor.address);
    await writeAudit(db, deps, actor, endedEntry(account.id, ended));
    return ended;
  });
