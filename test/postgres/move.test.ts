/** Tests that a database moves from a file to PostgreSQL and back with everything in it, whatever interrupts it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { createSchemaCheck } from '../../src/db/migrate/compatibility.ts';
import { insertMark } from '../../src/db/move/mark.ts';
import { leftBehind, planMove } from '../../src/db/move/plan.ts';
import { openForServer } from '../../src/db/open.ts';
import { runText } from '../../src/db/statement.ts';
import { columnTypesOf, type Tables, tables } from '../../src/db/tables/tables.ts';
import type { Db } from '../../src/db/types.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { UsageError } from '../../src/lib/errors.ts';
import { keysOf } from '../../src/lib/record.ts';
import { at, listOf } from '../support/answers.ts';
import { changeSchema, openBesideTest, openTestDatabase } from '../support/database.ts';
import { parsed } from '../support/live.ts';
import {
  changeFile,
  configOf,
  emptyPostgres,
  fullFile,
  fullPostgres,
  Interrupted,
  moveByCommand,
  moveRows,
  ownFolder,
} from '../support/moves.ts';

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : 1;

type Dumped = Record<string, readonly string[]>;

/** All rows of all tables, read differently than a move does. */
const dump = async (db: Db): Promise<Dumped> => {
  const found: Dumped = {};
  for (const name of keysOf(tables)) {
    const rows = await db.selectFrom(name).selectAll().execute();
    found[name] = rows
      .map((row) => JSON.stringify(Object.entries(row).toSorted(byName)))
      .toSorted();
  }
  return found;
};

const dumpOf = (place: { data: string } | { url: string }): Promise<Dumped> =>
  'data' in place ? changeFile(place.data, dump) : dump(openBesideTest(place.url).db);

// Opening the target adds a decision, and restarts the quiet times of open purchases.
const touched: ReadonlySet<string> = new Set(['audit', 'purchases', ...leftBehind]);

const untouched = (dumped: Dumped): Dumped =>
  Object.fromEntries(Object.entries(dumped).filter(([name]) => !touched.has(name)));

const carriedOf = (dumped: Dumped): Dumped =>
  Object.fromEntries(Object.entries(dumped).filter(([name]) => !isLeft(name)));

const isLeft = (name: string): boolean => [...leftBehind].some((one) => one === name);

describe('A move by the command', () => {
  test('carries every row of every table unchanged, there and back', async () => {
    const data = await fullFile();
    const before = await dumpOf({ data });
    const url = await emptyPostgres();
    const there = await moveByCommand(data, url);
    assert.equal(there.status, 0, there.err);
    const carried = listOf(at(parsed(there.out), 'tables'));
    const empty = carried.filter((one) => at(one, 'rows') === 0);
    assert.deepEqual(empty, [], 'a table without rows in fullRows is not tested');
    const after = await dumpOf({ url });
    assert.deepEqual(untouched(after), untouched(before));
    assert.equal(after['audit']?.length, (before['audit']?.length ?? 0) + 1);
    assert.ok(before['audit']?.every((row) => after['audit']?.includes(row)));
    const settled = before['purchases']?.filter((row) => !row.includes('"unknown"'));
    assert.ok(settled?.every((row) => after['purchases']?.includes(row)));

    const home = ownFolder();
    const back = await moveByCommand(data, `sqlite:${home}`, { DATABASE_URL: url });
    assert.equal(back.status, 0, back.err);
    const returned = await dumpOf({ data: home });
    assert.deepEqual(untouched(returned), untouched(after));
    assert.ok(after['audit']?.every((row) => returned['audit']?.includes(row)));
  });
});

const ways = [
  ['to PostgreSQL', fullFile, emptyPostgres],
  ['to SQLite', fullPostgres, async () => ownFolder()],
] as const;

type PlaceOf = { data: string } | { url: string };

const placeOf = (text: string): PlaceOf =>
  text.startsWith('postgres') ? { url: text } : { data: text };

const usable = async (place: PlaceOf): Promise<void> => {
  const { close } = await openForServer(configOf(place), systemClock);
  await close();
};

const change = async (place: PlaceOf, text: string): Promise<void> => {
  if ('data' in place) await changeFile(place.data, (db) => sql.raw(text).execute(db));
  else await sql.raw(text).execute(openBesideTest(place.url).db);
};

