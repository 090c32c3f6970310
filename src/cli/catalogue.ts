/** Owns the commands about the catalogue: import and export. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import {
  type CatalogueFormat,
  catalogueFormat,
  type FileProblem,
  printCatalogue,
  readCatalogueFile,
} from '../catalogue/file/file.ts';
import { importProducts } from '../catalogue/import.ts';
import { readCatalogue } from '../catalogue/store.ts';
import { atOneMoment } from '../lib/db-engine.ts';
import { UsageError } from '../lib/errors.ts';
import { type Command, operand, WrongUse, withDatabase } from './contract.ts';
import { progressBar } from './progress.ts';

const formatOf = (file: string): CatalogueFormat => {
  const format = catalogueFormat(file);
  if (format === undefined) throw new WrongUse(`FILE must end in .json or .csv, not "${file}".`);
  return format;
};

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`The file ${file} cannot be read.`, { cause });
  }
};

const problemLine = ({ line, message }: FileProblem): string => `line ${line}: ${message}`;

// A file in the wrong format has a problem in every line; nobody reads them all.
const problemsShown = 50;

const problemText = (file: string, problems: readonly FileProblem[]): string => {
  const more = problems.length - problemsShown;
  return [
    `Nothing was imported: ${file} has ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}.`,
    ...problems.slice(0, problemsShown).map(problemLine),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n');
};

export const catalogueImport: Command = {
  name: 'catalogue import',
  summary: 'Write products over those of the same id: all of the file, or nothing.',
  operands: ['FILE'],
  options: {},
  run: async (args, { err }) => {
    const file = operand(args, 0);
    const { products, problems } = readCatalogueFile(readText(file), formatOf(file));
    if (problems.length > 0) {
      const text = problemText(file, problems);
      if (args.options.get('json') !== true) err(`${text}\n`);
      return { ok: false, data: { ok: false, problems }, text: '' };
    }
    const progress = progressBar(products.length, process.stderr);
    const result = await withDatabase((deps) => importProducts(deps, products, progress));
    return {
      data: { ok: true, ...result },
      text: `${result.created} products are new, ${result.updated} changed, ${result.unchanged} were the same.`,
    };
  },
};

export const catalogueExport: Command = {
  name: 'catalogue export',
  summary: 'Write all products to a file that can be imported again.',
  operands: ['FILE'],
  options: {},
  run: async (args) => {
    const file = operand(args, 0);
    const format = formatOf(file);
    const { products } = await withDatabase(({ db }) => atOneMoment(db, readCatalogue));
    // Beside it first: a reader never sees half a file.
    const draft = `${file}.part`;
    try {
      writeFileSync(draft, [...printCatalogue(products, format)].join(''));
      renameSync(draft, file);
    } catch (cause) {
      throw new UsageError(`The file ${file} cannot be written.`, { cause });
    }
    return { data: { products: products.length, file }, text: `${products.length} products.` };
  },
};
