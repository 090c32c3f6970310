/** Tests the database: one server a file, migrations, transactions and file permissions. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { sql } from 'kysely';
import { cleanUpAfterTest } from '../../../test/support/cleanup.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { UsageError } from '../../lib/errors.ts';
import { isUnavailable } from '../errors.ts';
import { pendingMigrations } from '../migrate/compatibility.ts';
import { readMigrations, statementsFor } from '../migrate/migrations.ts';
import type { Db, OpenDatabase } from '../types.ts';
import { openAlongsideServer, openAsServer, openReadOnly } from './open.ts';

// A refused process waits for some seconds first; these waits run in parallel.
const atOnce = { concurrency: true };

const folders: string[] = [];
const emptyFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
  folders.push(folder);
  return folder;
};
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const clock = manualClock();
const serverOn = (folder: string): Promise<OpenDatabase> => openAsServer(folder, clock);

const withServer = async <T>(
  work: (db: Db, folder: string) => Promise<T>,
  folder = emptyFolder(),
): Promise<T> => {
  const server = await serverOn(folder);
  try {
    return await work(server.db, folder);
  } finally {
    await server.close();
  }
};

/** A short program in a process of its own, with this module's neighbours in reach. */
const start = (program: string, folder: string): ChildProcess => {
  const here = JSON.stringify(import.meta.url);
  const prelude = `
    const { openAsServer, openAlongsideServer } = await import(new URL('./open.ts', ${here}));
    const { systemClock } = await import(new URL('../../lib/clock.ts', ${here}));
    const { sql } = await import('kysely');
    const folder = process.argv[1];
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', prelude + program, folder], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUpAfterTest(() => child.kill('SIGKILL'));
  return child;
};

const outputOf = async (child: ChildProcess): Promise<string> => {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (part: string) => (text += part));
  await once(child, 'close');
  return text;
};

/** A server in another process that says when it has the file, and never exits on its own. */
const holdElsewhere = async (folder: string): Promise<ChildProcess> => {
  const child = start(
    `await openAsServer(folder, systemClock); console.log('open'); setInterval(() => {}, 1000);`,
    folder,
  );
  const { stdout } = child;
  assert.ok(stdout !== null);
  await once(stdout, 'data');
  return child;
};

const tryElsewhere = (folder: string, how = 'openAsServer'): Promise<string> =>
  outputOf(
    start(
      `try { await (await ${how}(folder, systemClock)).close(); console.log('open'); }
       catch (error) { console.log(error.name + ': ' + error.message); }`,
      folder,
    ),
  );

const taken = /Another Simgate server uses .+simgate\.db\. Stop it first, or set DATA_DIR/;

const pragma = async (db: Db, name: string): Promise<unknown> => {
  const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(db);
  return Object.values(rows[0] ?? {})[0];
};

const addClient = (db: Db, id: string) =>
  db
    .insertInto('clients')
    .values({ id, name: id, status: 'active', created_at: 0, test: 0 })
    .execute();

const namesIn = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('clients').select('id').orderBy('id').execute()).map(({ id }) => id);

const appliedTo = async (db: Db) => {
  const rows = await db.selectFrom('migrations').selectAll().orderBy('number').execute();
  return rows.map(({ number, name, applied_at }) => [number, name, applied_at]);
};

const setNewest = async (db: Db, number: number): Promise<void> => {
  await db
    .insertInto('migrations')
    .values({ number, name: `${number}-future`, applied_at: 0 })
    .execute();
};

describe('migrations', atOnce, () => {
  test('are applied when a server first opens a file, and not again', async () => {
    const folder = emptyFolder();
    const first = await withServer(async (db) => {
      await addClient(db, 'kept');
      return appliedTo(db);
    }, folder);
    assert.deepEqual(
      first,
      readMigrations().map(({ number, name }) => [number, name, clock.now()]),
    );
    assert.ok(first.length > 0);
    await withServer(async (db) => {
      assert.deepEqual(await appliedTo(db), first);
      assert.deepEqual(await namesIn(db), ['kept']);
      assert.deepEqual(await pendingMigrations(db), []);
    }, folder);
  });

  test('can have statements for one engine only', () => {
    const text =
      'one;\n-- for sqlite\ntwo; end;\n-- a word; more\n-- for postgres\nthree\n  four;\nfive;\n';
    assert.deepEqual(statementsFor('sqlite', text), ['one', 'two; end', 'five']);
    assert.deepEqual(statementsFor('postgres', text), ['one', 'three\n  four', 'five']);
  });

  test('have consecutive numbers, from one', () => {
    assert.deepEqual(
      readMigrations().map(({ number }) => number),
      readMigrations().map((_, index) => index + 1),
    );
  });

  test('of a newer program are refused in a sentence, and the file can be opened again afterwards', async () => {
    const folder = emptyFolder();
    await withServer((db) => setNewest(db, 9999), folder);
    const newer = /^UsageError: The database is newer than this Simgate: it is at migration 9999/;
    for (const open of [
      serverOn,
      (folder: string) => openAlongsideServer(folder, clock),
      openReadOnly,
    ]) {
      await assert.rejects(open(folder), newer);
    }
    const raw = new DatabaseSync(join(folder, 'simgate.db'));
    raw.exec('delete from migrations where number = 9999');
    raw.close();
    await withServer(async (db) => assert.deepEqual(await pendingMigrations(db), []), folder);
  });

  test('that are missing are refused to a reader, which changes nothing', async () => {
    const folder = emptyFolder();
    await withServer(async (db) => void (await db.deleteFrom('migrations').execute()), folder);
    await assert.rejects(openReadOnly(folder), /^UsageError: .*older.*Run "simgate migrate" first/);
  });

  test('that are missing are refused by name if the program must not apply them', async () => {
    const folder = emptyFolder();
    const { number = 0, name = '' } = readMigrations().at(-1) ?? {};
    await withServer(async (db) => {
      await db.deleteFrom('migrations').where('number', '=', number).execute();
    }, folder);
    const opening = { migrates: false };
    const missing = new RegExp(
      `^UsageError: The database lacks migrations of this Simgate \\(${name}\\), and database\\.migrate is off\\. Run "simgate migrate" first\\.$`,
    );
    await assert.rejects(openAsServer(folder, clock, opening), missing);
    await assert.rejects(openAlongsideServer(folder, clock, opening), missing);
    await assert.rejects(openAsServer(emptyFolder(), clock, opening), /\(0001-ground to 00/);
  });

  test('are applied by a command if no server runs', async () => {
    const folder = emptyFolder();
    const beside = await openAlongsideServer(folder, clock);
    assert.deepEqual(
      beside.migrated,
      readMigrations().map(({ name }) => name),
    );
    await beside.close();
    const again = await openAlongsideServer(folder, clock);
    assert.deepEqual(again.migrated, []);
    await again.close();
  });
});

describe('the one server of a file', atOnce, () => {
  test('is alone in its process and among all processes, and the refusal says what to do', async () => {
    await withServer(async (db, folder) => {
      const elsewhere = tryElsewhere(folder);
      await assert.rejects(serverOn(folder), (error) => {
        assert.ok(error instanceof UsageError);
        return taken.test(error.message);
      });
      assert.match(await elsewhere, /^UsageError: /);
      assert.match(await elsewhere, taken);
      await addClient(db, 'still working');
    });
  });

  test('locks out other processes until it is killed', async () => {
    const folder = emptyFolder();
    const other = await holdElsewhere(folder);
    assert.match(await tryElsewhere(folder), taken);
    other.kill('SIGKILL');
    await once(other, 'close');
    assert.ok(
      existsSync(join(folder, 'simgate.db.lock')),
      'what it leaves behind blocks no later process',
    );
    await withServer(async (db) => addClient(db, 'after'), folder);
  });

  test('frees the file when it closes, and when it cannot open it', async () => {
    const folder = emptyFolder();
    await withServer(async () => {}, folder);
    await withServer(async (db) => setNewest(db, 9999), folder);
    await assert.rejects(serverOn(folder), /newer/);
    assert.match(await tryElsewhere(folder), /newer/, 'it gets as far as the migrations');
  });

  test('lets no command apply pending migrations while it runs', async () => {
    await withServer(async (db, folder) => {
      await db.deleteFrom('migrations').execute();
      assert.match(await tryElsewhere(folder, 'openAlongsideServer'), taken);
      assert.deepEqual(await appliedTo(db), []);
    });
  });

  test('of another folder is not affected', async () => {
    await withServer(async () => {
      await withServer(async (db) => addClient(db, 'other'));
    });
  });
});

describe('a command beside a server', atOnce, () => {
  test('sees what the server wrote, and the server sees what it wrote', async () => {
    await withServer(async (db, folder) => {
      await addClient(db, 'a-server');
      const beside = await openAlongsideServer(folder, clock);
      assert.deepEqual(beside.migrated, []);
      assert.deepEqual(await namesIn(beside.db), ['a-server']);
      await addClient(beside.db, 'b-command');
      await beside.close();
      assert.deepEqual(await namesIn(db), ['a-server', 'b-command']);
    });
  });

  test('that only reads cannot write, and needs an existing database', async () => {
    await withServer(async (_db, folder) => {
      const reader = await openReadOnly(folder);
      assert.deepEqual(await reader.db.transaction().execute(namesIn), []);
      await assert.rejects(addClient(reader.db, 'x'), /readonly/);
      await reader.close();
    });
    await assert.rejects(openReadOnly(emptyFolder()), /^UsageError: There is no database at/);
  });

  test('takes turns with it: transactions that read and then write never fail as busy', async () => {
    const folder = emptyFolder();
    const rounds = 150;
    await withServer(async (db) => {
      await addClient(db, 'counter');
      await db.updateTable('clients').set({ name: '0' }).execute();
    }, folder);
    const program = `
      const { db, close } = await openAlongsideServer(folder, systemClock);
      for (let round = 0; round < ${rounds}; round += 1) {
        await db.transaction().execute(async (db) => {
          const { name } = await db.selectFrom('clients').select('name').executeTakeFirstOrThrow();
          await new Promise((resolve) => setImmediate(resolve));
          await db.updateTable('clients').set({ name: String(Number(name) + 1) }).execute();
        });
      }
      await close();
      console.log('done');
    `;
    const others = [start(program, folder), start(program, folder)].map(outputOf);
    assert.deepEqual(await Promise.all(others), ['done\n', 'done\n']);
    await withServer(async (db) => {
      const { name } = await db.selectFrom('clients').select('name').executeTakeFirstOrThrow();
      assert.equal(Number(name), 2 * rounds);
    }, folder);
  });
});

describe('transactions', atOnce, () => {
  test('of one connection that run concurrently do not mix', async () => {
    await withServer(async (db) => {
      await addClient(db, 'counter');
      await db.updateTable('clients').set({ name: '0' }).execute();
      const count = 50;
      const steps: string[] = [];
      await Promise.all(
        Array.from({ length: count }, (_, index) =>
          db.transaction().execute(async (db) => {
            steps.push(`${index} begins`);
            const { name } = await db
              .selectFrom('clients')
              .select('name')
              .executeTakeFirstOrThrow();
            await new Promise((resolve) => setImmediate(resolve));
            await db
              .updateTable('clients')
              .set({ name: String(Number(name) + 1) })
              .execute();
            steps.push(`${index} ends`);
          }),
        ),
      );
      assert.deepEqual(
        steps,
        Array.from({ length: count }, (_, index) => [`${index} begins`, `${index} ends`]).flat(),
      );
      const { name } = await db.selectFrom('clients').select('name').executeTakeFirstOrThrow();
      assert.equal(Number(name), count);
    });
  });

  test('that fail leave nothing, and do not harm concurrent ones', async () => {
    await withServer(async (db) => {
      const results = await Promise.allSettled(
        ['a', 'b', 'c', 'd'].map((id, index) =>
          db.transaction().execute(async (db) => {
            await addClient(db, id);
            if (index % 2 === 1) throw new Error('on purpose');
          }),
        ),
      );
      assert.deepEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
      );
      assert.deepEqual(await namesIn(db), ['a', 'c']);
    });
  });

  test('are not visible outside before they end', async () => {
    await withServer(async (db, folder) => {
      const beside = await openReadOnly(folder);
      await db.transaction().execute(async (db) => {
        await addClient(db, 'inside');
        assert.deepEqual(await namesIn(beside.db), []);
      });
      assert.deepEqual(await namesIn(beside.db), ['inside']);
      await beside.close();
    });
  });
});

describe('the file', atOnce, () => {
  test('uses WAL with full sync, and enforces foreign keys', async () => {
    await withServer(async (db, folder) => {
      const beside = await openAlongsideServer(folder, clock);
      for (const one of [db, beside.db]) {
        assert.equal(await pragma(one, 'journal_mode'), 'wal');
        assert.equal(await pragma(one, 'synchronous'), 2);
        assert.equal(await pragma(one, 'foreign_keys'), 1);
        assert.equal(await pragma(one, 'trusted_schema'), 0);
      }
      await beside.close();
      const stray = { client_id: 'none', available: 0, held: 0, seq: 0, credit_limit: 0 };
      await assert.rejects(db.insertInto('accounts').values(stray).execute(), /FOREIGN KEY/);
    });
  });

  test('and everything beside it is readable by its owner only, and so is its folder', async () => {
    const folder = join(emptyFolder(), 'deep', 'data');
    await withServer(async (db) => {
      await addClient(db, 'x');
      assert.equal(statSync(folder).mode & 0o777, 0o700);
      const files = readdirSync(folder);
      assert.ok(files.includes('simgate.db') && files.includes('simgate.db-wal'), String(files));
      for (const file of files)
        assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600, file);
    }, folder);
  });

  test('stores money exactly, up to the largest safe integer, and rejects other types', async () => {
    await withServer(async (db) => {
      await addClient(db, 'rich');
      const account = {
        client_id: 'rich',
        available: Number.MAX_SAFE_INTEGER,
        held: 0,
        seq: Number.MAX_SAFE_INTEGER,
        credit_limit: Number.MAX_SAFE_INTEGER,
      };
      await db.insertInto('accounts').values(account).execute();
      const rows = await db.selectFrom('accounts').selectAll().execute();
      assert.deepEqual(
        rows.map((row) => ({ ...row })),
        [account],
      );
      await assert.rejects(sql`select ${new Date(0)}`.execute(db), /cannot store a value of type/);
      await assert.rejects(sql`select ${true}`.execute(db), /cannot store a value of type/);
    });
  });
});

test('an unavailable database is distinguished from a bug', async () => {
  const failing = async (db: Db, text: string): Promise<unknown> => {
    try {
      return await sql.raw(text).execute(db);
    } catch (error) {
      return error;
    }
  };
  await withServer(async (db, folder) => {
    const reader = await openReadOnly(folder);
    assert.ok(isUnavailable(await failing(reader.db, 'delete from clients')), 'read only');
    await reader.close();
    assert.ok(!isUnavailable(await failing(db, 'select * from nowhere')), 'a wrong statement');
    assert.ok(
      !isUnavailable(
        await failing(db, 'insert into clients values (null, null, null, null, null)'),
      ),
    );
  });
  for (const other of [new Error('no'), null, undefined, 'BUSY', { errcode: 5 }]) {
    assert.ok(!isUnavailable(other));
  }
  assert.ok(isUnavailable(Object.assign(new Error('busy'), { errcode: 261 })), 'an extended code');
});
