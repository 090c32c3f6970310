/** Tests a person's decision on a real database: money, answer, note and audit in one transaction, never against proof. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createWorld, price, requestOf, type World } from '../../../test/support/purchase-world.ts';
import type { StatusOutcome } from '../../connector/connector.ts';
import { UsageError } from '../../lib/errors.ts';
import { advanceIn } from '../commit/advance.ts';
import { errorFact, textFact } from '../facts/facts.ts';
import { shownWords } from '../facts/words.ts';
import { readNotes } from '../inquiry/store.ts';
import type { Purchase } from '../purchase.ts';
import { keepRecovering } from '../recover.ts';
import { successAnswer } from '../replay/answers.ts';
import { stepAfterReport } from '../settle.ts';
import type { Asked, ReviewOutcome } from './evidence.ts';
import { preview, type ResolveDeps, type Resolved, resolve } from './resolve.ts';
import { readDecisions } from './store.ts';
import { NotResolved, versionOf } from './undecided.ts';

const current = async (world: World): Promise<Purchase> =>
  (await world.find('a', 'key')) ?? assert.fail('no purchase');

const pass = async (world: World, ms: number): Promise<void> => {
  const stop = keepRecovering(world.deps, world.recovery);
  await world.clock.advance(ms);
  void stop();
  await world.recovery.whenIdle();
};

/** A world with one purchase that could not be settled and needs review. */
const inReview = async (detail = 'silence'): Promise<World & { readonly id: string }> => {
  const world = await createWorld();
  await world.client('a');
  world.say({
    buy: async () => ({ kind: 'unknown', detail }),
    status: async () => ({ kind: 'pending' }),
  });
  void world.buying.buy(requestOf('a', 'key'));
  await pass(world, 90_000);
  const { state, id } = await current(world);
  assert.equal(state, 'review');
  return { ...world, id };
};

/** Reports that the operator sends now. */
const report = async (world: World, ...kinds: ('delivered' | 'reversed')[]): Promise<void> => {
  const { id } = await current(world);
  const reports = kinds.map((kind, index) => ({ ref: id, at: 7 + index, kind }));
  world.say({
    reports: async (cursor) => ({ kind: 'reports', reports, cursor: `${cursor}1` }),
  });
  await world.recovery.readReports();
};

/** A world with one purchase recorded as failed, and then reported as delivered. */
const disputed = async (): Promise<World & { readonly id: string }> => {
  const world = await createWorld();
  await world.client('a');
  world.say({
    buy: async () => ({ kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'barred' }),
  });
  await world.buying.buy(requestOf('a', 'key'));
  await report(world, 'delivered');
  const { disputed, id } = await current(world);
  assert.ok(disputed !== null);
  return { ...world, id };
};

const decided = {
  verdict: 'succeeded',
  reason: 'the operator said so on the telephone',
  actor: 'operations',
  force: false,
} as const;

const asking = (outcome: StatusOutcome): Asked => ({ kind: 'asked', outcome, quiet: true });

const depsOf = (world: World, ask: ResolveDeps['ask']): ResolveDeps => ({ ...world.deps, ask });

/** Decides; a forced decision follows a preview. */
const decide = async (
  world: World & { readonly id: string },
  outcome: StatusOutcome,
  { verdict = 'succeeded', force = false }: { verdict?: ReviewOutcome; force?: boolean } = {},
): Promise<Resolved> => {
  const deps = depsOf(world, async () => asking(outcome));
  if (!force) return resolve(deps, world.id, { ...decided, verdict });
  const { version } = await preview(deps, world.id, verdict);
  return resolve(deps, world.id, { ...decided, verdict, force, version });
};

test('decided as succeeded: the hold of 10000 is captured, and the key answers 200 from then on', async () => {
  const world = await inReview();
  const before = await current(world);
  const done = await decide(world, { kind: 'pending' });
  assert.deepEqual(done.money, { code: 'charged', amount: price });
  const after = await current(world);
  assert.deepEqual([after.state, after.fence], ['succeeded', before.fence + 1]);
  assert.deepEqual(await world.accountOf('a'), { available: 9 * price, held: 0 });
  const again = await world.buying.buy(requestOf('a', 'key'));
  assert.deepEqual(again, {
    kind: 'answer',
    answer: successAnswer,
    purchaseId: world.id,
    replayed: true,
  });
  assert.deepEqual(await world.problems(), []);
  await world.end();
});

