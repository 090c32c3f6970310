/** Tests the OpenAPI documents with public tools: linters, generated types, and newman. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { demoCatalogue } from '../src/catalogue/demo.ts';
import { at } from './support/answers.ts';
import { ensureInstalled } from './support/ensure-installed.ts';
import { root } from './support/selection.ts';
import { addClient, request, startServer, type TestServer } from './support/server.ts';

const tools = join(root, 'tools');

let server: TestServer;
let token: string;
let folder: string;

/** Runs a program of the tools, and returns what it prints. */
const run = async (...args: readonly string[]): Promise<string> => {
  const options = { cwd: tools, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(process.execPath, [...args], options).catch(
    (error: unknown) => assert.fail(`${String(at(error, 'stdout'))}\n${String(error)}`),
  );
  return stdout;
};

const save = async (name: string, from: TestServer, path: string): Promise<string> => {
  const { text } = await request(from, path, { token: null });
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

before(async () => {
  await ensureInstalled(tools);
  // Below the tools, so that compiled files find their types.
  folder = mkdtempSync(join(tools, 'node_modules/.simgate-'));
  server = await startServer({ products: demoCatalogue() });
  ({ token } = await addClient(server, { balance: 10_000_000 }));
});

after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('Redocly and Spectral find no errors in the documents of a gateway with a public URL', async () => {
  // Without one, links are relative. OpenAPI allows that, and Spectral's schema does not.
  const named = await startServer({ config: { publicUrl: 'https://gateway.test' } });
  try {
    for (const [name, path] of [
      ['client.json', '/openapi.json'],
      ['admin.json', '/admin/openapi.json'],
    ] as const) {
      const found: unknown = JSON.parse(await run('lint.js', await save(name, named, path)));
      assert.deepEqual(found, { redocly: [], spectral: [] }, name);
    }
  } finally {
    await named.stop();
  }
});

test('both documents stay within their size', async () => {
  const bytes = async (path: string): Promise<number> =>
    Buffer.byteLength((await request(server, path, { token: null })).text);
  assert.ok((await bytes('/openapi.json')) < 160_000);
  assert.ok((await bytes('/admin/openapi.json')) < 260_000);
});

test('a program compiles against the generated types and lists, filters, buys and retries', async () => {
  const document = await save('api.json', server, '/openapi.json');
  await run('types.js', document, join(folder, 'api.d.ts'));
  copyFileSync(join(tools, 'client.ts'), join(folder, 'client.ts'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const strict = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--skipLibCheck'];
  await run('node_modules/typescript/bin/tsc', ...strict, ...types, join(folder, 'client.ts'));
  const printed: unknown = JSON.parse(await run(join(folder, 'client.js'), server.url, token));
  assert.equal(at(printed, 'total'), demoCatalogue().length);
  assert.equal(at(printed, 'type'), 'cell_direct_charge');
  assert.ok(Number(at(printed, 'offers')) > 0);
  assert.equal(at(printed, 'status'), 200);
  assert.equal(at(printed, 'replayed'), 'true');
  assert.equal(at(printed, 'sameId'), true);
});

test('newman runs the Postman collection, in which each request feeds the next, without a failure', async () => {
  const variables = ['--env-var', `url=${server.url}`, '--env-var', `token=${token}`];
  const report = join(folder, 'newman.json');
  const reporters = ['-r', 'json', '--reporter-json-export', report];
  const collection = join(root, 'docs/postman.json');
  await run('node_modules/newman/bin/newman.js', 'run', collection, ...variables, ...reporters);
  const printed: unknown = JSON.parse(await readFile(report, 'utf8'));
  const summary = at(printed, 'run');
  assert.deepEqual(at(summary, 'failures'), []);
  assert.ok(Number(at(summary, 'stats', 'assertions', 'total')) > 50);
});
