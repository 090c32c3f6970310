/** Changes the catalogue for the back office: plans without a lock, then writes in one short transaction. */
import { hash } from 'node:crypto';
import { createSearchables } from '../../../catalogue/filter.ts';
import { type Origin, recordPrices } from '../../../catalogue/prices/record.ts';
import type { Product } from '../../../catalogue/product.ts';
import { loadCatalogue, type StoredCatalogue } from '../../../catalogue/read.ts';
import { type Change, type WriteDeps, writeChange } from '../../../catalogue/write/write.ts';
import { lockVersion, readVersion } from '../../../db/changes/versions.ts';
import { runTransaction } from '../../../db/transaction.ts';
import { formatTime } from '../../../lib/time.ts';
import { noTurn } from '../../../lib/time-slices.ts';
import { type Actor, type Change as AuditChange, writeAudit } from '../../audit/audit.ts';
import { AdminError } from '../../errors.ts';
import { productMatcher } from '../filter.ts';
import { digestOfPrices, type PriceMove, planPrices, type Refused, summarise } from '../prices.ts';
import type { CheckStop, Done, PricesJob, SwitchJob } from './messages.ts';

export const rowsShown = 500;
// Enough to see what was done; the rest is in the catalogue and in earlier backups.
export const rowsAudited = 100;

export type Written = {
  readonly change: Change;
  readonly actor: Actor;
  readonly origin: Omit<Origin, 'actor'>;
  /** The subject is the catalogue if it is left out. */
  readonly audit: (version: string) => Omit<AuditChange, 'subject'> & { readonly subject?: string };
  /** Receives how many are written. If it throws, none is. */
  readonly progress: (written: number) => void;
};

/** The catalogue's new version, and the price change if there is one. */
export type Outcome = { readonly version: string; readonly changeId: string | null };

const isEmpty = ({ products, removed }: Change): boolean => products.length + removed.length === 0;

/** Writes a plan inside the caller's transaction; undefined if the catalogue has changed since. */
export const writeWithin = async (
  deps: WriteDeps,
  loaded: StoredCatalogue,
  { change, actor, origin, audit, progress }: Written,
): Promise<Outcome | undefined> => {
  if (isEmpty(change)) return { version: loaded.version, changeId: null };
  const { db } = deps;
  await lockVersion(db, 'catalogue');
  if ((await readVersion(db, 'catalogue')) !== loaded.version) return undefined;
  progress(0);
  await writeChange(deps, loaded, change, progress);
  const version = await readVersion(db, 'catalogue');
  const { products } = change;
  const changeId = await recordPrices(deps, loaded.products, products, { ...origin, actor });
  await writeAudit(db, deps, actor, { subject: 'catalogue', ...audit(version) });
  return { version, changeId };
};

/** The same in a transaction of its own; an empty plan needs none. */
export const writePlanned = async (
  deps: WriteDeps,
  loaded: StoredCatalogue,
  written: Written,
): Promise<Outcome | undefined> =>
  isEmpty(written.change)
    ? { version: loaded.version, changeId: null }
    : runTransaction(deps, (db) => writeWithin({ ...deps, db }, loaded, written));

/** Products that stay in their categories. */
export const changeOf = (products: readonly Product[], updated_at: string): Change => ({
  categories: [],
  products: products.map((product) => ({ ...product, updated_at })),
  linked: [],
  removed: [],
});

export const mostAttempts = 5;

/** Switches products on or off: all the named ones, or none. */
export const switchProducts = async (
  deps: WriteDeps,
  { productIds, on, actor }: SwitchJob,
  goOn: CheckStop,
): Promise<Done> => {
  const ids = new Set(productIds);
  // The request stays the same even if the catalogue changes.
  for (let tries = 0; tries < mostAttempts; tries += 1) {
    const loaded = await loadCatalogue(deps.db, noTurn);
    const named = loaded.products.filter(({ id }) => ids.has(id));
    if (named.length < ids.size) {
      const known = new Set(named.map(({ id }) => id));
      const unknown = [...ids].filter((id) => !known.has(id)).slice(0, 10);
      throw new AdminError('PRODUCT_NOT_FOUND', {
        message: {
          en: `There is no product ${unknown.join(', ')}. Nothing was changed.`,
          fa: `محصولی با شناسهٔ ${unknown.join('، ')} وجود ندارد. چیزی تغییر نکرد.`,
        },
      });
    }
    const status = on ? 1 : 0;
    const changed = named.filter((one) => one.status !== status);
    const product_ids = changed.slice(0, rowsAudited).map(({ id }) => id);
    const written = await writePlanned(deps, loaded, {
      change: changeOf(
        changed.map((one) => ({ ...one, status })),
        formatTime(deps.clock.now()),
      ),
      actor,
      origin: { via: 'edit' },
      audit: (version) => ({
        action: 'catalogue switch',
        before: { version: loaded.version, on: !on, product_ids },
        after: { version, on, changed: changed.length },
      }),
      progress: goOn,
    });
    if (written === undefined) continue;
    return { kind: 'changed', changed: changed.length, version: written.version };
  }
  throw new AdminError('CATALOGUE_CHANGED');
};

