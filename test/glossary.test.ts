/** Checks names, texts, comments and test titles against the words that the glossary retires. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path/posix';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Retired in names, with the word that replaces each. */
const retiredInNames: ReadonlyMap<string, string> = new Map([
  ['wish', 'request'],
  ['verdict', 'decision'],
  ['course', 'progress'],
  ['means', 'context'],
  ['telling', 'notify'],
  ['tell', 'notify'],
  ['told', 'messages'],
  ['news', 'events'],
  ['noted', 'what is recorded'],
  ['deed', 'action'],
  ['deeds', 'actions'],
  ['sought', 'filters'],
  ['desk', 'worker'],
  ['hide', 'mask'],
  ['hidden', 'masked'],
  ['entrance', 'guard'],
  ['tries', 'attempts'],
  ['pace', 'rate'],
  ['ears', 'onError'],
  ['drive', 'order runner'],
  ['driving', 'order runner'],
  ['straight', 'raw socket'],
  ['heart', 'heartbeat'],
  ['mishap', 'fault'],
  ['mishaps', 'faults'],
  ['patiently', 'retry'],
  ['patient', 'retry'],
  ['anew', 'again'],
  ['whoever', 'the person or program that is meant'],
  ['nobody', 'none'],
  ['somebody', 'the person or program that is meant'],
]);

/** Retired in names as neighbours: each word alone is a good one. */
const retiredPairs: ReadonlyMap<string, string> = new Map([
  ['short way', 'fast path'],
  ['long way', 'framework'],
  ['plain request', 'fast request'],
]);

/** Retired in texts that people read. */
const retiredInTexts: ReadonlyMap<string, string> = new Map([
  ['whoever', 'who'],
  ['nobody', 'no one, or name the role'],
  ['somebody', 'name the role'],
  ['anybody', 'name the role'],
  ['anew', 'again'],
  ['is told', 'is notified, is sent'],
  ['are told', 'are notified, are sent'],
  ['be told', 'receive'],
  ['needs a person', 'needs review'],
  ['need a person', 'need review'],
  ['taken back', 'reversed'],
  ['paid from what was held', 'charged'],
  ['95 of 100 within', 'p95'],
  ['half within', 'p50'],
  ['short way', 'fast path'],
  ['long way', 'framework'],
  ['straight way', 'raw socket'],
]);

/** Retired in comments, test titles and messages of tests, besides the words above. */
const retiredInCode: ReadonlyMap<string, string> = new Map([
  ...retiredInTexts,
  ['everybody', 'all, or name the role'],
  ['was told', 'was notified, was sent'],
  ['were told', 'were notified, were sent'],
  ['waits for a person', 'needs review'],
  ['wait for a person', 'need review'],
  ['takes back', 'reverses'],
  ['took back', 'reversed'],
  ['winds', 'advances'],
  ['under way', 'in flight, in progress'],
  ['for ever', 'forever'],
  ['rightly', 'correctly'],
]);

/** Names that use a retired word in another sense, or that the contract, a package or the platform gives. */
const allowedNames: ReadonlySet<string> = new Set([]);

/**
 * Texts with a retired word that stay: what the client API answers keeps its bytes, and data is data.
 */
const allowedTexts: readonly { readonly file: string; readonly part: string }[] = [
  { file: 'src/purchases/facts/words.ts', part: 'taken back' },
  { file: 'src/admin/access/passwords/common.ts', part: 'password' },
  { file: 'src/admin/access/passwords/common.ts', part: 'james john' },
];

/**
 * Code with retired words that stay: sentences that earlier versions recorded, and the list of retired words.
 */
const allowedCode: ReadonlySet<string> = new Set([
  'src/db/migrate/conversions/old-facts.test.ts',
  'src/purchases/facts/upgrade.test.ts',
  'test/docs-language.test.ts',
]);

const isAllowed = (file: string, text: string): boolean =>
  allowedTexts.some((one) => one.file === file && text.includes(one.part));

const root = fileURLToPath(new URL('../', import.meta.url));

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '');