for (const [way, sourceWith, emptyTarget] of ways) {
  describe(`A move ${way} that is interrupted`, () => {
    test('continues in the middle of a table, and leaves a target that is refused until then', async () => {
      const [from, to] = [placeOf(await sourceWith()), placeOf(await emptyTarget())];
      const before = await dumpOf(from);
      const hows: (string | undefined)[] = [];
      for (const until of [20, 61]) {
        const prepared = (how: string): unknown => hows.push(how);
        await assert.rejects(
          moveRows(configOf(from), configOf(to), { until, prepared }),
          Interrupted,
        );
        await usable(from);
        await assert.rejects(usable(to), /incomplete: a move from .* has not finished/);
      }
      const { moved, how } = await moveRows(configOf(from), configOf(to));
      assert.deepEqual([...hows, how], ['fresh', 'resumed', 'resumed']);
      assert.deepEqual(carriedOf(await dumpOf(to)), carriedOf(before));
      assert.equal(moved.rows, Object.values(carriedOf(before)).flat().length);
      await usable(to);
      await assert.rejects(usable(from), /This database was moved to /);
    });

    test('starts again if the source has changed since, and stays append-only', async () => {
      const [from, to] = [placeOf(await sourceWith()), placeOf(await emptyTarget())];
      await assert.rejects(moveRows(configOf(from), configOf(to), { until: 80 }), Interrupted);
      await change(from, `update admin_accounts set signed_in_at = 5`);
      const { how } = await moveRows(configOf(from), configOf(to));
      assert.equal(how, 'restarted');
      for (const table of ['audit', 'admin_audit']) {
        await assert.rejects(change(to, `delete from ${table}`), /append-only/);
        await assert.rejects(change(to, `update ${table} set actor = 'x'`), /append-only/);
      }
    });

    test('is finished by the next one if the source is already marked', async () => {
      const [from, to] = [placeOf(await sourceWith()), placeOf(await emptyTarget())];
      const arrive = async (): Promise<never> => {
        throw new Interrupted();
      };
      await assert.rejects(moveRows(configOf(from), configOf(to), { arrive }), Interrupted);
      await assert.rejects(usable(from), /was moved to/);
      await assert.rejects(usable(to), /incomplete/);
      const leave = (): Promise<never> => assert.fail('it has left already');
      const { moved } = await moveRows(configOf(from), configOf(to), { leave });
      assert.match(moved.digest, /^[0-9a-f]{64}$/);
      await usable(to);
    });
  });
}

test('a copy that differs is noticed before anything is marked', async () => {
  const [data, url] = [await fullFile(), await emptyPostgres()];
  const { db } = openBesideTest(url);
  await changeSchema(
    db,
    `create function shout() returns trigger language plpgsql as
      $$ begin new.value := upper(new.value); return new; end $$;
    create trigger shouting before insert on settings for each row execute function shout()`,
  );
  await assert.rejects(
    moveRows(configOf({ data }), configOf({ url })),
    /The copy differs from the source in the table settings\. The source is unchanged/,
  );
  await usable({ data });
  await assert.rejects(usable({ url }), /incomplete/);
});

test('ledgers that differ are noticed before anything is marked', async () => {
  const [data, url] = [await fullFile(), await emptyPostgres()];
  let sides = 0;
  const verify = async (): Promise<number> => (sides += 1);
  await assert.rejects(
    moveRows(configOf({ data }), configOf({ url }), { verify }),
    /The copy differs from the source in what "simgate verify" finds/,
  );
  await usable({ data });
});

test('a server that slept through the move is stopped by its next look', async () => {
  const { db } = await openTestDatabase('postgres');
  const heard: string[] = [];
  const { look } = createSchemaCheck(db, ({ message }) => void heard.push(message));
  await look();
  assert.deepEqual(heard, []);
  const mark = {
    move_id: 'm',
    state: 'moved',
    other: '/new/simgate.db',
    progress: '',
    at: 0,
  } as const;
  await insertMark(db, mark);
  await look();
  assert.match(heard.join(), /^This database was moved to \/new\/simgate\.db at 1970-/);
});

