/** Defines the catalogue commands: import, remove, export. */

import { hash } from 'node:crypto';
import { auditChange, type Change } from '../../admin/audit/audit.ts';
import type { ActionContext } from '../../admin/clients/act.ts';
import {
  type CatalogueFormat,
  catalogueFormat,
  printCatalogue,
  readCatalogueFile,
} from '../../catalogue/file/file.ts';
import { readCatalogue } from '../../catalogue/read.ts';
import { importInto } from '../../catalogue/write/import.ts';
import { removeFrom } from '../../catalogue/write/remove.ts';
import { readConfig } from '../../config/config.ts';
import { operatorIdsIn } from '../../config/sections/operators.ts';
import { lockVersion, readVersion } from '../../db/changes/versions.ts';
import { inSnapshot } from '../../db/engine.ts';
import { UsageError } from '../../lib/errors.ts';
import { readPositive } from '../../lib/page.ts';
import { defaults, readSettings } from '../../settings/settings.ts';
import { byOption, runAudited } from '../audited.ts';
import { type Command, InvalidUsage, operand, withDatabase } from '../definition.ts';
import { notImported, readText, writeText } from '../files.ts';
import { progressBar } from '../progress.ts';

const formatOf = (file: string): CatalogueFormat => {
  const format = catalogueFormat(file);
  if (format === undefined)
    throw new InvalidUsage(`FILE must end in .json or .csv, not "${file}".`);
  return format;
};

/** Changes the catalogue, and audits the result if it changed. */
const changeCatalogue = async <T>(
  acting: ActionContext,
  action: Change['action'],
  work: () => Promise<{ readonly result: T; readonly noted: Readonly<Record<string, unknown>> }>,
): Promise<T> => {
  const { db } = acting;
  await lockVersion(db, 'catalogue');
  const before = await readVersion(db, 'catalogue');
  const { result, noted } = await work();
  const after = await readVersion(db, 'catalogue');
  if (after === before) return result;
  await auditChange(acting, {
    action,
    subject: 'catalogue',
    before: { version: before },
    after: { version: after, ...noted },
  });
  return result;
};

export const catalogueImport: Command = {
  name: 'catalogue import',
  summary: 'Create or update the products in a file: all of them, or none.',
  operands: ['FILE'],
  options: {
    'remove-missing': { about: 'Remove the products that are not in the file.' },
    ...byOption,
  },
  run: async (args, streams) => {
    const file = operand(args, 0);
    const removeMissing = args.options.get('remove-missing') === true;
    const format = formatOf(file);
    const text = readText(file);
    // Only such a file names its currency.
    const { currency } =
      format === 'csv' ? await withDatabase(({ db }) => readSettings(db)) : defaults;
    const { products, problems } = readCatalogueFile(
      text,
      format,
      undefined,
      currency?.code,
      operatorIdsIn(readConfig()),
    );
    if (problems.length > 0) return notImported(args, streams, file, problems);
    if (removeMissing && products.length === 0) {
      throw new UsageError(
        `Nothing was removed: ${file} has no products, so all products would be removed.`,
      );
    }
    const progress = progressBar(products.length, process.stderr);
    const result = await runAudited(args, (acting) =>
      changeCatalogue(acting, 'catalogue import', async () => {
        const { actor } = acting;
        const result = await importInto(acting, products, { progress, removeMissing, actor });
        const sha256 = hash('sha256', text);
        return { result, noted: { ...result, format, remove_missing: removeMissing, sha256 } };
      }),
    );
    const removed = result.removed === undefined ? '' : ` ${result.removed} removed.`;
    return {
      data: { ok: true, ...result },
      text: `Products: ${result.created} created, ${result.updated} updated, ${result.unchanged} unchanged.${removed}`,
    };
  },
};

// As many as a person reads.
const idsNoted = 100;

const readId = (text: string): number => {
  const id = readPositive(text);
  if (id === undefined) throw new InvalidUsage(`ID must be a product ID, not "${text}".`);
  return id;
};

export const catalogueRemove: Command = {
  name: 'catalogue remove',
  summary: 'Remove products from the catalogue: all of them, or none.',
  operands: ['ID...'],
  options: byOption,
  run: async (args, { err }) => {
    const ids = args.operands.map(readId);
    const { removed, unknown } = await runAudited(args, (acting) =>
      changeCatalogue(acting, 'catalogue remove', async () => {
        const result = await removeFrom(acting, ids);
        return { result, noted: { removed: result.removed, ids: ids.slice(0, idsNoted) } };
      }),
    );
    if (unknown.length > 0) {
      const which = unknown.length === 1 ? 'is no product' : 'are no products';
      const text = `Nothing was removed: there ${which} ${unknown.join(', ')}.`;
      if (args.options.get('json') !== true) err(`${text}\n`);
      return { ok: false, data: { ok: false, unknown }, text: '' };
    }
    const words = removed === 1 ? '1 product was' : `${removed} products were`;
    return { data: { ok: true, removed }, text: `${words} removed.` };
  },
};

export const catalogueExport: Command = {
  name: 'catalogue export',
  summary: 'Write all products to a file that can be imported.',
  operands: ['FILE'],
  run: async (args) => {
    const file = operand(args, 0);
    const format = formatOf(file);
    const { products, currency } = await withDatabase(({ db }) =>
      inSnapshot(db, async (db) => ({
        ...(await readCatalogue(db)),
        currency: (await readSettings(db)).currency,
      })),
    );
    writeText(file, printCatalogue(products, format, currency));
    return { data: { products: products.length, file }, text: `${products.length} products.` };
  },
};