test('decided as failed: the hold is released, and the key answers 422 from then on', async () => {
  const world = await inReview();
  await decide(world, { kind: 'pending' }, { verdict: 'failed' });
  const after = await current(world);
  assert.deepEqual([after.state, after.reason], ['failed', errorFact('NOT_DELIVERED')]);
  assert.deepEqual(await world.accountOf('a'), { available: 10 * price, held: 0 });
  const again = await world.buying.buy(requestOf('a', 'key'));
  assert.ok(again.kind === 'answer');
  const body: unknown = JSON.parse(again.answer.body);
  assert.deepEqual([again.answer.status, again.replayed], [422, true]);
  assert.deepEqual(body, {
    message:
      'The purchase was reviewed and was not delivered. Nothing was charged. You can buy again with a new key.',
    code: 'NOT_DELIVERED',
    charged: 'no',
    retry: 'new_key',
    request_id: 'request of key',
    docs: '/docs/errors#not_delivered',
  });
  assert.deepEqual(await world.problems(), []);
  await world.end();
});

test('who decided, why, and the evidence are in the history and in the audit log', async () => {
  const world = await inReview();
  const { notes: seen } = await current(world);
  await decide(world, { kind: 'done', ref: 'receipt' });
  const after = await current(world);
  const notes = await readNotes(world.deps.db, after);
  assert.deepEqual(
    notes.slice(seen).map(({ kind, fact }) => [kind, shownWords(fact)]),
    [
      ['testimony', 'the operator was asked before and said: delivered'],
      ['decision', 'marked as delivered by operations: the operator said so on the telephone'],
    ],
  );
  assert.equal(after.operatorRef, 'receipt');
  const [row, ...more] = await readDecisions(world.deps.db, world.id);
  assert.deepEqual(more, []);
  assert.deepEqual(
    { ...row, id: '' },
    {
      id: '',
      at: world.clock.now(),
      actor: 'operations',
      action: 'purchase resolve',
      subject: world.id,
      before_it: '{"state":"review","disputed":null}',
      after_it: '{"state":"succeeded","disputed":null,"decided":"succeeded"}',
      evidence: '',
      facts: JSON.stringify([{ code: 'now_delivered', values: {} }]),
      forced: 0,
      reason: 'the operator said so on the telephone',
    },
  );
  await world.end();
});

test('a decision against the evidence is refused with its reason and effect, and changes nothing', async () => {
  for (const [outcome, verdict, said] of [
    [{ kind: 'done', ref: 'r' }, 'failed', /says: delivered\..*held 10000 is released/],
    [{ kind: 'not_found' }, 'succeeded', /knows no such order\..*held 10000 is charged/],
    [
      { kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'barred' },
      'succeeded',
      /says: barred\..*held 10000 is charged/,
    ],
  ] as const) {
    const world = await inReview();
    const before = await current(world);
    await assert.rejects(decide(world, outcome, { verdict }), (error) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, said);
      assert.match(error.message, /Nothing was decided\. With --force \d+-\d+ /);
      return true;
    });
    const { state, fence } = await current(world);
    assert.deepEqual([state, fence], ['review', before.fence]);
    assert.deepEqual(await world.accountOf('a'), { available: 9 * price, held: price });
    assert.deepEqual(await readDecisions(world.deps.db, world.id), []);
    await world.end();
  }
});

test('forced, it is done against the evidence, and the audit log says so', async () => {
  const world = await inReview();
  const done = await decide(world, { kind: 'done', ref: 'r' }, { verdict: 'failed', force: true });
  assert.equal(done.forced, true);
  const after = await current(world);
  assert.equal(after.state, 'failed');
  const [row] = await readDecisions(world.deps.db, world.id);
  assert.equal(row?.forced, 1);
  const notes = await readNotes(world.deps.db, after);
  const { code, values } = notes.at(-1)?.fact ?? assert.fail();
  assert.equal(code, 'marked_not_delivered');
  assert.deepEqual(values, { by: 'operations', reason: decided.reason, forced: true });
  assert.deepEqual(await world.problems(), []);
  await world.end();
});

