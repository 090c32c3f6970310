/** Suspends and resumes operators from the console. */
import { bumpVersion } from '../../db/changes/versions.ts';
import type { Operator } from '../../operators/registry.ts';
import { deleteSuspension, insertSuspension } from '../../operators/settings/store.ts';
import { type Actor, afterCommit, transact, writeAudit } from '../audit/audit.ts';
import { type OperatorAdminDeps, subjectOf } from './change.ts';

/** Sells nothing new of it from now on. One that is suspended stays as it is. */
export const suspend = async (
  deps: OperatorAdminDeps,
  actor: Actor,
  operator: Operator,
  reason: string,
): Promise<void> => {
  await transact(deps, async (db) => {
    const row = { operator_id: operator.id, at: deps.clock.now(), actor: actor.name, reason };
    if (!(await insertSuspension(db, row))) return;
    await bumpVersion(db, 'operators', deps.newId);
    await writeAudit(db, deps, actor, {
      action: 'operator suspend',
      subject: subjectOf(operator),
      before: { suspended: false },
      after: { suspended: true, reason },
    });
  });
  await afterCommit(deps.operators.live.reload);
};

export const resume = async (
  deps: OperatorAdminDeps,
  actor: Actor,
  operator: Operator,
): Promise<void> => {
  await transact(deps, async (db) => {
    const was = await deleteSuspension(db, operator.id);
    if (was === undefined) return;
    await bumpVersion(db, 'operators', deps.newId);
    await writeAudit(db, deps, actor, {
      action: 'operator resume',
      subject: subjectOf(operator),
      before: { suspended: true, reason: was.reason },
      after: { suspended: false },
    });
  });
  await afterCommit(deps.operators.live.reload);
};
