/** Tests that every example of the guides runs as written, and prints what the guide says. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { demoCatalogue } from '../src/catalogue/demo.ts';
import { readConfig } from '../src/config/config.ts';
import { errorTable } from '../src/lib/errors.ts';
import { killWithTest } from './support/child.ts';
import { temporaryFolders } from './support/command.ts';
import { parsed } from './support/live.ts';
import { addClient, request, startServer, type TestServer } from './support/server.ts';

const folder = temporaryFolders();
const docs = new URL('../docs/', import.meta.url);
const library = new URL('../sdk/src/index.ts', import.meta.url);
const guides = readdirSync(new URL('guides/', docs)).map((name) => `guides/${name}`);
const names = ['start.md', 'webhooks.md', 'test-numbers.md', ...guides];
const textOf = (name: string): string => readFileSync(new URL(name, docs), 'utf8');

type Example = {
  readonly language: 'sh' | 'ts';
  readonly code: string;
  /** The content of the fence right after it. */
  readonly shown: { readonly language: string; readonly text: string } | undefined;
};

const examplesIn = (text: string): readonly Example[] =>
  [...text.matchAll(/^```(sh|ts)\n([^]*?)^```\n(?:\n```(json|text|csv)\n([^]*?)^```\n)?/gm)].map(
    ([, language, code = '', kind, shown = '']) => ({
      language: language === 'ts' ? 'ts' : 'sh',
      code,
      shown: kind === undefined ? undefined : { language: kind, text: shown },
    }),
  );

/** A guide's gaps. */
const any = '…';

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The output, with the guide's own gaps in their places. */
const asShown = (printed: unknown, shown: unknown): unknown => {
  if (shown === any && printed !== undefined) return any;
  if (isList(shown) && isList(printed)) {
    if (shown.at(-1) !== any) return printed.map((one, index) => asShown(one, shown[index]));
    const told = shown.slice(0, -1);
    return [...told.map((one, index) => asShown(printed[index], one)), any];
  }
  if (!isObject(shown) || !isObject(printed)) return printed;
  const told = Object.hasOwn(shown, any) ? Object.keys(shown) : Object.keys(printed);
  return Object.fromEntries(
    told.map((name) => [name, name === any ? any : asShown(printed[name], shown[name])]),
  );
};

const assertShown = (printed: string, shown: NonNullable<Example['shown']>): void => {
  if (shown.language === 'json') {
    const expected = parsed(shown.text);
    assert.deepEqual(asShown(parsed(printed), expected), expected);
    return;
  }
  const pattern = shown.text
    .trimEnd()
    .split(any)
    .map((text) => RegExp.escape(text))
    .join('[^,\\n]+');
  assert.match(printed.replaceAll('\r', '').trimEnd(), new RegExp(`^${pattern}$`));
};

test('a guide’s output is compared with the printed one, except for its gaps', () => {
  const shown = {
    language: 'json',
    text: '{ "a": [1, "…"], "b": "…", "c": { "d": 2, "…": "…" } }',
  };
  assertShown('{"a":[1,7,8],"b":{"x":0},"c":{"d":2,"e":3}}', shown);
  for (const wrong of [
    '{"a":[2],"b":1,"c":{"d":2}}',
    '{"a":[1],"c":{"d":2}}',
    '{"a":[1],"b":1,"c":{"d":3}}',
    '{"a":[1],"b":1,"c":{"d":2},"more":1}',
  ]) {
    assert.throws(() => assertShown(wrong, shown), wrong);
  }
  assertShown('1,x,2\n', { language: 'csv', text: '1,…,2\n' });
  assert.throws(() => assertShown('1,x,3\n', { language: 'csv', text: '1,…,2\n' }));
});

const shellHasCurl = spawnSync('sh', ['-c', 'curl --version']).status === 0;

const dayFromNow = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

type Reader = { readonly folder: string; readonly env: Readonly<Record<string, string>> };

/**
 * A reader of a guide: with a folder, a token, the library, and two past purchases, one sold and one failed.
 */
