/** Asks suppliers for their own balance now and then, and compares it with our books. */
import type { Call } from '../../connector/call.ts';
import type { BalanceOutcome } from '../../connector/connector.ts';
import type { DatabaseTime, Db } from '../../db/types.ts';
import type { Operator, Registry } from '../../operators/registry.ts';
import { driftOf, type FloatBooks } from './float.ts';
import { claimToAsk, emptyBooks, readBooksAtOnce, saveBalance } from './store.ts';

export type AskDeps = {
  readonly db: Db;
  readonly databaseTime: DatabaseTime;
  readonly call: Call;
  readonly registry: Pick<Registry, 'all'>;
};

// Often enough to notice unbooked deliveries within a minute or two, seldom enough for any supplier.
export const askEveryMs = 60_000;

const readBooksOf = async (deps: AskDeps, supplierId: number, now: number): Promise<FloatBooks> =>
  (await readBooksAtOnce(deps.db, now)).get(supplierId) ?? emptyBooks(supplierId);

/** One whose balance is not known keeps what it said before. */
const askOne = async (deps: AskDeps, supplier: Operator): Promise<void> => {
  const { id, connection } = supplier;
  const { balance } = connection;
  if (balance === undefined) return;
  const now = await deps.databaseTime(deps.db);
  if (!(await claimToAsk(deps.db, id, { now, since: now - askEveryMs }))) return;
  const before = await readBooksOf(deps, id, now);
  const result = await deps.call(connection.deadlineMs, (context) => balance(context), {
    operatorId: id,
    kind: 'balance',
  });
  const outcome: BalanceOutcome = result.kind === 'answer' ? result.value : result;
  if (outcome.kind !== 'balance') return;
  const at = await deps.databaseTime(deps.db);
  const after = await readBooksOf(deps, id, at);
  const { amount } = outcome;
  await saveBalance(deps.db, id, { balance: amount, at, drift: driftOf(amount, before, after) });
};

/** Asks all that are due. */
export const askBalances = async (deps: AskDeps): Promise<void> => {
  for (const supplier of deps.registry.all) await askOne(deps, supplier);
};
