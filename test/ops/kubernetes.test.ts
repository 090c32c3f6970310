/** Tests that the Kubernetes manifests fit the schemas, agree with each other, and name what the gateway has. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { describe, test } from 'node:test';
import { isRecord } from '../../src/lib/record.ts';
import { at, keysOf, listOf } from '../support/answers.ts';
import { root } from '../support/selection.ts';
import { assertFits, configOf, knownVariables, read, readYaml, schemaOfKind } from './documents.ts';

const manifests = globSync('ops/kubernetes/*.yaml', { cwd: root })
  .toSorted()
  .flatMap((file) => readYaml(file).map((value) => ({ file, value })));

const kindOf = (value: unknown): string =>
  [at(value, 'apiVersion'), at(value, 'kind')].map(String).join(' ');

const named = (kind: string, name = 'simgate'): unknown => {
  const found = manifests.find(
    ({ value }) => at(value, 'kind') === kind && at(value, 'metadata', 'name') === name,
  );
  assert.ok(found !== undefined, `There is no ${kind} ${name}.`);
  return found.value;
};

const deployment = named('Deployment');
const job = named('Job', 'simgate-migrate');
const settings = String(at(named('ConfigMap'), 'data', 'simgate.json'));

const podOf = (owner: unknown): unknown => at(owner, 'spec', 'template', 'spec');
const containerOf = (owner: unknown): unknown => at(podOf(owner), 'containers', 0);
const labelsOf = (owner: unknown): unknown => at(owner, 'spec', 'template', 'metadata', 'labels');

const environmentOf = (owner: unknown): Record<string, string> =>
  Object.fromEntries(
    listOf(at(containerOf(owner), 'env')).map((one) => {
      const name = String(at(one, 'name'));
      const isGiven = isRecord(one) && 'value' in one;
      return [name, isGiven ? String(at(one, 'value')) : 'pod-1'];
    }),
  );

const portsOf = (owner: unknown): Map<string, number> =>
  new Map(
    listOf(at(containerOf(owner), 'ports')).map((port) => [
      String(at(port, 'name')),
      Number(at(port, 'containerPort')),
    ]),
  );

describe('The Kubernetes manifests', () => {
  for (const { file, value } of manifests) {
    test(`${file}: ${kindOf(value)} fits the schema of Kubernetes 1.25`, () => {
      assertFits(schemaOfKind(kindOf(value)), value, file);
    });
  }

  test('are found out by a mistyped field', () => {
    const wrong = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { nam: 'simgate' } };
    assert.throws(() => assertFits(schemaOfKind('v1 ConfigMap'), wrong, 'it'), /metadata/);
  });

  for (const owner of [deployment, job]) {
    const kind = String(at(owner, 'kind'));

    test(`${kind} names variables that the gateway has, and a configuration that it accepts`, () => {
      const environment = environmentOf(owner);
      for (const name of Object.keys(environment)) assert.ok(knownVariables.has(name), name);
      const { databaseUrl, secretsKey } = configOf(environment, settings);
      assert.ok(databaseUrl !== undefined && secretsKey !== undefined);
    });

    test(`${kind} meets the restricted policy: no root, no rights, nothing to write but /tmp`, () => {
      const pod = at(podOf(owner), 'securityContext');
      const container = at(containerOf(owner), 'securityContext');
      assert.equal(at(pod, 'runAsNonRoot'), true);
      assert.equal(at(pod, 'runAsUser'), 10_001);
      assert.equal(at(pod, 'seccompProfile', 'type'), 'RuntimeDefault');
      assert.deepEqual(container, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      assert.equal(at(podOf(owner), 'automountServiceAccountToken'), false);
    });

    test(`${kind} has every file that its variables name, from objects that are there`, () => {
      const mounts = listOf(at(containerOf(owner), 'volumeMounts'));
      const volumes = listOf(at(podOf(owner), 'volumes'));
      const files = Object.entries(environmentOf(owner)).filter(([, value]) =>
        value.startsWith('/'),
      );
      assert.ok(files.length > 1);
      for (const [name, file] of files) {
        const mount = mounts.find((one) => file.startsWith(`${String(at(one, 'mountPath'))}/`));
        const volume = volumes.find((one) => at(one, 'name') === at(mount, 'name'));
        const key = file.slice(String(at(mount, 'mountPath')).length + 1);
        const isSecret = name.endsWith('_FILE');
        const source = isSecret
          ? named('Secret', String(at(volume, 'secret', 'secretName')))
          : named('ConfigMap', String(at(volume, 'configMap', 'name')));
        const held = keysOf(at(source, isSecret ? 'stringData' : 'data'));
        assert.ok(held.includes(key), `${name}: ${file}`);
      }
    });

    test(`${kind} names an image without a registry, as it is built`, () => {
      assert.equal(at(containerOf(owner), 'image'), 'simgate:local');
    });
  }

  test('probe routes that the gateway has, as docs/operate/operations.md says', () => {
    const told = read('docs/operate/operations.md').match(/^\w+Probe: .+$/gm) ?? [];
    assert.equal(told.length, 3);
    for (const line of told) {
      const [name = '', probe = ''] = line.split(/: +(.+)/);
      const inDeployment = new RegExp(`^ +${name}: (.+)$`, 'm').exec(
        read('ops/kubernetes/deployment.yaml'),
      )?.[1];
      assert.equal(inDeployment?.replace('port: http', 'port: 3000'), probe);
      const [, path = ''] = /path: ([\w/]+)/.exec(probe) ?? [];
      assert.ok(read('src/http/health.ts').includes(`'${path}'`), path);
    }
  });

  test('use the ports on which the gateway listens', () => {
    const { port, metrics } = configOf(environmentOf(deployment), settings);
    assert.deepEqual(
      portsOf(deployment),
      new Map([
        ['http', port],
        ['metrics', metrics.port],
      ]),
    );
    const targets = ['simgate', 'simgate-metrics'].map((name) =>
      String(at(named('Service', name), 'spec', 'ports', 0, 'targetPort')),
    );
    assert.deepEqual(targets, ['http', 'metrics']);
    const open = listOf(at(named('NetworkPolicy'), 'spec', 'ingress')).map((rule) =>
      at(rule, 'ports', 0, 'port'),
    );
    assert.deepEqual(open, [port, metrics.port]);
  });

  test('select the instances and not the migration', () => {
    const selectors = [
      at(deployment, 'spec', 'selector', 'matchLabels'),
      at(named('Service'), 'spec', 'selector'),
      at(named('Service', 'simgate-metrics'), 'spec', 'selector'),
      at(named('PodDisruptionBudget'), 'spec', 'selector', 'matchLabels'),
    ];
    for (const selector of selectors) {
      assert.deepEqual(selector, labelsOf(deployment));
      assert.notDeepEqual(selector, labelsOf(job));
    }
  });

  test('give a stop more time than the gateway takes, and leave migrations to the job', () => {
    const { http, database } = configOf(environmentOf(deployment), settings);
    const graceMs = Number(at(podOf(deployment), 'terminationGracePeriodSeconds')) * 1000;
    assert.ok(graceMs > http.stopDelayMs + http.drainMs);
    assert.equal(database.migrate, false);
    assert.deepEqual(at(containerOf(job), 'args'), ['migrate']);
    const startup = at(containerOf(deployment), 'startupProbe');
    const startMs =
      Number(at(startup, 'periodSeconds')) * Number(at(startup, 'failureThreshold')) * 1000;
    assert.ok(startMs > database.startWaitMs);
  });
});
