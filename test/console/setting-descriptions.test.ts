/** Tests that every setting of the gateway and of its connectors has a Persian description. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asSent, createDescribe } from '../../console/src/i18n/descriptions.ts';
import { descriptions } from '../../console/src/i18n/persian-settings.ts';
import { fieldsOf } from '../../console/src/operators/fields.ts';
import { describeSettings } from '../../src/config/origins.ts';
import { type FormField, formOf } from '../../src/connector/settings/form.ts';
import { loadBuiltIn } from '../../src/operators/connectors.ts';

const connectors = await loadBuiltIn();

const pathsOf = (fields: readonly FormField[], group = ''): readonly string[] =>
  fields.flatMap(({ name, fields: inner = [] }) => [
    group + name,
    ...pathsOf(inner, `${group}${name}.`),
  ]);

const sorted = (names: readonly string[]): readonly string[] => [...names].sort();

describe('Descriptions of settings', () => {
  test('cover the configuration in Persian, and nothing else', () => {
    const names = describeSettings({}, new Map()).map(({ name }) => name);
    assert.deepEqual(sorted(Object.keys(descriptions.settings)), sorted(names));
  });

  test('cover the settings of every connector in Persian, and nothing else', () => {
    const covered = Object.entries(descriptions.connectors).map(
      ([name, texts]) => [name, sorted(Object.keys(texts))] as const,
    );
    const known = connectors.map(
      ({ name, settings }) => [name, sorted(pathsOf(formOf(settings)))] as const,
    );
    assert.deepEqual(Object.fromEntries(covered), Object.fromEntries(known));
  });

  test('are Persian, and mark every code with a pair of backticks', () => {
    const texts = [descriptions.settings, ...Object.values(descriptions.connectors)].flatMap(
      (byPath) => Object.values(byPath),
    );
    const names = /\b(?:PostgreSQL|SQLite|TLS|IPv6|HTTP|JSON)\b/g;
    const unmarked = texts.filter((text) => {
      const parts = text.split('`');
      const prose = parts.filter((_, index) => index % 2 === 0).join(' ');
      return parts.length % 2 === 0 || /[a-z]/i.test(prose.replaceAll(names, ''));
    });
    assert.deepEqual(unmarked, []);
  });

  test('fall back to English for an unknown connector', () => {
    const describeFor = createDescribe(descriptions);
    const [field] = fieldsOf([{ name: 'offers', description: 'Whether it lists offers.' }]);
    assert.ok(field !== undefined);
    assert.deepEqual(describeFor.connectorSetting('of-others', field), {
      text: 'Whether it lists offers.',
      isEnglish: true,
    });
    assert.equal(describeFor.connectorSetting('simulator', field).isEnglish, false);
    const sent = { name: 'host', description: 'Address.' };
    assert.equal(describeFor.setting(sent).isEnglish, false);
    assert.equal(createDescribe(asSent).setting(sent).text, 'Address.');
  });
});
