/**
 * Builds an image from the package and runs it: read-only, as uid 10001, with a purchase and a drain. Bases cannot be
 * pulled everywhere, so the image begins from nothing: the last stage of the Dockerfile on the bundled Node.js and the
 * libraries that it needs. Needs podman, buildah and runc.
 */
import assert from 'node:assert/strict';
import {
  accessSync,
  chownSync,
  constants,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { at, listOf } from '../support/answers.ts';
import { root } from '../support/selection.ts';
import { type Gateway, get, startGateway, stopWhileBuying, tryBuying } from './gateway.ts';
import { inMegabytes, pack } from './pack.ts';
import { plainEnvironment, run } from './process.ts';
import { atEnd, runCheck, skip, step } from './steps.ts';

const uid = 10_001;
const tag = 'simgate:check';

const isInstalled = (program: string): boolean =>
  (plainEnvironment['PATH'] ?? '').split(delimiter).some((place) => {
    try {
      accessSync(join(place, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** What the last stage copies from the stage before it, made without that stage. */
const assemble = async (context: string, tarball: string): Promise<void> => {
  const place = join(context, 'opt/simgate');
  mkdirSync(join(place, 'bin'), { recursive: true });
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', '--prefix', place, tarball, ...quiet], { cwd: context });
  for (const unused of globSync('node_modules/node-linux-*/{include,share}', { cwd: place })) {
    rmSync(join(place, unused), { recursive: true });
  }
  const [node] = globSync('node_modules/node-linux-*/bin/node', { cwd: place });
  assert.ok(node !== undefined, 'The package brought no Node.js for this platform.');
  symlinkSync(join('..', node), join(place, 'bin/node'));
  symlinkSync('../node_modules/simgate/bin/simgate.js', join(place, 'bin/simgate'));
  await copyLibraries(context, join(place, node));
};

/** The libraries that a program is linked with, where its loader looks for them. */
const copyLibraries = async (context: string, program: string): Promise<void> => {
  const listed = await run('ldd', [program], { cwd: context });
  const files = [...listed.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, file = '']) => file);
  assert.ok(
    files.some((file) => basename(file).startsWith('ld-linux')),
    listed,
  );
  for (const file of files) {
    const target = join(context, 'libraries', file);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(realpathSync(file), target);
  }
};

/** The last stage of the Dockerfile, from nothing instead of its base: what the base's packages bring is copied. */
const stageFromScratch = (): string => {
  const text = readFileSync(join(root, 'ops/container/Dockerfile'), 'utf8');
  const stage = text.slice(text.lastIndexOf('\nFROM ') + 1).replaceAll(/ *\\\n */g, ' ');
  const lines = stage.split('\n').filter((line) => !/^(#|RUN )/.test(line));
  return lines
    .join('\n')
    .replace(/^FROM .*$/m, 'FROM scratch\nCOPY libraries/ /')
    .replaceAll('COPY --from=build /', 'COPY /')
    .replaceAll(/COPY --from=build (--chown=\S+) \//g, 'COPY $1 /');
};

type Engine = {
  readonly buildah: (...args: readonly string[]) => Promise<string>;
  readonly podman: (...args: readonly string[]) => Promise<string>;
  readonly podmanArgs: readonly string[];
};

/** Images and containers in a folder of their own. The driver and the runtime work inside containers too. */
const openEngine = (folder: string): Engine => {
  const storage = [
    `--root=${join(folder, 'storage')}`,
    `--runroot=${join(folder, 'run')}`,
    '--storage-driver=vfs',
  ];
  const podmanArgs = [...storage, '--runtime=runc', '--cgroup-manager=cgroupfs'];
  return {
    buildah: (...args) => run('buildah', [...storage, ...args], { cwd: folder }),
    podman: (...args) => run('podman', [...podmanArgs, ...args], { cwd: folder }),
    podmanArgs,
  };
};

const build = async ({ buildah, podman }: Engine, context: string): Promise<number> => {
  writeFileSync(join(context, 'Containerfile'), stageFromScratch());
  mkdirSync(join(context, 'data'));
  const options = ['--isolation=chroot', '--format=docker'];
  await buildah('build', ...options, '--build-arg=VERSION=check', `--tag=${tag}`, context);
  return Number(at(listOf(JSON.parse(await podman('image', 'inspect', tag)))[0], 'Size'));
};

const runOptions = (data: string): readonly string[] => [
  '--rm',
  '--name=simgate-check',
  '--read-only',
  '--read-only-tmpfs=false',
  '--tmpfs=/tmp',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  '--network=host',
  '--ulimit=nofile=4096:4096',
  '--ulimit=nproc=4096:4096',
  `--volume=${data}:/data`,
  // Demo data and simulated operators, which production has not.
  '--env=NODE_ENV=development',
  '--env=HOST=127.0.0.1',
  '--env=PORT=0',
];

const startContainer = (folder: string, { podmanArgs }: Engine): Promise<Gateway> => {
  const data = join(folder, 'data');
  mkdirSync(data);
  chownSync(data, uid, uid);
  return startGateway('podman', [...podmanArgs, 'run', ...runOptions(data), tag], { cwd: folder });
};

/** What a process inside sees of itself, and whether it can write where it must not. */
const lookInside = async ({ podman }: Engine): Promise<string> => {
  const code = `
    const fs = require('node:fs');
    const canWrite = (file) => { try { fs.writeFileSync(file, ''); return true; } catch { return false; } };
    const places = ['/probe', '/opt/simgate/probe', '/etc/probe', '/tmp/probe', '/data/probe'];
    console.log(JSON.stringify({ uid: process.getuid(), places: places.filter(canWrite) }));
    fs.rmSync('/data/probe');`;
  const seen = await podman('exec', 'simgate-check', 'node', '--eval', code);
  assert.deepEqual(JSON.parse(seen), { uid, places: ['/tmp/probe', '/data/probe'] });
  return `uid ${uid}, only /tmp and /data can be written`;
};

const isHealthy = async ({ podman }: Engine, { url }: Gateway): Promise<void> => {
  const inspected: unknown = JSON.parse(await podman('image', 'inspect', tag));
  const config = at(listOf(inspected)[0], 'Config');
  assert.equal(at(config, 'User'), `${uid}:${uid}`);
  assert.equal(at(config, 'StopSignal'), 'SIGTERM');
  const [kind, ...command] = listOf(at(listOf(inspected)[0], 'Healthcheck', 'Test')).map(String);
  assert.equal(kind, 'CMD');
  const { port } = new URL(url);
  await podman('exec', `--env=PORT=${port}`, 'simgate-check', ...command);
  const asked = podman('exec', '--env=PORT=1', 'simgate-check', ...command);
  await assert.rejects(asked, /ended with 1/, 'a gateway that does not answer is unhealthy');
};

const programs = ['podman', 'buildah', 'runc'];

await runCheck('The image, built from the package:', async () => {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length > 0 || process.platform !== 'linux' || process.getuid?.() !== 0) {
    const why = `It needs root on Linux, and ${programs.join(', ')}; missing: ${missing.join(', ') || 'root'}.`;
    skip('all of it', why);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'simgate-image-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const engine = openEngine(folder);
  atEnd(() => engine.podman('rm', '--all', '--force', '--time=0'));
  const tarball = await step('the package', () => pack(folder), basename);
  const context = join(folder, 'context');
  mkdirSync(context);
  await step('install it, with the libraries of its Node.js', () => assemble(context, tarball));
  await step('build the image', () => build(engine, context), inMegabytes);
  const gateway = await step(
    'run it read-only',
    () => startContainer(folder, engine),
    ({ url }) => url,
  );
  await step(
    'look inside',
    () => lookInside(engine),
    (seen) => seen,
  );
  await step('the health check answers', () => isHealthy(engine, gateway));
  await step('first answer', async () => {
    assert.equal(
      (await get(`${gateway.url}/api/clients/products`, gateway.buyer.token)).status,
      200,
    );
  });
  await step('buy, and send the same key again', () => tryBuying(gateway));
  await step('podman stop drains: a purchase in progress is answered', () =>
    stopWhileBuying(gateway, () => engine.podman('stop', '--time=60', 'simgate-check')),
  );
});
