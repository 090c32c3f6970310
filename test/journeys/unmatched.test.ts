/** Tests that an order made by others on an operator's account is found in reconciliation. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { at, listOf } from '../support/answers.ts';
import { done, temporaryFolders, twoAtATime } from '../support/command.ts';
import { ask, eventually, parsed } from '../support/live.ts';
import { serveProcess, simulatorProcess } from '../support/process.ts';

const folder = temporaryFolders();

describe('simgate purchase unmatched', twoAtATime, () => {
  it('lists operators’ reports of unknown orders, numbers masked', async () => {
    const data = folder();
    const simulator = await simulatorProcess(folder());
    const order = { ref: 'of another', mobile: '989123456700', amount: 10_000, product_id: 1 };
    await ask(simulator.url, '', '/operators/2/orders', order);
    const served = await serveProcess(data, { OPERATOR_URL: simulator.url, SIMGATE_DEMO: 'off' });
    const list = async (...options: readonly string[]): Promise<readonly unknown[]> =>
      listOf(parsed(await done(data, 'purchase', 'unmatched', '--json', ...options)));
    await eventually('the report is read', async () => (await list()).length > 0);
    const [row] = await list('--operator', '2');
    assert.deepEqual(
      [at(row, 'operator_id'), at(row, 'ref'), at(row, 'kind')],
      [2, 'of another', 'delivered'],
    );
    assert.deepEqual(await list('--operator', '1'), []);
    const text = await done(data, 'purchase', 'unmatched');
    assert.match(text, /^FOUND +OPERATOR +WHAT +AT +REFERENCE +MOBILE +AMOUNT\n.+ 2 +delivered /);
    assert.doesNotMatch(text, /9123456700/);
    assert.equal(await served.stop(), 0);
    await simulator.stop();
  });
});
