/** Tests the commands that show operators and their connectors, with a connector that lies outside. */
import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { at, listOf } from '../support/answers.ts';
import { assertSentence, temporaryFolders, twoAtATime } from '../support/command.ts';
import { simgate } from '../support/process.ts';
import { root } from '../support/selection.ts';

const folder = temporaryFolders();

/** An operator that knows no orders, as the template's does. */
const operator = createServer((request, response) => {
  const reference = String(request.url).split('/').at(-1);
  const text = JSON.stringify({ state: 'none', reference });
  response.writeHead(200, { 'content-type': 'application/json' }).end(text);
});

describe('Operators and their connectors', twoAtATime, () => {
  const data = folder();
  const token = 'a-secret-token';
  const configure = (file: string, more: object, name = 'cedar/index.js'): string => {
    const path = join(data, file);
    const settings = { baseUrl: 'http://127.0.0.1:1', account: 'A-1', token, ...more };
    const operators = { 3: { name: 'north', connector: `./${name}`, settings } };
    writeFileSync(path, JSON.stringify({ operators }));
    return path;
  };

  before(async () => {
    cpSync(join(root, 'templates/connector'), join(data, 'cedar'), { recursive: true });
    await new Promise<void>((resolve) => {
      operator.listen(0, '127.0.0.1', () => resolve());
    });
  });
  after(() => {
    operator.closeAllConnections();
    operator.close();
  });

  const addressOf = (): string => {
    const address = operator.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  };

  it('are listed, with all connectors that the console can choose', async () => {
    const SIMGATE_CONFIG = configure('list.json', {});
    const { out, status } = await simgate(data, ['operator', 'list', '--json'], { SIMGATE_CONFIG });
    assert.equal(status, 0);
    const listed: unknown = JSON.parse(out);
    const north = listOf(at(listed, 'operators')).find((one) => at(one, 'id') === 3);
    assert.deepEqual(north, {
      id: 3,
      name: 'north',
      connector: 'my-operator',
      from: 'file',
      state: 'settings fit',
    });
    assert.deepEqual(at(listed, 'connectors'), ['simulator', 'http', 'my-operator']);
  });

  it('are shown with what a connector needs and promises, and no secret', async () => {
    const SIMGATE_CONFIG = configure('show.json', {});
    const { out, status } = await simgate(data, ['operator', 'show', 'north'], { SIMGATE_CONFIG });
    assert.equal(status, 0, out);
    assert.match(out, /^Connector: my-operator \(\.\/cedar\/index\.js\)\.$/m);
    assert.match(out, /^ {2}token \(required, secret\): The token/m);
    assert.match(out, /proof 15000 ms after the deadline/);
    assert.match(out, /^Beside orders and inquiries: nothing\.$/m);
    assert.doesNotMatch(out, new RegExp(token));
  });

  it('are asked about an order that was never made', async () => {
    const SIMGATE_CONFIG = configure('check.json', { baseUrl: addressOf() });
    const answered = await simgate(data, ['operator', 'check', '3'], { SIMGATE_CONFIG });
    assert.equal(answered.status, 0, answered.out);
    assert.match(answered.out, /^north answered that it knows no such order/);
    assert.match(answered.out, /nothing was ordered\.\n$/);
    const away = configure('away.json', {});
    const silent = await simgate(data, ['operator', 'check', 'north'], { SIMGATE_CONFIG: away });
    assert.equal(silent.status, 1);
    assert.match(silent.out, /^north gave no answer that can be used: not sent: ECONNREFUSED/);
  });

  it('that cannot be used are said to be, by every command that needs them', async () => {
    const unfit = configure('unfit.json', { account: 5 });
    const shown = await simgate(data, ['operator', 'show', '3'], { SIMGATE_CONFIG: unfit });
    assert.equal(shown.status, 1);
    assert.match(shown.out, /^north: setting "account" must be string\.$/m);
    const missing = configure('missing.json', {}, 'cedar/nowhere.js');
    const sentence = /^Operator "north": the connector "\.\/cedar\/nowhere\.js" does not exist/;
    for (const args of [
      ['operator', 'list'],
      ['config', '--check'],
    ]) {
      assertSentence(await simgate(data, args, { SIMGATE_CONFIG: missing }), sentence);
    }
    const none = await simgate(data, ['operator', 'show', 'south'], { SIMGATE_CONFIG: unfit });
    assertSentence(none, /^There is no operator "south"\. There are: operator_1, /);
  });
});
