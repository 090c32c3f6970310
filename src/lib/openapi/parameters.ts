/** Moves parameters that several operations repeat into the components of an OpenAPI document. */
import { isPart, mapValues, type Part, partIn } from './part.ts';

const listIn = (operation: unknown): readonly unknown[] => {
  const list = isPart(operation) ? operation['parameters'] : undefined;
  return Array.isArray(list) ? list : [];
};

/** A name for each that occurs more than once, by its JSON; those of one name are numbered. */
const nameRepeated = (paths: Part): ReadonlyMap<string, string> => {
  const all = Object.values(paths)
    .flatMap((path) => Object.values(isPart(path) ? path : {}))
    .flatMap(listIn)
    .filter(isPart);
  const taken = new Map<string, number>();
  const names = new Map<string, string>();
  for (const [key, alike] of Map.groupBy(all, (one) => JSON.stringify(one))) {
    if (alike.length === 1) continue;
    const name = String(alike[0]?.['name']);
    const number = (taken.get(name) ?? 0) + 1;
    taken.set(name, number);
    names.set(key, number === 1 ? name : `${name}_${number}`);
  }
  return names;
};

export const shareParameters = (document: Part): Part => {
  const paths = partIn(document, 'paths');
  const names = nameRepeated(paths);
  const refer = (parameter: unknown): unknown => {
    const name = names.get(JSON.stringify(parameter));
    return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
  };
  const share = (operation: unknown): unknown =>
    isPart(operation) && 'parameters' in operation
      ? { ...operation, parameters: listIn(operation).map(refer) }
      : operation;
  const parameters = Object.fromEntries([...names].map(([key, name]) => [name, JSON.parse(key)]));
  return {
    ...document,
    components: { ...partIn(document, 'components'), parameters },
    paths: mapValues(paths, (path) => (isPart(path) ? mapValues(path, share) : path)),
  };
};
