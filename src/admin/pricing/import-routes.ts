/** Serves the import of a price list's entries: the preview with its effect, and the import itself. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { lockVersion, readVersion } from '../../db/changes/versions.ts';
import { inSnapshot } from '../../db/engine.ts';
import { preferredLocale } from '../../lib/text.ts';
import { formatTime } from '../../lib/time.ts';
import { previewVersion } from '../../pricing/change.ts';
import { compilePrices } from '../../pricing/choose.ts';
import { readEntriesFile } from '../../pricing/csv.ts';
import { readAssignments, readLists } from '../../pricing/store.ts';
import { priceTexts } from '../../pricing/texts.ts';
import { withVersion } from '../../pricing/version.ts';
import { effectOf } from '../../purchases/sales/effect.ts';
import { actorIn } from '../access/guard.ts';
import { afterCommit } from '../audit/audit.ts';
import { runAction } from '../clients/act.ts';
import { AdminError } from '../errors.ts';
import { countsOf, setVersion } from './actions.ts';
import { previewToWire } from './preview-wire.ts';
import {
  base,
  changing,
  findList,
  idIn,
  type PricingRouteDeps,
  readTimeOf,
  refuse,
} from './request.ts';
import { fileBytes, schemas } from './schemas.ts';

/** The entries of a file that can be imported; else why it cannot. */
const entriesOf = (csv: string) => {
  const { rows, problems } = readEntriesFile(csv);
  const isEmpty = rows.length === 0 && problems.length === 0;
  return {
    entries: rows,
    problems: isEmpty ? [{ line: 1, message: priceTexts.noEntries }] : problems,
  };
};

export const importRoutes =
  (deps: PricingRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, pricing, routing } = deps;
    const { databaseTime } = pricing;
    const limited = { ...changing, bodyLimit: fileBytes };
    const path = `${base}/:price_list_id/import`;
    const fromOf = (text: string | null): number | null =>
      text === null ? null : readTimeOf('valid_from', text);

    app.post(`${path}/preview`, { ...limited, schema: schemas.preview }, async (request, reply) => {
      const { entries, problems } = entriesOf(request.body.csv);
      const from = fromOf(request.body.valid_from);
      const id = idIn(request.params);
      const locale = preferredLocale(request.headers['accept-language']);
      reply.header('vary', 'accept-language');
      return inSnapshot(db, async (db) => {
        await findList(db, id);
        const version = await readVersion(db, 'prices');
        const found = await previewVersion({ db, databaseTime }, id, { from, entries });
        if (!('diff' in found)) throw refuse(found);
        const all = [...problems, ...found.problems].sort((one, other) => one.line - other.line);
        const [lists, assigned] = [await readLists(db), await readAssignments(db)];
        const terms = entries.map((entry) => entry.terms);
        const after = withVersion(lists, id, { from: found.from, entries: terms });
        const effects =
          all.length > 0
            ? []
            : await effectOf(db, {
                before: compilePrices(lists, assigned),
                after: compilePrices(after, assigned),
                listId: id,
                moment: found.from,
                now: await databaseTime(db),
                product: routing.product,
              });
        return previewToWire(found, all, { effects, version, locale });
      });
    });

    app.post(path, { ...limited, schema: schemas.import }, async (request) => {
      const { csv, version, valid_from } = request.body;
      const { entries, problems } = entriesOf(csv);
      if (problems.length > 0) throw new AdminError('FILE_INVALID');
      const from = fromOf(valid_from);
      const id = idIn(request.params);
      const done = await runAction(deps, actorIn(request), async (acting) => {
        await findList(acting.db, id);
        await lockVersion(acting.db, 'prices');
        if ((await readVersion(acting.db, 'prices')) !== version) {
          throw new AdminError('PRICES_CHANGED');
        }
        const change = await setVersion({ ...acting, databaseTime }, id, { from, entries });
        if ('problems' in change) throw refuse(change);
        return change;
      });
      await afterCommit(pricing.live.reload);
      return { ...countsOf(done.diff), number: done.number, valid_from: formatTime(done.from) };
    });
  };
