/** Tests that the library can be installed from a gateway, and buys by `import` and by `require`. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import Fastify, { type FastifyInstance } from 'fastify';
import { buildLibrary } from '../../sdk/build.ts';
import { demoCatalogue } from '../../src/catalogue/demo.ts';
import { docsRoutes } from '../../src/http/docs/docs.ts';
import { temporaryFolders } from '../support/command.ts';
import { assertPublishable } from '../support/lint-package.ts';
import { root } from '../support/selection.ts';
import { startServer, type TestServer } from '../support/server.ts';

const folder = temporaryFolders();

let server: TestServer;
let docs: FastifyInstance;
let tarball: string;
let outside: string;

/** Like a user's process, without a test run's settings, and without a registry. */
const run = async (url: string, program: string, ...args: readonly string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(program, [...args], {
    cwd: outside,
    env: {
      PATH: process.env['PATH'],
      HOME: outside,
      npm_config_audit: 'false',
      npm_config_update_notifier: 'false',
      SIMGATE_URL: url,
      SIMGATE_TOKEN: server.client.token,
    },
  });
  return stdout.trim();
};

/** The first shell example of a page. */
const installLines = (page: string): string =>
  /^```sh\n([^]*?)^```$/m.exec(readFileSync(join(root, page), 'utf8'))?.[1] ?? '';

before(async () => {
  server = await startServer({ products: demoCatalogue(), balance: 10_000_000 });
  docs = Fastify();
  tarball = await buildLibrary();
  outside = folder();
  const site = join(folder(), 'site');
  mkdirSync(site);
  for (const name of ['built-from.txt', '404.html']) writeFileSync(join(site, name), '');
  copyFileSync(tarball, join(site, 'simgate-client.tgz'));
  const folders = { site, sources: site };
  await docs.register(docsRoutes({ publicUrl: undefined, guard: undefined, folders }));
  const address = await docs.listen({ host: '127.0.0.1', port: 0 });
  const lines = installLines('docs/sdk.md');
  assert.equal(lines, installLines('sdk/README.md'));
  const hasCurl = spawnSync('curl', ['--version']).status === 0;
  // The other way that the page names.
  const direct = 'npm install "$SIMGATE_URL/docs/simgate-client.tgz"';
  await run(address, 'sh', '-ec', hasCurl ? lines : direct);
});

after(async () => {
  await docs.close();
  await server.stop();
});

test('publint and "Are the types wrong?" find nothing, for old and new ways to resolve modules', () =>
  assertPublishable(tarball));

test('the package holds its licence and both builds, and no sources', () => {
  const installed = join(outside, 'node_modules/@simgate/client');
  assert.deepEqual(readdirSync(installed).sort(), ['LICENSE', 'README.md', 'dist', 'package.json']);
  assert.deepEqual(readdirSync(join(installed, 'dist')).sort(), ['cjs', 'esm']);
});

const program = `
const { SIMGATE_URL: url = '', SIMGATE_TOKEN: token = '' } = process.env;
const simgate = createClient({ url, token });
const fields = { productId: 2201, mobile: '989123456700', price: 10000 };
const main = async (): Promise<void> => {
  const { purchaseId } = await simgate.topUp(fields);
  const { state } = await simgate.purchase(purchaseId);
  const error = await simgate.topUp({ ...fields, mobile: '989123456790' }).catch((error) => error);
  console.log(state, error instanceof SimgateError ? error.code : error);
};
void main();
`;

test('a program buys with it, by import and by require, and compiles against its types', async () => {
  const programs = {
    'import.mts': `import { createClient, SimgateError } from '@simgate/client';${program}`,
    'require.cts': `import client = require('@simgate/client');\nconst { createClient, SimgateError } = client;${program}`,
  };
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(outside, name), text);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const strict = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck'];
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
  const node = (...args: string[]) => run(server.url, process.execPath, ...args);
  await node(tsc, ...strict, ...types, ...Object.keys(programs));
  assert.equal(await node('import.mjs'), 'succeeded OPERATOR_DECLINED');
  assert.equal(await node('require.cjs'), 'succeeded OPERATOR_DECLINED');
});