const readerOf = async (server: TestServer): Promise<Reader> => {
  const { token } = await addClient(server, { balance: 1_000_000 });
  for (const [key, mobile] of [
    ['order-3001', '989123456700'],
    ['order-3002', '989123456790'],
  ] as const) {
    const json = { product_id: 1001, mobile, price: 55_000, webservice_code: key };
    const headers = { 'idempotency-key': key };
    await request(server, '/api/top-up/package/', { json, token, headers });
  }
  const place = folder();
  const installed = join(place, 'node_modules', '@simgate', 'client');
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(join(installed, 'index.js'), `export * from '${library.href}';\n`);
  const access = { SIMGATE_URL: server.url, SIMGATE_TOKEN: token };
  const span = { FROM: dayFromNow(-1), TO: dayFromNow(2) };
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { folder: place, env: { PATH, NODE_COMPILE_CACHE, ...access, ...span } };
};

/** Runs an example like its reader, and returns its output. */
const run = async ({ language, code }: Example, reader: Reader): Promise<string> => {
  const file = join(reader.folder, `example.${language === 'ts' ? 'mts' : 'sh'}`);
  writeFileSync(file, code);
  const program = language === 'ts' ? process.execPath : 'sh';
  const child = spawn(program, [file], { cwd: reader.folder, env: reader.env });
  killWithTest(child);
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (part: string) => (out += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (err += part));
  const closed: unknown[] = await once(child, 'close');
  assert.deepEqual({ status: closed[0], err }, { status: 0, err: '' }, code);
  return out;
};

describe('The guide', { concurrency: true, timeout: 480_000 }, () => {
  let server: TestServer;
  before(async () => {
    // Operators that take seconds answer 202 first, as after 25 seconds elsewhere; fast ones do not, however
    // busy the machine is.
    const purchases = { ...readConfig({}).purchases, pendingAfterMs: 2500 };
    // The guide to local testing has readers receive webhooks on their own machine.
    const webhooks = { ...readConfig({}).webhooks, allowedNetworks: ['127.0.0.1'] };
    server = await startServer({ products: demoCatalogue(), config: { purchases, webhooks } });
  });
  after(() => server.stop());

  const runAll = async (examples: readonly Example[], skip: () => void): Promise<void> => {
    const reader = await readerOf(server);
    for (const example of examples) {
      if (example.language === 'sh' && !shellHasCurl) {
        skip();
        continue;
      }
      const printed = await run(example, reader);
      if (example.shown !== undefined) assertShown(printed, example.shown);
    }
  };

  test('sdk.md works, but for the installation, which test/sdk/package.test.ts runs', async () => {
    const examples = examplesIn(textOf('sdk.md')).filter(({ language }) => language === 'ts');
    assert.equal(examples.length, 3);
    await runAll(examples, () => {});
  });

  for (const name of names) {
    const examples = examplesIn(textOf(name));

    test(`${name} has examples for curl and for the library, and shows their output`, () => {
      for (const language of ['sh', 'ts']) {
        const those = examples.filter((one) => one.language === language);
        assert.ok(
          those.some(({ shown }) => shown !== undefined),
          language,
        );
      }
      const fences = textOf(name).match(/^```(sh|ts)$/gm) ?? [];
      assert.equal(fences.length, examples.length, 'one is not read');
      assert.ok(examples.some(({ code }) => /^\s*curl /m.test(code)));
    });

    test(`${name} works, word for word`, async (t) => {
      await runAll(examples, () => t.diagnostic('There is no curl here.'));
    });

    test(`${name} names existing errors`, () => {
      for (const [, code = ''] of textOf(name).matchAll(/`([A-Z]+_[A-Z_]+)`/g)) {
        assert.ok(Object.hasOwn(errorTable, code), code);
      }
    });
  }
});

test('every guide is in the list of the README', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  for (const name of names) assert.ok(readme.includes(`(docs/${name})`), name);
});
