/** Tests that every setting of the gateway and of its connectors has a description in both languages. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Type } from 'typebox';
import { asSent, createDescribe, described } from '../../console/src/i18n/descriptions.ts';
import { descriptions } from '../../console/src/i18n/persian-settings.ts';
import { fieldsOf } from '../../console/src/operators/fields.ts';
import { describeSettings } from '../../src/config/origins.ts';
import { type FormField, formOf } from '../../src/connector/settings/form.ts';
import { textsFault } from '../../src/connector/settings/texts.ts';
import { loadBuiltIn } from '../../src/operators/connectors.ts';

const connectors = await loadBuiltIn();

const allOf = (fields: readonly FormField[]): readonly FormField[] =>
  fields.flatMap((field) => [field, ...allOf(field.fields ?? [])]);

/** The texts of the built-in connectors' settings, by the name of the connector and of the setting. */
const declared = connectors.flatMap(({ name, settings, texts }) =>
  allOf(formOf(settings, texts)).map((field) => ({ ...field, at: `${name} ${field.name}` })),
);

const sorted = (names: readonly string[]): readonly string[] => [...names].sort();

describe('Descriptions of settings', () => {
  test('cover the configuration in Persian, and nothing else', () => {
    const names = describeSettings({}, new Map()).map(({ name }) => name);
    assert.deepEqual(sorted(Object.keys(descriptions.settings)), sorted(names));
  });

  test('cover the settings of every connector, with a label and help in both languages', () => {
    assert.ok(declared.length > 20);
    const lacking = declared.filter(
      ({ name, label, help }) =>
        label.en === name || label.fa === null || help.en === '' || help.fa === null,
    );
    assert.deepEqual(
      lacking.map(({ at }) => at),
      [],
    );
    const unknown = connectors.map(({ settings, texts }) => textsFault(texts, settings));
    assert.deepEqual(unknown, [undefined, undefined], 'and nothing else');
  });

  test('are Persian, and mark every code with a pair of backticks', () => {
    const texts = [
      ...Object.values(descriptions.settings),
      ...declared.flatMap(({ label, help }) => [label.fa ?? '', help.fa ?? '']),
    ];
    const names = /\b(?:PostgreSQL|SQLite|TLS|IPv6|HTTP|JSON)\b/g;
    const unmarked = texts.filter((text) => {
      const parts = text.split('`');
      const prose = parts.filter((_, index) => index % 2 === 0).join(' ');
      return parts.length % 2 === 0 || /[a-z]/i.test(prose.replaceAll(names, ''));
    });
    assert.deepEqual(unmarked, []);
  });

  test('fall back to English where a connector has no Persian', () => {
    const [plain, half] = fieldsOf([
      { name: 'offers', description: 'Whether it lists offers.' },
      { name: 'pin', label: { en: 'PIN', fa: 'پین' }, help: { en: 'Who we are.', fa: null } },
    ]);
    assert.deepEqual(
      [plain?.label, plain?.help],
      [
        { en: 'offers', fa: undefined },
        { en: 'Whether it lists offers.', fa: undefined },
      ],
    );
    assert.deepEqual([half?.label.fa, half?.help.fa], ['پین', undefined]);
    assert.deepEqual(described(half?.help.fa, half?.help.en ?? ''), {
      text: 'Who we are.',
      isEnglish: true,
    });
    const sent = { name: 'host', description: 'Address.' };
    assert.equal(createDescribe(descriptions)(sent).isEnglish, false);
    assert.equal(createDescribe(asSent)(sent).text, 'Address.');
  });

  test('are refused where they name no setting, or have no English label', () => {
    const schema = Type.Object({
      url: Type.String(),
      login: Type.Object({ pin: Type.String() }),
    });
    const label = { en: 'Address' };
    const faults = [
      [undefined, undefined],
      [{ url: { label }, login: { label, fields: { pin: { label } } } }, undefined],
      ['texts', '"texts" must be an object with the names of settings'],
      [{ uri: { label } }, '"texts" names no setting by "uri"'],
      [{ login: { label, fields: { pan: { label } } } }, '"texts" names no setting by "pan"'],
      [
        { url: { label: { fa: 'نشانی' } } },
        '"texts" must have a label of "url" in English, as { en: "…" }',
      ],
      [
        { url: { label, help: 'plain' } },
        '"texts" must have a label of "url" in English, as { en: "…" }',
      ],
    ] as const;
    for (const [texts, fault] of faults) assert.equal(textsFault(texts, schema), fault);
  });
});
