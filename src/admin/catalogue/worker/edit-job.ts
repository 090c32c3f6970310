/** Creates or changes one product for the back office: validated like a line of an import, once per key. */
import type { FileProblem } from '../../../catalogue/file/file.ts';
import { readProduct } from '../../../catalogue/file/read-product.ts';
import type { Category, ImportedProduct, Product } from '../../../catalogue/product.ts';
import { loadCatalogue, type StoredCatalogue } from '../../../catalogue/read.ts';
import { planImport } from '../../../catalogue/write/import.ts';
import { runTransaction } from '../../../db/transaction.ts';
import { type FieldErrors, GatewayError } from '../../../lib/errors.ts';
import { isUnknown } from '../../../lib/field-texts.ts';
import { formatTime } from '../../../lib/time.ts';
import { noTurn } from '../../../lib/time-slices.ts';
import { runOnce } from '../../audit/idempotency.ts';
import { AdminError } from '../../errors.ts';
import { revisionOf } from '../revision.ts';
import { type Saved, SavedSchema } from './answers.ts';
import { fieldsOf } from './diff.ts';
import { mostAttempts, writeWithin } from './jobs.ts';
import type { CheckStop, Done, EditFields, EditJob, ReadingDeps } from './messages.ts';

const invalid = (errors: FieldErrors): GatewayError =>
  new GatewayError('VALIDATION_FAILED', { errors });

/** After all others, also those that were removed: clients may still know them. */
const nextId = ({ products, history }: StoredCatalogue): number =>
  [...products, ...history.removals].reduce((most, { id }) => Math.max(most, id), 0) + 1;

/** The product as it is now, if it is the one that was loaded; undefined for a new one. */
const currentOf = ({ products }: StoredCatalogue, { loaded }: EditJob): Product | undefined => {
  if (loaded === undefined) return undefined;
  const found = products.find(({ id }) => id === loaded.id);
  if (found === undefined) throw new AdminError('PRODUCT_NOT_FOUND');
  if (revisionOf(found) !== loaded.revision) throw new AdminError('PRODUCT_CHANGED');
  return found;
};

/** Existing categories; the product keeps its place in those that it has. */
const categoriesOf = (
  { products }: StoredCatalogue,
  before: Product | undefined,
  ids: unknown,
): unknown => {
  if (!Array.isArray(ids)) return before?.categories ?? [];
  const known = new Map<unknown, Category>(
    products.flatMap(({ categories }) => categories).map((one) => [one.id, one]),
  );
  return ids.map((id: unknown) => {
    const category = known.get(id);
    if (category === undefined) throw invalid({ category_ids: [isUnknown('category_ids')] });
    const own = before?.categories.find((one) => one.id === id);
    return own ?? { ...category, pivot: { address: '' } };
  });
};

const problemsByField = (problems: readonly FileProblem[]): FieldErrors =>
  Object.fromEntries(
    [...Map.groupBy(problems, ({ field }) => field ?? 'id')].map(([field, found]) => [
      field,
      found.map(({ message }) => message),
    ]),
  );

/** The product as a line of an import; its times are set when it is stored. */
const lineOf = (loaded: StoredCatalogue, before: Product | undefined, fields: EditFields) => {
  const { category_ids: ids, ...own } = fields;
  const {
    created_at: _,
    updated_at: __,
    ...kept
  } = before ?? {
    id: nextId(loaded),
    created_at: null,
    updated_at: null,
  };
  return { ...kept, ...own, categories: categoriesOf(loaded, before, ids) };
};

const read = (line: ReturnType<typeof lineOf>, operators: readonly number[]): ImportedProduct => {
  const problems: FileProblem[] = [];
  const { product } = readProduct({ line: 1, value: line }, problems, operators);
  if (product === undefined) throw invalid(problemsByField(problems));
  return product;
};

const sideOf = (diff: ReturnType<typeof fieldsOf>, side: 'before' | 'after') =>
  Object.fromEntries(diff.map(({ field, [side]: value }) => [field, value]));

/** Within the transaction of its key. */
const save = async (
  deps: ReadingDeps,
  loaded: StoredCatalogue,
  job: EditJob,
  goOn: CheckStop,
): Promise<Saved> => {
  const before = currentOf(loaded, job);
  const product = read(lineOf(loaded, before, job.fields), deps.operators);
  const { id } = product;
  if (before === undefined && loaded.products.some((one) => one.id === id)) {
    throw new AdminError('PRODUCT_EXISTS');
  }
  const now = deps.clock.now();
  const plan = planImport(loaded.products, [product], { now });
  const diff = plan.changed.flatMap((after) => fieldsOf(before, after, formatTime(now)));
  const written = await writeWithin(deps, loaded, {
    change: plan.change,
    actor: job.actor,
    origin: { via: 'edit' },
    audit: (version) => ({
      action: before === undefined ? 'product create' : 'product change',
      subject: `product ${id}`,
      before: before === undefined ? {} : sideOf(diff, 'before'),
      after: { version, ...sideOf(diff, 'after') },
    }),
    progress: goOn,
  });
  if (written === undefined) throw new AdminError('CATALOGUE_CHANGED');
  return { id, version: written.version };
};

const isOutdated = (error: unknown): boolean =>
  error instanceof AdminError && error.code === 'CATALOGUE_CHANGED';

/** Runs a change once per key. It is planned again if others change the catalogue meanwhile. */
export const retried = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === mostAttempts || !isOutdated(error)) throw error;
    }
  }
};

/** The same whatever the order in which they were sent. */
const inOrder = (fields: EditFields): EditFields =>
  Object.fromEntries(
    Object.keys(fields)
      .sort()
      .map((name) => [name, fields[name]]),
  );

export const editProduct = (deps: ReadingDeps, job: EditJob, goOn: CheckStop): Promise<Done> =>
  retried(async () => {
    const { key, actor, loaded: known, fields } = job;
    const loaded = await loadCatalogue(deps.db, noTurn);
    const action = known === undefined ? 'product create' : 'product change';
    const input = { loaded: known ?? null, fields: inOrder(fields) };
    const { answer } = await runTransaction(deps, (db) =>
      runOnce(
        { ...deps, db },
        actor,
        { key, action, input },
        {
          answers: SavedSchema,
          work: () => save({ ...deps, db }, loaded, job, goOn),
          answerOf: (saved) => saved,
        },
      ),
    );
    return { kind: 'saved', saved: answer };
  });
