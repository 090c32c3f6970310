/** Tests that a book on disk survives its process: nothing lost, forgotten or invented. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { type ManualClock, manualClock } from '../../../../test/support/manual-clock.ts';
import { anyCharacter } from '../../../../test/support/text.ts';
import type { Report } from '../../../connector/connector.ts';
import { UsageError } from '../../../lib/errors.ts';
import { type Book, keepBook } from './book.ts';
import { openBookFile } from './file.ts';

const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const newPath = (): string => join(folder, `book-${(files += 1)}`);

type Opened = {
  readonly clock: ManualClock;
  readonly book: (operator: number) => Book;
  readonly close: () => Promise<void>;
};

/** A book file with the books of two operators. */
const openAt = async (path: string, most = 1_000, clock = manualClock()): Promise<Opened> => {
  const file = await openBookFile(path);
  const books = new Map(
    [1, 2].map((id) => [id, keepBook({ clock, journal: file.journalOf(id), most })]),
  );
  await file
    .load(({ operator, line }) => books.get(operator)?.load(line))
    .catch(async (error: unknown) => {
      await file.close();
      throw error;
    });
  return {
    clock,
    book: (operator) => books.get(operator) ?? assert.fail('no such operator'),
    close: file.close,
  };
};

const order = (ref: string, amount = 5) => ({ ref, mobile: '989120000012', amount });

const linesOf = (path: string): readonly unknown[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));

/** The delivered references, in order. */
const refsIn = (path: string): readonly unknown[] =>
  linesOf(path).flatMap((line) =>
    typeof line === 'object' && line !== null && 'ref' in line ? [line.ref] : [],
  );

const allEvents = async (book: Book): Promise<readonly Report[]> => {
  const reports: Report[] = [];
  let cursor = '';
  for (;;) {
    const page = await book.eventsFrom(cursor);
    if (page.reports.length === 0) return reports;
    reports.push(...page.reports);
    ({ cursor } = page);
  }
};

test('a delivery is its own line, in the file before it is answered', async () => {
  const path = newPath();
  const { book, clock, close } = await openAt(path);
  await book(2).deliver(order('r1'));
  const at = clock.now();
  const line = { ref: 'r1', mobile: '989120000012', amount: 5, at, operator: 2 };
  assert.deepEqual(linesOf(path), [line]);
  await book(2).deliver(order('r1'), { copy: true });
  assert.deepEqual(linesOf(path), [line, { ...line, copy: true }]);
  await close();
});

test('concurrent deliveries are all written, each once, in one file for all operators', async () => {
  const path = newPath();
  const { book, close } = await openAt(path);
  const refs = Array.from({ length: 500 }, (_, index) => `r${index}`);
  await Promise.all(refs.map((ref, index) => book((index % 2) + 1).deliver(order(ref))));
  assert.equal(linesOf(path).length, 500);
  assert.equal((await allEvents(book(1))).length, 250);
  assert.equal((await book(1).inquire('r0')).kind, 'done');
  assert.equal((await book(2).inquire('r0')).kind, 'not_found');
  await close();
});

test('other lines have no ref, so that counting refs counts deliveries', async () => {
  const path = newPath();
  const { book, clock, close } = await openAt(path);
  await book(1).accept(order('waits'), 1);
  await book(1).deliver(order('back'), { reverseAfter: 10 });
  await clock.advance(10);
  await book(1).inquire('waits');
  assert.deepEqual(refsIn(path), ['back', 'waits']);
  assert.equal(linesOf(path).length, 4);
  await close();
});

test('after a restart every order has its state, and every report exists once', async () => {
  const path = newPath();
  const first = await openAt(path);
  const one = first.book(1);
  await one.deliver(order('done'));
  await one.deliver(order('twice'));
  await one.deliver(order('twice'));
  await one.accept(order('pending'));
  await one.accept(order('later'), 3);
  await one.accept(order('was-later'), 1);
  assert.equal((await one.inquire('was-later')).kind, 'done');
  await one.deliver(order('back'), { reverseAfter: 10 });
  await first.clock.advance(10);
  await one.deliver(order('not-yet'), { reverseAfter: 1_000 });
  assert.equal((await one.inquire('back')).kind, 'reversed');
  const events = await allEvents(one);
  const { cursor } = await one.eventsFrom('');
  await first.close();

  const second = await openAt(path, 1_000, first.clock);
  const same = second.book(1);
  const kinds = ['done', 'twice', 'pending', 'later', 'was-later', 'back', 'not-yet', 'none'].map(
    async (ref) => (await same.standing(ref)).kind,
  );
  assert.deepEqual(await Promise.all(kinds), [
    'done',
    'done',
    'pending',
    'pending',
    'done',
    'reversed',
    'done',
    'not_found',
  ]);
  assert.deepEqual(await allEvents(same), events);
  assert.deepEqual((await same.eventsFrom(cursor)).reports, [], 'the cursor still works');
  for (const expected of ['pending', 'pending', 'done']) {
    assert.equal((await same.inquire('later')).kind, expected);
  }
  for (let asked = 0; asked < 5; asked += 1) await same.inquire('was-later');
  assert.equal(refsIn(path).filter((ref) => ref === 'was-later').length, 1, 'and not again');
  await second.clock.advance(1_000);
  assert.equal((await same.inquire('not-yet')).kind, 'reversed');
  assert.equal((await same.eventsFrom(cursor)).reports.length, 2);
  await second.close();
});

