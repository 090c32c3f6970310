/** Names the error responses that several operations of a document share. */
import { STATUS_CODES } from '../http/node-http.ts';
import { isPart, type Part, partIn } from './part.ts';

/** The error codes of a response; none if it is not an error. */
export const codesIn = (response: unknown): readonly string[] => {
  const json = partIn(partIn(response, 'content'), 'application/json');
  const { allOf } = partIn(json, 'schema');
  const parts: readonly unknown[] = Array.isArray(allOf) ? allOf : [];
  return parts.flatMap((part) => {
    const { enum: codes } = partIn(partIn(part, 'properties'), 'code');
    return Array.isArray(codes) ? codes.map(String) : [];
  });
};

const pascal = (code: string): string =>
  code
    .split('_')
    .map((word) => word.slice(0, 1) + word.slice(1).toLowerCase())
    .join('');

type Repeated = { readonly key: string; readonly codes: readonly string[]; readonly count: number };

type Print = (response: Part) => string;

const repeatedIn = (responses: readonly Part[], print: Print): readonly Repeated[] =>
  [...Map.groupBy(responses, print)]
    .map(([key, [first, ...more]]) => ({ key, codes: codesIn(first), count: 1 + more.length }))
    .filter(({ codes, count }) => codes.length > 0 && count > 1)
    .sort((one, other) => other.count - one.count);

/** A longer name would say no more than the codes themselves. */
const mostParts = 3;

/** One code gives its name. Several are named by the status, and by what they add to its usual codes. */
const nameOf = (status: string, usual: readonly string[], codes: readonly string[]) => {
  const isMore = codes.length > 1 && usual.every((code) => codes.includes(code));
  const reason = (STATUS_CODES[status] ?? '').replaceAll(/\W/g, '');
  const added = codes.filter((code) => !isMore || !usual.includes(code)).map(pascal);
  const parts = [...(isMore ? [reason] : []), ...added];
  return parts.length > mostParts ? undefined : parts.join('Or');
};

/** The names of repeated error responses, by their JSON. */
export const nameResponses = (paths: Part, print: Print): ReadonlyMap<string, string> => {
  const all = Object.values(paths)
    .flatMap((path) => Object.values(isPart(path) ? path : {}))
    .flatMap((operation) => Object.entries(partIn(operation, 'responses')))
    .flatMap(([status, response]) => (isPart(response) ? [{ status, response }] : []));
  const named = new Map<string, Repeated>();
  for (const [status, found] of Map.groupBy(all, (one) => one.status)) {
    const repeated = repeatedIn(
      found.map(({ response }) => response),
      print,
    );
    const usual = repeated.find(({ codes }) => codes.length > 1)?.codes ?? [];
    for (const one of repeated) {
      const name = nameOf(status, usual, one.codes);
      const taken = name === undefined ? undefined : named.get(name);
      // A code can have the name of its status; several codes are then named by themselves. The same codes can
      // come with other headers; the name is that of the most frequent.
      const isOther = taken !== undefined && taken.codes.join() !== one.codes.join();
      const own = isOther ? one.codes.map(pascal).join('Or') : name;
      if (own !== undefined && !named.has(own)) named.set(own, one);
    }
  }
  return new Map([...named].map(([name, { key }]) => [key, name]));
};
