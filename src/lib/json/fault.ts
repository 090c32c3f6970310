/** Finds the position and cause of a JSON syntax error, which the parser does not always report. Pure. */
import type { Text } from '../text.ts';
import { type Shown, show, showCode } from './show-value.ts';

export type JsonFault = { readonly at: number; readonly message: Text };

const expectations = {
  value: { en: 'a value', fa: 'یک مقدار' },
  firstValue: { en: 'a value or "]"', fa: 'یک مقدار یا `]`' },
  key: { en: 'a name in double quotes', fa: 'نامی در گیومهٔ `"`' },
  firstKey: { en: 'a name in double quotes or "}"', fa: 'نامی در گیومهٔ `"` یا `}`' },
  colon: { en: 'a colon', fa: 'دونقطه' },
  nextInObject: { en: 'a comma or "}"', fa: 'ویرگول انگلیسی یا `}`' },
  nextInArray: { en: 'a comma or "]"', fa: 'ویرگول انگلیسی یا `]`' },
  nothing: { en: 'nothing more', fa: 'پایان متن' },
} as const;

const textFaults = {
  escape: (code: string): Text => ({
    en: `A text holds ${code}, which JSON does not know. Write a backslash as \\\\.`,
    fa: `متنی ${showCode(code)} دارد که در JSON معتبر نیست. ممیز وارونه را به صورت \`\\\\\` بنویسید.`,
  }),
  control: {
    en: 'A text holds a tab or another control character. Write a tab as \\t.',
    fa: 'متنی نویسهٔ جهش (تب) یا نویسهٔ کنترلی دیگری دارد. جهش را به صورت `\\t` بنویسید.',
  },
  notClosed: {
    en: 'A text begins here and is not closed on the same line.',
    fa: 'متنی از اینجا آغاز و در همین سطر بسته نشده است.',
  },
} as const;
type Expectation = keyof typeof expectations;

type Token = { readonly kind: string; readonly end: number; readonly fault?: JsonFault };

export const skipSpace = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1;
  return at;
};

/** The end of a quoted text. JSON has no line breaks in texts: one there means a missing quote. */
export const endOfText = (text: string, from: number): number => {
  let at = from + 1;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '"') return at + 1;
    if (char === '\n' || char === '\r') return at;
    at += char === '\\' && '"\\'.includes(text.charAt(at + 1)) ? 2 : 1;
  }
  return text.length;
};

const faultInText = (text: string, from: number, end: number): JsonFault | undefined => {
  for (let at = from + 1; at < end; at += 1) {
    const char = text.charAt(at);
    if (char === '"') return undefined;
    if (char === '\\') {
      if (!/^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/.test(text.slice(at, at + 6))) {
        return { at, message: textFaults.escape(text.slice(at, at + 2)) };
      }
      at += 1;
    } else if (char < ' ') {
      return { at, message: textFaults.control };
    }
  }
  return { at: from, message: textFaults.notClosed };
};

const word = /[^\s"{}[\],:]+/y;
const knownWord = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

const tokenAt = (text: string, at: number): Token => {
  const char = text.charAt(at);
  if (char === '') return { kind: 'end', end: at };
  if (char === '"') {
    const end = endOfText(text, at);
    const fault = faultInText(text, at, end);
    return { kind: 'text', end, ...(fault === undefined ? {} : { fault }) };
  }
  word.lastIndex = at;
  const found = word.exec(text)?.[0];
  if (found === undefined) return { kind: char, end: at + 1 };
  return { kind: knownWord.test(found) ? 'word' : 'nonsense', end: at + found.length };
};

const nextIn = (open: readonly string[]): Expectation => {
  const innermost = open.at(-1);
  if (innermost === undefined) return 'nothing';
  return innermost === '{' ? 'nextInObject' : 'nextInArray';
};

const close = (open: string[]): Expectation => {
  open.pop();
  return nextIn(open);
};

type Follow = (kind: string, open: string[]) => Expectation | undefined;

const afterValue: Follow = (kind, open) => {
  if (kind === 'text' || kind === 'word') return nextIn(open);
  if (kind !== '{' && kind !== '[') return undefined;
  open.push(kind);
  return kind === '{' ? 'firstKey' : 'firstValue';
};
const afterKey: Follow = (kind) => (kind === 'text' ? 'colon' : undefined);

/** What may follow a token, by what was expected; undefined if the token does not fit. */
const follows: Record<Expectation, Follow> = {
  value: afterValue,
  firstValue: (kind, open) => (kind === ']' ? close(open) : afterValue(kind, open)),
  key: afterKey,
  firstKey: (kind, open) => (kind === '}' ? close(open) : afterKey(kind, open)),
  colon: (kind) => (kind === ':' ? 'value' : undefined),
  nextInObject: (kind, open) => (kind === ',' ? 'key' : kind === '}' ? close(open) : undefined),
  nextInArray: (kind, open) => (kind === ',' ? 'value' : kind === ']' ? close(open) : undefined),
  nothing: () => undefined,
};

const found = (text: string, at: number): Shown => {
  const { kind, end } = tokenAt(text, at);
  if (kind === 'end') return { en: 'the end', fa: 'پایان' };
  if (kind === 'text') {
    const { en, fa } = show(text.slice(at + 1, end - 1));
    return { en: `the text ${en}`, fa: `متن ${fa}` };
  }
  return show(text.slice(at, end));
};

const misplaced = (expected: Text, { en, fa }: Shown): Text => ({
  en: `Here ${expected.en} should stand, not ${en}.`,
  fa: `اینجا باید ${expected.fa} بیاید، نه ${fa}.`,
});

/** The first error of a text that should be one JSON value, or undefined if it is valid. */
export const findJsonFault = (text: string): JsonFault | undefined => {
  const open: string[] = [];
  let expected: Expectation = 'value';
  let at = skipSpace(text, 0);
  for (;;) {
    const token = tokenAt(text, at);
    if (token.kind === 'end' && expected === 'nothing') return undefined;
    const next = follows[expected](token.kind, open);
    if (next === undefined) {
      return { at, message: misplaced(expectations[expected], found(text, at)) };
    }
    if (token.fault !== undefined) return token.fault;
    expected = next;
    at = skipSpace(text, token.end);
  }
};