const folders = [
  'src/',
  'test/',
  'bench/',
  'console/src/',
  'sdk/',
  'scripts/',
  'bin/',
  'examples/',
];
const isCode = (file: string): boolean =>
  folders.some((folder) => file.startsWith(folder)) && /\.(?:ts|tsx|js)$/.test(file);
// It quotes the words.
const self = 'test/glossary.test.ts';
const codeFiles = tracked.filter((file) => isCode(file) && file !== self);

/** `createShortWay` and `short-way.ts` alike give `create short way`. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase());

const breachOfName = (name: string): string | undefined => {
  if (allowedNames.has(name)) return undefined;
  const words = wordsOf(name);
  const found =
    words.find((word) => retiredInNames.has(word)) ??
    [...retiredPairs.keys()].find((pair) => ` ${words.join(' ')} `.includes(` ${pair} `));
  if (found === undefined) return undefined;
  return `${name}: instead of "${found}" use "${retiredInNames.get(found) ?? retiredPairs.get(found)}"`;
};

const read = (file: string): string => readFileSync(`${root}${file}`, 'utf8');

const exportForms =
  /^export (?:declare )?(?:async )?(?:const|let|function|class|type|interface|enum) ([A-Za-z0-9_$]+)/gm;

const exportsOf = (text: string): readonly string[] =>
  [...text.matchAll(exportForms)].map(([, name = '']) => name);

const comments = /\/\*[^]*?\*\/|(?<=^|\s)\/\/[^\n]*/g;
const quoted = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[^])*`/g;

/** Quoted texts of several words: one word alone is a name or a code. */
const textsOf = (code: string): readonly string[] =>
  [...code.replaceAll(comments, ' ').matchAll(quoted)]
    .map(([text]) => text)
    .filter((text) => /[a-z] [a-z]/i.test(text));

const commentsOf = (code: string): readonly string[] =>
  [...code.matchAll(comments)].map(([comment]) => comment);

const breachIn = (text: string, retired: ReadonlyMap<string, string>): string | undefined => {
  const plain = ` ${text.toLowerCase().replaceAll(/[^a-z0-9]+/g, ' ')} `;
  const found = [...retired.keys()].find((phrase) => plain.includes(` ${phrase} `));
  if (found === undefined) return undefined;
  return `instead of "${found}" write "${retired.get(found)}": ${text.slice(0, 120)}`;
};

const breachOfText = (text: string): string | undefined => breachIn(text, retiredInTexts);
const breachOfCode = (text: string): string | undefined => breachIn(text, retiredInCode);

// As in test/docs-language.test.ts.
const mostWords = 30;

const statement =
  /^.\s*(?:select|insert|update|delete|with|create|alter|pragma|explain) |\bwhere [\w.]+ [=<>]/i;

/** Between the parts of one text. */
const joins = /'\s*\+\s*'|`\s*\+\s*`/g;

const wordsIn = (sentence: string): readonly string[] =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

/** Sentences that are too long. A statement for the database is none, and code in backticks is one word. */
const longSentencesIn = (text: string): readonly string[] =>
  statement.test(text)
    ? []
    : text
        .slice(1, -1)
        .replaceAll(/\\?`[^`]+`/g, 'code')
        .split(/(?<=[.!?؟…]["”»*)]*)\s+|\n\s*\n|\\n/)
        .filter((sentence) => wordsIn(sentence).length > mostWords)
        .map((sentence) => `more than ${mostWords} words: ${sentence}`);

const persian = /[\u0600-\u06ff]/;
const doubledPersian = /(?<![\p{L}\u200c])(\p{L}{2,}) \1(?![\p{L}\u200c])/u;

/** Letters of the Arabic keyboard, which look like Persian ones and are not found by a search, and doubled words. */
const breachOfPersian = (text: string): string | undefined => {
  if (!persian.test(text)) return undefined;
  if (/[\u064a\u0643]/.test(text)) return `instead of ي and ك write ی and ک: ${text}`;
  const doubled = doubledPersian.exec(text)?.[0];
  return doubled === undefined ? undefined : `doubled: ${doubled} in ${text}`;
};

const shownCode = codeFiles.filter(
  (file) =>
    !file.includes('.test.') &&
    ['src/', 'console/src/', 'sdk/src/', 'bin/'].some((folder) => file.startsWith(folder)),
);
const unshownCode = codeFiles.filter((file) => !shownCode.includes(file));
const shownPages = tracked.filter(
  (file) => file.endsWith('.md') && file !== 'CHANGELOG.md' && !file.startsWith('docs/adr/'),
);

const inFile = (file: string, breaches: readonly (string | undefined)[]): readonly string[] =>
  breaches.filter((breach) => breach !== undefined).map((breach) => `${file}: ${breach}`);

describe('The glossary', () => {
  test('retires no word that a file is named by', () => {
    const breaches = codeFiles.flatMap((file) => inFile(file, [breachOfName(basename(file))]));
    assert.deepEqual(breaches, []);
  });

  test('retires no word that an exported identifier is named by', () => {
    const breaches = codeFiles.flatMap((file) =>
      inFile(file, exportsOf(read(file)).map(breachOfName)),
    );
    assert.deepEqual(breaches, []);
  });

  test('retires no word in a text that people are shown', () => {
    const breaches = shownCode.flatMap((file) =>
      inFile(
        file,
        textsOf(read(file))
          .filter((text) => !isAllowed(file, text))
          .map(breachOfText),
      ),
    );
    assert.deepEqual(breaches, []);
  });

  test('retires no word in a comment', () => {
    const breaches = codeFiles.flatMap((file) =>
      inFile(file, commentsOf(read(file)).map(breachOfCode)),
    );
    assert.deepEqual(breaches, []);
  });

  test('retires no word in a title or message of a test, a bench or a script', () => {
    const breaches = unshownCode
      .filter((file) => !allowedCode.has(file))
      .flatMap((file) => inFile(file, textsOf(read(file)).map(breachOfCode)));
    assert.deepEqual(breaches, []);
  });

  test('has no sentence of more than 30 words in a text that people are shown', () => {
    const breaches = shownCode.flatMap((file) =>
      inFile(
        file,
        textsOf(read(file).replaceAll(joins, ''))
          .filter((text) => !isAllowed(file, text))
          .flatMap(longSentencesIn),
      ),
    );
    assert.deepEqual(breaches, []);
  });

  test('has no doubled word and no Arabic letter in a Persian text', () => {
    const breaches = [...shownCode, ...shownPages].flatMap((file) =>
      inFile(file, read(file).split('\n').map(breachOfPersian)),
    );
    assert.deepEqual(breaches, []);
  });

  test('retires no word in a page of the documentation', () => {
    const breaches = shownPages.flatMap((file) =>
      inFile(
        file,
        read(file)
          .split(/\n(?=\n|[-|#])/)
          .map(breachOfText),
      ),
    );
    assert.deepEqual(breaches, []);
  });

  test('finds a retired word in each kind of text', () => {
    assert.match(breachOfName('short-way.ts') ?? '', /fast path/);
    assert.match(breachOfName('createWish') ?? '', /request/);
    assert.equal(breachOfName('findByKey'), undefined);
    const [text = ''] = textsOf(`throw new Error('The money was\\n taken back.'); // nobody`);
    assert.match(breachOfText(text) ?? '', /reversed/);
    const code = "/** Whoever waits\n * for ever. */\ntest('it is under way', () => {}); // nobody";
    assert.deepEqual(commentsOf(code), ['/** Whoever waits\n * for ever. */', '// nobody']);
    assert.match(breachOfCode(commentsOf(code)[0] ?? '') ?? '', /whoever/);
    assert.match(breachOfCode(textsOf(code)[0] ?? '') ?? '', /in flight/);
    assert.equal(breachOfCode('The purchase needs review.'), undefined);
    assert.equal(longSentencesIn(`'${'word '.repeat(mostWords + 1)}'`).length, 1);
    assert.equal(longSentencesIn(`'${'word '.repeat(20)}. ${'word '.repeat(20)}'`).length, 0);
    assert.match(breachOfPersian('كاتالوگ') ?? '', /ک/);
    assert.match(breachOfPersian('این را را بخوانید') ?? '', /را را/);
    assert.equal(breachOfPersian('دارا را'), undefined);
    assert.deepEqual(exportsOf('export const a = 1;\nexport type Wish = {};'), ['a', 'Wish']);
  });
});
