/** Shows a setting's help: description, limits, default and problems. */
import Box from '@mui/material/Box';
import { Code } from '../design/data/code.tsx';
import { useFormat } from '../format.ts';
import { type Described, described } from '../i18n/descriptions.ts';
import { useText } from '../i18n/text.ts';
import { Description } from '../parts/description.tsx';
import type { Edits, Problem } from './draft.ts';
import type { Field, Settings, Words } from './fields.ts';

export type Drawing = {
  readonly settings: Settings;
  readonly edits: Edits;
  readonly problems: Readonly<Record<string, Problem>>;
  /** The gateway's own messages about fields. */
  readonly said: Readonly<Record<string, readonly string[]>>;
  readonly onEdit: (field: Field, typed: string | null | undefined) => void;
};

/** A connector's text in the page's language, or in English. */
export const useConnectorText = (): ((words: Words) => Described) => {
  const { locale } = useFormat();
  return ({ en, fa }) => described(locale === 'fa' ? fa : undefined, en);
};

/** The name of a setting as plain text. */
export const useLabelOf = (): ((field: Field) => string) => {
  const textOf = useConnectorText();
  return ({ label }) => textOf(label).text;
};

/** The id by which a field is found to be focused. */
export const idOf = (path: string): string => `setting-${path}`;

/** The errors of a field, in sentences. */
export const useFault = ({ problems, said }: Pick<Drawing, 'problems' | 'said'>) => {
  const say = useText();
  const { digits } = useFormat();
  return ({ path, minimum = 0, maximum = 0 }: Field): string => {
    const problem = problems[path];
    if (problem === undefined) return (said[path] ?? []).join(' ');
    const value = digits(problem === 'tooSmall' ? minimum : maximum);
    return say(`operatorSettings.${problem}`, { value });
  };
};

/** A value as text for the reader. */
export const useWords = (): ((value: unknown) => string) => {
  const say = useText();
  const { digits } = useFormat();
  return (value) => {
    if (value === undefined || value === null || value === '')
      return say('operatorSettings.notSet');
    if (typeof value === 'boolean') return say(value ? 'common.yes' : 'common.no');
    if (typeof value === 'number') return digits(value);
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
};

/** The help of a field: its description, its limits, and its default. */
const useHelp = () => {
  const say = useText();
  const { digits } = useFormat();
  const words = useWords();
  return (field: Field): readonly string[] => [
    ...(field.default === undefined || field.secret
      ? []
      : [say('operatorSettings.standard', { value: words(field.default) })]),
    ...(field.minimum === undefined
      ? []
      : [say('operatorSettings.least', { value: digits(field.minimum) })]),
    ...(field.maximum === undefined
      ? []
      : [say('operatorSettings.most', { value: digits(field.maximum) })]),
    ...(field.type === 'json' ? [say('operatorSettings.json')] : []),
  ];
};

export const HelpOf = ({
  field,
  drawing,
}: {
  readonly field: Field;
  readonly drawing: Drawing;
}) => {
  const help = useHelp();
  const textOf = useConnectorText();
  const fault = useFault(drawing)(field);
  return (
    <>
      {fault === '' ? null : (
        <Box component="span" sx={{ display: 'block', fontWeight: 600 }}>
          <bdi>{fault}</bdi>
        </Box>
      )}
      {field.help.en === '' ? null : (
        <Box component="span" sx={{ display: 'block' }}>
          <Description {...textOf(field.help)} />
        </Box>
      )}
      {help(field).join(' ')} <Code>{field.path}</Code>
    </>
  );
};
