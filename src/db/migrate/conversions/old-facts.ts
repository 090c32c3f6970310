/** Reads sentences that earlier versions recorded about purchases, and gives the code and values of each. Pure. */

/** Not the program's own type: a migration stays as it was written. */
export type OldFact = { readonly code: string; readonly values: Readonly<Record<string, unknown>> };

/** The values of a fact, from the groups of its sentence. */
type ReadValues = (groups: Readonly<Record<string, string | undefined>>) => OldFact['values'];

type Rule = readonly [sentence: RegExp, code: string, values?: ReadValues];

const none: ReadValues = () => ({});

// The last moment that a date can hold.
const lastDate = 8.64e15;

const timeIn = (text: string | undefined): number | null => {
  const at = Math.round(Number(text));
  return at >= 0 && at <= lastDate ? at : null;
};

const dated: ReadValues = ({ at }) => ({ at: timeIn(at) });
const because: ReadValues = ({ why = '' }) => ({ reason: why });
const numbered =
  (name: string): ReadValues =>
  ({ n }) => ({ [name]: Number(n) });
const ofOperator: ReadValues = ({ n }) => ({ operator: n === 'null' ? null : Number(n) });
const decided: ReadValues = ({ who, forced, why }) => ({
  by: who,
  reason: why,
  forced: forced !== undefined,
});

const answers: readonly Rule[] = [
  [/^done$/, 'answered_delivered'],
  [/^refused$/, 'answered_refused'],
  [/^reversed$/, 'answered_reversed'],
  [/^the operator says that it is pending$/, 'answered_pending'],
  [/^the operator knows no such order$/, 'not_found'],
  [/^the operator knows no such order, which is no proof yet$/, 'not_found_yet'],
  [
    /^the operator knows no such order: submitted again, attempt (?<n>\d+)$/,
    'ordered_again',
    numbered('attempt'),
  ],
  [
    /^operator (?<n>\d+|null) cannot be asked from any running instance$/,
    'operator_unreachable',
    ofOperator,
  ],
  [/^operator (?<n>\d+|null) is not configured any more$/, 'operator_removed', ofOperator],
];

const unknowns: readonly Rule[] = [
  [/^no answer within (?<n>\d+) ms$/, 'no_answer_within', numbered('ms')],
  [
    /^the connection failed: (?<name>[\w.-]{1,100})$/,
    'connection_failed',
    ({ name }) => ({ name }),
  ],
  [
    /^the operator answered HTTP (?<status>\d{3}), (?<type>.{1,200}), which is not on the list$/,
    'answer_unlisted',
    ({ status, type }) => ({ status: Number(status), contentType: type === 'no type' ? '' : type }),
  ],
  [/^the operator took the order: pending$/, 'order_pending'],
  [/^it has no settings that can be used$/, 'settings_unusable'],
];

const reports: readonly Rule[] = [
  [/^the operator reports it delivered at (?<at>.+)$/, 'reported_delivered', dated],
  [/^the operator reports it reversed at (?<at>.+)$/, 'reported_reversed', dated],
];

const lateAnswers: readonly Rule[] = [
  [/^the operator answered late: delivered$/, 'late_delivered'],
  [/^the operator answered late: refused \((?<why>.*)\)$/s, 'late_refused', because],
];

const testimonies: readonly Rule[] = [
  [/^the operator says: delivered$/, 'said_delivered'],
  [/^the operator says: taken back at (?<at>.+)$/, 'said_reversed', dated],
  [/^the operator says: no such order$/, 'said_not_found'],
  [/^the operator says: refused \((?<why>.*)\)$/s, 'said_refused', because],
];

const decisions: readonly Rule[] = [
  [
    /^(?:marked as delivered by|succeeded, decided by) (?<who>.+?)(?<forced> against the evidence)?: (?<why>.+)$/s,
    'marked_delivered',
    decided,
  ],
  [
    /^(?:marked as not delivered by|failed, decided by) (?<who>.+?)(?<forced> against the evidence)?: (?<why>.+)$/s,
    'marked_not_delivered',
    decided,
  ],
];

const reversals: readonly Rule[] = [
  [/^the operator took it back at (?<at>.+)$/, 'reversed', dated],
];

/** Only the sentences of that kind: other kinds hold an operator's own words. */
const byKind: ReadonlyMap<string, readonly Rule[]> = new Map([
  ['order', unknowns],
  ['inquiry', [...answers, ...unknowns]],
  ['report', reports],
  ['late answer', lateAnswers],
  ['testimony', testimonies],
  ['contradiction', [...reports, ...lateAnswers]],
  ['reversal', reversals],
  ['decision', decisions],
  ['dispute closed', decisions],
]);

const asText = (text: string): OldFact => ({ code: 'text', values: { text } });

const findFact = (rules: readonly Rule[], text: string): OldFact | undefined => {
  for (const [sentence, code, values = none] of rules) {
    const found = sentence.exec(text);
    if (found !== null) return { code, values: values(found.groups ?? {}) };
  }
  return undefined;
};

const contradiction = 'recorded as failed, and ';

/** The fact of a note; an unknown one keeps its text. */
export const factOfNote = (kind: string, text: string): OldFact => {
  const said =
    kind === 'contradiction' && text.startsWith(contradiction)
      ? text.slice(contradiction.length)
      : text;
  return findFact(byKind.get(kind) ?? [], said) ?? asText(text);
};

export const factOfDispute = (text: string): OldFact => factOfNote('contradiction', text);

/** The reason of an open purchase: its last fact, or that it was given up after it. */
export const factOfReason = (text: string): OldFact => {
  const [, inquiries, last] = /^not known after (\d+) inquiries: (.*)$/s.exec(text) ?? [];
  if (inquiries !== undefined && last !== undefined) {
    const values = { inquiries: Number(inquiries), last: factOfNote('inquiry', last) };
    return { code: 'unresolved', values };
  }
  const learnt = [...answers, ...unknowns, ...reports, ...lateAnswers, ...testimonies];
  const fact = findFact(learnt, text);
  // Clients read it: if the time would be worded differently, the text stays.
  const isReworded = fact?.values['at'] === null && !text.endsWith('a time that cannot be read');
  return fact === undefined || isReworded ? asText(text) : fact;
};

const restores: readonly Rule[] = [
  [/^not asked yet$/, 'not_asked_yet'],
  [/^it cannot report what it delivered$/, 'cannot_report'],
  [/^it is not configured any more$/, 'not_configured'],
  [/^it does not declare when its reports are complete$/, 'completeness_not_declared'],
  [/^its reports did not end within ten minutes of reading$/, 'reading_too_long'],
  [/^its reports are being read$/, 'reading'],
  [
    /^it gave no answer \((?<why>.*)\); asked again$/s,
    'no_answer',
    ({ why = '' }) => ({ last: findFact(unknowns, why) ?? asText(why) }),
  ],
  [/^it was not asked to the end$/, 'interrupted'],
  [/^it has told all that it delivered$/, 'complete'],
];

/** The result of asking an operator about a restore. */
export const factOfRestore = (text: string): OldFact => findFact(restores, text) ?? asText(text);