test('a last line torn by a crash is cut off wherever it was torn, and the book continues', async () => {
  const path = newPath();
  const first = await openAt(path);
  await first.book(1).deliver(order('whole'));
  await first.close();
  const whole = readFileSync(path);
  const next = `{"ref":"torn","mobile":"9891","amount":5,"at":1,"operator":1}\n`;
  for (let length = 1; length < next.length; length += 1) {
    writeFileSync(path, whole);
    appendFileSync(path, next.slice(0, length));
    const again = await openAt(path);
    assert.deepEqual(readFileSync(path), whole, `cut after ${length} bytes`);
    assert.equal((await again.book(1).standing('torn')).kind, 'not_found');
    await again.book(1).deliver(order('next'));
    assert.equal(linesOf(path).length, 2);
    await again.close();
  }
});

test('an unreadable line in the middle prevents the start, and is named by its number', async () => {
  const path = newPath();
  const good = '{"ref":"a","mobile":"m","amount":5,"at":1,"operator":1}\n';
  for (const bad of ['{"ref":\n', '\n', '{}\n', '{"ref":5,"amount":1,"at":1,"operator":1}\n']) {
    writeFileSync(path, good + bad + good);
    await assert.rejects(openAt(path), (error) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, /^Line 2 of the book /);
      return true;
    });
    assert.equal(readFileSync(path, 'utf8'), good + bad + good, 'and nothing is changed');
  }
});

test('a file that cannot be written is refused with a clear message', async () => {
  await assert.rejects(openBookFile(join(folder, 'none', 'book')), /cannot be written/);
  await assert.rejects(openBookFile(folder), /cannot be written/);
});

test('a cursor of another book, or a nonsense one, starts over', async () => {
  const [path, other] = [newPath(), newPath()];
  const one = await openAt(path);
  await one.book(1).deliver(order('one'));
  const two = await openAt(other);
  await two.book(1).deliver(order('two'));
  await two.book(1).deliver(order('three'));
  const { cursor } = await one.book(1).eventsFrom('');
  for (const wrong of [cursor, `${cursor}0`, 'x', ':5', '-1', `${cursor}.5`]) {
    assert.equal((await two.book(1).eventsFrom(wrong)).reports.length, 2, wrong);
  }
  const own = (await two.book(1).eventsFrom('')).cursor;
  assert.equal((await two.book(1).eventsFrom(`${own}9`)).reports.length, 2, 'beyond the end');
  await one.close();
  await two.close();
});

test('reports come in pages, each event once and in order', async () => {
  const path = newPath();
  const text = (index: number): string =>
    `{"ref":"r${index}","mobile":"m","amount":5,"at":${index},"operator":${(index % 2) + 1}}\n`;
  writeFileSync(path, Array.from({ length: 50_000 }, (_, index) => text(index)).join(''));
  const { book, close } = await openAt(path);
  const events = await allEvents(book(1));
  assert.equal(events.length, 25_000);
  assert.ok(events.every(({ ref, at }, index) => ref === `r${at}` && at === index * 2));
  assert.ok((await book(1).eventsFrom('')).reports.length < 25_000, 'in more than one page');
  await close();
});

test('orders beyond the memory limit are still answered correctly, from the file', async () => {
  const path = newPath();
  const { book, clock, close } = await openAt(path, 10);
  const one = book(1);
  for (let index = 0; index < 100; index += 1) {
    await one.deliver(order(`r${index}`), index % 3 === 0 ? { reverseAfter: 10 } : {});
  }
  await one.accept(order('waits'), 2);
  await clock.advance(10);
  await one.eventsFrom('');
  for (let index = 0; index < 100; index += 1) {
    const expected = index % 3 === 0 ? 'reversed' : 'done';
    assert.equal((await one.inquire(`r${index}`)).kind, expected, `r${index}`);
    assert.equal((await one.inquire(`none-${index}`)).kind, 'not_found');
  }
  assert.equal((await one.inquire('waits')).kind, 'pending');
  assert.equal((await one.inquire('waits')).kind, 'done');
  await one.deliver(order('r1'));
  assert.equal(refsIn(path).filter((ref) => ref === 'r1').length, 2);
  await close();
  const again = await openAt(path, 10, clock);
  for (const index of [0, 1, 50, 99]) {
    const expected = index % 3 === 0 ? 'reversed' : 'done';
    assert.equal((await again.book(1).inquire(`r${index}`)).kind, expected, `r${index} again`);
  }
  await again.close();
});

test('any reference is found again after a restart', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.string({ unit: anyCharacter }), { maxLength: 8 }),
      async (refs) => {
        const path = newPath();
        const first = await openAt(path, 2);
        for (const ref of refs) await first.book(2).deliver(order(ref));
        await first.close();
        const second = await openAt(path, 2);
        for (const ref of refs) assert.equal((await second.book(2).standing(ref)).kind, 'done');
        assert.equal((await allEvents(second.book(2))).length, refs.length);
        await second.close();
        rmSync(path);
      },
    ),
    { numRuns: 30 },
  );
});
