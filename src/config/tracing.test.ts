/** Tests which variables of OpenTelemetry switch spans on. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tracingFrom } from './tracing.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318' };

describe('Spans are exported', () => {
  const on: readonly Readonly<Record<string, string>>[] = [
    { OTEL_TRACES_EXPORTER: 'otlp' },
    { OTEL_TRACES_EXPORTER: 'console' },
    endpoint,
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector.example:4318/v1/traces' },
    { ...endpoint, OTEL_SDK_DISABLED: 'false' },
  ];
  for (const env of on) {
    test(`with ${JSON.stringify(env)}`, () => assert.notEqual(tracingFrom(env), undefined));
  }

  test('under the name of simgate, unless the variables give another', () => {
    const nameWith = (env: Readonly<Record<string, string>>) =>
      tracingFrom({ ...endpoint, ...env })?.serviceName;
    assert.equal(nameWith({}), 'simgate');
    assert.equal(nameWith({ OTEL_RESOURCE_ATTRIBUTES: 'my.service.name=a' }), 'simgate');
    assert.equal(nameWith({ OTEL_SERVICE_NAME: 'shop' }), undefined);
    assert.equal(nameWith({ OTEL_RESOURCE_ATTRIBUTES: 'a=b, service.name=shop' }), undefined);
  });
});

describe('No spans are exported', () => {
  const off: readonly Readonly<Record<string, string>>[] = [
    {},
    { OTEL_TRACES_EXPORTER: '', OTEL_EXPORTER_OTLP_ENDPOINT: ' ' },
    {
      OTEL_SERVICE_NAME: 'shop',
      OTEL_RESOURCE_ATTRIBUTES: 'a=b',
      OTEL_TRACES_SAMPLER: 'always_on',
    },
    { ...endpoint, OTEL_TRACES_EXPORTER: 'none' },
    { ...endpoint, OTEL_SDK_DISABLED: 'TRUE' },
  ];
  for (const env of off) {
    test(`with ${JSON.stringify(env)}`, () => assert.equal(tracingFrom(env), undefined));
  }
});
