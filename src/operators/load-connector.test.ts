/** Tests that connectors load from files and packages, and that unusable ones are refused in one sentence. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { manualClock } from '../../test/support/manual-clock.ts';
import { openConnection } from '../connector/suite/open-connection.ts';
import { UsageError } from '../lib/errors.ts';
import { loadConnectors } from './connectors.ts';
import { loadConnector } from './load-connector.ts';

const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const write = (file: string, text: string): string => {
  writeFileSync(join(folder, file), text);
  return `./${file}`;
};

const named = (name: string, more = ''): string => `{
  connectorApi: 1,
  name: '${name}',
  settings: Type.Object({ account: Type.String(), pin: Type.String({ secret: true }) }),
  ${more}
  connect: ({ account }) => ({
    buy: async () => ({ kind: 'done', ref: account }),
    status: async () => ({ kind: 'not_found' }),
    deadlineMs: 1000,
    close: async () => {},
  }),
}`;
const imports = `import { defineConnector, Type } from 'simgate/connector';\n`;
const moduleOf = (body: string): string => `${imports}export default ${body};`;

const order = { ref: 'r', mobile: '989120000012', amount: 1, productId: 1 };
const settings = { account: 'a-1', pin: '7' };

const assertRefused = async (source: string, sentence: RegExp): Promise<void> => {
  await assert.rejects(loadConnector(source, folder), (error: Error) => {
    assert.ok(error instanceof UsageError, String(error));
    assert.match(error.message, sentence);
    return true;
  });
};

describe('a connector is loaded', () => {
  test('from a JavaScript file outside of every installation, with its own gateway’s imports', async () => {
    const connector = await loadConnector(write('cedar.js', moduleOf(named('cedar'))), folder);
    assert.equal(connector.name, 'cedar');
    const outcome = await openConnection(connector, settings).buy(order);
    assert.deepEqual(outcome, { kind: 'done', ref: 'a-1' });
  });

  test('from TypeScript, by an absolute path, as the one named export', async () => {
    const text = `${imports}const answer: number = 1;\nexport const pine = defineConnector(${named('pine')});\nexport { answer };`;
    write('pine.ts', text);
    assert.equal((await loadConnector(join(folder, 'pine.ts'), '/')).name, 'pine');
  });

  test('from a package that is installed beside the configuration file', async () => {
    const place = join(folder, 'node_modules/@example/spruce');
    mkdirSync(place, { recursive: true });
    const manifest = { name: '@example/spruce', type: 'module', exports: { import: './main.js' } };
    writeFileSync(join(place, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(place, 'main.js'), moduleOf(named('spruce')));
    assert.equal((await loadConnector('@example/spruce', folder)).name, 'spruce');
  });

  test('for each operator that names it, and for the console from the list', async () => {
    const [cedar, fir] = [
      write('cedar-2.js', moduleOf(named('cedar-2'))),
      write('fir.js', moduleOf(named('fir'))),
    ];
    const operators = [
      { id: 1, name: 'one', connector: cedar, settings },
      { id: 2, name: 'two', connector: cedar, settings },
      { id: 3, name: 'three', connector: 'http', settings: {} },
    ];
    const loaded = await loadConnectors({
      operators,
      suppliers: [],
      connectors: [fir, 'http'],
      folder,
    });
    assert.deepEqual(
      loaded.operators.map(({ connector }) => connector),
      ['cedar-2', 'cedar-2', 'http'],
    );
    assert.deepEqual(
      loaded.connectors.map(({ name }) => name),
      ['simulator', 'http', 'cedar-2', 'fir'],
    );
  });

  test('once: later changes of its declarations have no effect', async () => {
    const text = `${imports}const one = ${named('elm')};\nexport default one;`;
    const connector = await loadConnector(write('elm.js', text), folder);
    write(
      'later.js',
      `import elm from './elm.js';\nelm.name = 'http';\nexport const { name } = elm;`,
    );
    assert.equal(Reflect.get(Object(await import(join(folder, 'later.js'))), 'name'), 'http');
    assert.equal(connector.name, 'elm');
  });
});

describe('a connector is refused', () => {
  const wrong: Readonly<Record<string, readonly [string, RegExp]>> = {
    'that exports none': ['export const a = 1;', /exports no connector/],
    'that exports two by name': [
      `${imports}export const a = ${named('a')};\nexport const b = ${named('b')};`,
      /exports 2 connectors/,
    ],
    'that is no object': ['export default 5;', /cannot be used: it is no object\.$/],
    'that does not say its version': [
      moduleOf(named('x').replace('connectorApi: 1,', '')),
      /does not say for which version it is written: declare "connectorApi: 1"/,
    ],
    'of another version': [
      moduleOf(named('x').replace('connectorApi: 1', 'connectorApi: 2')),
      /written for version 2 of the connector API, and this gateway has version 1/,
    ],
    'with a name that cannot be typed': [moduleOf(named('../x')), /its "name" must be/],
    'without settings of TypeBox': [
      moduleOf(named('x').replace(/settings: .*/, 'settings: {},')),
      /its "settings" must be a Type\.Object/,
    ],
    'without a function to connect': [
      `export default { connectorApi: 1, name: 'x', settings: {} };`,
      /it has no function "connect"/,
    ],
    'that promises nonsense': [
      moduleOf(named('x', `settlesWithin: '15s',`)),
      /"settlesWithin" must be a whole number of milliseconds/,
    ],
    'that is identified by no setting': [
      moduleOf(named('x', `identifiedBy: ['dealer'],`)),
      /"identifiedBy" names no setting by "dealer"/,
    ],
    'whose declarations throw': [
      `export default { get connectorApi() { throw new Error('secret'); }, connect() {} };`,
      /reading what it declares throws an error\.$/,
    ],
    'that throws while it loads': [
      `throw new TypeError('no file');`,
      /cannot be loaded: TypeError: no file\.$/,
    ],
    'that is no JavaScript': ['export default {', /cannot be loaded: SyntaxError/],
    'that imports what is not there': [
      `import 'no-such-package';`,
      /cannot be loaded: Error: Cannot find package/,
    ],
  };
  let count = 0;
  for (const [what, [text, sentence]] of Object.entries(wrong)) {
    test(what, async () => {
      count += 1;
      await assertRefused(write(`wrong-${count}.mjs`, text), sentence);
    });
  }

  test('whose file does not exist', () =>
    assertRefused(
      './nowhere.js',
      /^The connector "\.\/nowhere\.js" does not exist: there is no file/,
    ));

  test('whose package is not installed', () =>
    assertRefused('htttp', /^There is no connector "htttp"\. It is not built in/));

  test('that never ends loading', async () => {
    const clock = manualClock();
    const source = write('never.mjs', 'await new Promise(() => {});');
    const loading = loadConnector(source, folder, clock);
    const refused = assert.rejects(loading, /did not load within 30 s/);
    await clock.advance(30_000);
    await refused;
  });

  test('that has the name of another', async () => {
    const one = write('same-1.js', moduleOf(named('same')));
    const other = write('same-2.js', moduleOf(named('same')));
    const operators = [{ id: 1, name: 'one', connector: one, settings }];
    await assert.rejects(
      loadConnectors({ operators, suppliers: [], connectors: [other], folder }),
      /^UsageError: The connectors "\.\/same-1\.js" and "\.\/same-2\.js" have the same name "same"/,
    );
    const http = write('own-http.js', moduleOf(named('http')));
    await assert.rejects(
      loadConnectors({ operators: [], suppliers: [], connectors: [http], folder }),
      /has the name "http", which is built in/,
    );
  });
});
