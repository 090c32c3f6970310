/** Tests how catalogue jobs are cancelled: dropped, or rolled back without a trace, and never waited for. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { listAudit } from '../../src/admin/access/store.ts';
import { digestOfImport } from '../../src/admin/catalogue/worker/jobs.ts';
import type { ImportJob, Job } from '../../src/admin/catalogue/worker/messages.ts';
import {
  type CatalogueWorker,
  createCatalogueWorker,
} from '../../src/admin/catalogue/worker/worker.ts';
import { AdminError } from '../../src/admin/errors.ts';
import { demoCatalogue } from '../../src/catalogue/demo.ts';
import { printCatalogue } from '../../src/catalogue/file/file.ts';
import type { ImportedProduct } from '../../src/catalogue/product.ts';
import { loadCatalogue, readCatalogue } from '../../src/catalogue/read.ts';
import { readConfig } from '../../src/config/config.ts';
import { standardOperatorIds } from '../../src/config/sections/operators.ts';
import { lockVersion } from '../../src/db/changes/versions.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import { noTurn } from '../../src/lib/time-slices.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { openTestDatabase, type TestDatabase, testEngine } from '../support/database.ts';
import { importProducts } from '../support/import-products.ts';
import { eventually } from '../support/live.ts';

// It takes far longer to read and to write than to cancel.
const count = 8_000;
const actor = { accountId: null, name: 'root', address: null };

let database: TestDatabase;
let products: ImportedProduct[];
let worker: CatalogueWorker;

before(async () => {
  database = await openTestDatabase();
  const samples = demoCatalogue();
  products = Array.from({ length: count }, (_, index) => samples[index % samples.length]).flatMap(
    (one, index) => (one === undefined ? [] : [{ ...one, id: index + 1, categories: [] }]),
  );
  const deps = { ...database, clock: systemClock, newId: uuidV7(systemClock, systemRandom) };
  await importProducts(deps, products.slice(0, 10));
});
after(() => database.close());

const openDesk = (clock = systemClock): CatalogueWorker => {
  worker = createCatalogueWorker({
    operators: standardOperatorIds,
    place: readConfig({ ...database.env }),
    clock,
  });
  cleanUpAfterTest(worker.close);
  return worker;
};

/** A new one each time: it is transferred to the thread. */
const anImport = async (isPreview: boolean): Promise<ImportJob> => {
  const file = Buffer.from([...printCatalogue(products, 'json')].join(''));
  const job = { kind: 'import', file, format: 'json', removeMissing: false, actor } as const;
  const { version } = await loadCatalogue(database.db, noTurn);
  return { ...job, digest: isPreview ? undefined : digestOfImport(version, job) };
};

const isStopped = (error: unknown): boolean =>
  error instanceof AdminError && error.code === 'CATALOGUE_STOPPED';

const standing = async () => ({
  catalogue: await readCatalogue(database.db),
  audit: await listAudit(database.db, { limit: 10 }),
});

const aSwitch: Job = { kind: 'switch', productIds: [1], on: true, actor };

describe('A caller that leaves', () => {
  test('drops waiting jobs of any kind, and others continue', async () => {
    const { run, close } = openDesk();
    // Created before the first begins, which may otherwise be over by then.
    const imports = [await anImport(true), await anImport(true), await anImport(false)] as const;
    const first = run(imports[0]);
    const left = new AbortController();
    const dropped = [
      run(imports[1], { left: left.signal }),
      run(imports[2], { left: left.signal }),
      run(aSwitch, { left: left.signal }),
    ];
    const next = run(aSwitch);
    left.abort();
    const ends = await Promise.race([Promise.allSettled(dropped), first]);
    assert.ok(Array.isArray(ends), 'they did not wait for the previous one');
    for (const end of ends) assert.ok(end.status === 'rejected' && isStopped(end.reason));
    assert.equal((await first).kind, 'import');
    assert.equal((await next).kind, 'changed');
    await assert.rejects(run(aSwitch, { left: left.signal }), isStopped);
    await close();
  });

  test('cancels a running preview', async () => {
    const { run, close } = openDesk();
    const left = new AbortController();
    const progress = (): void => left.abort();
    await assert.rejects(run(await anImport(true), { left: left.signal, progress }), isStopped);
    await close();
  });
});