const chosen = ({ products }: StoredCatalogue, which: PricesJob['which']): readonly Product[] => {
  if ('productIds' in which) {
    const ids = new Set(which.productIds);
    return products.filter(({ id }) => ids.has(id));
  }
  const fits = productMatcher(which.filter);
  const make = createSearchables();
  return products.filter((product, index) => fits(make(product, index)));
};

const audited = (moves: readonly PriceMove[], side: 'before' | 'after') =>
  moves.slice(0, rowsAudited).map(({ id, field, [side]: value }) => ({ id, field, value }));

/** The change as it was requested, for people to read. */
const auditOf = ({ update: { change, fields, roundTo } }: PricesJob) => {
  const { isLess, by } = 'percent' in change ? change.percent : { isLess: false, by: undefined };
  const digits = by?.digits.toString().padStart(by.scale + 1, '0') ?? '';
  const whole = digits.slice(0, digits.length - (by?.scale ?? 0));
  const fraction = digits.slice(whole.length);
  const percent = `${isLess ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  return { change: 'percent' in change ? { percent } : change, fields, round_to: roundTo };
};

/** Previews a price change, or applies the previewed one. */
export const updatePrices = async (
  deps: WriteDeps,
  job: PricesJob,
  goOn: CheckStop,
): Promise<Done> => {
  const loaded = await loadCatalogue(deps.db, noTurn);
  const named = chosen(loaded, job.which);
  const plan = planPrices(named, job.update, job.personalOffers);
  const digest = digestOfPrices(loaded.version, plan.moves);
  if (job.digest === undefined) {
    const known = new Set(named.map(({ id }) => id));
    const asked = 'productIds' in job.which ? [...new Set(job.which.productIds)] : [];
    const missing = asked
      .filter((id) => !known.has(id))
      .map((id): Refused => ({ id, code: 'not_found' }));
    const refused = [...plan.refused, ...missing];
    const preview = {
      data: plan.moves.slice(0, rowsShown),
      changed: plan.products.length,
      unchanged: plan.unchanged,
      refused: refused.slice(0, rowsShown),
      refusedCount: refused.length,
      summary: summarise(plan.moves, job.update),
      version: loaded.version,
      digest,
    };
    return { kind: 'prices', preview };
  }
  if (digest !== job.digest) throw new AdminError('CATALOGUE_CHANGED');
  const asked = auditOf(job);
  const written = await writePlanned(deps, loaded, {
    change: changeOf(plan.products, formatTime(deps.clock.now())),
    actor: job.actor,
    origin: { via: 'bulk', asked },
    audit: (version) => ({
      action: 'catalogue prices',
      before: { version: loaded.version, prices: audited(plan.moves, 'before') },
      after: {
        version,
        ...asked,
        changed: plan.products.length,
        prices: audited(plan.moves, 'after'),
      },
    }),
    progress: goOn,
  });
  if (written === undefined) throw new AdminError('CATALOGUE_CHANGED');
  return { kind: 'priced', changed: plan.products.length, ...written };
};

/** Changes whenever the catalogue, the file or the options do. */
export const digestOfImport = (
  version: string,
  {
    file,
    format,
    removeMissing,
  }: { readonly file: Uint8Array; readonly format: string; readonly removeMissing: boolean },
): string =>
  hash(
    'sha256',
    JSON.stringify([version, hash('sha256', file), format, removeMissing]),
    'base64url',
  );
