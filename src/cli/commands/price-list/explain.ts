/** Defines the command that explains what a client pays for a product, without buying. */
import { readCatalogue } from '../../../catalogue/read.ts';
import { inSnapshot } from '../../../db/engine.ts';
import { UsageError } from '../../../lib/errors.ts';
import { compilePrices } from '../../../pricing/choose.ts';
import { printCommission } from '../../../pricing/csv.ts';
import { explainCharge } from '../../../pricing/explain.ts';
import { readAssignments, readLists } from '../../../pricing/store.ts';
import {
  type Command,
  iso,
  operand,
  readAmount,
  table,
  textOption,
  withDatabase,
} from '../../definition.ts';
import { databaseTime, entryRow, readId, timeOption } from './rows.ts';

export const priceListExplain: Command = {
  name: 'price-list explain',
  summary: 'Explain what a client pays for a product, and which entry decides it.',
  operands: ['PRODUCT'],
  options: {
    client: { value: 'ID', about: 'For this client (default: one of the default price list).' },
    at: { value: 'TIME', about: 'At this time, such as 2026-01-31T09:30:00Z (default: now).' },
    price: { value: 'AMOUNT', about: 'At this price (default: that of the product).' },
    cost: { value: 'AMOUNT', about: 'With this cost of the route (default: not known).' },
  },
  run: async (args) => {
    const id = readId(operand(args, 0), 'PRODUCT');
    const given = timeOption(args, 'at');
    const [priceText, costText] = [textOption(args, 'price'), textOption(args, 'cost')];
    const cost = costText === undefined ? undefined : readAmount(costText, '--cost');
    const { product, book, moment } = await withDatabase(({ db }) =>
      inSnapshot(db, async (db) => ({
        product: (await readCatalogue(db)).products.find((one) => one.id === id),
        book: compilePrices(await readLists(db), await readAssignments(db)),
        moment: given ?? (await databaseTime(db)),
      })),
    );
    if (product === undefined) throw new UsageError(`There is no product ${id}.`);
    const price = priceText === undefined ? product.price : readAmount(priceText, '--price');
    const clientId = textOption(args, 'client') ?? '';
    const explained = explainCharge(book, { product, clientId, price, cost, moment });
    const { charged, commission, steps } = explained;
    const rows = steps.map(({ list, version, entry, code }) => ({
      list: `${list.id} ${list.name}`,
      version: version?.number ?? '',
      ...(entry === undefined ? { scope: '', commission: '' } : entryRow(entry)),
      why: {
        decides: 'decides',
        less_specific: 'no: less specific',
        parent: 'no: a list before it has one',
        nothing: 'nothing fits',
      }[code],
    }));
    return {
      data: {
        product_id: id,
        price,
        commission,
        charged_amount: charged,
        at: iso(moment),
        steps: steps.map(({ list, version, entry, code }) => ({
          list_id: list.id,
          version: version?.number ?? null,
          entry_id: entry?.id ?? null,
          commission: entry === undefined ? null : printCommission(entry.commission),
          code,
        })),
      },
      text: `Price ${price}, commission ${commission}, charged ${charged}.\n\n${table(
        { LIST: 'list', VERSION: 'version', FOR: 'scope', COMMISSION: 'commission', WHY: 'why' },
        rows,
      )}`,
    };
  },
};