test('forcing a decision without contradiction is not recorded as forced', async () => {
  const world = await inReview();
  assert.equal((await decide(world, { kind: 'pending' }, { force: true })).forced, false);
  await world.end();
});

test('a delivery reported during review is kept as evidence, once, and decides nothing', async () => {
  const world = await inReview();
  const before = await current(world);
  await report(world, 'delivered');
  await world.recovery.readReports();
  const after = await current(world);
  assert.deepEqual([after.state, after.notes], ['review', before.notes + 1]);
  assert.deepEqual(after.reason, { code: 'reported_delivered', values: { at: 7 } });
  assert.equal((await world.accountOf('a')).held, price);
  const silent = resolve(
    depsOf(world, async () => ({ kind: 'not_asked', why: textFact('it cannot be asked') })),
    world.id,
    { ...decided, verdict: 'failed' },
  );
  await assert.rejects(silent, /the operator reports it delivered at 1970/);
  await world.end();
});

test('words of an operator that look like a report are not evidence', async () => {
  const world = await inReview('the operator reports it delivered at 7');
  const { evidence } = await decide(world, { kind: 'pending' }, { verdict: 'failed' });
  assert.deepEqual(
    evidence.map(({ says }) => says),
    ['nothing'],
  );
  await world.end();
});

test('delivered and reversed: sold and refunded by a reversal; or failed, and the hold released', async () => {
  for (const [verdict, state] of [
    ['succeeded', 'reversed'],
    ['failed', 'failed'],
  ] as const) {
    const world = await inReview();
    await decide(world, { kind: 'reversed', at: 9 }, { verdict });
    assert.equal((await current(world)).state, state);
    assert.deepEqual(await world.accountOf('a'), { available: 10 * price, held: 0 });
    assert.deepEqual(await world.problems(), []);
    await world.end();
  }
});

test('a dispute is closed by a decision, moves no money, and the answer stays', async () => {
  for (const verdict of ['succeeded', 'failed'] as const) {
    const world = await disputed();
    const before = await current(world);
    const replay = await world.buying.buy(requestOf('a', 'key'));
    const done = await decide(world, { kind: 'pending' }, { verdict, force: verdict === 'failed' });
    assert.equal(done.money.code, 'unchanged');
    const after = await current(world);
    assert.deepEqual([after.state, after.disputed], ['failed', null]);
    assert.deepEqual(after.answer, before.answer);
    assert.deepEqual(await world.accountOf('a'), { available: 10 * price, held: 0 });
    assert.deepEqual(await world.buying.buy(requestOf('a', 'key')), replay);
    const notes = await readNotes(world.deps.db, after);
    assert.equal(notes.at(-1)?.kind, 'dispute closed');
    assert.deepEqual(await world.problems(), []);
    await world.end();
  }
});

test('a dispute cannot be closed as failed against its report, unless forced', async () => {
  const world = await disputed();
  await assert.rejects(
    decide(world, { kind: 'pending' }, { verdict: 'failed' }),
    /reports it delivered at 1970.*No money moves/,
  );
  assert.ok((await current(world)).disputed !== null);
  await world.end();
});

test('a purchase that does not need review is refused, and so is an unknown one', async () => {
  const world = await createWorld();
  await world.client('a');
  await world.buying.buy(requestOf('a', 'key'));
  const before = await current(world);
  const never = { ...world, id: before.id };
  await assert.rejects(decide(never, { kind: 'pending' }), /is succeeded and does not wait/);
  await assert.rejects(
    decide({ ...world, id: 'nothing' }, { kind: 'pending' }),
    /There is no purchase nothing\./,
  );
  assert.deepEqual(await current(world), before);
  await world.end();
});

