/** Defines the commands of suppliers' floats: show them, and record top-ups and corrections. */
import { record } from '../../admin/floats/actions.ts';
import { chainToWire } from '../../admin/floats/chain-wire.ts';
import { entryToWire, floatToWire } from '../../admin/floats/wire.ts';
import { readConfig } from '../../config/config.ts';
import type { Db } from '../../db/types.ts';
import { readConnections } from '../../operators/defined/read.ts';
import { readChainAtOnce } from '../../purchases/floats/chain-store.ts';
import { heldIn } from '../../purchases/floats/float.ts';
import {
  emptyBooks,
  type FloatEntry,
  listEntries,
  readBalances,
  readBooks,
  readBooksAtOnce,
} from '../../purchases/floats/store.ts';
import { auditOptions, reasonOf } from '../actor.ts';
import { readAmounts } from '../amounts.ts';
import { runAudited } from '../audited.ts';
import {
  type Arguments,
  type Command,
  operand,
  type Result,
  readAmount,
  table,
  textOption,
  withDatabase,
} from '../definition.ts';
import { namedIn } from './connections.ts';
import { databaseTime } from './route/rows.ts';

const mostShown = 20;

type Known = Awaited<ReturnType<typeof readConnections>>[number];

const readFloats = async (db: Db) => {
  const books = await readBooksAtOnce(db, await databaseTime(db));
  const told = await readBalances(db);
  return ({ config: { id, name } }: Known) => {
    const supplier = { id, names: { en: name, fa: name } };
    const { names: _, ...float } = floatToWire(
      supplier,
      books.get(id) ?? emptyBooks(id),
      told.get(id),
    );
    return { ...float, name };
  };
};

const known = (db: Db) => readConnections(db, readConfig());

const columns = {
  ID: 'supplier_id',
  NAME: 'name',
  LEVEL: 'level',
  HELD: 'held',
  'IN FLIGHT': 'in_flight',
  FREE: 'free',
  HOURS: 'cover_hours',
  BALANCE: 'balance',
  DRIFT: 'drift',
} as const;

const entryColumns = {
  AT: 'at',
  KIND: 'kind',
  AMOUNT: 'amount',
  REFERENCE: 'reference',
  REASON: 'reason',
  BY: 'by',
} as const;

const gapColumns = {
  MISSING: 'missing',
  AFTER: 'after',
  AT: 'at',
  BEFORE: 'before',
} as const;

const showOne = async (db: Db, args: Arguments): Promise<Result> => {
  const one = namedIn(args, await known(db), 'supplier');
  const page = { before: Number.MAX_SAFE_INTEGER, limit: mostShown };
  const entries = (await listEntries(db, one.config.id, page)).map(entryToWire);
  const float = (await readFloats(db))(one);
  const { currency } = await readAmounts(db);
  const read = await readChainAtOnce(db, one.config.id, await databaseTime(db));
  const { chain, gaps } = chainToWire(read);
  const lines = Object.entries({ ...float, currency, chain })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.padEnd(12)} ${value}`);
  const tables = [
    ...(gaps.length === 0 ? [] : ['', table(gapColumns, gaps)]),
    '',
    table(entryColumns, entries),
  ];
  return {
    data: { ...float, currency, chain, gaps, entries },
    text: [...lines, ...tables].join('\n'),
  };
};

export const floatShow: Command = {
  name: 'supplier float',
  summary: 'Show what lies at all suppliers, or at one with the entries that people recorded.',
  operands: ['[SUPPLIER]'],
  run: (args): Promise<Result> =>
    withDatabase(async ({ db }) => {
      if (args.operands[0] !== undefined) return showOne(db, args);
      const data = (await known(db)).map(await readFloats(db));
      return { data, text: table(columns, data) };
    }),
};

const recordEntry = async (
  args: Arguments,
  kind: FloatEntry['kind'],
  amount: number,
): Promise<Result> => {
  const { id, name } = namedIn(args, await withDatabase(({ db }) => known(db)), 'supplier').config;
  const reason = reasonOf(args);
  const reference = textOption(args, 'reference') ?? '';
  const { held, number, amounts } = await runAudited(args, async (acting) => {
    const entry = await record(acting, { supplierId: id, kind, amount, reference, reason });
    const books = await readBooks(acting.db, acting.clock.now());
    return {
      number: entry.number,
      held: heldIn(books.get(id) ?? emptyBooks(id)),
      amounts: await readAmounts(acting.db),
    };
  });
  return {
    data: { id, name, number, kind, amount, held, currency: amounts.currency },
    text: `Recorded. By our books ${amounts.write(held)} lie at ${name}.`,
  };
};

const reference = { value: 'TEXT', about: 'The reference of the transfer.' } as const;

export const floatTopUp: Command = {
  name: 'supplier float top-up',
  summary:
    'Record money that was sent to a supplier. From the first entry on its float is watched.',
  operands: ['SUPPLIER', 'AMOUNT'],
  options: { reference, ...auditOptions },
  run: (args) => recordEntry(args, 'top_up', readAmount(operand(args, 1), 'AMOUNT')),
};

export const floatCorrect: Command = {
  name: 'supplier float correct',
  summary: "Correct a supplier's float. AMOUNT is added; a negative one is subtracted.",
  operands: ['SUPPLIER', 'AMOUNT'],
  options: { reference, ...auditOptions },
  run: (args) => {
    const text = operand(args, 1);
    const taken = text.startsWith('-');
    const amount = readAmount(taken ? text.slice(1) : text, 'AMOUNT');
    return recordEntry(args, 'correction', taken ? -amount : amount);
  },
};
