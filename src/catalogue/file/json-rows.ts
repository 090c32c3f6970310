/** Splits a JSON array into its elements, each with its line number. */
import { endOfText, findJsonFault, skipSpace } from '../../lib/json/fault.ts';
import type { Text } from '../../lib/text.ts';
import {
  type FileProblem,
  type FileRow,
  type FileRows,
  lineFinder,
  mostDepth,
  withoutBom,
} from './lines.ts';
import { fileTexts, jsonTexts } from './texts.ts';

// More than a person would fix manually.
const mostProblems = 10_000;

/** Takes a problem at a position of the text. */
type Problem = ((at: number, message: Text) => void) & { readonly isFull: () => boolean };

/**
 * The end of the object or array at `from`, or undefined if it is nested too deeply. A closing bracket also
 * closes anything left open inside its own pair, and an unmatched one is skipped, so that one mistake costs
 * one element.
 */
const endOfNested = (text: string, from: number): number | undefined => {
  const open: string[] = [];
  let at = from;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '"') {
      at = endOfText(text, at);
      continue;
    }
    at += 1;
    if (char === '{' || char === '[') open.push(char);
    if (open.length > mostDepth) return undefined;
    if (char !== '}' && char !== ']') continue;
    const pair = open.lastIndexOf(char === '}' ? '{' : '[');
    if (pair === 0) return at;
    if (pair > 0) open.length = pair;
  }
  return text.length;
};

const endOfElement = (text: string, from: number): number | undefined => {
  const char = text.charAt(from);
  if (char === '"') return endOfText(text, from);
  if (char === '{' || char === '[') return endOfNested(text, from);
  const rest = /[\s"{}[\],:]/g;
  rest.lastIndex = from + 1;
  return rest.exec(text)?.index ?? text.length;
};

type Element =
  | { readonly end: number; readonly value: unknown }
  | { readonly end: number; readonly at: number; readonly message: Text };

const readElement = (text: string, from: number): Element => {
  const end = endOfElement(text, from);
  if (end === undefined)
    return { end: text.length, at: from, message: jsonTexts.tooDeep(mostDepth) };
  const element = text.slice(from, end);
  try {
    return { end, value: JSON.parse(element) };
  } catch {
    const fault = findJsonFault(element) ?? { at: 0, message: jsonTexts.notJson };
    const at = from + fault.at;
    // An object where a name should be is the next element, after one that was never closed.
    const resume = end === text.length && text.charAt(at) === '{' && at > from ? at : end;
    return { end: resume, at, message: fault.message };
  }
};

/** Reads the elements after the opening bracket; returns the end of the array, if it has one. */
const readElements = (
  text: string,
  from: number,
  found: (at: number, value: unknown) => void,
  problem: Problem,
): number | undefined => {
  let at = skipSpace(text, from);
  let comma: number | undefined;
  let broken = false;
  while (at < text.length && !problem.isFull()) {
    const char = text.charAt(at);
    if (char === ']') {
      if (comma !== undefined) problem(comma, jsonTexts.lastComma);
      return at + 1;
    }
    if (char === ',') {
      problem(at, jsonTexts.strayComma);
      at = skipSpace(text, at + 1);
      continue;
    }
    const element = readElement(text, at);
    broken = 'message' in element;
    if ('message' in element) problem(element.at, element.message);
    else found(at, element.value);
    at = skipSpace(text, element.end);
    const next = text.charAt(at);
    comma = next === ',' ? at : undefined;
    if (comma !== undefined) at = skipSpace(text, at + 1);
    else if (!broken && !['', ']', '}', ':'].includes(next)) {
      problem(at, jsonTexts.missingComma);
    }
  }
  if (!broken && !problem.isFull()) problem(text.trimEnd().length, jsonTexts.notClosed);
  return undefined;
};

/** Splits a file; an error in an element is a problem, and the others are still read. */
export const readJsonRows = (source: string): FileRows => {
  const text = withoutBom(source);
  const rows: FileRow[] = [];
  const problems: FileProblem[] = [];
  const lineAt = lineFinder(text);
  const note = (at: number, message: Text): void => {
    problems.push({ line: lineAt(at), message });
  };
  const problem: Problem = Object.assign(note, {
    isFull: () => problems.length >= mostProblems,
  });
  const from = skipSpace(text, 0);
  if (from === text.length) {
    problem(0, fileTexts.empty);
  } else if (text.charAt(from) !== '[') {
    problem(from, jsonTexts.notArray);
  } else {
    const found = (at: number, value: unknown): void => {
      rows.push({ line: lineAt(at), value });
    };
    const end = readElements(text, from + 1, found, problem);
    if (problem.isFull()) problem(text.length, jsonTexts.tooMany(mostProblems));
    const rest = end === undefined ? text.length : skipSpace(text, end);
    if (rest < text.length) problem(rest, jsonTexts.afterEnd);
  }
  return { rows, problems };
};
