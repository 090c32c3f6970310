/**
 * Checks the language of the documentation: the length of sentences, retired words, doubled words and common
 * misspellings. There is no dictionary among the packages, so other misspellings go unnoticed.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

// We write at most 25; the rest is room for names that count as several words.
const mostWords = 30;

const exempt =
  /^(?:CHANGELOG\.md|THIRD-PARTY-NOTICES\.md|docs\/adr\/|docs\/statements\/|\.github\/)/;

const pages = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !exempt.test(file));

const read = (page: string): string => readFileSync(`${root}${page}`, 'utf8');

const fences = /^ *(```|~~~)[^]*?^ *\1 *$/gm;

/**
 * The text without code, comments, addresses and generated parts, whose words are checked at their source.
 * Code in backticks counts as one word.
 */
const prose = (markdown: string): string =>
  markdown
    .replace(/^---\n[^]*?\n---\n/, '')
    .replaceAll(fences, '\n\n')
    .replaceAll(/<!-- generated[^]*?<!-- end -->/g, '\n')
    .replaceAll(/<!--[^]*?-->/g, '\n')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`[^`\n]+`/g, 'code');

/** Paragraphs, items, headings and the cells of tables. */
const blocksOf = (markdown: string): readonly string[] =>
  prose(markdown)
    .split(/\n\s*\n|\n(?=\s*(?:[-*] |\d+\. |\||#))/)
    .flatMap((block) => (block.trim().startsWith('|') ? block.split('|') : [block]))
    .map((block) => block.replaceAll(/\s+/g, ' ').trim());

const sentencesOf = (markdown: string): readonly string[] =>
  blocksOf(markdown).flatMap((block) => block.split(/(?<=[.!?؟…]["”»*)]*) +/));

const wordsOf = (sentence: string): readonly string[] =>
  sentence.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word));

const longIn = (markdown: string): readonly string[] =>
  sentencesOf(markdown).filter((sentence) => wordsOf(sentence).length > mostWords);

/** Retired on pages, besides the words that test/glossary.test.ts retires everywhere. */
const retired: ReadonlyMap<string, string> = new Map([
  ['under way', 'in progress'],
  ['by turns', 'in turns'],
  ['befall', 'happen to'],
  ['befalls', 'happens to'],
  ['mend', 'fix'],
  ['amid', 'during'],
  ['taken over from', 'continued'],
  ['money back', 'money released'],
  ['gives the money back', 'releases the money'],
  ['by hand in review', 'in review'],
  ['whole number of a subscriber', 'unmasked number'],
  ['say so much', 'say'],
  ['the wish', 'the request'],
  ['waits for a person', 'needs review'],
  ['wait for a person', 'need review'],
  ['as the contract has it', 'as the API defines it'],
  ['the contract', 'the client API'],
]);

const plainOf = (block: string): string =>
  ` ${block.toLowerCase().replaceAll(/[^\p{L}\p{N}']+/gu, ' ')} `;

const retiredIn = (markdown: string): readonly string[] =>
  blocksOf(markdown).flatMap((block) => {
    const plain = plainOf(block);
    return [...retired]
      .filter(([words]) => plain.includes(` ${words} `))
      .map(
        ([words, instead]) => `instead of "${words}" write "${instead}": ${block.slice(0, 100)}`,
      );
  });

/** The most frequent ones. */
const misspellings: ReadonlySet<string> = new Set(
  (
    'accomodate acknowlege acheive adress agressive alot apparant arguement asyncronous availible ' +
    'begining beleive calender cancelation catagory colum commited comparision compatability ' +
    'concensus concurency consistant containes convienient correspondance dependancy delimeter ' +
    'diffrent dissapear doesnt dont embarass enviroment equivalant excede existance explaination ' +
    'explicitely failiure feild finaly foward freqently garantee guarentee happend heirarchy ' +
    'idempotancy immediatly implemention independant indentifier infomation initalize instaled ' +
    'interupt lenght liason libary maintainance managment milisecond neccessary occassion occured ' +
    'occurence ocurred paralel paramater performace permision persistant posession preceeding ' +
    'prefered privilige proccess programatically publically reccomend recieve recieved refered ' +
    'reciept reponse responce resouce retreive seperate seperately sucess succesful sucessful ' +
    'supress syncronous teh thier tommorow transfered truely unkown untill usefull useage ' +
    'verson wether wich writting'
  ).split(' '),
);

const doubled = /\b(\p{L}{2,}) \1\b/giu;

const spellingIn = (markdown: string): readonly string[] =>
  blocksOf(markdown).flatMap((block) => [
    ...plainOf(block)
      .split(' ')
      .filter((word) => misspellings.has(word))
      .map((word) => `misspelled: ${word}`),
    // Codes may be adjacent.
    ...[...block.matchAll(doubled)]
      .filter(([, word]) => word !== 'code')
      .map(([words]) => `doubled: ${words} in ${block.slice(0, 100)}`),
  ]);

describe('The documentation', () => {
  for (const page of pages) {
    const text = read(page);
    test(`${page} has short sentences, no retired words and no misspelling`, () => {
      assert.deepEqual([...longIn(text), ...retiredIn(text), ...spellingIn(text)], []);
    });
  }

  test('detects a long sentence, a retired word, a doubled word and a misspelling', () => {
    const long = `${'word '.repeat(mostWords + 1)}end.`;
    assert.equal(longIn(`# Title\n\n${long}`).length, 1);
    assert.equal(longIn(`| ${'word '.repeat(20)} | ${'word '.repeat(20)} |`).length, 0);
    assert.equal(longIn(`\`\`\`text\n${long}\n\`\`\``).length, 0);
    assert.match(retiredIn('It is under way.')[0] ?? '', /in progress/);
    assert.match(spellingIn('Send the the key.')[0] ?? '', /doubled: the the/);
    assert.match(spellingIn('You will recieve it.')[0] ?? '', /recieve/);
    assert.deepEqual(spellingIn('`a` `a`, 5 5'), []);
  });
});
