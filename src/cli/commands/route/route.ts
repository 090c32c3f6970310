/** Defines the commands that list, set and remove routes. */
import { removeRoute, setRoute } from '../../../admin/routing/actions.ts';
import type { FileProblem } from '../../../catalogue/file/lines.ts';
import { lockVersion } from '../../../db/changes/versions.ts';
import type { Db } from '../../../db/types.ts';
import { UsageError } from '../../../lib/errors.ts';
import { printTerms, type RouteCell, readTerms } from '../../../routing/csv.ts';
import type { RouteTerms } from '../../../routing/route.ts';
import { listRoutes, listRouteVersions } from '../../../routing/store.ts';
import { byOption } from '../../audited.ts';
import {
  type Arguments,
  type Command,
  InvalidUsage,
  iso,
  isoOrNull,
  operand,
  type Result,
  table,
  textOption,
  withDatabase,
} from '../../definition.ts';
import { columns, dataOf, readId, rowOf, runOnRoutes, supplierNames } from './rows.ts';

const historyOf = async (db: Db, id: number): Promise<Result> => {
  const versions = await listRouteVersions(db, id);
  if (versions.length === 0) throw new UsageError(`There was never a route ${id}.`);
  const suppliers = await supplierNames(db);
  const rows = versions.map((route) => ({
    ...rowOf(route, suppliers),
    from: iso(route.createdAt),
    until: isoOrNull(route.closedAt),
  }));
  return {
    data: versions.map((route) => ({
      ...dataOf(route),
      version: route.version,
      created_at: iso(route.createdAt),
      closed_at: isoOrNull(route.closedAt),
    })),
    text: table({ FROM: 'from', UNTIL: 'until', ...columns }, rows),
  };
};

export const routeList: Command = {
  name: 'route list',
  summary: 'List the routes in force, or every version of one.',
  options: { history: { value: 'ID', about: 'Every version of this route, the latest first.' } },
  run: async (args) => {
    const history = textOption(args, 'history');
    if (history !== undefined) {
      const id = readId(history, '--history');
      return withDatabase(({ db }) => historyOf(db, id));
    }
    const { routes, suppliers } = await withDatabase(async ({ db }) => ({
      routes: await listRoutes(db),
      suppliers: await supplierNames(db),
    }));
    return {
      data: routes.map(dataOf),
      text:
        routes.length === 0
          ? 'No routes: each operator orders from the supplier with its own ID.'
          : table(
              columns,
              routes.map((route) => rowOf(route, suppliers)),
            ),
    };
  },
};

/** The option of each cell. */
const cellOptions = {
  operator: ['operator_id', 'ID', 'The operator whose products it is for.'],
  product: ['product_id', 'ID', 'Only for this product.'],
  category: ['category_id', 'ID', 'Only for products of this category.'],
  type: ['product_type', 'TYPE', 'Only for products of this type, such as cell_internet.'],
  client: ['client_id', 'ID', 'Only for this client.'],
  supplier: ['supplier_id', 'ID', 'The supplier to order from.'],
  code: ['product_code', 'TEXT', "The supplier's own code of the product."],
  cost: ['cost', 'COST', 'What it costs: an amount, or a percentage off the price such as 2.5%.'],
  'allow-dearer': ['allow_dearer', '1|0', 'Whether it may cost more than the client pays.'],
  priority: ['priority', 'NUMBER', '1 is the best.'],
  weight: ['weight', 'NUMBER', 'Its share among routes of the same priority (default: 1).'],
  hours: ['hours', 'HOURS', 'Only in these hours of the business day, such as 22:00-06:00.'],
  days: ['days', 'DAYS', 'Only on these days, such as "sat sun".'],
  from: ['valid_from', 'TIME', 'Only from this time on, such as 2026-01-31T09:30:00Z.'],
  until: ['valid_until', 'TIME', 'Only until before this time.'],
  enabled: ['enabled', '1|0', 'Whether it is on (default: 1).'],
} as const satisfies Record<string, readonly [RouteCell, string, string]>;

/** What is wrong, with the names of options instead of those of columns. */
const asUsage = (problems: readonly FileProblem[]): InvalidUsage => {
  const [first] = problems;
  const [option] = Object.entries(cellOptions).find(([, [cell]]) => cell === first?.field) ?? [];
  const text = first?.message.en ?? '';
  return new InvalidUsage(
    option === undefined ? text : text.replace(String(first?.field), `--${option}`),
  );
};

const termsIn = (args: Arguments, before: RouteTerms | undefined): RouteTerms => {
  const values = new Map<string, string>(
    before === undefined ? [] : Object.entries(printTerms(before)),
  );
  for (const [option, [cell]] of Object.entries(cellOptions)) {
    const value = textOption(args, option);
    if (value !== undefined) values.set(cell, value);
  }
  const problems: FileProblem[] = [];
  const terms = readTerms({ line: 1, path: '', values, problems });
  if (terms === undefined) throw asUsage(problems);
  return terms;
};

export const routeSet: Command = {
  name: 'route set',
  summary: 'Create a route, or change the named terms of one. An empty value clears a term.',
  operands: ['[ID]'],
  options: {
    ...Object.fromEntries(
      Object.entries(cellOptions).map(([option, [, value, about]]) => [option, { value, about }]),
    ),
    ...byOption,
  },
  run: async (args) => {
    const id = args.operands.length === 0 ? null : readId(operand(args, 0), 'ID');
    const change = await runOnRoutes(args, async (acting) => {
      await lockVersion(acting.db, 'routes');
      const before = (await listRoutes(acting.db)).find((route) => route.id === id);
      if (id !== null && before === undefined) throw new UsageError(`There is no route ${id}.`);
      return setRoute(acting, id, termsIn(args, before));
    });
    if ('problems' in change) throw asUsage(change.problems);
    const { before, after } = change;
    const done = before === after ? 'says that already' : 'is changed';
    return {
      data: dataOf(after),
      text: before === undefined ? `Created the route ${after.id}.` : `Route ${after.id} ${done}.`,
    };
  },
};

export const routeRemove: Command = {
  name: 'route remove',
  summary: 'Remove a route. Its history stays.',
  operands: ['ID'],
  options: byOption,
  run: async (args) => {
    const id = readId(operand(args, 0), 'ID');
    const removed = await runOnRoutes(args, (acting) => removeRoute(acting, id));
    if (removed === undefined) throw new UsageError(`There is no route ${id}.`);
    return { data: { ok: true, ...dataOf(removed) }, text: `Route ${id} is removed.` };
  },
};
