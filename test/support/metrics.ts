/** Reads metrics in tests: every figure of a scrape by its name and labels. */

export type Labels = Readonly<Record<string, string>>;

const keyOf = (name: string, labels: Labels): string =>
  `${name} ${JSON.stringify(Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1)))}`;

const labelsIn = (text: string): Labels =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );

export type Figures = {
  /** Undefined if the scrape does not have it. */
  readonly of: (name: string, labels?: Labels) => number | undefined;
  /** The sum over everything of that name. */
  readonly sum: (name: string) => number;
};

/** Parses a scrape; fails on an invalid line. */
export const readFigures = (text: string): Figures => {
  const all = new Map<string, number>();
  const sums = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`Not a metric: ${line}`);
    const key = keyOf(name, labelsIn(labels));
    if (all.has(key)) throw new Error(`Told twice: ${line}`);
    all.set(key, Number(value));
    sums.set(name, (sums.get(name) ?? 0) + Number(value));
  }
  return {
    of: (name, labels = {}) => all.get(keyOf(name, labels)),
    sum: (name) => sums.get(name) ?? 0,
  };
};

/** The names of all metrics that a scrape describes. */
export const metricNames = (text: string): string[] =>
  [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name);
