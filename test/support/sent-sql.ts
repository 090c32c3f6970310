/** Captures the text of every statement as it goes to the database's own driver. */
import { StatementSync } from 'node:sqlite';
import pg from 'pg';
import { renewConnections } from './database.ts';

type Method = { readonly owner: object; readonly name: string; readonly text: TextOf };
type TextOf = (self: object, given: readonly unknown[]) => unknown;

const sqliteText: TextOf = (self) => Reflect.get(self, 'sourceSQL');

/** A prepared statement comes with its name and values, others as a text. */
const postgresText: TextOf = (_self, [asked]) =>
  typeof asked === 'object' && asked !== null ? Reflect.get(asked, 'text') : asked;

const methods: readonly Method[] = [
  { owner: StatementSync.prototype, name: 'run', text: sqliteText },
  { owner: StatementSync.prototype, name: 'all', text: sqliteText },
  { owner: pg.Client.prototype, name: 'query', text: postgresText },
];

const watch = ({ owner, name, text }: Method, hear: (text: string) => void): (() => void) => {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== 'function') throw new Error(`There is no ${name} to hear.`);
  const watched = function watched(this: object, ...given: unknown[]): unknown {
    const sent = text(this, given);
    if (typeof sent === 'string') hear(sent);
    return Reflect.apply(original, this, given);
  };
  Reflect.set(owner, name, watched);
  return () => void Reflect.set(owner, name, original);
};

/** Captures until the returned function is called. On PostgreSQL only connections opened during that time. */
export const hearStatements = async (
  hear: (text: string) => void,
): Promise<() => Promise<void>> => {
  const ends = methods.map((method) => watch(method, hear));
  await renewConnections();
  return async () => {
    for (const end of ends) end();
    await renewConnections();
  };
};

const clause =
  /^ (?:from|where|(?:left|inner) join|values|returning|on conflict|order by|group by|set|limit|for (?:no key )?update|update|insert into|following_\d+ as)\b/;

// After these a keyword does not start a clause: `extract(epoch from …)`, `do update`, `for update`.
const unbroken = /\b(?:epoch|do|for)$/;

const widest = 100;

/** A statement in readable lines: broken before clauses and in long lists. Only white space changes. */
export const readable = (text: string): string => {
  const plain = text.replace(/\s+/g, ' ').trim();
  let [made, line, depth, isQuoted] = ['', '', 0, false];
  const breakLine = (further: number): void => {
    made += `${line.trimEnd()}\n`;
    line = '  '.repeat(depth + further);
  };
  for (const [index, character] of plain.split('').entries()) {
    if (character === "'") isQuoted = !isQuoted;
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    const isSpace = character === ' ' && !isQuoted;
    const isLong = line.length >= widest && /(?:,|\band|\bor)$/.test(line);
    const rest = plain.slice(index);
    const isClause = clause.test(rest) || (line.endsWith(')') && rest.startsWith(' select '));
    if (isSpace && isClause && !unbroken.test(line)) breakLine(1);
    else if (isSpace && isLong) breakLine(2);
    else line += character;
  }
  return made + line;
};
