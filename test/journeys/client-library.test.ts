/** Tests that the client library buys each thing once through a gateway that is killed again and again. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as rest } from 'node:timers/promises';
import { createClient } from '../../sdk/src/index.ts';
import { printCatalogue } from '../../src/catalogue/file/file.ts';
import { catalogue, prepaid, sold } from '../contract/buying.ts';
import { at } from '../support/answers.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { done, temporaryFolders } from '../support/command.ts';
import { parsed } from '../support/live.ts';
import { freePort } from '../support/port.ts';
import { type Served, serveProcess, simulatorProcess } from '../support/process.ts';

const folder = temporaryFolders();

// Each costs a start of the server; SIMGATE_KILLS=10 makes it a thousand purchases.
const kills = Number(process.env['SIMGATE_KILLS'] ?? 2);
const purchases = 100 * kills;
const atOnce = 20;

/**
 * The promises of a fast operator that deduplicates: what was never sent because the gateway died is then
 * ordered once more.
 */
const quickOperator = {
  operators: {
    1: {
      connector: 'http',
      settings: {
        // Without a connection within this time it is refused: more than a busy machine needs.
        headersMs: 4000,
        answerMs: 4000,
        settlesWithin: 100,
        deduplicates: true,
        inquiries: { firstInquiryMs: 50, widestInquiryMs: 100, reviewAfterMs: 60_000 },
      },
    },
  },
  // On a busy machine an order waits its turn.
  purchases: { sendWithinMs: 5000 },
};

test(`${purchases} purchases through a gateway that is killed ${kills} times are delivered once each`, {
  timeout: 480_000,
}, async () => {
  const data = folder();
  writeFileSync(join(data, 'catalogue.json'), [...printCatalogue(catalogue, 'json')].join(''));
  writeFileSync(join(data, 'simgate.json'), JSON.stringify(quickOperator));
  await done(data, 'catalogue', 'import', 'catalogue.json');
  const created = await done(
    data,
    'client',
    'create',
    '--name',
    'A',
    '--balance',
    '100000000',
    '--json',
  );
  const token = String(at(parsed(created), 'token'));
  const operator = await simulatorProcess(data);
  const PORT = String(await freePort());
  const start = (): Promise<Served> =>
    serveProcess(data, { PORT, OPERATOR_URL: operator.url, SIMGATE_DEMO: 'off' });
  let served = await start();
  const client = createClient({ url: served.url, token });

  // If a purchase fails, the others are aborted.
  const over = new AbortController();
  cleanUpAfterTest(() => over.abort());
  let begun = 0;
  let ended = 0;
  const ids = new Set<string>();
  const buyer = async (): Promise<void> => {
    while (begun < purchases) {
      begun += 1;
      const { purchaseId } = await client.topUp({
        productId: sold.topUp,
        mobile: prepaid,
        price: 5000,
      });
      ids.add(purchaseId);
      ended += 1;
    }
  };
  /** Resolves when this many were bought. */
  const until = async (count: number): Promise<void> => {
    if (ended >= count) return;
    await rest(5, undefined, { signal: over.signal });
    await until(count);
  };
  /** Kills it during purchases, at equal intervals. */
  const killer = async (): Promise<void> => {
    for (let killed = 1; killed <= kills; killed += 1) {
      await until((killed * purchases) / (kills + 1));
      await served.stop('SIGKILL');
      served = await start();
    }
  };
  await Promise.all([killer(), ...Array.from({ length: atOnce }, buyer)]);

  assert.equal(ids.size, purchases);
  assert.equal(await served.stop(), 0);
  await operator.stop();
  const refs = readFileSync(join(data, 'book.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map(parsed)
    .flatMap((line) => at(line, 'ref') ?? []);
  assert.equal(refs.length, purchases);
  assert.deepEqual(new Set(refs), ids);
  assert.equal(at(parsed(await done(data, 'verify', '--json')), 'ok'), true);
});
