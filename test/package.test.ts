/** Tests that the package is small and whole, and that it works where it is installed. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { buildConsole } from '../console/build.js';
import { buildSite } from '../site/build.ts';
import { at, keysOf, listOf } from './support/answers.ts';
import { plainly } from './support/environment.ts';
import { assertPublishable } from './support/lint-package.ts';
import { eventually } from './support/live.ts';
import { type Served, serveProcess, simgateProcess } from './support/process.ts';
import { root } from './support/selection.ts';

const megabyte = 1024 * 1024;
const mostPacked = 4.5 * megabyte;

const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const version = String(at(manifest, 'version'));
const outside = join(folder, 'outside');
const installed = join(outside, 'node_modules', 'simgate');

const tsc = join(root, 'node_modules/typescript/bin/tsc');

/** Like a user's process, without a test run's settings. */
const node = (...args: string[]): string =>
  execFileSync(process.execPath, args, {
    cwd: outside,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], DATA_DIR: join(outside, 'data') },
  });

/** `npm run check` checks types, so that building takes a sixth of the time. */
const build = (project: string, into: string): string =>
  node(tsc, '-p', join(root, project), '--noCheck', '--outDir', into);

/** What `npm pack` would find after its build, in its own folder. */
const gather = async (): Promise<string> => {
  await buildConsole();
  await buildSite();
  const source = join(folder, 'source');
  const always = ['package.json', 'README.md', 'LICENSE'];
  const listed = listOf(at(manifest, 'files')).map(String);
  const wanted = [...always, ...listed].filter((name) => name !== 'dist/' && !name.startsWith('!'));
  for (const name of wanted.flatMap((pattern) => globSync(pattern, { cwd: root }))) {
    cpSync(join(root, name), join(source, name), { recursive: true });
  }
  for (const project of ['tsconfig.build.json', 'tsconfig.types.json']) {
    build(project, join(source, 'dist'));
  }
  return source;
};

