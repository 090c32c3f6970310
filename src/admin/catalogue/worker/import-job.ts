/** Imports a catalogue for the back office: previews it, then applies exactly what the preview showed. */
import { hash } from 'node:crypto';
import { type FileProblem, readCatalogueFile } from '../../../catalogue/file/file.ts';
import { fileTexts } from '../../../catalogue/file/texts.ts';
import type { ImportedProduct } from '../../../catalogue/product.ts';
import { loadCatalogue } from '../../../catalogue/read.ts';
import { type ImportPlan, planImport } from '../../../catalogue/write/import.ts';
import type { Text } from '../../../lib/text.ts';
import { formatTime } from '../../../lib/time.ts';
import { noTurn } from '../../../lib/time-slices.ts';
import type { Currency } from '../../../settings/currency.ts';
import { readSettings } from '../../../settings/settings.ts';
import { AdminError } from '../../errors.ts';
import { diffOf } from './diff.ts';
import { digestOfImport, rowsShown, writePlanned } from './jobs.ts';
import type { Done, ImportJob, ImportPreview, OnProgress, ReadingDeps } from './messages.ts';

type FileReading = {
  readonly products: readonly ImportedProduct[];
  readonly problems: readonly FileProblem[];
};

const faulty = (message: Text): FileReading => ({
  products: [],
  problems: [{ line: 1, message }],
});

const decode = (file: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return undefined;
  }
};

const readFile = (
  { file, format, removeMissing }: ImportJob,
  { currency, operators }: { currency: Currency | null; operators: readonly number[] },
  tell: OnProgress,
): FileReading => {
  const text = decode(file);
  if (text === undefined) return faulty(fileTexts.notUtf8);
  const progress = (done: number, of: number): void => tell({ phase: 'reading', done, of });
  const read = readCatalogueFile(text, format, progress, currency?.code, operators);
  return removeMissing && read.problems.length === 0 && read.products.length === 0
    ? faulty(fileTexts.noProducts)
    : read;
};

const noResult = { created: 0, updated: 0, unchanged: 0, removed: 0 } as const;

const resultOf = ({ result }: ImportPlan) => ({ ...noResult, ...result });

/** An import that its problems prevent. */
const problematic = (problems: readonly FileProblem[]): ImportPreview => ({
  ...noResult,
  problems: problems.slice(0, rowsShown),
  problemCount: problems.length,
  diff: [],
  digest: null,
});

export const importFile = async (
  deps: ReadingDeps,
  job: ImportJob,
  tell: OnProgress,
): Promise<Done> => {
  const { removeMissing } = job;
  const { currency } = await readSettings(deps.db);
  const loaded = await loadCatalogue(deps.db, noTurn);
  const digest = digestOfImport(loaded.version, job);
  if (job.digest !== undefined && job.digest !== digest) throw new AdminError('CATALOGUE_CHANGED');
  const { products, problems } = readFile(job, { ...deps, currency }, tell);
  if (problems.length > 0) {
    if (job.digest !== undefined) throw new AdminError('FILE_INVALID');
    return { kind: 'import', preview: problematic(problems) };
  }
  const now = deps.clock.now();
  const plan = planImport(loaded.products, products, { now, removeMissing });
  const result = resultOf(plan);
  if (job.digest === undefined) {
    const shown = { undated: formatTime(now), most: rowsShown };
    const diff = diffOf(loaded.products, plan, shown);
    const preview = { ...result, problems: [], problemCount: 0, diff, digest };
    return { kind: 'import', preview };
  }
  const of = plan.change.products.length;
  const written = await writePlanned(deps, loaded, {
    change: plan.change,
    actor: job.actor,
    origin: { via: 'import' },
    audit: (version) => ({
      action: 'catalogue import',
      before: { version: loaded.version, products: loaded.products.length },
      after: {
        version,
        ...result,
        format: job.format,
        remove_missing: removeMissing,
        sha256: hash('sha256', job.file),
      },
    }),
    progress: (done) => tell({ phase: 'writing', done, of }),
  });
  if (written === undefined) throw new AdminError('CATALOGUE_CHANGED');
  return { kind: 'imported', result, version: written.version };
};
