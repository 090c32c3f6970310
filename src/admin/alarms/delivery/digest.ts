/** Composes the message of a channel: the webhook's payload, and a mail with text and HTML. Pure. */
import type { Locale } from '../../../lib/text.ts';
import { formatTime } from '../../../lib/time.ts';
import { alarmKind } from '../kinds.ts';
import type { Change } from '../store.ts';
import { type Writing, writeChange, writeCount, writeTime } from './write.ts';

/** What a message tells. */
export type Digest = {
  readonly id: string;
  readonly at: number;
  /** None: it is a test. */
  readonly changes: readonly Change[];
};

export type Mail = { readonly subject: string; readonly text: string; readonly html: string };

/** More would not be read: the rest is counted. */
const mostListed = 50;

const pageOf = (publicUrl: string | undefined, { kind, subject }: Change): string | null =>
  publicUrl === undefined ? null : `${publicUrl}/console${alarmKind(kind).page(subject)}`;

/** The same bytes at every attempt, because the signature covers them. */
export const payloadOf = ({ at, changes }: Digest, publicUrl: string | undefined): string => {
  const type = changes.length === 0 ? 'alarms.test' : 'alarms.changed';
  const told = changes.map((change) => ({
    number: change.seq,
    kind: change.kind,
    subject: change.subject === '' ? null : change.subject,
    state: change.state,
    at: formatTime(change.at),
    ...change.facts,
    url: pageOf(publicUrl, change),
  }));
  return JSON.stringify({ type, timestamp: formatTime(at), data: { changes: told } });
};

type Words = {
  readonly raised: string;
  readonly resolved: string;
  readonly open: string;
  readonly test: string;
  readonly more: (count: string) => string;
  readonly subject: (raised: string, resolved: string) => string;
  readonly why: string;
};

const words: Readonly<Record<Locale, Words>> = {
  en: {
    raised: 'Raised',
    resolved: 'Resolved',
    open: 'Open in the console',
    test: 'This is a test message. Alarms will arrive here.',
    more: (count) => `And ${count} more. All of them are in the console.`,
    subject: (raised, resolved) => `${raised} raised, ${resolved} resolved`,
    why: 'Owners choose in the settings of the console which alarms are sent.',
  },
  fa: {
    raised: 'هشدار',
    resolved: 'برطرف شد',
    open: 'مشاهده در کنسول',
    test: 'این یک پیام آزمایشی است. هشدارها به همین نشانی ارسال می‌شود.',
    more: (count) => `و ${count} مورد دیگر. همهٔ موارد در کنسول دیده می‌شود.`,
    subject: (raised, resolved) => `${raised} هشدار جدید، ${resolved} مورد برطرف‌شده`,
    why: 'مالک در تنظیمات کنسول تعیین می‌کند کدام هشدارها ارسال شود.',
  },
};

type Line = {
  readonly state: Change['state'];
  readonly sentence: string;
  readonly time: string;
  readonly url: string | null;
};

export type Composing = {
  readonly writing: Writing;
  readonly publicUrl: string | undefined;
  /** The company's; empty if none is set. */
  readonly companyName: string;
};

const subjectOf = (lines: readonly Line[], total: number, { writing, companyName }: Composing) => {
  const { locale } = writing;
  const [only] = lines;
  const raised = lines.filter(({ state }) => state === 'raised').length;
  const count = (value: number): string => writeCount(locale, value);
  const about =
    only === undefined
      ? words[locale].test
      : total === 1
        ? only.sentence
        : words[locale].subject(count(raised), count(total - raised));
  return `[${companyName === '' ? 'Simgate' : companyName}] ${about}`;
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

const htmlLine = ({ state, sentence, time, url }: Line, locale: Locale): string => {
  const { [state]: title, open } = words[locale];
  const link = url === null ? '' : `<br><a href="${escaped(url)}">${open}</a>`;
  const color = state === 'raised' ? '#b3261e' : '#1b6e3c';
  return `<li style="margin-block-end:12px"><strong style="color:${color}">${title}</strong> · ${escaped(time)}<br>${escaped(sentence)}${link}</li>`;
};

const textLine = ({ state, sentence, time, url }: Line, locale: Locale): string =>
  [`${words[locale][state]} · ${time}`, sentence, ...(url === null ? [] : [url])].join('\n');

export const composeMail = ({ changes }: Digest, composing: Composing): Mail => {
  const { writing, publicUrl } = composing;
  const { locale } = writing;
  const { test, more, why } = words[locale];
  const lines = changes.map(
    (change): Line => ({
      state: change.state,
      sentence: writeChange(writing, change),
      time: writeTime(writing, change.at),
      url: pageOf(publicUrl, change),
    }),
  );
  const listed = lines.slice(0, mostListed);
  const left = lines.length - listed.length;
  const rest = left === 0 ? [] : [more(writeCount(locale, left))];
  const first = changes.length === 0 ? [test] : [];
  const direction = locale === 'fa' ? 'rtl' : 'ltr';
  const paragraph = (text: string): string => `<p>${escaped(text)}</p>`;
  const items = listed.map((line) => htmlLine(line, locale)).join('\n');
  return {
    subject: subjectOf(lines, lines.length, composing),
    text: [...first, ...listed.map((line) => textLine(line, locale)), ...rest, why].join('\n\n'),
    html: [
      `<!doctype html><html lang="${locale}" dir="${direction}"><head><meta charset="utf-8"></head>`,
      `<body dir="${direction}" style="font-family:Vazirmatn,Tahoma,Arial,sans-serif;line-height:1.6">`,
      ...first.map(paragraph),
      ...(items === '' ? [] : [`<ul style="padding:0;list-style:none">\n${items}\n</ul>`]),
      ...[...rest, why].map(paragraph),
      '</body></html>',
    ].join('\n'),
  };
};
