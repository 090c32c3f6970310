/** Runs the SQL of the webhook metrics: how many messages wait, and for how long. */
import { runText } from '../../db/statement.ts';
import type { Db } from '../../db/types.ts';
import type { BacklogFigures } from '../../metrics/state.ts';

/** No more are read: an alert only needs to know that there are many. */
export const mostRead = 10_000;

// Ordered as the index of active endpoints, so that reading stops at the limit.
export const backlogText = `select count(*) as waiting, min(created_at) as oldest,
    min(case when due_at <= ? then case when due_at > created_at then due_at else created_at end end)
      as due_since
  from (select m.created_at, m.due_at from webhook_endpoints e cross join webhook_messages m
    where e.status = 'active' and m.endpoint_id = e.id and m.due_at is not null
      and e.client_id not in (select id from clients where test = 1)
    order by e.id limit ${mostRead}) as waiting`;

type Row = {
  readonly waiting: number;
  readonly oldest: number | null;
  readonly due_since: number | null;
};

/** The messages still to be sent to active endpoints, except those of test clients. */
export const readBacklog = async (db: Db, now: number): Promise<BacklogFigures> => {
  const [row] = await runText<Row>(db, backlogText, [now]);
  const ageOf = (since: number | null | undefined): number =>
    since === null || since === undefined ? 0 : Math.max(0, now - since);
  return {
    waiting: row?.waiting ?? 0,
    oldestMs: ageOf(row?.oldest),
    overdueMs: ageOf(row?.due_since),
  };
};