/** Stops an import while it writes; false if the thread had written everything before. */
const isStoppedInItsMidst = async (): Promise<boolean> => {
  const before = await standing();
  const { run, stop, close } = openDesk();
  const phases = new Set<string>();
  const inFlight = run(await anImport(false), {
    progress: ({ phase, done }) => {
      phases.add(phase);
      if (phase === 'writing' && done > 0) stop();
    },
  });
  const behind = Promise.allSettled([run(aSwitch), run(aSwitch)]);
  const [end] = await Promise.allSettled([inFlight]);
  assert.deepEqual([...phases], ['reading', 'writing']);
  for (const one of await behind) assert.ok(one.status === 'rejected' && isStopped(one.reason));
  await assert.rejects(run(aSwitch), isStopped);
  await close();
  if (end.status === 'fulfilled') return false;
  assert.ok(isStopped(end.reason));
  assert.deepEqual(await standing(), before);
  return true;
};

describe('A stop', () => {
  test('rolls back an import while it writes', async () => {
    // On a busy machine this thread may have no turn while the other writes: then there is another import.
    for (let tries = 0; !(await isStoppedInItsMidst()); tries += 1) {
      assert.ok(tries < 20, 'no import was ever stopped');
      products = products.map((one) => ({ ...one, price: one.price + 1 }));
    }
  });

  test('drops waiting jobs at once', async () => {
    const { run, stop, close } = openDesk();
    const first = run(await anImport(true));
    const behind = Array.from({ length: 5 }, () => run(aSwitch));
    const ended = Promise.allSettled(behind);
    stop();
    const ends = await Promise.race([ended, first.catch(() => 'the first')]);
    assert.ok(Array.isArray(ends) && ends.every(({ status }) => status === 'rejected'));
    await assert.rejects(first, isStopped);
    await close();
  });
});

if (testEngine === 'postgres') {
  test('a stop does not wait for a lock on the catalogue', async () => {
    const { db } = database;
    const before = await standing();
    const timers: (() => void)[] = [];
    const clock = {
      ...systemClock,
      after: (_ms: number, ring: () => void) => {
        timers.push(ring);
        return () => {};
      },
    };
    const { run, stop, close } = createCatalogueWorker({
      operators: standardOperatorIds,
      place: readConfig({ ...database.env }),
      clock,
    });
    cleanUpAfterTest(close);
    await db.transaction().execute(async (held) => {
      await lockVersion(held, 'catalogue');
      const waits = Promise.allSettled([run({ ...aSwitch, on: false })]);
      await eventually('it waits for the lock', async () => {
        const { rows } = await sql`select 1 from pg_locks where not granted`.execute(held);
        return rows.length > 0;
      });
      stop();
      for (const ring of timers.splice(0)) ring();
      const [end] = await waits;
      assert.ok(end.status === 'rejected' && end.reason instanceof AdminError);
      assert.equal(end.reason.code, 'CATALOGUE_BROKE');
      await close();
    });
    assert.deepEqual(await standing(), before);
  });
}

test('an import whose caller leaves while it writes is still applied', async () => {
  const { run, close } = openDesk();
  const left = new AbortController();
  const done = await run(await anImport(false), {
    left: left.signal,
    progress: ({ phase }) => {
      if (phase === 'writing') left.abort();
    },
  });
  assert.equal(done.kind, 'imported');
  assert.equal((await readCatalogue(database.db)).products.length, count);
  await close();
});

test('a change is dated by the clock of the gateway', async () => {
  const dayMs = 86_400_000;
  const now = (): number => systemClock.now() + dayMs;
  const { run, close } = openDesk({ ...systemClock, now });
  const began = now();
  await run({ ...aSwitch, on: false });
  const [entry] = (await standing()).audit;
  const at = Number(entry?.at);
  assert.ok(at >= began && at <= now(), `${at - began} ms after it began`);
  await close();
});
