/** Tests copies of a database in use, and atomic replacement of a database file. */
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  checkIntegrity,
  copyDatabase,
  isNonEmptyFile,
  makeOneFile,
  removeDatabase,
  renameDurably,
  replaceDatabase,
} from './backup.ts';

const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = (): string => join(folder, `${(files += 1)}.db`);

// More than is copied in one step.
const rows = 30_000;

/** A database in use: two tables that always hold the same numbers. */
const makeInUse = (file: string, count = rows): DatabaseSync => {
  const database = new DatabaseSync(file);
  database.exec(`pragma journal_mode = wal; create table one (i, filler); create table two (i);
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into one select i, printf('%0500d', i) from n;
    insert into two select i from one;`);
  return database;
};

const countsIn = (file: string): [number, number] => {
  const database = new DatabaseSync(file, { readOnly: true });
  const count = (table: string): number =>
    Number(database.prepare(`select count(*) as total from ${table}`).get()?.['total']);
  try {
    return [count('one'), count('two')];
  } finally {
    database.close();
  }
};

const besides = (file: string): string[] =>
  readdirSync(folder).filter((name) => join(folder, name).startsWith(`${file}-`));

test('a copy taken during writes is a consistent snapshot, complete, in one private file', async () => {
  const [source, copy] = [newFile(), newFile()];
  const writer = makeInUse(source);
  const state = { copying: true, written: 0 };
  const writing = (async () => {
    while (state.copying) {
      state.written += 1;
      const i = rows + state.written;
      writer.exec(
        `begin; insert into one values (${i}, ''); insert into two values (${i}); commit`,
      );
      await turn();
    }
  })();
  const steps: number[] = [];
  await copyDatabase(source, copy, ({ done, total }) => steps.push(done / total));
  state.copying = false;
  await writing;
  assert.ok(state.written > 1, `${state.written} writes`);
  assert.ok(steps.length > 2);
  assert.deepEqual(
    steps,
    steps.toSorted((a, b) => a - b),
    'it never starts over',
  );
  assert.equal(steps.at(-1), 1);
  makeOneFile(copy);
  assert.deepEqual(checkIntegrity(copy), []);
  const [one, two] = countsIn(copy);
  assert.equal(one, two);
  assert.ok(one >= rows && one < rows + state.written);
  assert.deepEqual(besides(copy), []);
  assert.equal(statSync(copy).mode & 0o777, 0o600);
  writer.close();
});

test('anything but a database is not copied, with a clear sentence', async () => {
  const [text, copy] = [newFile(), newFile()];
  writeFileSync(text, 'This is a letter and not a database. '.repeat(200));
  await assert.rejects(copyDatabase(text, copy), /is not a database, or not a whole one\.$/);
  await assert.rejects(copyDatabase(newFile(), copy), /^UsageError: There is no database at/);
  await assert.rejects(
    copyDatabase(text, join(folder, 'nowhere', 'copy.db')),
    /^UsageError: .*cannot be written/,
  );
});

test('a broken page in a copy is detected', async () => {
  const [source, copy] = [newFile(), newFile()];
  makeInUse(source).close();
  await copyDatabase(source, copy);
  makeOneFile(copy);
  assert.deepEqual(checkIntegrity(copy), []);
  const bytes = readFileSync(copy);
  bytes.fill(7, 40 * 4096, 41 * 4096);
  writeFileSync(copy, bytes);
  assert.ok(checkIntegrity(copy).length > 0);
});

test('a database takes an empty location', async () => {
  const [copy, target] = [newFile(), newFile()];
  makeInUse(copy, 3).close();
  await replaceDatabase(copy, target, `${target}.aside`);
  assert.deepEqual(countsIn(target), [3, 3]);
  assert.deepEqual([existsSync(copy), existsSync(`${target}.aside`)], [false, false]);
});

test('leftovers of a deleted database do not destroy the next one', async () => {
  const [copy, target] = [newFile(), newFile()];
  const lost = makeInUse(target, 5);
  const log = readFileSync(`${target}-wal`);
  lost.close();
  rmSync(target);
  writeFileSync(`${target}-wal`, log);
  makeInUse(copy, 3).close();
  makeOneFile(copy);
  await replaceDatabase(copy, target, `${target}.aside`);
  assert.deepEqual(checkIntegrity(target), []);
  assert.deepEqual(countsIn(target), [3, 3]);
  assert.deepEqual(readFileSync(`${target}.aside-wal`), log, 'it is still kept');
});

test('a database replaces one that is open: that one is kept, with its last commits', async () => {
  const [copy, target] = [newFile(), newFile()];
  makeInUse(copy, 3).close();
  makeOneFile(copy);
  const open = makeInUse(target, 5);
  open.exec(`insert into one values (6, ''); insert into two values (6)`);
  assert.ok(statSync(`${target}-wal`).size > 0, 'its last commits are not in its file yet');
  await replaceDatabase(copy, target, `${target}.aside`);
  assert.deepEqual(countsIn(`${target}.aside`), [6, 6]);
  assert.deepEqual(countsIn(target), [3, 3]);
  assert.equal(open.prepare('select count(*) as total from one').get()?.['total'], 3);
  open.exec(`insert into one values (4, '')`);
  open.close();
  assert.deepEqual(checkIntegrity(target), []);
  assert.deepEqual(countsIn(target), [4, 3]);
  assert.equal(existsSync(copy), false);
});

test('a database replaces a broken one, which is kept byte for byte', async () => {
  const [copy, target] = [newFile(), newFile()];
  makeInUse(copy, 3).close();
  makeOneFile(copy);
  writeFileSync(target, 'broken '.repeat(5000));
  writeFileSync(`${target}-wal`, 'also broken');
  await replaceDatabase(copy, target, `${target}.aside`);
  assert.deepEqual(countsIn(target), [3, 3]);
  assert.equal(readFileSync(`${target}.aside`, 'utf8'), 'broken '.repeat(5000));
  assert.equal(readFileSync(`${target}.aside-wal`, 'utf8'), 'also broken');
});

test('a renamed file exists under its new name only, replacing what was there', () => {
  const [from, to] = [newFile(), newFile()];
  writeFileSync(from, 'new');
  writeFileSync(to, 'old');
  renameDurably(from, to);
  assert.deepEqual([existsSync(from), readFileSync(to, 'utf8')], [false, 'new']);
});

test('a removed copy leaves nothing beside it', () => {
  const file = newFile();
  const open = makeInUse(file, 2);
  assert.ok(besides(file).length > 0);
  removeDatabase(file);
  assert.deepEqual([isNonEmptyFile(file), besides(file)], [false, []]);
  open.close();
});
