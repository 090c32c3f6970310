/** Tests the OpenAPI documents with public tools where they changed: linters, generated types, and newman. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { demoCatalogue } from '../src/catalogue/demo.ts';
import { at } from './support/answers.ts';
import { cleanUpAfterTest } from './support/cleanup.ts';
import { ensureInstalled } from './support/ensure-installed.ts';
import { root } from './support/selection.ts';
import { request, startServer, type TestServer } from './support/server.ts';

const tools = join(root, 'tools/openapi');
const collection = join(root, 'docs/postman.json');
const documents = ['/openapi.json', '/admin/openapi.json'] as const;

/** What the tools read when they last found nothing: to install and run them costs more than a hundred tests. */
const record = join(tools, 'checked.txt');

/** Runs a program of the tools, and returns what it prints. */
const run = async (...args: readonly string[]): Promise<string> => {
  const options = { cwd: tools, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(process.execPath, [...args], options).catch(
    (error: unknown) => assert.fail(`${String(at(error, 'stdout'))}\n${String(error)}`),
  );
  return stdout;
};

const textAt = async (server: TestServer, path: string): Promise<string> =>
  (await request(server, path, { token: null })).text;

/** A hash of the documents, the collection, the programs that read them (this one too), and the versions of the tools. */
const readByTools = async (server: TestServer): Promise<string> => {
  const hash = createHash('sha256').update(readFileSync(collection));
  hash.update(readFileSync(import.meta.filename));
  for (const file of globSync(['*.js', '*.ts', 'package-lock.json'], { cwd: tools }).sort()) {
    hash.update(`${file}\0`).update(readFileSync(join(tools, file)));
  }
  for (const path of documents) hash.update(await textAt(server, path));
  return `${hash.digest('hex')}\n`;
};

/** A document of the server as a file. */
const save = async (server: TestServer, path: string, file: string): Promise<string> => {
  writeFileSync(file, await textAt(server, path));
  return file;
};

/** Redocly and Spectral find nothing in the documents of a gateway that knows its public URL. */
const lint = async (folder: string, server: TestServer): Promise<void> => {
  for (const path of documents) {
    const file = await save(server, path, join(folder, 'linted.json'));
    const found: unknown = JSON.parse(await run('lint.js', file));
    assert.deepEqual(found, { redocly: [], spectral: [] }, path);
  }
};

/** A program compiles against the generated types and lists, filters, buys and retries. */
const compileClient = async (folder: string, server: TestServer): Promise<void> => {
  const document = await save(server, '/openapi.json', join(folder, 'api.json'));
  await run('types.js', document, join(folder, 'api.d.ts'));
  copyFileSync(join(tools, 'client.ts'), join(folder, 'client.ts'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const strict = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--skipLibCheck'];
  await run('node_modules/typescript/bin/tsc', ...strict, ...types, join(folder, 'client.ts'));
  const { url, client } = server;
  const printed: unknown = JSON.parse(await run(join(folder, 'client.js'), url, client.token));
  assert.equal(at(printed, 'total'), demoCatalogue().length);
  assert.equal(at(printed, 'type'), 'cell_direct_charge');
  assert.ok(Number(at(printed, 'offers')) > 0);
  assert.equal(at(printed, 'status'), 200);
  assert.equal(at(printed, 'replayed'), 'true');
  assert.equal(at(printed, 'sameId'), true);
};

/** Newman runs the Postman collection, in which each request feeds the next, without a failure. */
const runCollection = async (folder: string, server: TestServer): Promise<void> => {
  const variables = ['--env-var', `url=${server.url}`, '--env-var', `token=${server.client.token}`];
  const report = join(folder, 'newman.json');
  const reporters = ['-r', 'json', '--reporter-json-export', report];
  await run('node_modules/newman/bin/newman.js', 'run', collection, ...variables, ...reporters);
  const summary = at(JSON.parse(readFileSync(report, 'utf8')), 'run');
  assert.deepEqual(at(summary, 'failures'), []);
  assert.ok(Number(at(summary, 'stats', 'assertions', 'total')) > 50);
};

describe('the OpenAPI documents', () => {
  test('pass the linters, give a client its types, and lead newman through the collection', async (context) => {
    // Without one, links are relative. OpenAPI allows that, and Spectral's schema does not.
    const named = await startServer({ config: { publicUrl: 'https://gateway.test' } });
    const read = await readByTools(named);
    if (read === readFileSync(record, 'utf8')) return;
    context.diagnostic('What the tools read has changed: they are run.');
    await ensureInstalled(tools);
    // Below the tools, so that what is compiled there finds their types.
    const folder = mkdtempSync(join(tools, 'node_modules/.simgate-'));
    cleanUpAfterTest(() => rmSync(folder, { recursive: true, force: true }));
    const server = await startServer({ products: demoCatalogue(), balance: 10_000_000 });
    await lint(folder, named);
    await compileClient(folder, server);
    await runCollection(folder, server);
    if (process.env['SIMGATE_WRITE_CHECKED'] === '1') writeFileSync(record, read);
    else context.diagnostic('They found nothing: SIMGATE_WRITE_CHECKED=1 records that.');
  });

  test('stay within their size', async () => {
    const server = await startServer();
    // They grow with their operations; each has its share.
    const mostPerOperation = { '/openapi.json': 4700, '/admin/openapi.json': 3050 };
    for (const [path, most] of Object.entries(mostPerOperation)) {
      const text = await textAt(server, path);
      const operations = text.split('"operationId"').length - 1;
      const share = Buffer.byteLength(text) / operations;
      assert.ok(share < most, `${path}: ${operations} operations of ${Math.round(share)} bytes`);
    }
  });
});
