/** Tests that the Compose file fits the schema, names files that are there, and settings that the gateway has. */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { describe, test } from 'node:test';
import { at, keysOf, listOf } from '../support/answers.ts';
import { assertFits, configOf, knownVariables, read, readYaml, schemaFile } from './documents.ts';

const [compose] = readYaml('ops/compose.yaml');
const gateway = at(compose, 'services', 'gateway');
const prometheus = at(readYaml('ops/prometheus/prometheus.yml')[0], 'scrape_configs', 0);

const environment = Object.fromEntries(
  keysOf(at(gateway, 'environment')).map((name) => [
    name,
    String(at(gateway, 'environment', name)),
  ]),
);

const secretFile = (name: string): string =>
  posix.join('ops', String(at(compose, 'secrets', name, 'file')));

const services = keysOf(at(compose, 'services'));

/** The files that a service mounts: where each appears, and which one it is. */
const mountsOf = (service: string): ReadonlyMap<string, string> =>
  new Map(
    listOf(at(compose, 'services', service, 'volumes')).flatMap((volume) => {
      const [source = '', target = '', mode] = String(volume).split(':');
      if (!source.startsWith('.')) return [];
      assert.equal(mode, 'ro', source);
      return [[target, posix.join('ops', source)] as const];
    }),
  );

describe('The Compose file', () => {
  const schema = schemaFile('compose-spec');
  assert.ok(typeof schema === 'object' && schema !== null);

  test('fits the schema of the Compose specification', () => {
    assertFits(schema, compose, 'ops/compose.yaml');
  });

  test('is found out by a mistyped field', () => {
    const wrong = { services: { gateway: { imag: 'simgate:local' } } };
    assert.throws(() => assertFits(schema, wrong, 'it'), /services\/gateway/);
  });

  test('names variables that the gateway has, and a configuration that it accepts', () => {
    for (const name of Object.keys(environment)) assert.ok(knownVariables.has(name), name);
    const settings = read(mountsOf('gateway').get(String(environment['SIMGATE_CONFIG'])) ?? '');
    const { http, metrics, port } = configOf(environment, settings);
    const grace = Number.parseInt(String(at(gateway, 'stop_grace_period')), 10) * 1000;
    assert.ok(grace > http.stopDelayMs + http.drainMs);
    assert.deepEqual(at(gateway, 'ports'), [`127.0.0.1:${port}:${port}`]);
    assert.deepEqual(at(prometheus, 'static_configs', 0, 'targets'), [`gateway:${metrics.port}`]);
  });

  test('mounts the alerts and the dashboard where Prometheus and Grafana look for them', () => {
    const [rules] = readYaml('ops/prometheus/prometheus.yml');
    const [alerts] = listOf(at(rules, 'rule_files')).map(String);
    assert.equal(mountsOf('prometheus').get(alerts ?? ''), 'ops/prometheus/alerts.yml');
    assert.equal(at(prometheus, 'job_name'), 'simgate');
    const [provider] = readYaml('ops/grafana/provisioning/dashboards/simgate.yaml');
    const folder = String(at(provider, 'providers', 0, 'options', 'path'));
    const mounted = mountsOf('grafana');
    assert.equal(mounted.get(`${folder}/simgate.json`), 'docs/grafana-dashboard.json');
    const [source] = readYaml('ops/grafana/provisioning/datasources/prometheus.yaml');
    assert.equal(at(source, 'datasources', 0, 'url'), 'http://prometheus:9090');
    const files = services.flatMap((service) => [...mountsOf(service).values()]);
    assert.equal(files.length, 6);
    for (const file of files) assert.notEqual(read(file), '', file);
  });

  test('keeps secrets in files that the repository does not have, and mounts those that it names', () => {
    const names = keysOf(at(compose, 'secrets'));
    for (const name of names) {
      assert.equal(secretFile(name), `ops/secrets/${name}`);
      assert.ok(read('docs/operate/install.md').includes(`secrets/${name}`), name);
    }
    assert.match(read('.gitignore'), /^ops\/secrets\/$/m);
    for (const service of services) {
      const text = JSON.stringify(at(compose, 'services', service));
      for (const [, name = ''] of text.matchAll(/\/run\/secrets\/([\w-]+)/g)) {
        assert.ok(
          listOf(at(compose, 'services', service, 'secrets')).includes(name),
          `${service}: ${name}`,
        );
      }
    }
  });

  test('runs the gateway without root, without rights, and read-only', () => {
    assert.equal(at(gateway, 'image'), 'simgate:local');
    assert.equal(at(gateway, 'read_only'), true);
    assert.deepEqual(at(gateway, 'cap_drop'), ['ALL']);
  });
});
