/** Tests that a pooler that passes no notifications is reported at startup. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listenForChanges } from '../../src/db/postgres/listen.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { temporaryFolders } from '../support/command.ts';
import { freshPostgres } from '../support/database.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts';
import { eventually } from '../support/live.ts';
import { manualClock } from '../support/manual-clock.ts';
import { serveProcess } from '../support/process.ts';

const folder = temporaryFolders();

/** A proxy before a database, and the address behind it. */
const startProxy = async (): Promise<{ readonly proxy: DatabaseProxy; readonly url: string }> => {
  const { url, remove } = await freshPostgres();
  cleanUpAfterTest(remove);
  const proxy = await startDatabaseProxy(Number(new URL(url).port));
  const behind = new URL(url);
  behind.port = String(proxy.port);
  return { proxy, url: behind.href };
};

// Longer than the wait for a notification.
const longMs = 60_000;

/** Listens at an address; counts notifications, and reports that none can arrive. */
const listen = (url: string) => {
  const clock = manualClock();
  const counts = { heard: 0, missed: 0 };
  const stop = listenForChanges(
    {
      url,
      clock,
      failed: (error) => assert.fail(String(error)),
      notDelivered: () => {
        counts.missed += 1;
      },
    },
    () => {
      counts.heard += 1;
    },
  );
  cleanUpAfterTest(stop);
  return { clock, counts };
};

describe('A connection that listens for changes', () => {
  test('is tested behind a pooler, and reported if nothing arrives', async () => {
    const { proxy, url } = await startProxy();
    proxy.disguise();
    proxy.dropNotifications();
    let sent = false;
    proxy.decide((text) => {
      sent ||= text.includes('pg_notify');
      return 'passes';
    });
    const { clock, counts } = listen(url);
    await eventually('a notification is sent', async () => sent);
    await clock.advance(longMs);
    assert.equal(counts.missed, 1);
    await clock.advance(longMs);
    assert.equal(counts.missed, 1, 'once');
  });

  test('is tested behind a pooler that keeps it, and nothing is reported', async () => {
    const { proxy, url } = await startProxy();
    proxy.disguise();
    const { clock, counts } = listen(url);
    // Once for the gap before it listened, and once for the notification that was sent.
    await eventually('a notification has arrived', async () => counts.heard === 2);
    await clock.advance(longMs);
    assert.equal(counts.missed, 0);
  });

  test('is not tested on a direct connection', async () => {
    const { proxy, url } = await startProxy();
    let asked = false;
    proxy.decide((text) => {
      asked ||= text.includes('pg_backend_pid');
      assert.ok(!text.includes('pg_notify'));
      return 'passes';
    });
    const { clock, counts } = listen(url);
    await eventually('the process number is known', async () => asked);
    await clock.advance(longMs);
    assert.deepEqual(counts, { heard: 1, missed: 0 });
  });
});

test('A server behind a pooler in transaction mode says so in its log', {
  timeout: 240_000,
}, async () => {
  const { proxy, url } = await startProxy();
  proxy.disguise();
  proxy.dropNotifications();
  const served = await serveProcess(folder(), { DATABASE_URL: url });
  const says = /"level":"warn".*pooler in transaction mode.*set database\.listen to false/;
  await eventually('it is reported', async () => says.test(served.printed()));
  assert.equal(await served.stop(), 0);
});
