/** Declares how the console names and explains the settings of a connector, in English and Persian. */
import { type TObject, Type } from 'typebox';
import { fieldOf, isRecord } from '../../lib/record.ts';

/** Where Persian is missing, Persian pages show the English text, marked as such. */
export type SettingText = { readonly en: string; readonly fa?: string };

type Texts = {
  /** The name of the field. */
  readonly label: SettingText;
  /** What it does. Without it: the description in the schema. */
  readonly help?: SettingText;
};

type Group = { readonly properties: object };

type WithFields<Setting> = Setting extends Group
  ? { readonly fields?: SettingTexts<Setting> }
  : object;

/** The texts of some or all settings of a schema; a group has its own, and those of its fields. */
export type SettingTexts<Settings extends Group> = {
  readonly [Name in keyof Settings['properties']]?: Texts &
    WithFields<Settings['properties'][Name]>;
};

/** A text as the API shows it; Persian is null where the connector has none. */
export type Words = { readonly en: string; readonly fa: string | null };

const isText = (value: unknown): value is SettingText => {
  const [en, fa] = [fieldOf(value, 'en'), fieldOf(value, 'fa')];
  return typeof en === 'string' && en !== '' && (fa === undefined || typeof fa === 'string');
};

/** One text of a setting; the other text, in English, if the connector declares none. */
export const wordsOf = (texts: unknown, part: keyof Texts, otherwise: string): Words => {
  const text = fieldOf(texts, part);
  return isText(text) ? { en: text.en, fa: text.fa ?? null } : { en: otherwise, fa: null };
};

/** What is wrong with the texts that a connector declares, as part of a sentence. */
export const textsFault = (texts: unknown, schema: TObject): string | undefined => {
  if (texts === undefined) return undefined;
  if (!isRecord(texts)) return '"texts" must be an object with the names of settings';
  for (const [name, one] of Object.entries(texts)) {
    const setting = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (setting === undefined) return `"texts" names no setting by "${name}"`;
    const [label, help, fields] = ['label', 'help', 'fields'].map((part) => fieldOf(one, part));
    if (!isText(label) || (help !== undefined && !isText(help))) {
      return `"texts" must have a label of "${name}" in English, as { en: "…" }`;
    }
    const inner = Type.IsObject(setting) ? textsFault(fields, setting) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
};
