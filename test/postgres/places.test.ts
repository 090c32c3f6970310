/** Tests what real crashes, standbys, recoveries and snapshots of PostgreSQL do to a running gateway. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { restoreStatus } from '../../src/purchases/restored/accept.ts';
import { aPackage, buy, catalogue, operatorThat, served, untilSold } from '../contract/buying.ts';
import { type Cluster, type Copy, startCluster } from '../crash/cluster.ts';
import { acceptSeen } from '../support/accept.ts';
import { eventually } from '../support/live.ts';
import { type StartedServer, startOn } from '../support/server.ts';

const operator = operatorThat();

describe('A gateway whose PostgreSQL', { timeout: 300_000 }, () => {
  let cluster: Cluster;
  let server: StartedServer;

  before(async () => {
    cluster = await startCluster();
    server = await startOn(cluster.url, {
      products: catalogue,
      balance: 100_000_000,
      ...served(operator),
    });
  });

  const putBack = async ({ putBack: put }: Copy): Promise<void> => {
    await cluster.isolate();
    await put();
    await cluster.expose();
  };

  const last = async () => (await restoreStatus(server.deps.db))?.restore;

  /** Restores a copy that lacks a sale, sees the gateway close, and lets a person open it. */
  const assertCloses = async (copy: Copy): Promise<void> => {
    const before = await last();
    const lost = await untilSold(server);
    const orders = operator.asked.buy.length;
    await putBack(copy);
    await eventually('it is closed', async () => {
      const restore = await last().catch(() => undefined);
      return restore?.cause === 'witness_contradicted' && restore.id !== before?.id;
    });
    const refused = await buy(server, aPackage);
    assert.deepEqual([refused.status, operator.asked.buy.length], [503, orders]);
    const status = await restoreStatus(server.deps.db);
    const refs = status?.forgotten.map(({ ref }) => ref) ?? [];
    assert.ok(refs.includes(lost.headers.get('purchase-id') ?? ''));
    await acceptSeen(server.deps);
    await untilSold(server);
  };

  test('crashes and restarts continues to sell, and nothing is closed', async () => {
    await untilSold(server);
    await cluster.crash(100);
    await untilSold(server);
    assert.equal(await last(), undefined);
  });

  test('is replaced by a complete standby continues to sell, by its own testimony', async () => {
    const standby = await cluster.startSynchronousStandby();
    await untilSold(server);
    await putBack(standby);
    await untilSold(server);
    const restore = await last();
    assert.deepEqual(
      [restore?.cause, restore?.changed, restore?.opened_by],
      ['place_changed', 'timeline', 'simgate'],
    );
  });

  test('is replaced by a standby that lacks a sale is closed', async () => {
    const standby = await cluster.startLaggingStandby();
    await assertCloses(standby);
  });

  test('is recovered to an earlier moment is closed', async () => {
    await untilSold(server);
    await assertCloses(await cluster.copyFiles());
  });

  test('gets an older volume, in the same place, is closed', async () => {
    const volume = await cluster.copyVolume();
    await untilSold(server);
    await assertCloses(volume);
  });
});
