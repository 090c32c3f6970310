/** Checks pagination by the envelope's rules, implemented a second time from their text alone. */

export type Link = {
  readonly url: string | null;
  readonly label: string;
  readonly active: boolean;
};

export type Envelope = {
  readonly links: {
    readonly first: string;
    readonly last: string;
    readonly prev: string | null;
    readonly next: string | null;
  };
  readonly meta: {
    readonly current_page: number;
    readonly from: number | null;
    readonly last_page: number;
    readonly links: readonly Link[];
    readonly path: string;
    readonly per_page: number;
    readonly to: number | null;
    readonly total: number;
  };
};

type Parameter = readonly [name: string, value: string];

/** A plus sign is a space, runs of escapes are UTF-8, and a lone percent sign stands for itself. */
const decodedText = (text: string): string =>
  text
    .replaceAll('+', ' ')
    .replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
      Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
    );

/** The parameters of a raw query string, decoded, in the order in which they were sent. */
export const parametersOf = (query: string): readonly Parameter[] => {
  const parameters: Parameter[] = [];
  for (const piece of query.split('&')) {
    if (piece === '') continue;
    const cut = piece.indexOf('=');
    const name = cut < 0 ? piece : piece.slice(0, cut);
    const value = cut < 0 ? '' : piece.slice(cut + 1);
    parameters.push([decodedText(name), decodedText(value)]);
  }
  return parameters;
};

/** The value of a parameter; the last of duplicates wins. */
export const lastOf = (query: string, name: string): string | undefined =>
  parametersOf(query).findLast((parameter) => parameter[0] === name)?.[1];

/** Rule 10, without the replacement of a value that is not a positive integer. */
const positiveInteger = (text: string): number | null => {
  const digits = /^\s*\+?([1-9][0-9]*)\s*$/.exec(text)?.[1];
  if (digits === undefined) return null;
  const value = BigInt(digits);
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : null;
};

export const pageOf = (query: string): number => positiveInteger(lastOf(query, 'page') ?? '') ?? 1;

export const perPageOf = (query: string): number =>
  Math.min(positiveInteger(lastOf(query, 'per_page') ?? '') ?? 100, 100);

/** Everything but the unreserved characters of RFC 3986, byte by byte. */
const percentEncoded = (text: string): string => {
  let encoded = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const character = String.fromCharCode(byte);
    encoded += /[A-Za-z0-9\-._~]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
};

const range = (from: number, to: number): number[] => {
  const numbers: number[] = [];
  for (let n = from; n <= to; n += 1) numbers.push(n);
  return numbers;
};

/** Rule 5: the page numbers that are shown, in groups. */
const groups = (current: number, last: number): readonly (readonly number[])[] => {
  const start = [1, 2];
  const end = [last - 1, last];
  if (last < 14) return [range(1, last)];
  if (current <= 7) return [range(1, 10), end];
  if (current > last - 7) return [start, range(last - 9, last)];
  return [start, range(current - 3, current + 3), end];
};

export type Asked = {
  readonly total: number;
  readonly perPage: number;
  readonly page: number;
  readonly path: string;
  /** The request's raw query string, without its question mark. */
  readonly query?: string;
};

/** The items of a page out of all of them. */
export const itemsOf = <Item>(all: readonly Item[], perPage: number, page: number): Item[] =>
  all.filter((_, index) => Math.floor(index / perPage) + 1 === page);

/** What the envelope says about a page. */
export const envelopeOf = (asked: Asked): Envelope => {
  const { total, perPage, page: current, path, query = '' } = asked;
  const last = total === 0 ? 1 : Math.ceil(total / perPage);
  const kept = parametersOf(query)
    .filter(([name]) => name !== 'page')
    .map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}&`)
    .join('');
  const url = (n: number): string => `${path}?${kept}page=${n}`;
  const prev = current > 1 ? url(current - 1) : null;
  const next = current < last ? url(current + 1) : null;
  const before = (current - 1) * perPage;
  const filled = before < total;

  const links: Link[] = [{ url: prev, label: '&laquo; Previous', active: false }];
  groups(current, last).forEach((group, index) => {
    if (index > 0) links.push({ url: null, label: '...', active: false });
    for (const n of group) links.push({ url: url(n), label: `${n}`, active: n === current });
  });
  links.push({ url: next, label: 'Next &raquo;', active: false });

  return {
    links: { first: url(1), last: url(last), prev, next },
    meta: {
      current_page: current,
      from: filled ? before + 1 : null,
      last_page: last,
      links,
      path,
      per_page: perPage,
      to: filled ? Math.min(before + perPage, total) : null,
      total,
    },
  };
};

/** The envelope's text in a response, between `data` and `balance`. */
export const envelopeText = (asked: Asked): string => {
  const { links, meta } = envelopeOf(asked);
  return `"links":${JSON.stringify(links)},"meta":${JSON.stringify(meta)}`;
};
