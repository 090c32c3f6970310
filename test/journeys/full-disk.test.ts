/** Tests that a database file that cannot grow causes no wrong answer, and that all recovers once it can. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { printCatalogue } from '../../src/catalogue/file/file.ts';
import { sampleProduct } from '../contract/sample-product.ts';
import { at } from '../support/answers.ts';
import { killWithTest } from '../support/child.ts';
import { done, temporaryFolders, twoAtATime } from '../support/command.ts';
import { inherited } from '../support/environment.ts';
import { ask, eventually, parsed } from '../support/live.ts';
import { serveProcess, simulatorProcess } from '../support/process.ts';

const folder = temporaryFolders();
const command = fileURLToPath(new URL('../../bin/simgate.js', import.meta.url));

type Limited = {
  readonly url: string;
  readonly printed: () => string;
  readonly stop: () => Promise<number>;
};

/** A server whose files may not exceed this many bytes, like a full disk or a quota. */
const serveLimited = async (
  dataDir: string,
  bytes: number,
  operatorUrl: string,
): Promise<Limited> => {
  // The unit of POSIX: 512 bytes.
  const script = `ulimit -f ${Math.ceil(bytes / 512)}; exec "$@"`;
  const child = spawn('sh', ['-c', script, 'sh', process.execPath, command, 'serve'], {
    cwd: dataDir,
    env: { ...inherited, DATA_DIR: dataDir, PORT: '0', OPERATOR_URL: operatorUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killWithTest(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  }
  const closed = new Promise<number>((resolve) => {
    child.once('close', (status) => resolve(status ?? -1));
  });
  const urlIn = (): string | undefined => /"url":"(http:[^"]+)"/.exec(text)?.[1];
  await eventually('it listens', async () => urlIn() !== undefined);
  return {
    url: urlIn() ?? '',
    printed: () => text,
    stop: () => {
      child.kill('SIGTERM');
      return closed;
    },
  };
};

type Sent = { readonly key: string; readonly status: number; readonly text: string };

const buyAt = async (url: string, token: string, key: string): Promise<Sent> => {
  const response = await fetch(`${url}/api/top-up/package/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
    body: new URLSearchParams({
      product_id: '1',
      price: String(price),
      mobile: '989123456700',
      webservice_code: key,
    }),
  });
  return { key, status: response.status, text: await response.text() };
};

const price = 10_000;
const balance = 500_000_000;

const prepared = async (): Promise<{ readonly data: string; readonly token: string }> => {
  const data = folder();
  const file = join(data, 'one.json');
  writeFileSync(file, [...printCatalogue([sampleProduct({ id: 1, price })], 'json')].join(''));
  // A short time to wait: waiting longer would not change the answers.
  writeFileSync(
    join(data, 'simgate.json'),
    JSON.stringify({ purchases: { pendingAfterMs: 2000 } }),
  );
  await done(data, 'catalogue', 'import', file);
  const args = ['client', 'create', '--name', 'A', '--balance', String(balance), '--json'];
  return { data, token: String(at(parsed(await done(data, ...args)), 'token')) };
};

describe('A server whose files may not grow', twoAtATime, () => {
  it('sells while it can, then answers 202 or 503, and settles all of it when they may grow again', async () => {
    const { data, token } = await prepared();
    const limit = statSync(join(data, 'simgate.db')).size + 300_000;
    // Separate from the server: its deliveries are known after the server has gone.
    const operator = await simulatorProcess(folder());
    const limited = await serveLimited(data, limit, operator.url);
    const sent: Sent[] = [];
    const troubled = (): number => sent.filter(({ status }) => status !== 200).length;
    while (troubled() < 10) {
      sent.push(await buyAt(limited.url, token, `key-${sent.length}`));
      assert.ok(sent.length < 2000, 'the limit was never met');
    }
    const statuses = new Set(sent.map(({ status }) => status));
    assert.ok(statuses.has(200));
    assert.deepEqual(statuses.difference(new Set([200, 202, 503])), new Set());
    const ready = await ask(limited.url, '', '/health/ready');
    assert.equal(at(ready.body, 'code'), 'DATABASE_UNAVAILABLE');
    const sold = sent.find(({ status }) => status === 200);
    assert.ok(sold !== undefined);
    assert.equal((await buyAt(limited.url, token, sold.key)).text, sold.text);
    assert.equal((await ask(limited.url, token, '/api/clients/products')).status, 200);
    assert.equal(await limited.stop(), 0);
    const errors = limited
      .printed()
      .split('\n')
      .filter((line) => line.includes('"level":"error"'));
    assert.ok(errors.length > 0 && errors.length < 20, `${errors.length} lines`);

    const free = await serveProcess(data, { OPERATOR_URL: operator.url });
    for (const { key, status, text } of sent) {
      let last = await buyAt(free.url, token, key);
      await eventually(`${key} is sold`, async () => {
        if (last.status !== 200) last = await buyAt(free.url, token, key);
        return last.status === 200;
      });
      if (status === 200) assert.equal(last.text, text);
    }
    const { body } = await ask(free.url, token, '/api/clients/products?per_page=1');
    assert.equal(at(body, 'balance'), balance - price * sent.length);
    assert.equal(await free.stop(), 0);
    await operator.stop();
    assert.match(await done(data, 'verify', '--json'), /"ok": ?true/);
  });
});
