/** Renders a date or time field: the browser's own, or one for the Persian calendar. */
import TextField from '@mui/material/TextField';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { type Kind, readPersian, stepPersian, writePersian } from '../../persian-calendar.ts';
import { fromField } from '../../zoned.ts';

type Props = {
  readonly kind: Kind;
  readonly label: string;
  readonly help: string;
  /** In the format of a browser's own field, in its time zone; empty if there is none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
};

const BrowserField = ({ kind, label, help, value, onChange }: Props) => (
  <TextField
    label={label}
    type={kind === 'day' ? 'date' : 'datetime-local'}
    value={value}
    helperText={help}
    onChange={({ target }) => onChange(target.value)}
    slotProps={{ inputLabel: { shrink: true }, htmlInput: { dir: 'ltr' } }}
  />
);

const examples: Readonly<Record<Kind, string>> = { day: '۱۴۰۵/۰۱/۲۵', moment: '۱۴۰۵/۰۱/۲۵ ۱۳:۴۵' };

/** The text below the field: the error, the time in words, or the format. */
const useHelp = ({ kind, help, value }: Props, wrong: boolean): string => {
  const say = useText();
  const { time, zone } = useFormat();
  const example = examples[kind];
  if (wrong) return say('times.wrong', { example });
  if (value === '') return `${help} ${say('times.such', { example })}`;
  return `${time(fromField(value, zone), kind === 'day' ? 'date' : 'short')}. ${help}`;
};

const PersianField = (props: Props) => {
  const { kind, label, value, onChange } = props;
  const input = useRef<HTMLInputElement>(null);
  // The typed text stays as long as it means that value.
  const [typed, setTyped] = useState({ text: writePersian(value, kind), value });
  const [marked, setMarked] = useState<readonly [from: number, to: number]>();
  const text = typed.value === value ? typed.text : writePersian(value, kind);
  const wrong = value === '' && text.trim() !== '';
  const help = useHelp(props, wrong);
  const type = (next: string): void => {
    const read = readPersian(next, kind) ?? '';
    setTyped({ text: next, value: read });
    onChange(read);
  };
  const step = (event: KeyboardEvent, by: 1 | -1): void => {
    const caret = input.current?.selectionStart ?? text.length;
    const stepped = stepPersian(text, kind, { caret, by });
    if (stepped === undefined) return;
    event.preventDefault();
    type(stepped.typed);
    setMarked([stepped.from, stepped.to]);
  };
  useEffect(() => input.current?.setCustomValidity(wrong ? help : ''), [wrong, help]);
  useLayoutEffect(() => {
    if (marked !== undefined) input.current?.setSelectionRange(...marked);
  }, [marked]);
  return (
    <TextField
      label={label}
      value={text}
      error={wrong}
      helperText={help}
      onChange={({ target }) => type(target.value)}
      onBlur={() => value !== '' && setTyped({ text: writePersian(value, kind), value })}
      onKeyDown={(event) => {
        if (event.key === 'ArrowUp') step(event, 1);
        if (event.key === 'ArrowDown') step(event, -1);
      }}
      inputRef={input}
      slotProps={{
        inputLabel: { shrink: true },
        htmlInput: { dir: 'ltr', autoComplete: 'off', spellCheck: false },
      }}
    />
  );
};

export const TimeField = (props: Props) =>
  useFormat().locale === 'fa' ? <PersianField {...props} /> : <BrowserField {...props} />;
