/** Defines the commands that list, show, set, remove and assign price lists. */
import {
  assignClient,
  removeList,
  removeVersion,
  setList,
  setVersion,
} from '../../../admin/pricing/actions.ts';
import type { FileProblem } from '../../../catalogue/file/lines.ts';
import { UsageError } from '../../../lib/errors.ts';
import { type EntryCell, printEntry, readEntry, scopeKey } from '../../../pricing/csv.ts';
import {
  defaultListId,
  type EntryTerms,
  type ListTerms,
  type PriceList,
} from '../../../pricing/price-list.ts';
import { readAssignments, readLists, type StoredList } from '../../../pricing/store.ts';
import { versionAt } from '../../../pricing/version.ts';
import { byOption } from '../../audited.ts';
import {
  type Arguments,
  type Command,
  choiceOption,
  InvalidUsage,
  iso,
  isoOrNull,
  operand,
  type Result,
  table,
  textOption,
  withDatabase,
} from '../../definition.ts';
import {
  databaseTime,
  entryColumns,
  entryRow,
  findList,
  readId,
  refused,
  runOnPrices,
  timeOption,
} from './rows.ts';

const dataOf = (list: PriceList) => ({
  id: list.id,
  name: list.name,
  parent_id: list.parentId,
  allow_below_cost: list.allowBelowCost,
});

export const priceListList: Command = {
  name: 'price-list list',
  summary: 'List the price lists. A client is in the default one unless it is assigned to another.',
  run: async () => {
    const { lists, assigned, clients, now } = await withDatabase(async ({ db }) => ({
      lists: await readLists(db),
      assigned: [...(await readAssignments(db)).values()],
      clients: await db
        .selectFrom('clients')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow(),
      now: await databaseTime(db),
    }));
    const rows = lists.map((list) => ({
      ...dataOf(list),
      clients:
        list.id === defaultListId
          ? clients.count - assigned.length
          : assigned.filter((id) => id === list.id).length,
      entries: versionAt(list, now)?.entries.length ?? 0,
      next: isoOrNull(list.versions.map(({ from }) => from).find((from) => from > now) ?? null),
    }));
    const columns = {
      ID: 'id',
      NAME: 'name',
      PARENT: 'parent_id',
      CLIENTS: 'clients',
      ENTRIES: 'entries',
      NEXT: 'next',
    } as const;
    return { data: rows, text: table(columns, rows) };
  },
};

export const priceListShow: Command = {
  name: 'price-list show',
  summary: 'Show the entries of a price list in force, and its versions.',
  operands: ['ID'],
  options: {
    at: { value: 'TIME', about: 'At this time, such as 2026-01-31T09:30:00Z (default: now).' },
  },
  run: async (args) => {
    const id = readId(operand(args, 0), 'ID');
    const given = timeOption(args, 'at');
    const { list, at } = await withDatabase(async ({ db }) => ({
      list: await findList(db, id),
      at: given ?? (await databaseTime(db)),
    }));
    const shown = versionAt(list, at);
    const versions = list.versions.map(({ number, from, createdAt, entries }) => ({
      number,
      from: iso(from),
      created_at: iso(createdAt),
      entries: entries.length,
    }));
    const entries = shown?.entries ?? [];
    return {
      data: {
        ...dataOf(list),
        at: iso(at),
        version: shown?.number ?? null,
        entries: entries.map(printEntry),
        versions,
      },
      text: [
        versions.length === 0
          ? 'It has no versions.'
          : table({ VERSION: 'number', FROM: 'from', ENTRIES: 'entries' }, versions),
        ...(entries.length === 0 ? [] : [table(entryColumns, entries.map(entryRow))]),
      ].join('\n\n'),
    };
  },
};

/** The option of each cell of an entry. */
const cellOptions = {
  product: ['product_id', 'ID', 'The entry for this product.'],
  category: ['category_id', 'ID', 'The entry for products of this category.'],
  operator: ['operator_id', 'ID', 'The entry for products of this operator.'],
  type: ['product_type', 'TYPE', 'The entry for products of this type, such as cell_internet.'],
  commission: [
    'commission',
    'COMMISSION',
    'A percentage such as 4%, or an amount; with an empty value the entry is removed.',
  ],
} as const satisfies Record<string, readonly [EntryCell, string, string]>;

const termsIn = (args: Arguments, before: StoredList | undefined): ListTerms => {
  const parent = textOption(args, 'parent');
  const below = choiceOption(args, 'below-cost', ['1', '0']);
  return {
    name: textOption(args, 'name') ?? before?.name ?? '',
    parentId:
      parent === undefined
        ? (before?.parentId ?? null)
        : parent === ''
          ? null
          : readId(parent, '--parent'),
    allowBelowCost: below === undefined ? (before?.allowBelowCost ?? false) : below === '1',
  };
};

