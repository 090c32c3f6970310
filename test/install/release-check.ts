/**
 * Proves the package as users get it: packs it, installs it from the tarball in empty folders, starts it by one
 * command, buys, reads the console and the documentation, and stops it. Needs the npm registry.
 */
import assert from 'node:assert/strict';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { at } from '../support/answers.ts';
import { buy, type Gateway, get, startGateway, stopWhileBuying, tryBuying } from './gateway.ts';
import { moveThereAndBack } from './moving.ts';
import { inMegabytes, pack } from './pack.ts';
import { run } from './process.ts';
import { atEnd, runCheck, skip, step } from './steps.ts';

const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];

const folder = mkdtempSync(join(tmpdir(), 'simgate-release-'));
atEnd(() => rmSync(folder, { recursive: true, force: true }));

const emptyFolder = (name: string): string => {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
};

const firstAnswer = async ({ url, buyer }: Gateway): Promise<number> => {
  const { status, text } = await get(`${url}/api/clients/products`, buyer.token);
  assert.equal(status, 200, text);
  return Number(at(JSON.parse(text), 'meta', 'total'));
};

/** A page, and everything of its own that it loads. */
const readPage = async (url: string, path: string): Promise<number> => {
  const page = await get(url + path);
  assert.equal(page.status, 200, page.text);
  const parts = [...page.text.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|woff2|svg))"/g)];
  assert.ok(parts.length > 0, page.text);
  for (const [, part = ''] of parts) assert.equal((await get(url + part)).status, 200, part);
  return parts.length;
};

/** npx keeps what it installs in npm's cache, and names the package there. */
const removeFromCache = async (tarball: string): Promise<void> => {
  const asked = ['config', 'get', 'cache', '--loglevel=error'];
  const cache = (await run('npm', asked, { cwd: tmpdir() })).trim();
  for (const file of globSync('_npx/*/package.json', { cwd: cache })) {
    const manifest = join(cache, file);
    if (!readFileSync(manifest, 'utf8').includes(JSON.stringify(tarball))) continue;
    rmSync(dirname(manifest), { recursive: true, force: true });
  }
};

const byOneCommand = async (tarball: string): Promise<void> => {
  const cwd = emptyFolder('by-npx');
  atEnd(() => removeFromCache(tarball));
  const gateway = await step(
    'start in an empty folder by one command, npx',
    () => startGateway('npx', ['--yes', `--package=${tarball}`, 'simgate', 'serve'], { cwd }),
    ({ url }) => url,
  );
  await step(
    'first answer',
    () => firstAnswer(gateway),
    (total) => `${total} products`,
  );
  await step('stop it as Ctrl-C does', async () => {
    const { pid = 0 } = gateway.child;
    process.kill(-pid, 'SIGINT');
    await gateway.ended;
    assert.match(gateway.printed(), /"msg":"stopped"/);
  });
};

const inProject = async (tarball: string): Promise<void> => {
  const cwd = emptyFolder('project');
  await step(
    'npm install the tarball into an empty folder',
    () => run('npm', ['install', tarball, ...quiet], { cwd }),
    () => `${readdirSync(join(cwd, 'node_modules')).length} packages`,
  );
  const command = join(cwd, 'node_modules/.bin/simgate');
  const gateway = await step(
    'simgate serve',
    () => startGateway(command, ['serve'], { cwd }),
    ({ url }) => url,
  );
  await step(
    'first answer',
    () => firstAnswer(gateway),
    (total) => `${total} products`,
  );
  await step('buy, and send the same key again', () => tryBuying(gateway));
  const parts = (count: number): string => `${count} files`;
  await step('console page', () => readPage(gateway.url, '/console/'), parts);
  await step('documentation page', () => readPage(gateway.url, '/docs/'), parts);
  const [key, { buyer }] = ['check-1', gateway];
  const answer = await buy(gateway.url, buyer, { key });
  await step('SIGTERM drains: a purchase in progress is answered', () =>
    stopWhileBuying(gateway, () => gateway.child.kill('SIGTERM')),
  );
  await step(
    'simgate verify',
    () => run(command, ['verify', '--json'], { cwd }),
    (text) => {
      assert.equal(at(JSON.parse(text), 'ok'), true, text);
      return 'the books are in balance';
    },
  );
  await step('simgate move to PostgreSQL and back: the key answers as before', () =>
    moveThereAndBack(command, cwd, { key, buyer, answer }),
  );
};

const oldestNode = [24, 7] as const;

const isOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number);
  return major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
};

const globally = async (tarball: string): Promise<void> => {
  const cwd = emptyFolder('global');
  await step('npm install -g the tarball', () =>
    run('npm', ['install', '--global', `--prefix=${cwd}`, tarball, ...quiet], { cwd }),
  );
  const command = join(cwd, 'bin/simgate');
  const name = 'the global command, called by an older Node.js';
  const version = (await run('node', ['--version'], { cwd })).trim();
  if (!isOld(version)) {
    skip(name, `The machine's own Node.js is ${version}, which could run the gateway itself.`);
    return;
  }
  const work = emptyFolder('work');
  await step(
    name,
    async () => {
      const gateway = await startGateway('node', [command, 'serve'], { cwd: work });
      const total = await firstAnswer(gateway);
      await stopWhileBuying(gateway, () => gateway.child.kill('SIGTERM'));
      return total;
    },
    (total) => `${version}, ${total} products`,
  );
};

await runCheck('The package, as users get it:', async () => {
  const tarball = await step(
    'the package',
    () => pack(emptyFolder('packed')),
    (file) => inMegabytes(statSync(file).size),
  );
  const files = (await run('tar', ['-tzf', tarball], { cwd: folder })).trim().split('\n');
  console.log(`  ${files.length} files`);
  await byOneCommand(tarball);
  await inProject(tarball);
  await globally(tarball);
});