test('news during the inquiry voids the decision', async () => {
  const world = await inReview();
  const ask = async (): Promise<Asked> => {
    // Another person is faster.
    await decide(world, { kind: 'pending' }, { verdict: 'failed' });
    return asking({ kind: 'pending' });
  };
  await assert.rejects(
    resolve(depsOf(world, ask), world.id, decided),
    /is failed and does not wait for a person/,
  );
  assert.equal((await current(world)).state, 'failed');
  assert.equal((await readDecisions(world.deps.db, world.id)).length, 1);
  assert.deepEqual(await world.problems(), []);
  await world.end();
});

test('a delivery reported during the inquiry voids a forced decision too', async () => {
  const world = await inReview();
  const reports = [{ ref: world.id, at: 5, kind: 'delivered' }] as const;
  const ask = async (): Promise<Asked> => {
    world.say({ reports: async () => ({ kind: 'reports', reports, cursor: '1' }) });
    await world.recovery.readReports();
    return asking({ kind: 'pending' });
  };
  const version = versionOf(await current(world));
  const forced = { ...decided, verdict: 'failed', force: true, version } as const;
  await assert.rejects(
    resolve(depsOf(world, ask), world.id, forced),
    /has changed since it was shown/,
  );
  assert.equal((await current(world)).state, 'review');
  assert.deepEqual(await readDecisions(world.deps.db, world.id), []);
  await world.end();
});

const silence: StatusOutcome = { kind: 'unknown', detail: 'silence' };
const delivered: StatusOutcome = { kind: 'done', ref: 'r' };

test('the operator’s answer to one person counts for the next, even if it does not answer then', async () => {
  for (const [make, said, verdict] of [
    [inReview, delivered, 'failed'],
    [
      inReview,
      { kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'barred' },
      'succeeded',
    ],
    [disputed, { kind: 'not_found' }, 'succeeded'],
  ] as const) {
    const world = await make();
    await assert.rejects(decide(world, said, { verdict }), /contradicts/);
    const { state, notes } = await current(world);
    await assert.rejects(
      decide(world, silence, { verdict }),
      /the operator was asked before and said: /,
    );
    await assert.rejects(decide(world, said, { verdict }), /contradicts/);
    const after = await current(world);
    assert.deepEqual([after.state, after.notes], [state, notes], 'recorded once');
    assert.deepEqual(await world.problems(), []);
    await world.end();
  }
});

test('the same answer in other words does not change the version', async () => {
  const world = await inReview();
  let said = 0;
  const deps = depsOf(world, async () => {
    said += 1;
    return said % 2 === 0
      ? asking({ kind: 'not_found' })
      : asking({
          kind: 'refused',
          code: 'declined',
          blame: 'subscriber',
          reason: `barred (${said})`,
        });
  });
  const { version } = await preview(deps, world.id, 'succeeded');
  const done = await resolve(deps, world.id, { ...decided, force: true, version });
  assert.deepEqual([done.purchase.state, done.forced], ['succeeded', true]);
  await world.end();
});

test('a reversed purchase with a later delivery is sold', async () => {
  const world = await inReview();
  await preview(
    depsOf(world, async () => asking({ kind: 'reversed', at: 9 })),
    world.id,
    'failed',
  );
  await decide(world, delivered);
  assert.equal((await current(world)).state, 'succeeded');
  await world.end();
});

test('a decision is void if another was made during the inquiry and was disputed since', async () => {
  const world = await inReview();
  const ask = async (): Promise<Asked> => {
    await decide(world, { kind: 'pending' }, { verdict: 'failed' });
    await report(world, 'delivered');
    return asking({ kind: 'pending' });
  };
  await assert.rejects(resolve(depsOf(world, ask), world.id, decided), /has changed since/);
  assert.ok((await current(world)).disputed !== null);
  await world.end();
});

test('a reversed delivery is refunded, even if the operator does not answer during the decision', async () => {
  const world = await inReview();
  const said = depsOf(world, async () => asking({ kind: 'reversed', at: 9 }));
  const { money } = await preview(said, world.id, 'succeeded');
  assert.equal(money.code, 'charged_and_refunded');
  await decide(world, silence);
  assert.equal((await current(world)).state, 'reversed');
  assert.deepEqual(await world.accountOf('a'), { available: 10 * price, held: 0 });
  await world.end();
});