/** The entry that the options describe; undefined without any. Without a commission it is to be removed. */
const entryIn = (
  args: Arguments,
): { readonly terms: EntryTerms; readonly isRemoved: boolean } | undefined => {
  const cells = Object.entries(cellOptions).flatMap(([option, [cell]]) => {
    const value = textOption(args, option);
    return value === undefined ? [] : [[cell, value] as const];
  });
  if (cells.length === 0) return undefined;
  const commission = textOption(args, 'commission');
  if (commission === undefined) throw new InvalidUsage('An entry needs --commission.');
  const isRemoved = commission.trim() === '';
  const values = new Map<string, string>([
    ...cells,
    ...(isRemoved ? [['commission', '0'] as const] : []),
  ]);
  const problems: FileProblem[] = [];
  const terms = readEntry({ line: 1, path: '', values, problems });
  if (terms === undefined) throw new InvalidUsage(problems[0]?.message.en ?? '');
  return { terms, isRemoved };
};

/** The entries from a moment on, with one of them changed. */
const entriesWith = (
  list: StoredList,
  at: number,
  { terms, isRemoved }: { readonly terms: EntryTerms; readonly isRemoved: boolean },
): EntryTerms[] => {
  const others = (versionAt(list, at)?.entries ?? []).filter(
    (entry) => scopeKey(entry) !== scopeKey(terms),
  );
  return isRemoved ? others : [...others, terms];
};

export const priceListSet: Command = {
  name: 'price-list set',
  summary:
    'Create a price list, or change one: its terms, and one entry from now or from a time on.',
  operands: ['[ID]'],
  options: {
    name: { value: 'TEXT', about: 'Its name.' },
    parent: { value: 'ID', about: 'The list that applies where it has no entry; empty for none.' },
    'below-cost': { value: '1|0', about: 'Whether clients may pay less than the supplier costs.' },
    ...Object.fromEntries(
      Object.entries(cellOptions).map(([option, [, value, about]]) => [option, { value, about }]),
    ),
    from: { value: 'TIME', about: 'The entry counts from this time on (default: now).' },
    ...byOption,
  },
  run: async (args) => {
    const id = args.operands.length === 0 ? null : readId(operand(args, 0), 'ID');
    const entry = entryIn(args);
    const from = timeOption(args, 'from') ?? null;
    if (entry === undefined && from !== null) throw new InvalidUsage('--from needs an entry.');
    const done = await runOnPrices(args, async (acting): Promise<Result> => {
      const before = id === null ? undefined : await findList(acting.db, id);
      const change = await setList(acting, id, termsIn(args, before));
      if ('problems' in change) throw refused(change);
      const { after } = change;
      const text = before === undefined ? `Created the price list ${after.id}.` : undefined;
      const same = change.before === change.after ? 'says that already' : 'is changed';
      if (entry === undefined) {
        return { data: dataOf(after), text: text ?? `Price list ${after.id} ${same}.` };
      }
      const at = from ?? (await databaseTime(acting.db));
      const entries = entriesWith(after, at, entry).map((terms) => ({ line: 1, terms }));
      const dated = await setVersion(acting, after.id, { from, entries });
      if ('problems' in dated) throw refused(dated);
      const what =
        dated.number === null
          ? `Price list ${after.id} says that already.`
          : `Price list ${after.id} has version ${dated.number}, from ${iso(dated.from)} on.`;
      return {
        data: { ...dataOf(after), version: dated.number, from: iso(dated.from) },
        text: [...(text === undefined ? [] : [text]), what].join('\n'),
      };
    });
    return done;
  },
};

export const priceListRemove: Command = {
  name: 'price-list remove',
  summary: 'Remove a price list that no client uses, or a version of one that has not begun.',
  operands: ['ID'],
  options: { version: { value: 'NUMBER', about: 'Only this version.' }, ...byOption },
  run: async (args) => {
    const id = readId(operand(args, 0), 'ID');
    const version = textOption(args, 'version');
    if (version === undefined) {
      const done = await runOnPrices(args, (acting) => removeList(acting, id));
      if ('problems' in done) throw refused(done);
      return { data: { ok: true, ...dataOf(done.removed) }, text: `Price list ${id} is removed.` };
    }
    const number = readId(version, '--version');
    const done = await runOnPrices(args, (acting) => removeVersion(acting, id, number));
    if ('problems' in done) throw refused(done);
    return {
      data: { ok: true, ...dataOf(done.list), version: number },
      text: `Version ${number} of price list ${id} is removed.`,
    };
  },
};

export const priceListAssign: Command = {
  name: 'price-list assign',
  summary: 'Put a client into a price list, for its purchases from now on.',
  operands: ['CLIENT', 'ID'],
  options: byOption,
  run: async (args) => {
    const [client, id] = [operand(args, 0), readId(operand(args, 1), 'ID')];
    const done = await runOnPrices(args, (acting) => assignClient(acting, client, id));
    if (done === undefined) throw new UsageError(`There is no client ${client}.`);
    if ('problems' in done) throw refused(done);
    return {
      data: { client_id: client, before: dataOf(done.before), after: dataOf(done.after) },
      text: `Client ${client} is in price list ${id}, ${done.after.name}.`,
    };
  },
};
