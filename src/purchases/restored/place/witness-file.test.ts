/** Tests the witness beside a database file: an older file put back by hand is detected. */
import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { manualClock } from '../../../../test/support/manual-clock.ts';
import {
  createWorld,
  price,
  requestOf,
  type World,
} from '../../../../test/support/purchase-world.ts';
import { databaseFile, openAsServer } from '../../../db/sqlite/open.ts';
import { createBuying } from '../../buy.ts';
import { findRestore } from '../store.ts';
import { createWitness, type Witness, witnessedTransact } from './witness.ts';
import { openWitnessFile, type WitnessFile, witnessFileOf } from './witness-file.ts';

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'simgate-witness-'));
  folders.push(folder);
  return folder;
};

type Life = World & {
  readonly witness: Witness;
  readonly file: WitnessFile;
  readonly logged: string[];
  readonly buy: (key: string) => Promise<unknown>;
};

/** A server's lifetime on a file, as far as the witness is concerned. */
const live = async (folder: string): Promise<Life> => {
  const world = await createWorld(undefined, await openAsServer(folder, manualClock()));
  const witness = createWitness({ clients: 3, held: 0 });
  const logged: string[] = [];
  const log = (_details: unknown, text?: string): void => void logged.push(text ?? '');
  const file = openWitnessFile({
    ...world.deps,
    witness,
    sendWithinMs: 0,
    onLoss: async () => {},
    log: { info: log, warn: log, error: log },
  });
  await file.start().catch(async (error: unknown) => {
    await world.end();
    throw error;
  });
  const transact = witnessedTransact(world.deps.transact, witness, () => {});
  const buying = createBuying({ ...world.deps, transact });
  return { ...world, witness, file, logged, buy: (key) => buying.buy(requestOf('a', key)) };
};

const stop = async ({ file, end }: Life): Promise<void> => {
  await file.stop();
  await end();
};

/** A folder whose database has sold once, and an earlier copy of it. */
const soldAndCopied = async (): Promise<{ readonly folder: string; readonly old: string }> => {
  const folder = newFolder();
  const first = await live(folder);
  await first.client('a');
  await first.buy('known');
  await stop(first);
  const old = join(folder, 'old.db');
  copyFileSync(databaseFile(folder), old);
  const second = await live(folder);
  await second.buy('lost');
  await stop(second);
  return { folder, old };
};

const witnessIn = (folder: string): string => witnessFileOf(databaseFile(folder));

test('an older file that was put back manually is marked as restored', async () => {
  const { folder, old } = await soldAndCopied();
  copyFileSync(old, databaseFile(folder));
  const third = await live(folder);
  const restore = await findRestore(third.deps.db);
  assert.deepEqual([restore?.cause, restore?.opened_at], ['witness_contradicted', null]);
  assert.match(third.logged.join(), /an older file was put back/);
  await stop(third);
  const fourth = await live(folder);
  assert.equal((await findRestore(fourth.deps.db))?.seq, 1, 'it is marked once');
  await stop(fourth);
});

test('an unchanged file is not marked, even after a crash', async () => {
  const { folder } = await soldAndCopied();
  const third = await live(folder);
  await third.buy('more');
  // It dies before the witness is written, which is then merely older.
  await third.end();
  const fourth = await live(folder);
  assert.equal(await findRestore(fourth.deps.db), undefined);
  assert.equal(fourth.witness.claims().posted.length, 1, 'its claims continue');
  await stop(fourth);
});

test('a missing refusal contradicts as a sale does', async () => {
  const folder = newFolder();
  const first = await live(folder);
  await first.client('a', price - 1);
  await stop(first);
  const old = join(folder, 'old.db');
  copyFileSync(databaseFile(folder), old);
  const second = await live(folder);
  await second.buy('refused');
  await stop(second);
  copyFileSync(old, databaseFile(folder));
  const third = await live(folder);
  assert.equal((await findRestore(third.deps.db))?.cause, 'witness_contradicted');
  await stop(third);
});

test('an unreadable witness prevents the start', async () => {
  const { folder } = await soldAndCopied();
  rmSync(witnessIn(folder));
  mkdirSync(witnessIn(folder));
  await assert.rejects(live(folder), /^UsageError: The file .* cannot be read/);
});

test('a new database deletes the witness of another one', async () => {
  const { folder } = await soldAndCopied();
  for (const end of ['', '-wal', '-shm']) rmSync(databaseFile(folder) + end, { force: true });
  const fresh = await live(folder);
  assert.equal(await findRestore(fresh.deps.db), undefined);
  assert.equal(existsSync(witnessIn(folder)), false);
  assert.match(fresh.logged.join(), /the database is new/);
  await stop(fresh);
});

test('a torn witness claims nothing', async () => {
  const { folder, old } = await soldAndCopied();
  writeFileSync(witnessIn(folder), '{"posted":[{"cli');
  copyFileSync(old, databaseFile(folder));
  const third = await live(folder);
  assert.equal(await findRestore(third.deps.db), undefined);
  assert.match(third.logged.join(), /cannot be read/);
  await stop(third);
});

test('it is written within a second, outside the purchase, and readable by its owner only', async () => {
  const folder = newFolder();
  const first = await live(folder);
  await first.client('a');
  await first.buy('key');
  assert.equal(existsSync(witnessIn(folder)), false);
  await first.clock.advance(1000);
  // The test moves the clock; the file is real.
  while (!existsSync(witnessIn(folder))) await first.clock.advance(0);
  assert.equal(statSync(witnessIn(folder)).mode & 0o777, 0o600);
  await stop(first);
});

test('it keeps the most recent clients only', () => {
  const witness = createWitness({ clients: 2, held: 0 });
  for (const [index, clientId] of ['a', 'b', 'a', 'c'].entries()) {
    witness.posted({ clientId, seq: index + 1, kind: 'hold', purchaseId: `${index}` });
  }
  assert.deepEqual(
    witness.claims().posted.map(({ clientId, seq }) => [clientId, seq]),
    [
      ['a', 3],
      ['c', 4],
    ],
  );
  witness.posted({ clientId: 'a', seq: 2, kind: 'capture', purchaseId: 'late' });
  assert.equal(witness.claims().posted[0]?.seq, 3, 'acknowledgements may overtake one another');
});
