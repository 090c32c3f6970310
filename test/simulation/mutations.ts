/** Owns mutations: faults of the purchase code that the simulation has to notice, as changes of its text. */
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Static, Type } from 'typebox';

export const MutationSchema = Type.Object({
  name: Type.String(),
  /** Below `src/`. */
  file: Type.String(),
  find: Type.String(),
  replace: Type.String(),
  /** One of the first thousand seeds that has shown it; the first where none is named. */
  seed: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
});

export type Mutation = Static<typeof MutationSchema>;

export const mutations: readonly Mutation[] = [
  {
    name: 'orders before the commit',
    file: 'purchases/buy.ts',
    find: 'const begun = await beginSurely(deps, item);',
    replace: `const beginning = beginSurely(deps, item);
    if (verdict.kind === 'order') {
      const { id: ref, mobile, amount, productId } = item.wish;
      void verdict.operator.connection.buy({ ref, mobile, amount, productId });
    }
    const begun = await beginning;`,
  },
  {
    name: 'releases the hold on a timeout',
    seed: 2,
    file: 'purchases/settle.ts',
    find: `case 'unknown': {
        const dueAt`,
    replace: `case 'unknown': {
        if (now > 0) return fail(purchase, { at: now, ...refused(purchase, means), note: null });
        const dueAt`,
  },
  {
    name: 'settles without the fencing number',
    seed: 3,
    file: 'purchases/advance.ts',
    find: `fence === 'any' || purchase.fence === fence`,
    replace: 'fence !== undefined',
  },
  {
    name: 'claims without a new fencing number',
    seed: 2,
    file: 'purchases/store.ts',
    find: '      `update purchases set fence = fence + 1, due_at',
    replace: '      `update purchases set due_at',
  },
  {
    name: 'sends after send_before',
    seed: 98,
    file: 'purchases/order.ts',
    find: 'if (deps.clock.monotonic() - started >= terms.sendWithinMs) return undefined;',
    replace: '',
  },
  {
    name: 'orders again without an inquiry',
    seed: 2,
    file: 'purchases/recover.ts',
    find: 'const outcome = await inquire(deps, operator, purchase);',
    replace: `await attempt(deps, { purchase, operator, started: deps.clock.monotonic() });
  const outcome = await inquire(deps, operator, purchase);`,
  },
  {
    name: 'takes "no such order" as proof at once',
    seed: 8,
    file: 'purchases/settle.ts',
    find: 'if (elsewhere || asked.askedAt < quietAt) {',
    replace: 'if (elsewhere || asked.askedAt < 0) {',
  },
  {
    name: 'takes the time of the answer for that of the question',
    seed: 215,
    file: 'purchases/settle.ts',
    find: 'if (elsewhere || asked.askedAt < quietAt) {',
    replace: 'if (elsewhere || now < quietAt) {',
  },
  {
    name: 'forgets how long an operator takes to settle',
    seed: 8,
    file: 'purchases/terms.ts',
    find: 'sendBefore + terms.deadlineMs + (terms.settlesWithinMs ?? 0)',
    replace: 'sendBefore + terms.deadlineMs',
  },
  {
    name: 'takes "no such order" as proof from an operator without bounds',
    seed: 52,
    file: 'purchases/settle.ts',
    find: 'if (terms.settlesWithinMs === undefined) return askAgain(purchase, now, means, detail);',
    replace: '',
  },
  {
    name: 'settles in two transactions',
    file: 'purchases/advance.ts',
    find: `  const following = [
    notesToWrite(notes, now),
    ...books.writes(now),
    messagesToWrite(messages, now),
  ];
  const written = await updatePurchases(db, [...changed.values()], following);
  if (!written) throw new NotAsSeen('A purchase is no longer as it was seen.');
  return results;
};

const advanceFrom = (
  deps: AdvanceDeps,
  items: readonly StepItem[],
  how: Pick<Manner, 'find' | 'waitMs'>,
): Promise<AdvanceResult[]> =>
  inTransaction(deps.db, (db) =>
    advanceIn(db, deps.databaseTime, items, { ...how, sees: deps.trusts }),
  );`,
    replace: `  const moved = [...changed.values()];
  const written = await updatePurchases(db, moved, [notesToWrite(notes, now)]);
  if (!written) throw new NotAsSeen('A purchase is no longer as it was seen.');
  const again = moved.map(({ after }) => ({ before: after, after }));
  return Object.assign(results, { again, money: books.writes(now) });
};

const advanceFrom = async (
  deps: AdvanceDeps,
  items: readonly StepItem[],
  how: Pick<Manner, 'find' | 'waitMs'>,
): Promise<AdvanceResult[]> => {
  const results = await inTransaction(deps.db, (db) =>
    advanceIn(db, deps.databaseTime, items, { ...how, sees: deps.trusts }),
  );
  await updatePurchases(deps.db, results.again, results.money);
  return results;
};`,
  },
  {
    name: 'judges before it looks the key up',
    seed: 8,
    file: 'purchases/buy.ts',
    find: '    const found = look(request);',
    replace: `    await judge(deps, request.fields);
    const found = look(request);`,
  },
  {
    name: 'holds more than the balance',
    file: 'purchases/begin.ts',
    find: 'if (books.account(wish.clientId).available < wish.amount) {',
    replace: 'if (books.account(wish.clientId).available < 0) {',
  },
  {
    name: 'drops the neighbours of a failed item',
    seed: 9,
    file: 'lib/batch.ts',
    find: '      await runOrHalve(batch.slice(half), doubt);',
    replace: '',
  },
  {
    name: 'gives the results of a batch to one another',
    file: 'lib/batch.ts',
    find: 'batch[index]?.resolve(result)',
    replace: 'batch[batch.length - 1 - index]?.resolve(result)',
  },
  {
    name: 'begins a repeat anew',
    file: 'purchases/buy.ts',
    find: `    key,
    fingerprint,
    productId`,
    replace: `    key: \`\${key} of \${requestId}\`,
    fingerprint,
    productId`,
  },
  {
    name: 'answers a repeat whatever its fields',
    seed: 13,
    file: 'purchases/buy.ts',
    find: 'if (purchase.fingerprint !== fingerprint) throw reused();',
    replace: '',
  },
  {
    name: 'reverses twice',
    seed: 251,
    file: 'purchases/settle.ts',
    find: `purchase.state === 'succeeded'
      ?`,
    replace: `purchase.state === 'succeeded' || purchase.state === 'reversed'
      ?`,
  },
  {
    name: 'reverses in a transaction of its own',
    seed: 62,
    file: 'purchases/recover.ts',
    find: `...(outcome.kind === 'reversed' ? { andThen: { kind: 'reversal', at: outcome.at } } : {}),`,
    replace: '',
  },
  {
    name: 'takes over without a quiet time',
    seed: 135,
    file: 'purchases/store.ts',
    find: `send_before = ?,
      quiet_at = ? + case when quiet_at - send_before > ? then quiet_at - send_before else ? end`,
    replace: 'send_before = 0 * ?, quiet_at = ? + 0 * (? + ?)',
  },
  {
    name: 'overlooks a contradiction',
    seed: 8,
    file: 'purchases/settle.ts',
    find: `if (purchase.state !== 'failed' || purchase.disputed !== null) return undefined;`,
    replace: `if (purchase.state !== 'failed' || purchase.amount > 0) return undefined;`,
  },
  {
    name: 'moves the cursor before the reports are read',
    seed: 47,
    file: 'purchases/reports/read.ts',
    find: '  const { reports: events, cursor: next } = result.value;',
    replace: `  const { reports: events, cursor: next } = result.value;
  await saveCursor(deps.db, id, { from: cursor, to: next });`,
  },
];

const source = new URL('../../src/', import.meta.url);

const textOf = (source: unknown): string =>
  source instanceof Uint8Array ? Buffer.from(source).toString() : String(source);

/** Changes the text of one module as it is loaded; throws unless the change fits exactly once. */
export const patchAtLoad = ({ file, find, replace }: Mutation): void => {
  const wanted = fileURLToPath(new URL(file, source));
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (!url.startsWith('file:') || fileURLToPath(url) !== wanted) return loaded;
      const text = textOf(loaded.source);
      const parts = text.split(find);
      if (parts.length !== 2) {
        throw new Error(`${file} has ${parts.length - 1} places to change, not one.`);
      }
      return { ...loaded, source: parts.join(replace) };
    },
  });
};
