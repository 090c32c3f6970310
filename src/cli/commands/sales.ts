/** Defines the command that reports what was sold. */
import type { Static } from 'typebox';
import { printSales } from '../../admin/sales/csv.ts';
import { readSalesQuery } from '../../admin/sales/query.ts';
import { readPresent, readShown } from '../../admin/sales/sales.ts';
import { listProductNames } from '../../admin/sales/store.ts';
import { mostLines, salesTable } from '../../admin/sales/table.ts';
import { reportToWire, type SalesSchema } from '../../admin/sales/wire.ts';
import { readConfig } from '../../config/config.ts';
import { displayNames } from '../../config/sections/operators.ts';
import { createDatabaseTime } from '../../db/engine.ts';
import type { Db } from '../../db/types.ts';
import { nextTurn, systemClock } from '../../lib/clock.ts';
import { GatewayError } from '../../lib/errors.ts';
import { readSettings } from '../../settings/settings.ts';
import { type Amounts, readAmounts } from '../amounts.ts';
import {
  type Arguments,
  type Command,
  InvalidUsage,
  table,
  textOption,
  withDatabase,
} from '../definition.ts';
import { suppliersById } from './route/rows.ts';

const depsOn = async (db: Db) => {
  const products = new Map((await listProductNames(db)).map((one) => [one.id, one]));
  const { operators, unconnected } = readConfig();
  const suppliers = [...(await suppliersById(db))].map(([id, supplier]) => ({
    id,
    names: displayNames(supplier),
  }));
  const named = [...operators, ...unconnected].map((operator) => ({
    id: operator.id,
    names: displayNames(operator),
  }));
  return {
    db,
    databaseTime: createDatabaseTime(systemClock),
    timeZone: async (db: Db) => (await readSettings(db)).timeZone,
    product: (id: number) => products.get(id),
    operators: () => named,
    suppliers: () => suppliers,
  };
};

/** The days and dimensions of the options; what is wrong with them is said as by the API. */
const readOptions = (args: Arguments) => {
  const [from, to, by] = ['from', 'to', 'by'].map((name) => textOption(args, name));
  return { ...(from && { from }), ...(to && { to }), ...(by && { by }) };
};

const asUsage = (error: unknown): unknown => {
  if (!(error instanceof GatewayError)) return error;
  const [text] = Object.values(error.details.errors ?? {}).flat();
  return new InvalidUsage(text === undefined ? error.message : `--${text.en}`);
};

const linesOf = ({ by, rows, totals }: Static<typeof SalesSchema>, { title }: Amounts): string => {
  const shown = rows.map((row) => ({
    ...row,
    client: row.client?.name ?? null,
    product: row.product?.name ?? row.product?.id ?? null,
    operator: row.operator?.names?.en ?? row.operator?.id ?? null,
    supplier: row.supplier?.names?.en ?? row.supplier?.id ?? null,
  }));
  const none = { day: null, client: null, product: null, operator: null, supplier: null };
  const total = { ...totals, ...none };
  const columns = Object.fromEntries(by.map((name) => [name.toUpperCase(), name] as const));
  const sums = {
    SOLD: 'sold',
    REVERSED: 'reversed',
    FAILED: 'failed',
    [title('AMOUNT')]: 'amount',
    [title('COST')]: 'cost',
    [title('MARGIN')]: 'margin',
  } as const;
  return table({ ...columns, ...sums }, by.length === 0 ? [total] : [...shown, total]);
};

export const salesReport: Command = {
  name: 'sales report',
  summary: 'Report what was sold, by business days in the time zone of the settings.',
  options: {
    from: { value: 'DAY', about: 'The first day, such as 2026-01-01 (default: today).' },
    to: { value: 'DAY', about: 'The last day (default: the first).' },
    by: { value: 'NAMES', about: 'Up to two of day,client,product,operator,supplier.' },
    csv: { about: 'Print it as CSV.' },
  },
  run: (args) =>
    withDatabase(async ({ db }) => {
      const deps = await depsOn(db);
      const present = await readPresent(deps);
      const read = async () => {
        const query = readSalesQuery(readOptions(args), present.today);
        const shown = { limit: mostLines, compare: false, seesCost: true, zone: present.zone };
        return { by: query.by, ...(await readShown(deps, query, shown)) };
      };
      const { by, report, refused, showing } = await read().catch((error: unknown) => {
        throw asUsage(error);
      });
      const amounts = await readAmounts(db);
      const data = {
        ...reportToWire(report, [...by], { ...present, refused }, showing),
        currency: amounts.currency,
      };
      if (args.options.get('csv') === true) {
        const printed: string[] = [];
        const { currency } = await readSettings(db);
        const pieces = printSales(
          salesTable(report, { by, showing, locale: 'en', currency, rest: nextTurn }),
        );
        for await (const piece of pieces) printed.push(piece);
        return { data, text: printed.join('').trimEnd() };
      }
      const { from, to, time_zone: zone, complete_to: until } = data;
      const head = `Sales from ${from} to ${to} (${zone}), complete up to ${until}. The last line is the total.`;
      return { data, text: `${head}\n${linesOf(data, amounts)}` };
    }),
};