test('an answer after a version was shown voids a decision on that version, even a forced one', async () => {
  for (const [said, force] of [
    [delivered, true],
    [{ kind: 'reversed', at: 9 }, false],
  ] as const) {
    const world = await inReview();
    const silent = depsOf(world, async () => asking(silence));
    const { version } = await preview(silent, world.id, 'succeeded');
    const deps = depsOf(world, async () => asking(said));
    await assert.rejects(
      resolve(deps, world.id, { ...decided, force, version }),
      (error) => error instanceof NotResolved && error.why === 'changed',
    );
    assert.equal((await current(world)).state, 'review');
    await world.end();
  }
});

for (const at of [Number.NaN, Number.POSITIVE_INFINITY, 1.763e18, -5]) {
  test(`a delivery that is reported at ${at} forbids failing it, as a dated one does`, async () => {
    const world = await inReview();
    const reports = [{ ref: world.id, at, kind: 'delivered' }] as const;
    world.say({ reports: async () => ({ kind: 'reports', reports, cursor: '1' }) });
    await world.recovery.readReports();
    const deciding = decide(world, { kind: 'pending' }, { verdict: 'failed' });
    await assert.rejects(deciding, /reports it delivered at a time that cannot be read/);
    assert.equal((await current(world)).state, 'review');
    await decide(world, { kind: 'pending' }, { verdict: 'succeeded' });
    assert.deepEqual(await world.problems(), []);
    await world.end();
  });
}

test('a reversal without a date refunds the money', async () => {
  const world = await inReview();
  const reports = [{ ref: world.id, at: null, kind: 'reversed' }] as const;
  world.say({ reports: async () => ({ kind: 'reports', reports, cursor: '1' }) });
  await world.recovery.readReports();
  await decide(world, { kind: 'pending' }, { verdict: 'succeeded' });
  assert.equal((await current(world)).state, 'reversed');
  assert.deepEqual(await world.accountOf('a'), { available: 10 * price, held: 0 });
  await world.end();
});

test('a report after the evidence was weighed voids the decision', async () => {
  const world = await inReview();
  const before = await current(world);
  const step = stepAfterReport({ ref: world.id, at: 7, kind: 'delivered' }, 1, before.notes);
  const deps = {
    ...depsOf(world, async () => asking({ kind: 'pending' })),
    databaseTime: async (db: World['deps']['db']): Promise<number> => {
      await advanceIn(db, async () => 1, [{ name: before, fence: 'any', step }]);
      return 1;
    },
  };
  await assert.rejects(
    resolve(deps, world.id, { ...decided, verdict: 'failed' }),
    /has changed since it was shown/,
  );
  assert.equal((await current(world)).state, 'review');
  assert.deepEqual(await readDecisions(world.deps.db, world.id), []);
  await world.end();
});

test('a purchase that a restore lost after the inquiry is not found', async () => {
  const world = await inReview();
  const deps = {
    ...depsOf(world, async () => asking({ kind: 'pending' })),
    databaseTime: async (db: World['deps']['db']): Promise<number> => {
      await db.deleteFrom('purchase_notes').where('purchase_id', '=', world.id).execute();
      await db.deleteFrom('purchases').where('id', '=', world.id).execute();
      return 1;
    },
  };
  await assert.rejects(
    resolve(deps, world.id, decided),
    (error) => error instanceof NotResolved && error.why === 'not found',
  );
  await world.end();
});

test('of many concurrent decisions exactly one counts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('succeeded', 'failed'), { minLength: 2, maxLength: 5 }),
      async (verdicts) => {
        const world = await inReview();
        const ends = await Promise.allSettled(
          verdicts.map((verdict) => decide(world, { kind: 'pending' }, { verdict })),
        );
        const won = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
        assert.equal(won.length, 1);
        assert.equal((await current(world)).state, won[0]?.purchase.state);
        assert.equal((await readDecisions(world.deps.db, world.id)).length, 1);
        assert.deepEqual(await world.problems(), []);
        await world.end();
      },
    ),
    { numRuns: 10 },
  );
});