describe('The schema of both engines', () => {
  test('has the tables, the columns, the types and the keys that a move carries', async () => {
    const file = (await openTestDatabase('sqlite')).db;
    const server = (await openTestDatabase('postgres')).db;
    const keys = new Map((await planMove(file)).map(({ name, key }) => [name, key]));
    assert.deepEqual([...keys.keys(), ...leftBehind].toSorted(), keysOf(tables).toSorted());
    const typesText = {
      file: `select name, lower(type) as type from pragma_table_info(?)`,
      server: `select column_name as name, data_type as type from information_schema.columns
        where table_name = ? and table_schema = current_schema()`,
    };
    const keyText = `select cast(a.attname as text) as name from pg_index i
      cross join lateral unnest(i.indkey) with ordinality as part (number, place)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = part.number
      where i.indrelid = cast(? as regclass) and i.indisprimary order by part.place`;
    for (const name of keysOf(tables)) {
      const described = columnTypesOf(name);
      assert.deepEqual(await typesOf(file, typesText.file, name), described, name);
      assert.deepEqual(await typesOf(server, typesText.server, name), described, name);
      const found = await runText<{ name: string }>(server, keyText, [name]);
      if (!leftBehind.has(name))
        assert.deepEqual(
          found.map((one) => one.name),
          keys.get(name),
          name,
        );
    }
  });

  test('has no values that the database itself generates: a move would have to set them', async () => {
    const file = (await openTestDatabase('sqlite')).db;
    const server = (await openTestDatabase('postgres')).db;
    const counted = await runText(
      file,
      `select name from sqlite_schema where name = 'sqlite_sequence'`,
      [],
    );
    const hidden = await runText(
      file,
      `select c.name from sqlite_schema s join pragma_table_xinfo(s.name) c where c.hidden <> 0`,
      [],
    );
    const sequences = await runText(server, 'select sequencename from pg_sequences', []);
    const computed = await runText(
      server,
      `select attname from pg_attribute join pg_class c on c.oid = attrelid
        where c.relnamespace = 'public'::regnamespace and (attidentity <> '' or attgenerated <> '')`,
      [],
    );
    assert.deepEqual([counted, hidden, sequences, computed], [[], [], [], []]);
  });
});

const typesOf = async (
  db: Db,
  text: string,
  name: keyof Tables,
): Promise<Record<string, unknown>> => {
  const rows = await runText<{ name: string; type: string }>(db, text, [name]);
  return Object.fromEntries(rows.map((row) => [row.name, row.type]));
};

describe('Values that one engine takes and the other does not', () => {
  const refused = (from: PlaceOf, to: PlaceOf, says: RegExp): Promise<void> =>
    assert.rejects(moveRows(configOf(from), configOf(to)), (error: unknown) => {
      assert.ok(error instanceof UsageError, String(error));
      assert.match(error.message, says);
      return true;
    });

  test('a NUL becomes U+FFFD, as the gateway writes it to PostgreSQL, and is reported', async () => {
    const data = await fullFile();
    await changeFile(data, (db) => db.updateTable('settings').set({ value: 'a\0b\0' }).execute());
    const url = await emptyPostgres();
    const { status, out, err } = await moveByCommand(data, url);
    assert.equal(status, 0, err);
    assert.deepEqual(at(parsed(out), 'replaced'), { settings: 1 });
    const { value } = await openBesideTest(url)
      .db.selectFrom('settings')
      .select('value')
      .executeTakeFirstOrThrow();
    assert.equal(value, 'a\uFFFDb\uFFFD');
  });

  test('what only a file accepts is refused in a sentence, and the source stays unchanged', async () => {
    const [data, url] = [await fullFile(), await emptyPostgres()];
    for (const [text, says] of [
      [`update settings set value = x'00ff'`, /table settings .* its value is not text/],
      [`update products set score = 1.5`, /table products .* its score is not a whole number/],
      [`update products set score = 'many'`, /table products .* its score is not a whole number/],
      [
        `update products set score = 9007199254740993`,
        /table products .* is not within the safe integers/,
      ],
    ] as const) {
      await changeFile(data, (db) => sql.raw(text).execute(db));
      await refused({ data }, { url }, says);
      await changeFile(data, (db) => sql.raw(`update settings set value = ''`).execute(db));
    }
    await usable({ data });
  });

  test('a number beyond the safe integers in PostgreSQL is refused too', async () => {
    const url = await fullPostgres();
    await change({ url }, 'update products set score = 9007199254740993');
    await refused({ url }, { data: ownFolder() }, /its score is not a whole number within/);
  });

  test('a row that breaks a rule of the target is refused by the name of the rule', async () => {
    const data = await fullFile();
    await changeFile(data, async (db) => {
      await sql`pragma ignore_check_constraints = on`.execute(db);
      await sql`update accounts set held = -1 where client_id = 'Z'`.execute(db);
    });
    await refused(
      { data },
      { url: await emptyPostgres() },
      /^The target refuses a row of the table accounts \(accounts_held_check\): .* The source is unchanged/,
    );
    await usable({ data });
  });
});
