/** Runs the suppliers of a crash test: simulator servers that lose answers and refuse, each with its own book. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { simulatorProcess } from '../support/process.ts';
import { config, faults, operatorIds, type RunCommand, settings } from './world.ts';

/** Beside the operators themselves, whose server comes first. */
const furtherIds = [101, 102];

/** Each fails in its own way, so that purchases move on for every reason and in every direction. */
const refusals = [
  ['--out-of-stock', '0.1'],
  ['--out-of-funds', '0.1', '--throttled', '0.05'],
  ['--throttled', '0.1'],
] as const;

/** All routes have one priority: a draw decides which supplier comes first. */
const routesFile = (): string =>
  [
    'operator_id,supplier_id,priority',
    ...operatorIds.flatMap((operator) =>
      [operator, ...furtherIds].map((supplier) => `${operator},${supplier},1`),
    ),
    '',
  ].join('\n');

export type Suppliers = {
  readonly books: readonly string[];
  /** For every gateway and command. */
  readonly env: Readonly<Record<string, string>>;
  /** Has every operator's products ordered from any of them. */
  readonly addRoutes: (run: RunCommand) => Promise<void>;
  readonly stop: () => Promise<void>;
};

export const startSuppliers = async (folder: string, seed: number): Promise<Suppliers> => {
  const places = refusals.map((_, index) => join(folder, `supplier-${index}`));
  for (const place of places) mkdirSync(place, { recursive: true });
  const servers = await Promise.all(
    refusals.map((own, index) =>
      simulatorProcess(places[index] ?? folder, '--seed', String(seed + index), ...faults, ...own),
    ),
  );
  // Nothing that was started outlives the test.
  process.once('exit', () => {
    for (const { child } of servers) child.kill('SIGKILL');
  });
  const [first, ...others] = servers.map(({ url }) => url);
  const suppliers = Object.fromEntries(
    furtherIds.map((id, index) => [
      id,
      {
        name: `supplier_${id}`,
        connector: 'http',
        settings: { ...settings, baseUrl: `${others[index]}/operators/${id}` },
      },
    ]),
  );
  const configFile = join(folder, 'config.json');
  writeFileSync(configFile, JSON.stringify({ ...config, suppliers }));
  return {
    books: places.map((place) => join(place, 'book.jsonl')),
    env: { SIMGATE_CONFIG: configFile, OPERATOR_URL: first ?? '' },
    addRoutes: async (run) => {
      const file = join(folder, 'routes.csv');
      writeFileSync(file, routesFile());
      const { status, err } = await run('route', 'import', file);
      if (status !== 0) throw new Error(`The routes are not imported: ${err}`);
    },
    stop: async () => {
      await Promise.all(servers.map(({ stop }) => stop()));
    },
  };
};
