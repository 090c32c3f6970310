/** Tests the commands that state where a PostgreSQL database is, and how it came there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDecisions } from '../../src/purchases/review/store.ts';
import {
  aPackage,
  assertRefused,
  assertSold,
  buy,
  catalogue,
  newKey,
  operatorThat,
  served,
} from '../contract/buying.ts';
import { at } from '../support/answers.ts';
import { assertSentence } from '../support/command.ts';
import { openCopies } from '../support/database-copies.ts';
import { eventually, parsed } from '../support/live.ts';
import { manualClock } from '../support/manual-clock.ts';
import { type Finished, simgate } from '../support/process.ts';
import { type StartedServer, startBeside, startServer } from '../support/server.ts';

const run = ({ env }: StartedServer, ...args: readonly string[]): Promise<Finished> =>
  simgate(env.DATA_DIR, args, { DATABASE_URL: env.DATABASE_URL ?? assert.fail() });

const because = ['--reason', 'moved to a larger machine', '--by', 'the night shift'];

test('a database that was moved as a whole sells once the command says so', async () => {
  const operator = served(operatorThat());
  // Its clock never moves: it only keeps the database.
  const keeper = await startServer({ products: catalogue, ...operator, clock: manualClock() });
  const copies = await openCopies(keeper.env.DATABASE_URL ?? assert.fail());
  try {
    const before = await startBeside(keeper, operator);
    const key = newKey();
    const sold = await buy(before, aPackage, { key });
    assertSold(sold);
    await before.stop();
    await copies.putBack(await copies.keep());
    const unseen = await run(keeper, 'restore', 'status', '--json');
    assert.deepEqual(parsed(unseen.out), { restored_at: null, selling: false });
    const { status, out } = await run(keeper, 'restore', 'moved', '--json', ...because);
    assert.equal(status, 0);
    assert.deepEqual(parsed(out), { opened: false, changed: true, selling: true });
    const after = await startBeside(keeper, operator);
    try {
      assertSold(await buy(after, aPackage));
      assert.equal((await buy(after, aPackage, { key })).text, sold.text);
      const [decision] = await readDecisions(after.deps.db, 'place');
      assert.deepEqual([decision?.action, decision?.reason], ['restore moved', because[1]]);
      assert.match(decision?.actor ?? '', /^the night shift \(as /);
    } finally {
      await after.stop();
    }
  } finally {
    await keeper.stop();
    await copies.remove();
  }
});

test('a marked database is closed, asks the operators, and cannot be declared as moved', async () => {
  const server = await startServer({ products: catalogue, ...served(operatorThat()) });
  try {
    assertSold(await buy(server, aPackage));
    assert.equal((await run(server, 'restore', 'mark', '--reason', 'a snapshot')).status, 0);
    assertRefused(await buy(server, aPackage), 'DATABASE_UNAVAILABLE');
    assertSentence(
      await run(server, 'restore', 'moved', ...because),
      /^This database was marked as restored, so it is not complete\./,
    );
    const { out } = await run(server, 'restore', 'status', '--json');
    assert.deepEqual([at(parsed(out), 'cause'), at(parsed(out), 'selling')], ['marked', false]);
    const accepted = await run(server, 'restore', 'accept', '--force', '--reason', 'a drill');
    assert.equal(accepted.status, 0, accepted.err);
    await eventually('it sells', async () => (await buy(server, aPackage)).status === 200);
  } finally {
    await server.stop();
  }
});
