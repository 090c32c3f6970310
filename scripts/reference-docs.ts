/** Writes the generated parts of the documentation: errors from the error tables, settings from the schema. */
import { readFileSync, writeFileSync } from 'node:fs';
import { adminErrors } from '../src/admin/errors.ts';
import { type ErrorCode, errorTable } from '../src/lib/errors.ts';
import * as persian from './reference-persian.ts';
import { settingsTable } from './reference-settings.ts';

type Row = (typeof errorTable)[ErrorCode];

const isCode = (text: string): text is ErrorCode => Object.hasOwn(errorTable, text);

const codes = Object.keys(errorTable).filter(isCode);

/** Angle brackets in a page would be read as HTML. */
const escaped = (text: string): string => text.replaceAll('<', '&lt;');

/** The extra fields of a body, and the exceptions. */
const notes: Partial<Record<ErrorCode, string>> = {
  PRICE_MISMATCH:
    'The body has `expected_price`. For a personal offer it also has `offers`, the current offers.',
  OFFER_NOT_FOUND: 'The body has `offers`: the current offers of the subscriber.',
  OFFER_EXPIRED: 'The body has `offers`: the current offers of the subscriber.',
  PRICE_CHANGED: 'The body has `offers`: the current offers of the subscriber.',
  LIKELY_DUPLICATE:
    'The body has `purchase_id` and `began_at` of the earlier purchase. See [likely duplicates](operate/protection.md#likely-duplicates).',
  DAILY_LIMIT_REACHED:
    'The body has `daily_limit` and `left_today`. See [daily limit](operate/protection.md#daily-limit).',
  VALIDATION_FAILED: 'The body has `errors`: the sentences for each field.',
  TRANSACTION_PENDING:
    'The status is 409 for clients that are [set to get it](operate/protection.md#status-409-instead-of-202).',
  OPERATOR_MISMATCH:
    'If the gateway refuses by the prefix of the number, `retry` is `new_key`: a [ported number](operate/protection.md#ported-numbers) can be bought for with `ported=1`.',
  RATE_LIMITED: 'See [rate limits](guides/going-live.md#rate-limits).',
  OPERATOR_UNAVAILABLE: 'See [which 503 is which](#which-503-is-which).',
  OVERLOADED: 'See [which 503 is which](#which-503-is-which).',
  DRAINING: 'See [which 503 is which](#which-503-is-which).',
  DATABASE_UNAVAILABLE: 'See [which 503 is which](#which-503-is-which).',
};

type Language = {
  readonly sentence: (code: ErrorCode) => string;
  readonly note: (code: ErrorCode) => string | undefined;
  readonly groups: readonly { readonly title: string; readonly about: string }[];
  readonly statuses: Readonly<Record<number, string>>;
  readonly facts: (status: number, charged: string, retry: string) => string;
  readonly question: (status: string) => string;
  readonly codes: string;
  readonly columns: string;
};

const section = (language: Language, code: ErrorCode): string => {
  const { status, charged, retry } = errorTable[code];
  const note = language.note(code);
  return [
    `### ${code} {#${code.toLowerCase()}}`,
    escaped(language.sentence(code)),
    language.facts(status, `\`${charged}\``, `\`${retry}\``),
    ...(note === undefined ? [] : [note]),
  ].join('\n\n');
};

const isAccess = ({ status }: Row): boolean => status === 401 || status === 403;

/** The groups of codes by what to do, in the order of the pages. */
const belongs: readonly ((row: Row) => boolean)[] = [
  ({ retry }) => retry === 'same_key',
  ({ retry }) => retry === 'new_key',
  (row) => row.retry === 'no' && !isAccess(row),
  (row) => row.retry === 'no' && isAccess(row),
];

const groups = [
  {
    title: 'Retry with the same key',
    about:
      'The result is not final, and this request charged nothing for certain unless it says `unknown`. Send the same request with the same key, after `Retry-After` if present.',
  },
  {
    title: 'Fix the cause and buy with a new key',
    about: 'The purchase failed for good under this key, and nothing was charged.',
  },
  {
    title: 'Correct the request',
    about: 'The same request fails again. Nothing was charged.',
  },
  {
    title: 'Check your access',
    about: 'The token or its rules do not allow this request. Nothing was charged.',
  },
];

