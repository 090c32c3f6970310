/** Tests that a server process serves its metrics as configured, and a primary those of all its workers. */
import assert from 'node:assert/strict';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../src/config/config.ts';
import { openMetricsPort } from '../../src/http/metrics.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log/log.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import { readWorkers } from '../../src/metrics/meter.ts';
import { at } from '../support/answers.ts';
import { assertSentence, temporaryFolders, twoAtATime } from '../support/command.ts';
import { parsed } from '../support/live.ts';
import { readFigures } from '../support/metrics.ts';
import { freePort } from '../support/port.ts';
import { serveProcess, simgate } from '../support/process.ts';

const folder = temporaryFolders();
const token = 'hunter2-hunter2-hunter2';

describe('A server process', twoAtATime, () => {
  it('serves its metrics on the configured port, and never shows its token', async () => {
    const port = String(await freePort());
    const env = { METRICS_PORT: port, METRICS_TOKEN: token, SIMGATE_DEMO: 'off' };
    const server = await serveProcess(folder(), env);
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${server.url}/health/live`);
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers });
    const text = await answer.text();
    assert.equal(answer.status, 200);
    const live = { route: '/health/live', status: '2xx' };
    assert.equal(readFigures(text).of('simgate_http_request_duration_seconds_count', live), 1);
    assert.equal((await fetch(`http://127.0.0.1:${port}/metrics`)).status, 401);
    assert.equal((await fetch(`${server.url}/metrics`, { headers })).status, 404);
    assert.equal(await server.stop(), 0);
    assert.match(server.printed(), new RegExp(`"metrics":"http://127.0.0.1:${port}/metrics"`));
    assert.doesNotMatch(server.printed() + text, /hunter2/);
  });

  it('does not start if that port is taken, and says so', async () => {
    const port = String(await freePort());
    const data = folder();
    const env = { PORT: port, METRICS_PORT: port, SIMGATE_DEMO: 'off', LOG_LEVEL: 'silent' };
    const finished = await simgate(data, ['serve'], env);
    assertSentence(finished, /^The metrics cannot be served at 127\.0\.0\.1:\d+ .*METRICS_PORT/);
  });

  it('has its token masked by simgate config', async () => {
    const { out } = await simgate(folder(), ['config'], { METRICS_TOKEN: token });
    assert.deepEqual(at(parsed(out), 'metrics'), { host: '127.0.0.1', token: '***' });
    assert.doesNotMatch(out, /hunter2/);
  });
});

describe('The primary of several workers', () => {
  const startWorker = async (requests: number): Promise<Worker> => {
    const worker = cluster.fork({ REQUESTS: String(requests) });
    await once(worker, 'message');
    return worker;
  };

  it('shows the sum of their counters, and each gauge as it is defined', async () => {
    const exec = fileURLToPath(new URL('../support/metrics-worker.ts', import.meta.url));
    cluster.setupPrimary({ exec, args: [] });
    const settings = { host: '127.0.0.1', port: 0 };
    const newId = uuidV7(systemClock, systemRandom);
    const log = createLog({ level: 'silent', mobile: readConfig({}).mobile });
    const port = await openMetricsPort({ settings, read: readWorkers(), newId, log });
    assert.ok(port !== undefined);
    const workers = await Promise.all([startWorker(2), startWorker(5)]);
    try {
      const figures = readFigures(await (await fetch(port.url)).text());
      const filter = { route: '/api/filter', status: '2xx' };
      const requests = 'simgate_http_request_duration_seconds';
      assert.equal(figures.of(`${requests}_count`, filter), 7);
      assert.equal(figures.of(`${requests}_bucket`, { ...filter, le: '0.005' }), 7);
      assert.equal(figures.of(`${requests}_bucket`, { ...filter, le: '0.0025' }), 0);
      const build = { version: '1.2.3', node: process.versions.node };
      assert.equal(figures.of('simgate_build_info', build), 1);
      const started = figures.sum('simgate_process_start_time_seconds');
      assert.ok(Math.abs(started - Date.now() / 1000) < 60, 'the oldest, and not all added up');
    } finally {
      for (const worker of workers) worker.kill();
      await port.close();
    }
  });
});
