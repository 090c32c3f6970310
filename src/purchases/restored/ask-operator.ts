/** Asks one operator what a restored database has forgotten: reads its reports from the backup to the end. */
import type { Call } from '../../connector/call.ts';
import type { Report } from '../../connector/connector.ts';
import { lockSetUp } from '../../db/engine.ts';
import type { Db } from '../../db/types.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Operator } from '../../operators/registry.ts';
import { unknownFact } from '../facts/facts.ts';
import type { RecoveryConfig } from '../terms.ts';
import { quietFrom, termsOf } from '../terms.ts';
import type { AskFact } from './asked.ts';
import {
  type AskedOperator,
  type AskResult,
  type Forgotten,
  insertForgotten,
  knownRefs,
} from './store.ts';

export type AskDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly call: Call;
  readonly recovery: RecoveryConfig;
  /** A number in a form that people may recognize and we may keep. */
  readonly mask: (mobile: string) => string;
  /** Called for each purchase that is found. */
  readonly found: (forgotten: Forgotten) => void;
};

const result = (
  state: AskResult['state'],
  code: Exclude<AskFact['code'], 'no_answer'>,
): AskResult => ({
  state,
  fact: { code, values: {} },
});

/** Why an operator can never answer with certainty; undefined if it can. */
export const whySilent = (operator: Operator | undefined): AskResult | undefined => {
  if (operator === undefined) return result('silent', 'not_configured');
  const { connector, connection } = operator;
  if (connection.reports === undefined) return result('silent', 'cannot_report');
  return (connection.settlesWithin ?? connector.settlesWithin) === undefined
    ? result('silent', 'completeness_not_declared')
    : undefined;
};

/** How long after the closing an earlier order may still be sent, and appear. */
export const quietMs = (operator: Operator, recovery: RecoveryConfig): number =>
  quietFrom(recovery.sendWithinMs, termsOf(operator, recovery));

// As many as one statement handles easily.
const atATime = 200;

const keepUnknown = async (
  deps: AskDeps,
  asked: AskedOperator,
  reports: readonly Report[],
): Promise<void> => {
  for (let from = 0; from < reports.length; from += atATime) {
    const some = reports.slice(from, from + atATime);
    const known = await knownRefs(
      deps.db,
      asked.operator_id,
      some.map(({ ref }) => ref),
    );
    const rows = some
      .filter(({ ref }) => !known.has(ref))
      .map(({ ref, kind, at, mobile, amount }) => ({
        restore_id: asked.restore_id,
        operator_id: asked.operator_id,
        ref,
        kind,
        // Reports without a date get the time they were found.
        at: at ?? deps.clock.now(),
        mobile: mobile === undefined ? null : deps.mask(mobile),
        amount: amount ?? null,
        found_at: deps.clock.now(),
        client_id: null,
        idempotency_key: null,
      }));
    const inserted = await deps.db.transaction().execute(async (db) => {
      // A person may be opening the restore.
      await lockSetUp(db);
      return insertForgotten(db, rows);
    });
    for (const one of inserted) deps.found(one);
  }
};

/** How far an operator's reports were read, and how long that took. */
export type Reading = { cursor: string; tookMs: number };

// So that the others are asked in between, and the findings are shown.
const roundMs = 10_000;
// Most backlogs are read by then. Anything longer is left to a person.
const longestReadingMs = 600_000;

/**
 * Reads an operator's reports from the backup's cursor towards the end, for one round, and keeps what the
 * database lacks. After a failure it continues from there: reading twice changes nothing.
 */
export const askOperator = async (
  deps: AskDeps,
  operator: Operator,
  { asked, reading }: { readonly asked: AskedOperator; readonly reading: Reading },
  going: () => boolean,
): Promise<AskResult> => {
  const { reports, deadlineMs } = operator.connection;
  if (reports === undefined) return result('silent', 'cannot_report');
  const began = deps.clock.monotonic();
  while (going()) {
    const askedAt = deps.clock.monotonic();
    if (reading.tookMs >= longestReadingMs) return result('silent', 'reading_too_long');
    if (askedAt - began >= roundMs) return result('waiting', 'reading');
    const from = reading.cursor;
    const about = { operatorId: operator.id, kind: 'reports' } as const;
    const called = await deps.call(deadlineMs, () => reports(from), about);
    const answer = called.kind === 'answer' ? called.value : called;
    if (answer.kind === 'unknown') {
      const values = { last: unknownFact(answer) };
      return { state: 'waiting', fact: { code: 'no_answer', values } };
    }
    await keepUnknown(deps, asked, answer.reports);
    if (answer.reports.length === 0 || answer.cursor === from) break;
    reading.cursor = answer.cursor;
    reading.tookMs += deps.clock.monotonic() - askedAt;
  }
  if (!going()) return result('waiting', 'interrupted');
  return whySilent(operator) ?? result('told', 'complete');
};
