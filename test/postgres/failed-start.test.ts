/** Tests that a server whose start fails ends, so that a process manager can start it again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshPostgres } from '../../src/lib/test-database.ts';
import { temporaryFolders } from '../support/command.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { serveProcess } from '../support/process.ts';

const folder = temporaryFolders();

/** What is read on the way, and what runs already by then. */
const moments = [
  ['webhook_endpoints', 'changes are looked for'],
  ['from restores', 'webhooks are sent'],
] as const;

for (const [read, runs] of moments) {
  test(`a server that loses its database at its start ends, though ${runs} already`, async (t) => {
    const { url, remove } = await freshPostgres();
    t.after(remove);
    const proxy = await startDatabaseProxy(Number(new URL(url).port));
    t.after(proxy.close);
    proxy.decide((sent) => (sent.includes(read) ? 'is lost' : 'passes'));
    const behind = new URL(url);
    behind.port = String(proxy.port);
    await assert.rejects(serveProcess(folder(), { DATABASE_URL: behind.href }), {
      message: /^The server ended: .*The database cannot be used now/s,
    });
  });
}
