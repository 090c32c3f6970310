/** Rewrites the links of Markdown files that move: what the site has, is linked where the site has it. */
import { posix } from 'node:path';

export type Placed = {
  /** Where the file lies in the repository. */
  readonly source: string;
  /** Where it lies in the site. */
  readonly page: string;
};

export type Places = {
  /** The page of a file of the repository; undefined where the site has none. */
  readonly pageOf: (source: string) => string | undefined;
};

const isElsewhere = (target: string): boolean => /^([a-z]+:|#|\/)/i.test(target);

const link = /(?<image>!?)\[(?<text>(?:[^[\]]|\[[^\]]*\])*)\]\((?<target>[^()\s]+)\)/g;

/** The parts of a text between its fenced and inline code, which is no Markdown. */
const code = /(^ *(`{3,}|~{3,})[^]*?^ *\2 *$|`[^`\n]+`)/gm;

const rewriteLinks = (text: string, { source, page }: Placed, { pageOf }: Places): string =>
  text.replaceAll(link, (whole: string, ...found: unknown[]) => {
    const groups = found.at(-1);
    const part = (name: string): string => String(Reflect.get(Object(groups), name) ?? '');
    const target = part('target');
    if (isElsewhere(target)) return whole;
    const [path = '', hash] = target.split('#');
    const goal = pageOf(posix.normalize(posix.join(posix.dirname(source), path)));
    // What only the repository has is named, not linked; its pictures are left out.
    if (goal === undefined) return part('image') === '' ? part('text') : '';
    const relative = posix.relative(posix.dirname(page), goal);
    const address = relative.startsWith('.') ? relative : `./${relative}`;
    return `${part('image')}[${part('text')}](${address}${hash === undefined ? '' : `#${hash}`})`;
  });

/** The text of a file as the site has it. */
export const moveMarkdown = (text: string, placed: Placed, places: Places): string => {
  const kept: string[] = [];
  const marked = text.replaceAll(code, (piece) => `\u0000${kept.push(piece) - 1}\u0000`);
  return rewriteLinks(marked, placed, places).replaceAll(
    // oxlint-disable-next-line no-control-regex -- The mark is one that no text has.
    /\u0000(\d+)\u0000/g,
    (_, index: string) => kept[Number(index)] ?? '',
  );
};
