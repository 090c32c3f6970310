/** Defines the commands that import the entries of a price list from a CSV file, and export them. */
import { countsOf, setVersion } from '../../../admin/pricing/actions.ts';
import { readCatalogue } from '../../../catalogue/read.ts';
import { inSnapshot } from '../../../db/engine.ts';
import type { Db } from '../../../db/types.ts';
import { UsageError } from '../../../lib/errors.ts';
import { previewVersion, type WantedVersion } from '../../../pricing/change.ts';
import { compilePrices } from '../../../pricing/choose.ts';
import { printEntries, readEntriesFile } from '../../../pricing/csv.ts';
import { readAssignments, readLists } from '../../../pricing/store.ts';
import { priceTexts } from '../../../pricing/texts.ts';
import { versionAt, withVersion } from '../../../pricing/version.ts';
import { type Effect, effectOf } from '../../../purchases/sales/effect.ts';
import { byOption } from '../../audited.ts';
import {
  type Arguments,
  type Command,
  iso,
  operand,
  type Result,
  table,
  withDatabase,
} from '../../definition.ts';
import { notImported, readText, writeText } from '../../files.ts';
import { databaseTime, findList, readId, refused, runOnPrices, timeOption } from './rows.ts';

type Counts = ReturnType<typeof countsOf>;

const sentence = ({ added, changed, removed, unchanged }: Counts): string =>
  `Entries: ${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged.`;

const effectTable = (effects: readonly Effect[]): string =>
  effects.length === 0
    ? 'Its clients bought nothing in the last 30 days.'
    : table(
        {
          CLIENT: 'clientId',
          SOLD: 'sold',
          PRICE: 'price',
          'CHARGED BEFORE': 'chargedBefore',
          'CHARGED AFTER': 'chargedAfter',
        },
        effects,
      );

/** What the import would change, also in the sales of the last 30 days. */
const preview = (db: Db, id: number, wanted: WantedVersion): Promise<Result> =>
  inSnapshot(db, async (db) => {
    const found = await previewVersion({ db, databaseTime }, id, wanted);
    if (!('diff' in found) || found.problems.length > 0) throw refused(found);
    const { from, diff } = found;
    const entries = wanted.entries.map(({ terms }) => terms);
    const [lists, assigned] = [await readLists(db), await readAssignments(db)];
    const products = new Map((await readCatalogue(db)).products.map((one) => [one.id, one]));
    const effects = await effectOf(db, {
      before: compilePrices(lists, assigned),
      after: compilePrices(withVersion(lists, id, { from, entries }), assigned),
      listId: id,
      moment: from,
      now: await databaseTime(db),
      product: (productId) => products.get(productId),
    });
    const counts = countsOf(diff);
    return {
      data: { ok: true, ...counts, from: iso(from), effects },
      text: `${sentence(counts)}\n\n${effectTable(effects)}`,
    };
  });

const change = async (args: Arguments, id: number, wanted: WantedVersion): Promise<Result> => {
  const done = await runOnPrices(args, (acting) => setVersion(acting, id, wanted));
  if ('problems' in done) throw refused(done);
  const counts = countsOf(done.diff);
  const dated = done.number === null ? '' : ` Version ${done.number}, from ${iso(done.from)} on.`;
  return {
    data: { ok: true, ...counts, version: done.number, from: iso(done.from) },
    text: `${sentence(counts)}${dated}`,
  };
};

export const priceListImport: Command = {
  name: 'price-list import',
  summary: 'Make the entries in a CSV file those of a price list, from now or from a time on.',
  operands: ['ID', 'FILE'],
  options: {
    from: { value: 'TIME', about: 'From this time on (default: now).' },
    preview: { about: 'Change nothing: show what differs, and what it does to the last 30 days.' },
    ...byOption,
  },
  run: async (args, streams) => {
    const [id, file] = [readId(operand(args, 0), 'ID'), operand(args, 1)];
    const from = timeOption(args, 'from') ?? null;
    const { rows: entries, problems } = readEntriesFile(readText(file));
    if (problems.length > 0) return notImported(args, streams, file, problems);
    if (entries.length === 0) throw new UsageError(priceTexts.noEntries.en);
    const found = await withDatabase(({ db }) =>
      previewVersion({ db, databaseTime }, id, { from, entries }),
    );
    if (!('diff' in found)) throw refused(found);
    if (found.problems.length > 0) return notImported(args, streams, file, found.problems);
    return args.options.get('preview') === true
      ? withDatabase(({ db }) => preview(db, id, { from, entries }))
      : change(args, id, { from, entries });
  },
};

export const priceListExport: Command = {
  name: 'price-list export',
  summary: 'Write the entries of a price list in force to a CSV file that can be imported.',
  operands: ['ID', 'FILE'],
  options: {
    at: { value: 'TIME', about: 'Those at this time, such as 2026-01-31T09:30:00Z.' },
  },
  run: async (args) => {
    const [id, file] = [readId(operand(args, 0), 'ID'), operand(args, 1)];
    const at = timeOption(args, 'at');
    const entries = await withDatabase(async ({ db }) => {
      const list = await findList(db, id);
      return versionAt(list, at ?? (await databaseTime(db)))?.entries ?? [];
    });
    writeText(file, printEntries(entries));
    return { data: { entries: entries.length, file }, text: `${entries.length} entries.` };
  },
};
