/** Runs a short crash test on PostgreSQL: instances and database fail, and nothing is bought twice or lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolders } from '../support/command.ts';
import { crashPostgres } from './crash-postgres.ts';
import { faultsOf } from './world.ts';

const folder = temporaryFolders();

test('instances that are killed and paused, with their database, deliver every key once, and their books are right', {
  timeout: 900_000,
}, async (t) => {
  const report = await crashPostgres({
    folder: folder(),
    seed: 7,
    seconds: 2,
    instances: 3,
    connections: 4,
    blows: ['stop'],
    say: (line) => t.diagnostic(line),
  });
  t.diagnostic(report.blows);
  assert.deepEqual(
    faultsOf(report).filter(([, list]) => list.length > 0),
    [],
  );
  const { kill, restart, pause } = report.counted;
  assert.ok(kill + restart > 0 && pause > 0, report.blows);
  assert.ok(report.deliveries > 0 && report.answers.has('200'), 'nothing was sold');
});