const statuses: Readonly<Record<number, string>> = {
  202: 'The purchase is not finished. The money is held, and the result is not known yet.',
  400: 'The request or its idempotency key cannot be read.',
  401: 'The access token is missing, wrong or expired.',
  402: 'Insufficient balance.',
  403: 'You are not allowed to do this, or your daily limit is reached.',
  404: 'There is no such address, product, purchase or webhook.',
  405: 'The address does not support this method.',
  409: 'The offer, its price or an earlier purchase conflicts with this request.',
  413: 'The request is too large.',
  415: 'The body has an unsupported format.',
  422: 'The request was read, and cannot be bought as it is.',
  429: 'Too many requests: you reached a rate limit.',
  500: 'A fault of the gateway.',
  503: 'The gateway or an operator cannot do this now.',
};

const english: Language = {
  sentence: (code) => errorTable[code].message,
  note: (code) => notes[code],
  groups,
  statuses,
  facts: (status, charged, retry) => `Status \`${status}\` · charged ${charged} · retry ${retry}`,
  question: (status) => `What does ${status} mean?`,
  codes: 'Codes',
  columns: '| status | code | charged | retry | message |',
};

const inPersian: Language = {
  sentence: (code) => errorTable[code].fa,
  note: (code) => persian.notes[code],
  groups: persian.groups,
  statuses: persian.statuses,
  facts: (status, charged, retry) => `وضعیت \`${status}\` · charged ${charged} · retry ${retry}`,
  question: (status) => `کد ${status} یعنی چه؟`,
  codes: 'کدها',
  columns: '| وضعیت | کد | charged | retry | پیام |',
};

const sections = (language: Language): string =>
  language.groups
    .map(({ title, about }, index) => {
      const those = codes.filter((code) => belongs[index]?.(errorTable[code]));
      return [`## ${title}`, about, ...those.map((code) => section(language, code))].join('\n\n');
    })
    .join('\n\n');

const statusSections = (language: Language): string =>
  Object.entries(language.statuses)
    .map(([status, about]) => {
      const those = codes.filter((code) => errorTable[code].status === Number(status));
      const links = those.map((code) => `[\`${code}\`](#${code.toLowerCase()})`).join(', ');
      const heading = `### ${language.question(status)} {#status-${status}}`;
      return `${heading}\n\n${about} ${language.codes}: ${links}.`;
    })
    .join('\n\n');

const table = (language: Language): string =>
  [
    language.columns,
    '|---|---|---|---|---|',
    ...codes.map((code) => {
      const { status, charged, retry } = errorTable[code];
      return `| ${status} | \`${code}\` | ${charged} | ${retry} | ${escaped(language.sentence(code))} |`;
    }),
  ].join('\n');

const adminTable = (): string =>
  [
    '| code | status | message |',
    '|---|---|---|',
    ...Object.entries(adminErrors).flatMap(([status, messages]) =>
      Object.entries(messages).map(
        ([code, message]) => `| \`${code}\` | ${status} | ${escaped(message)} |`,
      ),
    ),
  ].join('\n');

const parts: Readonly<Record<string, () => string>> = {
  'admin errors': adminTable,
  'error table': () => table(english),
  'error sections': () => sections(english),
  'error statuses': () => statusSections(english),
  'fa error table': () => table(inPersian),
  'fa error sections': () => sections(inPersian),
  'fa error statuses': () => statusSections(inPersian),
};

const partNamed = (name: string): string => {
  const made = parts[name]?.() ?? settingsTable(name);
  if (made === undefined) throw new Error(`There is no generated part "${name}".`);
  return made;
};

export const generatedPages: readonly string[] = [
  'docs/errors.md',
  'docs/fa/errors.md',
  'docs/operate/admin.md',
  'docs/operate/configuration.md',
];

const fence = /<!-- generated: (.+?) -->\n[^]*?<!-- end -->/g;

/** A page with its current generated parts. */
export const generate = (page: string): string =>
  page.replaceAll(
    fence,
    (_, name: string) => `<!-- generated: ${name} -->\n\n${partNamed(name)}\n\n<!-- end -->`,
  );

if (import.meta.main) {
  for (const name of generatedPages) {
    const file = new URL(`../${name}`, import.meta.url);
    writeFileSync(file, generate(readFileSync(file, 'utf8')));
  }
}
