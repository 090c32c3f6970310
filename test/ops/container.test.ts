/** Tests that the Dockerfile builds from the package and runs the gateway without root; test/install/image.ts runs it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { read } from './documents.ts';

const [, build = '', last = ''] = read('ops/container/Dockerfile')
  .replaceAll(/ *\\\n */g, ' ')
  .replaceAll(/^#.*\n/gm, '')
  .split(/^(?=FROM )/m);

const line = (stage: string, name: string): string =>
  new RegExp(`^${name} (.+)$`, 'm').exec(stage)?.[1] ?? '';

describe('The Dockerfile', () => {
  test('has two stages on ordinary slim bases without a registry of its own', () => {
    assert.match(line(build, 'FROM'), /^node:\d+-\w+-slim AS build$/);
    assert.match(line(last, 'FROM'), /^debian:\w+-slim$/);
  });

  test('installs the package that npm has packed', () => {
    assert.equal(line(build, 'COPY'), 'simgate-*.tgz /tmp/simgate.tgz');
    assert.match(line(build, 'RUN'), /^npm install --prefix \/opt\/simgate .*\/tmp\/simgate\.tgz$/);
  });

  test('brings the library that the Node.js of the package needs and the base lacks', () => {
    assert.match(line(last, 'RUN'), /--no-install-recommends libatomic1 /);
  });

  test('runs as a number that is not root, and stops by SIGTERM', () => {
    assert.equal(line(last, 'USER'), '10001:10001');
    assert.equal(line(last, 'STOPSIGNAL'), 'SIGTERM');
    assert.equal(line(last, 'ENTRYPOINT'), '["node", "/opt/simgate/bin/simgate"]');
    assert.equal(line(last, 'CMD'), '["serve"]');
    assert.match(line(last, 'ENV'), /NODE_ENV="production" HOST="0\.0\.0\.0" DATA_DIR="\/data"$/);
  });

  test('asks a health route that the gateway has', () => {
    const [, path = ''] = /'(\/health\/\w+)'/.exec(line(last, 'HEALTHCHECK')) ?? [];
    assert.ok(read('src/http/health.ts').includes(`'${path}'`), path);
  });

  test('has labels, and no address among them', () => {
    assert.match(
      line(last, 'LABEL'),
      /image\.title="Simgate".*image\.licenses="MIT".*image\.version="\$VERSION"/,
    );
    assert.doesNotMatch(line(last, 'LABEL'), /https?:|@/);
  });
});
