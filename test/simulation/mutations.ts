/** Lists mutations: faults in the purchase code, as changes of its text, that the simulation must catch. */
import { type Static, Type } from 'typebox';

export const MutationSchema = Type.Object({
  name: Type.String(),
  /** Below `src/`. */
  file: Type.String(),
  find: Type.String(),
  replace: Type.String(),
  /** Part of the violation that it causes, without names and numbers. */
  breaks: Type.String(),
  /** One of the first thousand seeds that has shown it; the first by default. */
  seed: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
});

export type Mutation = Static<typeof MutationSchema>;

export const mutations: readonly Mutation[] = [
  {
    name: 'goes to another supplier on a timeout',
    breaks: 'may deliver it',
    seed: 47,
    file: 'purchases/order.ts',
    find: "  deps.admission.recordOutcome(operator.id, 'order', outcome);\n  return outcome;",
    replace: `  const isSilent = outcome.kind === 'unknown' && deps.routing !== undefined;
  const values = { code: 'unreachable', blame: 'supplier', reason: 'silence' } as const;
  return isSilent ? { kind: 'refused', ...values } : outcome;`,
  },
  {
    name: 'goes to another supplier on an early "no such order"',
    breaks: 'may deliver it',
    seed: 521,
    file: 'purchases/settle.ts',
    find: 'if (elsewhere || asked.askedAt < quietAt) {',
    replace: 'if ((elsewhere || asked.askedAt < quietAt) && context.next === undefined) {',
  },
  {
    name: 'goes to another supplier by the fault of the subscriber',
    breaks: 'is to blame',
    seed: 227,
    file: 'purchases/failover.ts',
    find: `proof.kind === 'not_found' || proof.blame === 'supplier';`,
    replace: 'proof.kind.length > 0;',
  },
  {
    name: 'goes to another supplier without a new fencing number',
    breaks: 'under an old fence',
    seed: 10,
    file: 'purchases/move-on.ts',
    find: '      fence: purchase.fence + 1,\n      attempts: purchase.attempts + 1,',
    replace: '      attempts: purchase.attempts + 1,',
  },
  {
    name: 'goes to the same supplier twice',
    breaks: 'is with a supplier twice',
    seed: 38,
    file: 'purchases/suppliers.ts',
    find: 'const left = [...purchase.left, purchase.supplierId];',
    replace: 'const left = [purchase.supplierId];',
  },
  {
    name: 'settles by the report of a supplier that was left',
    breaks: 'another supplier has delivered it',
    seed: 723,
    file: 'purchases/settle.ts',
    find: '    if (purchase.supplierId !== supplierId) {\n      return report.kind',
    replace: '    if (purchase.supplierId === null) {\n      return report.kind',
  },
  {
    name: 'gives back what a supplier that was left has reversed',
    breaks: 'the operator never took it back',
    seed: 393,
    file: 'purchases/settle.ts',
    find: '    if ((supplierId ?? purchase.supplierId) !== purchase.supplierId) return undefined;\n',
    replace: '',
  },
  {
    name: 'asks another supplier than the one that has the order',
    breaks: 'is delivered while it is failed',
    seed: 563,
    file: 'purchases/recover-one.ts',
    find: '  const operator = findSupplier(deps.registry, purchase.supplierId ?? 0);',
    replace: `  const supplierId = purchase.supplierId ?? 0;
  const asked = supplierId > 0 ? (purchase.operatorId ?? 0) : supplierId;
  const operator = findSupplier(deps.registry, asked);`,
  },
  {
    name: 'moves on, and does not write its attempt with it',
    breaks: 'and there is no attempt',
    seed: 56,
    file: 'purchases/commit/advance.ts',
    find: '    attemptsToWrite(behind, now),',
    replace: '    attemptsToWrite([], now),',
  },
  {
    name: 'sends a personal offer to another supplier',
    breaks: 'moves on with a personal offer',
    seed: 43,
    file: 'purchases/suppliers.ts',
    find: '  if (wanted.test || routing === undefined || config.personalOffers.includes(id)) {',
    replace: `  const isFirst = config.personalOffers.includes(id) && wanted.left.length === 0;
  if (wanted.test || routing === undefined || isFirst) {`,
  },
  {
    name: 'sends the order of a test client out',
    breaks: 'of a test client',
    seed: 7,
    file: 'operators/supplier.ts',
    find: '  test ? testSupplierId(operatorId) : operatorId;',
    replace: '  test ? operatorId : operatorId;',
  },
  {
    name: 'sends the order of a test client on to another supplier',
    breaks: 'of a test client',
    seed: 214,
    file: 'purchases/suppliers.ts',
    find: '  if (isTestPurchase(purchase)) return undefined;\n',
    replace: '',
  },
  {
    name: 'settles by a callback that is not final',
    breaks: 'and was never delivered',
    seed: 256,
    file: 'purchases/callbacks/receive.ts',
    find: 'operator.connection.callbacks?.final === true;',
    replace: 'operator.connection.callbacks !== undefined;',
  },
  {
    name: 'orders before the commit',
    breaks: 'is ordered before it is written',
    file: 'purchases/buy.ts',
    find: 'const begun = await tracedBegin(deps, item, () => beginSurely(deps, item));',
    replace: `const beginning = beginSurely(deps, item);
    if (decision.kind === 'order') {
      const { id: ref, mobile, price: amount, productId } = item.requested;
      void decision.chosen.supplier.connection.buy({ ref, mobile, amount, productId });
    }
    const begun = await beginning;`,
  },
  {
    name: 'releases the hold on a timeout',
    breaks: 'fails, and its operator was not asked',
    seed: 9,
    file: 'purchases/settle.ts',
    find: `      case 'unknown':
        return leave(unknownFact(outcome));`,
    replace: `      case 'unknown': {
        const proof: Proof = { kind: 'refused', blame: 'request', reason: 'silence' };
        return endWithout(purchase, now, { context, scene, proof, note: null });
      }`,
  },
  {
    name: 'settles without the fencing number',
    breaks: 'has claimed',
    seed: 43,
    file: 'purchases/commit/advance.ts',
    find: `fence === 'any' || purchase.fence === fence`,
    replace: 'fence !== undefined',
  },
  {
    name: 'claims without a new fencing number',
    breaks: 'has claimed',
    seed: 7,
    file: 'purchases/claims.ts',
    find: '  update purchases set fence = fence + 1, due_at',
    replace: '  update purchases set due_at',
  },
  {
    name: 'sends after send_before',
    breaks: 'after its time to send',
    seed: 14,
    file: 'purchases/order.ts',
    find: 'if (deps.clock.monotonic() - started >= terms.sendWithinMs) return undefined;',
    replace: '',
  },
  {
    name: 'orders again without an inquiry',
    breaks: 'which does not deduplicate',
    seed: 9,
    file: 'purchases/recover-one.ts',
    find: 'const outcome = await askSupplier(deps, operator, status, purchase);',
    replace: `await attempt(deps, { purchase, operator, started: deps.clock.monotonic() });
  const outcome = await askSupplier(deps, operator, status, purchase);`,
  },
  {
    name: 'takes "no such order" as proof at once',
    breaks: 'too early',
    seed: 20,
    file: 'purchases/settle.ts',
    find: 'if (elsewhere || asked.askedAt < quietAt) {',
    replace: 'if (elsewhere || asked.askedAt < 0) {',
  },
  {
    name: 'takes the time of the answer for that of the question',
    breaks: 'too early',
    seed: 32,
    file: 'purchases/settle.ts',
    find: 'if (elsewhere || asked.askedAt < quietAt) {',
    replace: 'if (elsewhere || now < quietAt) {',
  },
  {
    name: 'forgets how long an operator takes to settle',
    breaks: 'too early',
    seed: 4,
    file: 'purchases/terms.ts',
    find: 'sendBefore + terms.deadlineMs + (terms.settlesWithinMs ?? 0)',
    replace: 'sendBefore + terms.deadlineMs',
  },
  {
    name: 'takes "no such order" as proof from an operator without bounds',
    breaks: 'too early',
    seed: 32,
    file: 'purchases/settle.ts',
    find: 'if (terms.settlesWithinMs === undefined) return askAgain(purchase, now, context, fact);',
    replace: '',
  },
  {
    name: 'settles in two transactions',
    breaks: 'available and',
    seed: 12,
    file: 'purchases/commit/advance.ts',
    find: `  const following = [
    notesToWrite(notes, now),
    attemptsToWrite(behind, now),
    brokenToWrite(broken, now),
    costsToWrite(learnt, now),
    ...books.writes(now),
    messagesToWrite(messages, now),
  ];
  const written = await updatePurchases(db, [...changed.values()], following, ending);
  if (!written) throw new NotAsSeen('A purchase is no longer as it was seen.');
  return results;
};

const advanceFrom = (
  deps: AdvanceDeps,
  items: readonly StepItem[],
  how: Pick<Manner, 'find' | 'waitMs'>,
): Promise<AdvanceResult[]> =>
  inTransaction(deps.db, (db) =>
    advanceIn(db, deps.databaseTime, items, {
      ...how,
      sees: deps.trusts,
      ending: { commits: true },
    }),
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
    breaks: 'was finished and now fails',
    seed: 33,
    file: 'purchases/buy.ts',
    find: '    const found = findByKey(request);',
    replace: `    const entered = enterFirst(deps, deps.catalogue().product(request.fields.productId), {
      clientId: request.clientId,
      price: request.fields.price,
      purchaseId: '',
    });
    entered.leave();
    await judge(deps, { fields: request.fields, chosen: entered.chosen });
    const found = findByKey(request);`,
  },
  {
    name: 'holds less than the price',
    breaks: 'available and',
    file: 'purchases/purchase.ts',
    find: "posting: { kind: 'hold', amount: charge.charged, purchaseId: requested.id },",
    replace: "posting: { kind: 'hold', amount: charge.charged - 1, purchaseId: requested.id },",
  },
  {
    name: 'drops the neighbours of a failed item',
    breaks: 'is not answered',
    seed: 748,
    file: 'lib/batch.ts',
    find: '      await runOrHalve(batch.slice(half));',
    replace: '',
  },
  {
    name: 'gives the results of a batch to one another',
    breaks: 'is answered as',
    seed: 4,
    file: 'lib/batch.ts',
    find: 'batch[index]?.resolve(result)',
    replace: 'batch[batch.length - 1 - index]?.resolve(result)',
  },
  {
    name: 'begins a repeat as a purchase of its own',
    breaks: 'is answered as',
    seed: 4,
    file: 'purchases/buy.ts',
    find: 'if (known !== undefined) return repeat(deps, known, request.fingerprint);',
    replace: `if (known !== undefined) {
      request = { ...request, key: \`\${request.key} of \${request.requestId}\` };
    }`,
  },
  {
    name: 'answers a repeat whatever its fields',
    breaks: 'answers a request with other fields',
    seed: 64,
    file: 'purchases/buy.ts',
    find: 'if (purchase.fingerprint !== fingerprint) throw reused();',
    replace: '',
  },
  {
    name: 'reverses the money and leaves the purchase as sold',
    breaks: 'available and',
    seed: 47,
    file: 'purchases/purchase.ts',
    find: "after: { ...purchase, ...withNote(purchase, note), state: 'reversed' },",
    replace: 'after: { ...purchase, ...withNote(purchase, note) },',
  },
  {
    name: 'does not reverse what an inquiry tells as reversed',
    breaks: 'and is not reversed',
    seed: 54,
    file: 'purchases/recover-one.ts',
    find: '...(reversal === undefined ? {} : { andThen: reversal }),',
    replace: '',
  },
  {
    name: 'begins no quiet time as it takes over',
    breaks: 'too early',
    seed: 434,
    file: 'purchases/claims.ts',
    find: `send_before = ?,
      quiet_at = ? + case when quiet_at - send_before > ? then quiet_at - send_before else ? end`,
    replace: 'send_before = send_before + 0 * ?, quiet_at = quiet_at + 0 * (? + ? + ?)',
  },
  {
    name: 'overlooks a contradiction',
    breaks: 'and is not disputed',
    seed: 59,
    file: 'purchases/settle.ts',
    find: `if (purchase.state !== 'failed' || purchase.disputed !== null) return undefined;`,
    replace: `if (purchase.state !== 'failed' || purchase.price > 0) return undefined;`,
  },
  {
    name: 'moves the cursor before the reports are read',
    breaks: 'and is not kept',
    seed: 609,
    file: 'purchases/reports/read.ts',
    find: '  const { reports: events, cursor: next } = result;',
    replace: `  const { reports: events, cursor: next } = result;
  await saveCursor(deps.db, id, { from: cursor, to: next });`,
  },
  {
    name: 'updates a row whatever its fence',
    breaks: 'falls back to fence',
    seed: 95,
    file: 'purchases/store.ts',
    find: 'and state = ? and fence = ? and attempts = ?',
    replace: 'and state = ? and fence >= ? and attempts = ?',
  },
  {
    name: 'begins the time to send again at each try',
    breaks: 'after its time to send',
    seed: 78,
    file: 'purchases/commit/begin-surely.ts',
    find: 'if (surelyNothing) started = deps.clock.monotonic();',
    replace: 'started = deps.clock.monotonic();',
  },
  {
    name: 'measures the time to send from the end of the beginning',
    breaks: 'after its time to send',
    seed: 14,
    file: 'purchases/commit/begin-surely.ts',
    find: 'return { ...(await deps.transact.begin({ ...item, started, mayBeWritten })), started };',
    replace: `const begun = await deps.transact.begin({ ...item, started, mayBeWritten });
      return { ...begun, started: deps.clock.monotonic() };`,
  },
  {
    name: 'measures the time to send from the commit of the order',
    breaks: 'after its time to send',
    seed: 254,
    file: 'purchases/recover-one.ts',
    find: 'purchase: after, operator, started, leave',
    replace: 'purchase: after, operator, started: deps.clock.monotonic(), leave',
  },
  {
    name: 'says that nothing was done where a beginning got lost',
    breaks: 'answered that nothing was done',
    seed: 45,
    file: 'purchases/commit/begin-surely.ts',
    find: 'surelyNothing &&= isNotCommitted(err) || sellsNothing(err);',
    replace: '',
  },
  {
    name: 'orders again from an operator that does not deduplicate',
    breaks: 'which does not deduplicate',
    seed: 4,
    file: 'purchases/settle.ts',
    find: `    terms.deduplicates &&
    again !== 'never' &&`,
    replace: `    again !== 'never' &&`,
  },
  {
    name: 'reads the time of an inquiry after it',
    breaks: 'too early',
    seed: 32,
    file: 'purchases/recover-one.ts',
    find: `  const askedAt = await deps.databaseTime(deps.db);
  const outcome = await askSupplier(deps, operator, status, purchase);`,
    replace: `  const outcome = await askSupplier(deps, operator, status, purchase);
  const askedAt = await deps.databaseTime(deps.db);`,
  },
  {
    name: 'does not reverse what is reported as reversed',
    breaks: 'and is not reversed',
    seed: 49,
    file: 'purchases/reports/read.ts',
    find: "{ andThen: { kind: 'reversal', at: report.at, supplierId } }",
    replace: '{}',
  },
  {
    name: 'claims what is not due',
    breaks: 'is claimed before it is due',
    seed: 4,
    file: 'purchases/claims.ts',
    find: 'where due_at is not null and due_at <= ?\n',
    replace: 'where due_at is not null and due_at <= ? + 100000\n',
  },
  {
    name: 'keeps the times of the first attempt for the second',
    breaks: 'after its time to send',
    seed: 14,
    file: 'purchases/purchase.ts',
    find: `    ...withNote(purchase, note),
    ...timing,
    state: 'submitted',`,
    replace: `    ...withNote(purchase, note),
    dueAt: timing.dueAt,
    state: 'submitted',`,
  },
  {
    name: 'takes each purchase under the key for its own',
    breaks: 'answers a request with other fields',
    seed: 339,
    file: 'purchases/commit/begin.ts',
    find: 'ours: before.id === item.requested.id',
    replace: 'ours: true',
  },
  {
    name: 'shares a result with a request of other fields',
    breaks: 'answers a request with other fields',
    seed: 21,
    file: 'purchases/buy.ts',
    find: 'if (joined.fingerprint !== fingerprint) throw reused();',
    replace: '',
  },
  {
    name: 'remembers an answer for a request of other fields',
    breaks: 'answers a request with other fields',
    seed: 227,
    file: 'purchases/buy.ts',
    find: 'if (finished.fingerprint !== fingerprint) throw reused();',
    replace: '',
  },
  {
    name: 'gives up after one inquiry',
    breaks: 'needs review after',
    seed: 39,
    file: 'purchases/ask-again.ts',
    find: 'const leastInquiries = 3;',
    replace: 'const leastInquiries = 1;',
  },
  {
    name: 'settles nothing that is open by a report',
    breaks: 'and is not disputed',
    seed: 530,
    file: 'purchases/reports/store.ts',
    find: `delivered: ['refused', 'succeeded', 'reversed']`,
    replace: `delivered: ['refused', 'submitted', 'unknown', 'succeeded', 'reversed']`,
  },
  {
    name: 'holds for a whole batch what is there for one',
    breaks: 'available and',
    seed: 8,
    file: 'ledger/store.ts',
    find: '      accounts.set(clientId, after);\n',
    replace: `      if (posting.kind !== 'hold' || !touched.has(clientId)) accounts.set(clientId, after);\n`,
  },
  {
    name: 'takes a report for the decision of a person',
    breaks: 'leaves review, and no person has decided',
    seed: 84,
    file: 'purchases/settle.ts',
    find: `    if (isOpen(purchase)) {
      return succeed(purchase, { at: now, answer: successAnswer, ref: report.ref, note });`,
    replace: `    if (isOpen(purchase) || purchase.state === 'review') {
      return succeed(purchase, { at: now, answer: successAnswer, ref: report.ref, note });`,
  },
  {
    name: 'calls "no such order" proof before the quiet time, for a person',
    breaks: 'is shown as not delivered',
    seed: 189,
    file: 'purchases/review/ask-operator.ts',
    find: '(await now()) >= quietOf(purchase, terms)',
    replace: '(await now()) > 0',
  },
  {
    name: 'attempts to settle once',
    breaks: 'has heard its answer',
    seed: 45,
    file: 'purchases/commit/retry.ts',
    find: 'const mostAttempts = 3;',
    replace: 'const mostAttempts = 1;',
  },
  {
    name: 'lets a person decide against the evidence without force',
    breaks: 'against the evidence, unforced',
    seed: 19,
    file: 'purchases/review/resolve.ts',
    find: 'if (contradicting.length === 0 || force) return;',
    replace: 'if (contradicting.length >= 0 || force) return;',
  },
  {
    name: 'keeps nothing of what an operator says to a person',
    breaks: 'which is not noted',
    seed: 519,
    file: 'purchases/review/undecided.ts',
    find: 'if (word === undefined) return;',
    replace: 'if (word === undefined || about.id !== undefined) return;',
  },
  {
    name: 'holds no delivery against a decision that it failed',
    breaks: 'after its delivery was reported',
    seed: 279,
    file: 'purchases/review/evidence.ts',
    find: `failed: 'delivered' } as const;`,
    replace: `failed: 'nothing' } as const;`,
  },
  {
    name: 'opens over what was found after its person had looked',
    breaks: 'it was opened over',
    seed: 24,
    file: 'purchases/restored/accept.ts',
    find: 'if (status.count !== forgotten) {',
    replace: 'if (forgotten < 0) {',
  },
  {
    name: 'sells more on a day than the limit',
    breaks: 'on a day, more than',
    seed: 63,
    file: 'purchases/guard/guard.ts',
    find: 'return before + charged > guard.dailyLimit',
    replace: 'return before > guard.dailyLimit',
  },
  {
    name: 'forgets on a day what it has counted',
    breaks: 'on a day, more than',
    seed: 63,
    file: 'purchases/guard/guard.ts',
    find: 'if (ids.includes(clientId)) spent.set(clientId, spentBy(clientId) + charged);',
    replace: '',
  },
  {
    name: 'sells a likely duplicate',
    breaks: 'and was not refused',
    seed: 558,
    file: 'purchases/guard/guard.ts',
    find: 'if (like !== undefined) return likelyDuplicate(like);',
    replace: '',
  },
  {
    name: 'sells what its client may not buy',
    breaks: 'which its client may not buy',
    seed: 13,
    file: 'purchases/judge.ts',
    find: 'if (product !== undefined && !mayBuy(rules, product)) {',
    replace: 'if (product !== undefined && !mayBuy(undefined, product)) {',
  },
  {
    name: 'accepts an item code of the client',
    breaks: 'asks for item',
    seed: 8,
    file: 'purchases/judge.ts',
    find: 'judgeProduct(product, fields.path) ?? judgeProfile(product, fields)',
    replace: 'judgeProduct(product, fields.path)',
  },
  {
    name: 'writes no message of what a person decided',
    breaks: 'was not announced',
    seed: 884,
    file: 'purchases/review/resolve.ts',
    find: '      audience: { listeners, messageId: messageIdFrom(deps.newId()) },\n',
    replace: '',
  },
  {
    name: 'writes no message of a reversal',
    breaks: 'was not announced',
    seed: 318,
    file: 'purchases/commit/events.ts',
    find: `  reversed: 'purchase.reversed',`,
    replace: '',
  },
  {
    name: 'announces a sale before it is written',
    breaks: 'is announced as',
    seed: 234,
    file: 'purchases/order.ts',
    find: `  let used: SettleContext | undefined;
`,
    replace: `  if (outcome.kind === 'done') {
    const { insertMessages, readListeners } = await import('../webhooks/store.ts');
    const { messagesFor } = await import('../webhooks/event.ts');
    const tell = async () => {
      const listeners = await readListeners(deps.db, purchase.clientId);
      const audience = { listeners, messageId: 'early_' + purchase.id };
      const event = { type: 'purchase.succeeded', data: { id: purchase.id } };
      await insertMessages(deps.db, messagesFor(audience, [event], 0), 0);
    };
    await tell().catch(() => {});
  }
  let used: SettleContext | undefined;
`,
  },
  {
    name: 'writes no message of what an inquiry found',
    breaks: 'was not announced',
    seed: 159,
    file: 'purchases/commit/notify.ts',
    find: '      const result = await transact.advance({ ...item, audience });',
    replace: `      if (item.move.kind === 'inquiry') return transact.advance(item);
      const result = await transact.advance({ ...item, audience });`,
  },
  {
    name: 'sends an order while the gate of a restore is closed',
    breaks: 'while a restore is not opened',
    seed: 771,
    file: 'purchases/settle.ts',
    find: `if (again === 'later') return askAgain(purchase, now, context, fact);`,
    replace: '',
  },
  {
    name: 'sells from a restored database at once',
    breaks: 'begins while a restore is not opened',
    seed: 626,
    file: 'ledger/store.ts',
    find: 'exists (select 1 from restores where opened_at is null) as closed',
    replace: 'exists (select 1 from restores where opened_at = 0) as closed',
  },
  {
    name: 'takes the newest restore by wall time',
    breaks: 'not settled in time: key-',
    seed: 179,
    file: 'purchases/restored/store.ts',
    find: 'from restores order by seq desc limit 1',
    replace: 'from restores order by id desc limit 1',
  },
  {
    name: 'opens a restored database before its operators have answered',
    breaks: 'was delivered and forgotten',
    seed: 332,
    file: 'purchases/restored/ask-operators.ts',
    find: `if (operators.some(({ state }) => state === 'waiting')) return 'asking';`,
    replace: '',
  },
  {
    name: 'gives to review what another instance can ask about',
    breaks: 'needs review after',
    seed: 103,
    file: 'purchases/recover.ts',
    find: 'const free = known(deps).filter((id) => !exceptOf.includes(id));',
    replace: 'const free = [1, 2, 3, 4].filter((id) => !exceptOf.includes(id));',
  },
  {
    name: 'asks nothing until the quiet time after "no such order"',
    breaks: 'is not asked about again',
    seed: 20,
    file: 'purchases/settle.ts',
    find: 'const dueAt = Math.min(now + pause, quietAt);',
    replace: 'const dueAt = Math.max(now + pause, quietAt);',
  },
  {
    name: 'lets a repeat wait as long as the clock went back',
    breaks: 'is not answered',
    seed: 139,
    file: 'purchases/buy.ts',
    find: 'const elapsedMs = Math.max(0, now - purchase.beganAt);',
    replace: 'const elapsedMs = now - purchase.beganAt;',
  },
  {
    name: 'reads one page of reports at a time',
    breaks: 'and is not disputed',
    seed: 588,
    file: 'purchases/reports/read.ts',
    find: 'const mostPages = 100;',
    replace: 'const mostPages = 1;',
  },
  {
    name: 'leaves a page of reports unread where one has no date',
    breaks: 'and is not reversed',
    seed: 264,
    file: 'connector/sanitize.ts',
    find: `  if (typeof ref !== 'string' || (kind !== 'delivered' && kind !== 'reversed')) return undefined;`,
    replace: `  if (typeof ref !== 'string' || (kind !== 'delivered' && kind !== 'reversed')) return undefined;
  if (timeFrom(field(value, 'at')) === null) return undefined;`,
  },
  {
    name: 'turns away as late what may have begun',
    breaks: 'answered that nothing was done',
    seed: 43,
    file: 'purchases/commit/begin.ts',
    find: 'item.mayBeWritten === true || !isLate(deps, item);',
    replace: '!isLate(deps, item);',
  },
  {
    name: 'drops reports of orders that are unknown here',
    breaks: 'and is not kept',
    seed: 84,
    file: 'purchases/reports/read.ts',
    find: '    await keepUnmatched(deps, id, some, broken);\n',
    replace: '',
  },
  {
    name: 'says "declined" of an order that never arrived',
    breaks: 'the operator refused nothing',
    seed: 4,
    file: 'purchases/settle-context.ts',
    find: `if (outcome.kind !== 'refused') return { code: 'ORDER_NOT_RECEIVED' };`,
    replace: `if (outcome.kind !== 'refused') return declined('it knows of no such order');`,
  },
  {
    name: 'takes "no such order" from another system as proof',
    breaks: 'is delivered twice',
    seed: 795,
    file: 'purchases/terms.ts',
    find: '): boolean => system !== null && system === sentTo;',
    replace: '): boolean => system !== null || system === sentTo;',
  },
  {
    name: 'does not look where the database is',
    breaks: 'was delivered and forgotten',
    seed: 134,
    file: 'purchases/restored/place/monitor.ts',
    find: 'if (!suspicious && (signature === undefined || signature === trusted)) return true;',
    replace: 'if (!suspicious) return true;',
  },
  {
    name: 'leaves what is due after the clock went back',
    breaks: 'is still submitted',
    seed: 189,
    file: 'purchases/recover.ts',
    find: '    await mendTimes(now);\n',
    replace: '',
  },
  {
    name: 'throws away an answer that comes after the lease',
    breaks: 'has heard its answer',
    seed: 534,
    file: 'purchases/order.ts',
    find: 'result.purchase.fence === purchase.fence) {',
    replace: 'result.purchase.fence > 0) {',
  },
  {
    name: 'takes the refusal of an earlier attempt for the end',
    breaks: 'has claimed',
    seed: 624,
    file: 'purchases/settle.ts',
    find: '    if (purchase.attempts !== attempts) return undefined;\n',
    replace: '',
  },
  {
    name: 'halves a batch whose commit is unknown',
    breaks: 'answered that nothing was done',
    seed: 748,
    file: 'purchases/commit/transact.ts',
    find: 'isUnavailable(error) || sellsNothing(error) || !isNotCommitted(error);',
    replace: 'isUnavailable(error) || sellsNothing(error);',
  },
  {
    name: 'takes the error of a statement with a commit behind it for proof',
    breaks: 'answered that nothing was done',
    seed: 78,
    file: 'db/postgres/errors.ts',
    find: 'if (proof && isObject(error) && !inDoubt.has(error)) notCommitted',
    replace: 'if (proof && isObject(error)) notCommitted',
  },
  {
    name: 'begins what has waited longer than its time to send',
    breaks: 'after its transaction was asked for',
    seed: 19,
    file: 'purchases/commit/begin.ts',
    find: '    if (isLate(deps, item)) return reject(item, tooLate, now);\n',
    replace: '',
  },
  {
    name: 'counts the quiet time from the beginning of an attempt',
    breaks: 'too early',
    seed: 27,
    file: 'purchases/terms.ts',
    find: 'sendBefore + terms.deadlineMs + (terms.settlesWithinMs ?? 0)',
    replace: 'sendBefore - terms.sendWithinMs + terms.deadlineMs + (terms.settlesWithinMs ?? 0)',
  },
  {
    name: 'draws the supplier again on recovery',
    breaks: 'may deliver it',
    seed: 861,
    file: 'purchases/recover-one.ts',
    find: '  const operator = findSupplier(deps.registry, purchase.supplierId ?? 0);',
    replace: `  const product = deps.catalogue().product(purchase.productId);
  const drawn =
    product === undefined || (purchase.supplierId ?? 0) <= 0
      ? undefined
      : deps.routing?.choose({ ...purchase, product, test: false, purchaseId: deps.newId(), left: [] })
          .candidates[0]?.supplier;
  const operator = drawn ?? findSupplier(deps.registry, purchase.supplierId ?? 0);`,
  },
  {
    name: 'charges for what a supplier that was left has reversed',
    breaks: 'is not reversed here',
    seed: 500,
    file: 'purchases/reports/store.ts',
    find: "kind === 'delivered' || isOfDelivery || state === 'review';",
    replace: "kind === 'delivered';",
  },
  {
    name: 'sends an order again for a person who asks',
    breaks: 'after its time to send',
    seed: 258,
    file: 'purchases/review/ask-operator.ts',
    find: "    return { kind: 'not_asked', why: { code: 'no_inquiries', values: { operator: operator.id } } };",
    replace: `    const { id: ref, mobile, price: amount, productId } = purchase;
    const { buy, deadlineMs } = operator.connection;
    const again = await call(deadlineMs, () => buy({ ref, mobile, amount, productId }));
    return { kind: 'asked', outcome: again.kind === 'answer' ? again.value : again, quiet: true };`,
  },
  {
    name: 'sends an order again after the operator has forgotten it',
    breaks: 'is delivered twice',
    seed: 823,
    file: 'purchases/resend.ts',
    find: 'return isOld || quietFrom(now + sendWithinMs, terms) > beganAt + resendWithinMs;',
    replace: 'return isOld;',
  },
  {
    name: 'takes the refusal of a repeat for proof',
    breaks: 'and was delivered',
    seed: 524,
    file: 'purchases/resend.ts',
    find: '  if (terms.resendWithinMs === undefined || !isResent(purchase)) return true;',
    replace: '  if (terms.deadlineMs > 0) return true;',
  },
  {
    name: 'checks credit outside the lock',
    breaks: 'buys beyond its credit',
    seed: 50,
    file: 'ledger/store.ts',
    find: '      { available, held, seq, credit },\n',
    replace: `      { available, held, seq, credit: ((seen) => {
        const before = seq > 1 ? (seen.get(client_id) ?? credit) : credit;
        seen.set(client_id, credit);
        return before;
      })((lockBooks.seen ??= new Map())) },\n`,
  },
  {
    name: 'ignores the limit at the second hold of a batch',
    breaks: 'buys beyond its credit',
    seed: 179,
    file: 'ledger/store.ts',
    find: '      accounts.set(clientId, after);\n',
    replace: '      accounts.set(clientId, { ...after, credit: 1_000_000 });\n',
  },
  {
    name: 'charges by price lists that are no longer in force',
    breaks: 'and its price list says',
    seed: 17,
    file: 'purchases/commit/begin.ts',
    find: '=== books.prices ? undefined : pricesChanged;',
    replace: "=== books.prices || decision.kind === 'order' ? undefined : pricesChanged;",
  },
  {
    name: 'charges by the version that comes next',
    breaks: 'and its price list says',
    seed: 46,
    file: 'gateway/pricing.ts',
    find: 'chargeOf(book, { ...wanted, moment })',
    replace: 'chargeOf(book, { ...wanted, moment: moment + 1000 })',
  },
  {
    name: 'holds the price instead of what it charges',
    breaks: 'available and',
    seed: 17,
    file: 'purchases/purchase.ts',
    find: "posting: { kind: 'hold', amount: charge.charged, purchaseId: requested.id },",
    replace: "posting: { kind: 'hold', amount: requested.price, purchaseId: requested.id },",
  },
  {
    name: 'refunds the price instead of what it charged',
    breaks: 'available and',
    seed: 289,
    file: 'purchases/purchase.ts',
    find: "posting: delivery('reverse', purchase, reversedCost(bookedCost(purchase))),",
    replace: "posting: delivery('reverse', { ...purchase, charged: purchase.price }, null),",
  },
  {
    name: 'charges the price after a commission was held back',
    breaks: 'available and',
    seed: 98,
    file: 'purchases/rows.ts',
    find: '  charged: row.charged_amount ?? row.amount,',
    replace: '  charged: row.amount,',
  },
  {
    name: 'counts sales twice after a restart',
    breaks: 'the sums of what was sold are not those of its postings',
    seed: 544,
    file: 'purchases/sales/count.ts',
    find: '    db.transaction().execute(async (db) => {',
    replace: '    (async (work: (inside: Db) => Promise<void>) => work(db))(async (db) => {',
  },
  {
    name: 'counts again what another job has counted',
    breaks: 'the sums of what was sold are not those of its postings',
    seed: 368,
    file: 'purchases/sales/count.ts',
    find: 'after: cursor.seq, upTo };',
    replace: `after: batch.find((one) => one.client_id === cursor.client_id)?.counted ?? 0, upTo };`,
  },
  {
    name: 'keeps the cost of what was reversed',
    breaks: 'by our books',
    seed: 47,
    file: 'purchases/purchase.ts',
    find: "posting: delivery('reverse', purchase, reversedCost(bookedCost(purchase))),",
    replace: "posting: delivery('reverse', purchase, 0),",
  },
  {
    name: 'forgets deliveries that an inquiry found in the chain of balances',
    breaks: 'the chain of supplier',
    seed: 534,
    file: 'purchases/floats/chain.ts',
    find: 'if (balance !== null || cost === 0) continue;',
    replace: 'if (balance !== null || cost >= 0) continue;',
  },
  {
    name: 'links deliveries by a cost that is not theirs',
    breaks: 'the chain of supplier',
    seed: 69,
    file: 'purchases/floats/chain-store.ts',
    find: 'const ends = endsOf(sold);',
    replace: `const ends = endsOf(sold.map((one) => ({ ...one, cost: one.cost === null ? null : one.cost + 1 })));`,
  },
  {
    name: 'books the cost of the first supplier for the delivery of the next',
    breaks: 'by our books',
    seed: 76,
    file: 'purchases/move-on.ts',
    find: '      ...next.attempt,\n',
    replace: '      ...next.attempt,\n      cost: purchase.cost,\n',
  },
  {
    name: 'holds float at both suppliers when it moves on',
    breaks: 'by our books',
    seed: 76,
    file: 'purchases/move-on.ts',
    find: '      ...next.attempt,\n',
    replace:
      '      ...next.attempt,\n      cost: (purchase.cost ?? 0) + (next.attempt.cost ?? 0),\n',
  },
];
