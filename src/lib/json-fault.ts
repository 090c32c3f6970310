/** Finds where a text stops being JSON, because the parser's own error does not always say. Pure. */

const space = /[ \t\n\r]*/y;
const token =
  /[{}[\]:,]|"(?:[^"\\\n\r\t]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** What may come next. */
type Next = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'end of value';

const closes: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
};

/** What may come after a token; undefined where the token itself may not be there. */
const follow = (next: Next, found: string, open: string[]): Next | undefined => {
  const [first = ''] = found;
  const inside = closes[open.at(-1) ?? ''];
  const mayClose = next === 'end of value' || next.startsWith('first ');
  if (first === inside && mayClose) {
    open.pop();
    return 'end of value';
  }
  if (next === 'colon') return first === ':' ? 'value' : undefined;
  if (next === 'end of value') {
    if (first !== ',' || inside === undefined) return undefined;
    return inside === '}' ? 'key' : 'value';
  }
  if (next.endsWith('key')) return first === '"' ? 'colon' : undefined;
  if (first === '{' || first === '[') {
    open.push(first);
    return first === '{' ? 'first key' : 'first value';
  }
  return '}]:,'.includes(first) ? undefined : 'end of value';
};

/** The place of the first fault, counted from 0; undefined where none is found. */
export const jsonFault = (text: string): number | undefined => {
  const open: string[] = [];
  let next: Next = 'value';
  let at = 0;
  for (;;) {
    at += matchAt(space, text, at)?.length ?? 0;
    const isOver = next === 'end of value' && open.length === 0;
    if (at === text.length) return isOver ? undefined : at;
    const found = matchAt(token, text, at);
    const after: Next | undefined = found === undefined ? undefined : follow(next, found, open);
    if (found === undefined || after === undefined) return at;
    next = after;
    at += found.length;
  }
};