/** The files that a document links to, by their paths in the package. */
const linkedFrom = (file: string, text: string): readonly string[] =>
  [
    ...text
      .replaceAll(/^ *```[^]*?^ *```$|`[^`\n]+`/gm, '')
      .matchAll(/\]\(([^()\s#]+)(?:#[^()\s]*)?\)/g),
  ]
    .map(([, target = '']) => target)
    .filter((target) => !/^([a-z]+:|\/)/.test(target))
    .map((target) => posix.normalize(posix.join(posix.dirname(file), target)));

/** Written like an outsider's: with the package's names, and nothing of its folders. */
const outsideConnector = `
import {
  asked, type Connection, defineConnector, openTransport, ordered, transportFields, Type, type WireAnswer,
} from 'simgate/connector';
import { openConnection } from 'simgate/connector-suite';
import manifest from 'simgate/package.json' with { type: 'json' };

const unlisted = ({ status }: WireAnswer) => ({ kind: 'unknown', detail: String(status) }) as const;
const example = defineConnector({
  connectorApi: 1,
  name: 'example',
  settings: Type.Object({ ...transportFields, account: Type.String() }),
  identifiedBy: ['baseUrl', 'account'],
  settlesWithin: 15_000,
  connect: (settings, { clock }): Connection => {
    const { send, close } = openTransport(settings, clock);
    return {
      buy: async ({ ref }, context) =>
        ordered(await send({ method: 'POST', path: '/orders', body: ref, context }), unlisted),
      status: async (ref, context) =>
        asked(await send({ method: 'GET', path: '/orders/' + ref, context }), unlisted),
      deadlineMs: settings.answerMs,
      close,
    };
  },
});

const connection = openConnection(example, { baseUrl: 'http://127.0.0.1:1', account: 'a' });
const outcome = await connection.buy({ ref: 'r', mobile: '989120000000', amount: 1, productId: 1 });
await connection.close();
const code = outcome.kind === 'refused' ? outcome.code : '';
console.log(JSON.stringify({ version: manifest.version, kind: outcome.kind, code }));
`;

type Fake = {
  readonly url: string;
  readonly deliveries: (ref: string) => number;
  readonly close: () => Promise<void>;
};

const tokenIn = ({ printed }: Served): string | undefined => /simgate_\w+/.exec(printed())?.[0];

const isFake = (value: unknown): value is { startFakeOperator: () => Promise<Fake> } =>
  typeof value === 'object' && value !== null && 'startFakeOperator' in value;

/** The operator that a written connector brings for its tests. */
const startFake = (module: unknown): Promise<Fake> => {
  assert.ok(isFake(module));
  return module.startFakeOperator();
};

const outsideConfig = {
  compilerOptions: {
    target: 'es2025',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    resolveJsonModule: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  },
  files: ['connector.ts'],
};

describe('the package', () => {
  let packed: unknown;
  let tarball: string;
  let files: string[];

  before(async () => {
    mkdirSync(installed, { recursive: true });
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
    packed = JSON.parse(execFileSync('npm', args, { cwd: await gather(), encoding: 'utf8' }));
    files = listOf(at(packed, 0, 'files')).map((file) => String(at(file, 'path')));
    tarball = join(folder, String(at(packed, 0, 'filename')));
    execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
    symlinkSync(join(root, 'node_modules'), join(installed, 'node_modules'));
    writeFileSync(join(outside, 'package.json'), '{"type": "module"}');
    writeFileSync(join(outside, 'connector.ts'), outsideConnector);
    writeFileSync(join(outside, 'tsconfig.json'), JSON.stringify(outsideConfig));
  });

  test('takes less than 4.5 MB', () => {
    const size = Number(at(packed, 0, 'size'));
    assert.ok(size > megabyte / 2 && size < mostPacked, `${size} bytes`);
  });

  test('holds the program, the console, the documentation, the files for operators and the notices', () => {
    for (const file of [
      'bin/simgate.js',
      'dist/cli/command.js',
      'console/dist/index.html',
      'site/dist/404.html',
      'site/dist/api/index.md',
      'site/dist/simgate-client.tgz',
      'docs/grafana-dashboard.json',
      'examples/soap-operator/index.ts',
      'ops/compose.yaml',
      'ops/container/Dockerfile',
      'ops/haproxy/haproxy.cfg',
      'ops/kubernetes/deployment.yaml',
      'ops/nginx/simgate.conf',
      'ops/prometheus/alerts.yml',
      'ops/systemd/simgate.service',
      'LICENSE',
      'SECURITY.md',
      'THIRD-PARTY-NOTICES.md',
    ]) {
      assert.ok(files.includes(file), file);
    }
  });

  /** The tests of examples and templates belong to what an author of a connector copies. */
  test('holds no sources, no tests but those of examples and templates, and no secrets', () => {
    const strays = files.filter(
      (file) =>
        /^(src|test|ops\/secrets)\/|license\.json$/.test(file) ||
        /^(?!examples\/|templates\/).*\.test\./.test(file),
    );
    assert.deepEqual(strays, []);
  });

  test('publint and "Are the types wrong?" find nothing; it is for programs that import', () =>
    assertPublishable(tarball, ['node10', 'node16-cjs']));

  test('has examples that import packages and what lies beside them only', () => {
    const sources = files.filter((file) => /^examples\/.*\.ts$/.test(file));
    assert.ok(sources.length > 3);
    for (const file of sources) {
      const text = readFileSync(join(installed, file), 'utf8');
      assert.doesNotMatch(text, /from '\.\.\//, file);
    }
  });

  /** Sources, and the console's pictures, which would double the package. */
  const isOfRepository = (path: string): boolean =>
    /^(src|test|console|sdk|bench|docs\/console)\//.test(path);

  test('has every file that its documents link to, except those of the repository only', () => {
    const held = new Set(files);
    const documents = files.filter((file) => file.endsWith('.md') && !file.startsWith('site/'));
    assert.ok(documents.length > 20);
    const missing = documents.flatMap((file) =>
      linkedFrom(file, readFileSync(join(installed, file), 'utf8'))
        .filter((path) => !isOfRepository(path) && !held.has(path))
        .filter((path) => !files.some((one) => one.startsWith(`${path.replace(/\/$/, '')}/`)))
        .map((path) => `${file}: ${path}`),
    );
    assert.deepEqual(missing, []);
  });

  test('runs its command', () => {
    const command = join(installed, 'bin/simgate.js');
    assert.equal(node(command, '--version'), `${version}\n`);
    assert.match(node(command, 'migrate', '--json'), /^\{/);
  });

  test('lets a connector of another repository order through its transport', () => {
    assert.deepEqual(JSON.parse(node('connector.ts')), {
      version,
      kind: 'refused',
      code: 'unreachable',
    });
  });

  test('gives that connector its types', () => {
    const checked = spawnSync(process.execPath, [tsc, '-p', outside], { encoding: 'utf8' });
    assert.equal(checked.status, 0, checked.stdout);
  });

  describe('in a folder that holds nothing', () => {
    const shop = join(folder, 'shop');
    const command = join(installed, 'bin/simgate.js');
    const env = { ...plainly, DATA_DIR: join(shop, 'data') };
    const simgate = (...args: string[]) =>
      simgateProcess(shop, args, env, [process.execPath, command]);
    before(() => mkdirSync(shop));

    test('writes a connector that passes its own tests', async () => {
      assert.equal((await simgate('connector', 'new', 'cedar')).status, 0);
      const again = await simgate('connector', 'new', 'cedar');
      assert.match(again.err, /is not empty\. Nothing was written\.$/m);
      const checked = await simgate('connector', 'check', 'cedar/index.js', '--json');
      const report: unknown = JSON.parse(checked.out);
      assert.deepEqual([at(report, 'ok'), at(report, 'failed')], [true, []], checked.out);
      assert.equal(at(report, 'name'), 'cedar');
      assert.ok(listOf(at(report, 'passed')).length > 50, checked.out);
    });

    test('finds what is wrong with one', async () => {
      const bare = join(shop, 'bare');
      cpSync(join(shop, 'cedar'), bare, { recursive: true });
      rmSync(join(bare, 'index.test.js'));
      const untested = await simgate('connector', 'check', 'bare/index.js');
      assert.equal(untested.status, 1);
      assert.match(untested.out, /^Missing: There are no tests beside it/m);
      const failing = `import { test } from 'node:test';\ntest('it', () => { throw new Error('oh'); });`;
      writeFileSync(join(bare, 'x.test.mjs'), failing);
      const failed = await simgate('connector', 'check', 'bare/index.js');
      assert.equal(failed.status, 1);
      assert.match(failed.out, /✖ it\n +oh$/m);
      assert.match(failed.out, /do not run connectorSuite under the name "cedar"/);
      assert.match(failed.out, /It must not be used yet\.\n$/);
    });

    test('sells through it', async () => {
      const fake: unknown = await import(join(shop, 'cedar/fake-operator.js'));
      const operator = await startFake(fake);
      const settings = { baseUrl: operator.url, account: 'A-100', token: 'test-token' };
      const config = { operators: { 1: { connector: './cedar/index.js', settings } } };
      writeFileSync(join(shop, 'simgate.json'), JSON.stringify(config));
      const served = await serveProcess(shop, env, [process.execPath, command]);
      try {
        await eventually('the welcome is printed', async () => tokenIn(served) !== undefined);
        const token = tokenIn(served) ?? '';
        const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'one' };
        const order = { product_id: '1001', price: '55000', mobile: '989120000012' };
        const body = new URLSearchParams({ ...order, webservice_code: 'x' });
        const bought = await fetch(`${served.url}/api/top-up/package/`, {
          method: 'POST',
          headers,
          body,
        });
        assert.equal(bought.status, 200, await bought.text());
        assert.equal(operator.deliveries(bought.headers.get('purchase-id') ?? ''), 1);
      } finally {
        await served.stop();
        await operator.close();
      }
    });
  });

  test('keeps its other files to itself', () => {
    for (const name of ['simgate', 'simgate/dist/main.js', 'simgate/bin/simgate.js']) {
      const code = `import(${JSON.stringify(name)}).catch((error) => console.log(error.code))`;
      assert.equal(node('--eval', code), 'ERR_PACKAGE_PATH_NOT_EXPORTED\n', name);
    }
    assert.equal(keysOf(at(manifest, 'exports')).length, 3);
  });
});
