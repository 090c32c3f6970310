/** Translates the gateway's sentences about a purchase into the user's language; other texts stay unchanged. Pure. */
import { own } from '../i18n/en/index.ts';
import type { Say, TextKey } from '../i18n/keys.ts';
import type { Format } from '../writing.ts';

type Rule = readonly [sentence: RegExp, key: TextKey];

const unreadableTime = 'a time that cannot be read';
const atEnd = String.raw`(?<at>\d+|[\dT:.+-]+Z|${unreadableTime})$`;
const decidedBy = String.raw`, decided by (?<who>.+?)`;

/** The sentences by how the gateway writes them; a group is put into the text of the same name. */
const rules: readonly Rule[] = [
  [/^attempt (?<n>\d+)$/, 'purchaseWords.told.attempt'],
  [/^done$/, 'purchaseWords.told.done'],
  [/^refused$/, 'purchaseWords.told.refused'],
  [/^reversed$/, 'purchaseWords.told.reversed'],
  [/^the operator knows no such order$/, 'purchaseWords.told.notFound'],
  [/^the operator knows no such order, which is no proof yet$/, 'purchaseWords.told.noProofYet'],
  [
    /^the operator knows no such order: submitted again, attempt (?<n>\d+)$/,
    'purchaseWords.told.again',
  ],
  [/^the operator says that it is pending$/, 'purchaseWords.told.pending'],
  [/^not known after (?<n>\d+) inquiries: (?<rest>.+)$/s, 'purchaseWords.told.notKnownAfter'],
  [
    new RegExp(`^the operator report(?:s|ed) it delivered at ${atEnd}`),
    'purchaseWords.told.reportedDelivered',
  ],
  [
    new RegExp(`^the operator report(?:s|ed) it (?:reversed|taken back) at ${atEnd}`),
    'purchaseWords.told.reportedReversed',
  ],
  [/^the operator answered (?:the order )?late: delivered$/, 'purchaseWords.told.lateDelivered'],
  [/^the operator answered (?:the order )?late: refused$/, 'purchaseWords.told.lateRefused'],
  [
    /^the operator answered late: refused \((?<why>.+)\)$/s,
    'purchaseWords.told.lateRefusedBecause',
  ],
  [/^recorded as failed, and (?<rest>.+)$/s, 'purchaseWords.told.recordedFailed'],
  [new RegExp(`^the operator took it back at ${atEnd}`), 'purchaseWords.told.tookBack'],
  [/^operator (?<id>\w+) is not configured any more$/, 'purchaseWords.told.noOperator'],
  [
    /^operator (?<id>\w+) cannot be asked from any running instance$/,
    'purchaseWords.told.noInstance',
  ],
  [/^operator (?<id>\w+) is not configured and was not asked$/, 'purchaseWords.told.notAsked'],
  [
    new RegExp(`^succeeded${decidedBy} against the evidence: (?<why>.+)$`, 's'),
    'purchaseWords.told.forcedDelivered',
  ],
  [
    new RegExp(`^failed${decidedBy} against the evidence: (?<why>.+)$`, 's'),
    'purchaseWords.told.forcedNot',
  ],
  [new RegExp(`^succeeded${decidedBy}: (?<why>.+)$`, 's'), 'purchaseWords.told.decidedDelivered'],
  [new RegExp(`^failed${decidedBy}: (?<why>.+)$`, 's'), 'purchaseWords.told.decidedNot'],
  [
    /^marked as delivered by (?<who>.+?) against the evidence: (?<why>.+)$/s,
    'purchaseWords.told.forcedDelivered',
  ],
  [
    /^marked as not delivered by (?<who>.+?) against the evidence: (?<why>.+)$/s,
    'purchaseWords.told.forcedNot',
  ],
  [/^marked as delivered by (?<who>.+?): (?<why>.+)$/s, 'purchaseWords.told.decidedDelivered'],
  [/^marked as not delivered by (?<who>.+?): (?<why>.+)$/s, 'purchaseWords.told.decidedNot'],
  [/^no answer within (?<n>\d+) ms$/, 'purchaseWords.told.noAnswerWithin'],
  [/^the operator took the order: pending$/, 'purchaseWords.told.tookOrder'],
  [
    /^the operator (?:was asked before and said|says): delivered$/,
    'purchaseWords.told.saidDelivered',
  ],
  [
    /^the operator (?:was asked before and said|says): taken back(?: at .+)?$/,
    'purchaseWords.told.saidTakenBack',
  ],
  [
    /^the operator (?:was asked before and said|says): no such order$/,
    'purchaseWords.told.saidNoOrder',
  ],
  [/^the operator was asked before and said: refused$/, 'purchaseWords.told.saidRefused'],
  [/^the operator says: refused \((?<why>.+)\)$/s, 'purchaseWords.told.saidRefusedBecause'],
  [/^the operator was asked just now and says: delivered$/, 'purchaseWords.told.saysDelivered'],
  [
    /^the operator was asked just now and says: delivered and taken back$/,
    'purchaseWords.told.saysTakenBack',
  ],
  [/^the operator was asked just now and knows no such order$/, 'purchaseWords.told.saysNoOrder'],
  [/^the operator knows no such order, which is no proof$/, 'purchaseWords.told.saysNoProof'],
  [
    /^the operator says that it is still pending, and may yet deliver it$/,
    'purchaseWords.told.saysPending',
  ],
  [
    /^the operator was asked and gave no answer \((?<rest>.+)\)$/s,
    'purchaseWords.told.saysNothing',
  ],
  [/^the operator was asked just now and says: (?<why>.+)$/s, 'purchaseWords.told.saysOther'],
  [/^No money moves and the recorded answer stays/, 'purchaseWords.becomes.stays'],
  [/^(?<n>\d+) that was held goes back to the client, and/, 'purchaseWords.becomes.back'],
  [/^(?<n>\d+) that was held becomes the sale, and/, 'purchaseWords.becomes.sale'],
  [
    /^(?<n>\d+) that was held becomes the sale and then goes back/,
    'purchaseWords.becomes.saleAndBack',
  ],
];

const { reason: reasons } = own.purchaseWords;

export const isKnownReason = (code: string): code is keyof typeof reasons =>
  Object.hasOwn(reasons, code);

const timeOf = (text: string): string | number => (/^\d+$/.test(text) ? Number(text) : text);

const fill = (name: string, text: string, say: Say, format: Format): string => {
  switch (name) {
    case 'n':
      return format.count(Number(text));
    case 'at':
      return text === unreadableTime
        ? say('purchaseWords.told.unreadableTime')
        : format.time(timeOf(text));
    case 'rest':
      return translate(text, say, format);
    default:
      return text;
  }
};

/** A sentence of the gateway's in the language of the page; what it does not know as it is. */
export const translate = (text: string, say: Say, format: Format): string => {
  if (isKnownReason(text)) return say(`purchaseWords.reason.${text}`);
  for (const [sentence, key] of rules) {
    const found = sentence.exec(text);
    if (found === null) continue;
    const values = Object.entries(found.groups ?? {}).map(([name, value]): [string, string] => [
      name,
      fill(name, value, say, format),
    ]);
    return say(key, Object.fromEntries(values));
  }
  return text;
};
