/** Suspends, resumes and trusts operators and suppliers, from the console or by a command. */
import { bumpVersion } from '../../db/changes/versions.ts';
import type { Operator } from '../../operators/registry.ts';
import { deleteSuspension, insertSuspension } from '../../operators/settings/store.ts';
import { closeBroken } from '../../purchases/left/promises.ts';
import {
  type Actor,
  type AuditContext,
  afterCommit,
  auditChange,
  transact,
} from '../audit/audit.ts';
import { type OperatorAdminDeps, subjectOf } from './change.ts';

/** Within a transaction: sells nothing new of it from now on. False if it was suspended before. */
export const suspendWithin = async (
  acting: AuditContext,
  id: number,
  reason: string,
): Promise<boolean> => {
  const row = { operator_id: id, at: acting.clock.now(), actor: acting.actor.name, reason };
  if (!(await insertSuspension(acting.db, row))) return false;
  await bumpVersion(acting.db, 'operators', acting.newId);
  await auditChange(acting, {
    action: 'operator suspend',
    subject: subjectOf({ id }),
    before: { suspended: false },
    after: { suspended: true, reason },
  });
  return true;
};

/** Within a transaction. False if it was not suspended. */
export const resumeWithin = async (acting: AuditContext, id: number): Promise<boolean> => {
  const was = await deleteSuspension(acting.db, id);
  if (was === undefined) return false;
  await bumpVersion(acting.db, 'operators', acting.newId);
  await auditChange(acting, {
    action: 'operator resume',
    subject: subjectOf({ id }),
    before: { suspended: true, reason: was.reason },
    after: { suspended: false },
  });
  return true;
};

/** Within a transaction: purchases move on from it again. Returns how many promises it had broken. */
export const trustWithin = async (
  acting: AuditContext,
  id: number,
  reason: string,
): Promise<number> => {
  const broken = await closeBroken(acting.db, id, acting.clock.now());
  if (broken === 0) return 0;
  await auditChange(acting, {
    action: 'operator trust',
    subject: subjectOf({ id }),
    before: { broken_promises: broken },
    after: { broken_promises: 0, reason },
  });
  return broken;
};

/** One that is suspended stays as it is. */
export const suspend = async (
  deps: OperatorAdminDeps,
  actor: Actor,
  { id }: Operator,
  reason: string,
): Promise<void> => {
  await transact(deps, (db) => suspendWithin({ ...deps, db, actor }, id, reason));
  await afterCommit(deps.operators.live.reload);
};

/** One that has broken no promise stays as it is. */
export const trust = async (
  deps: OperatorAdminDeps,
  actor: Actor,
  { id }: Operator,
  reason: string,
): Promise<void> => {
  await transact(deps, (db) => trustWithin({ ...deps, db, actor }, id, reason));
  await afterCommit(deps.operators.promises.refresh);
};

export const resume = async (
  deps: OperatorAdminDeps,
  actor: Actor,
  { id }: Operator,
): Promise<void> => {
  await transact(deps, (db) => resumeWithin({ ...deps, db, actor }, id));
  await afterCommit(deps.operators.live.reload);
};
