/** Serves price lists over HTTP: list, change, date, import, export, explain, assign. */
import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { lockVersion } from '../../db/changes/versions.ts';
import { inSnapshot } from '../../db/engine.ts';
import type { Db } from '../../db/types.ts';
import { readPositive } from '../../lib/page.ts';
import { formatTime } from '../../lib/time.ts';
import type { WantedVersion } from '../../pricing/change.ts';
import { compilePrices } from '../../pricing/choose.ts';
import { printEntries, scopeKey } from '../../pricing/csv.ts';
import { explainCharge } from '../../pricing/explain.ts';
import { defaultListId } from '../../pricing/price-list.ts';
import { readAssignments, readListId, readLists } from '../../pricing/store.ts';
import { versionAt } from '../../pricing/version.ts';
import { explainRoutes } from '../../routing/explain.ts';
import { actorIn } from '../access/guard.ts';
import { afterCommit } from '../audit/audit.ts';
import { actOnce, runAction } from '../clients/act.ts';
import { AdminError } from '../errors.ts';
import { routeRequest } from '../routing/routes.ts';
import {
  assignClient,
  countsOf,
  removeList,
  removeVersion,
  setList,
  setVersion,
} from './actions.ts';
import { importRoutes } from './import-routes.ts';
import {
  base,
  changing,
  findList,
  idIn,
  type PricingRouteDeps,
  reading,
  readTimeOf,
  refuse,
} from './request.ts';
import { schemas } from './schemas.ts';
import { entryFromWire, explainedToWire, ListSchema, listToWire, shownToWire } from './wire.ts';

const one = `${base}/:price_list_id`;

/** How many clients are in each list. */
const clientsOf = async (db: Db): Promise<(id: number) => number> => {
  const assigned = [...(await readAssignments(db)).values()];
  const { count } = await db
    .selectFrom('clients')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return (id) =>
    id === defaultListId
      ? count - assigned.length
      : assigned.filter((listId) => listId === id).length;
};

const assertClient = async (db: Db, id: string): Promise<void> => {
  const found = await db.selectFrom('clients').select('id').where('id', '=', id).executeTakeFirst();
  if (found === undefined) throw new AdminError('CLIENT_NOT_FOUND');
};

/** The routes of entries and versions. */
const datedRoutes =
  (deps: PricingRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { pricing } = deps;
    const { databaseTime } = pricing;

    app.post(`${one}/entries`, { ...changing, schema: schemas.setEntry }, async (request) => {
      const { commission, valid_from, ...scope } = request.body;
      const terms = entryFromWire({ ...scope, commission: commission ?? '0' });
      const from = valid_from === null ? null : readTimeOf('valid_from', valid_from);
      const id = idIn(request.params);
      const done = await runAction(deps, actorIn(request), async (acting) => {
        await lockVersion(acting.db, 'prices');
        const list = await findList(acting.db, id);
        const at = from ?? (await databaseTime(acting.db));
        const others = (versionAt(list, at)?.entries ?? []).filter(
          (entry) => scopeKey(entry) !== scopeKey(terms),
        );
        const wanted: WantedVersion = {
          from,
          entries: [...others, ...(commission === null ? [] : [terms])].map((entry) => ({
            line: 1,
            terms: entry,
          })),
        };
        const change = await setVersion({ ...acting, databaseTime }, id, wanted);
        if ('problems' in change) throw refuse(change);
        return change;
      });
      await afterCommit(pricing.live.reload);
      const { diff, number } = done;
      return { ...countsOf(diff), number, valid_from: formatTime(done.from) };
    });

    app.delete(
      `${one}/versions/:number`,
      { ...changing, schema: schemas.removeVersion },
      async (request, reply) => {
        const number = readPositive(request.params.number) ?? 0;
        const id = idIn(request.params);
        await runAction(deps, actorIn(request), async (acting) => {
          await findList(acting.db, id);
          const done = await removeVersion({ ...acting, databaseTime }, id, number);
          if ('problems' in done) throw refuse(done);
        });
        await afterCommit(pricing.live.reload);
        return reply.code(204).send(null);
      },
    );

    app.get(`${one}/entries.csv`, { ...reading, schema: schemas.csv }, async (request, reply) => {
      const { db } = deps;
      const list = await findList(db, idIn(request.params));
      const { at } = request.query;
      const moment = at === undefined ? await databaseTime(db) : readTimeOf('at', at);
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', `attachment; filename="price-list-${list.id}.csv"`)
        .send(Readable.from(printEntries(versionAt(list, moment)?.entries ?? [])));
    });
  };

/** The routes of one client. */
const clientPriceRoutes =
  (deps: PricingRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, pricing } = deps;
    const path = '/admin/api/clients/:client_id/price-list';

    app.get(path, { ...reading, schema: schemas.assigned }, async ({ params }) => {
      await assertClient(db, params.client_id);
      const list = await findList(db, await readListId(db, params.client_id));
      return { price_list_id: list.id, price_list: list.name };
    });

    app.put(path, { ...changing, schema: schemas.assign }, async (request) => {
      const { databaseTime } = pricing;
      const after = await runAction(deps, actorIn(request), async (acting) => {
        await findList(acting.db, request.body.price_list_id);
        const done = await assignClient(
          { ...acting, databaseTime },
          request.params.client_id,
          request.body.price_list_id,
        );
        if (done === undefined) throw new AdminError('CLIENT_NOT_FOUND');
        if ('problems' in done) throw refuse(done);
        return done.after;
      });
      await afterCommit(pricing.live.reload);
      return { price_list_id: after.id, price_list: after.name };
    });
  };

const readRoutes =
  (deps: PricingRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, pricing, routing } = deps;
    const { databaseTime } = pricing;

    app.get(base, { ...reading, schema: schemas.list }, () =>
      inSnapshot(db, async (db) => {
        const clients = await clientsOf(db);
        return { data: (await readLists(db)).map((list) => listToWire(list, clients(list.id))) };
      }),
    );

    app.get(`${base}/explain`, { ...reading, schema: schemas.explain }, async (request) => {
      const asked = await routeRequest(deps, request.query);
      const [taken] = explainRoutes(routing.live.all(), asked);
      const cost = taken?.place === 1 ? taken.cost : null;
      const book = compilePrices(await readLists(db), await readAssignments(db));
      const explained = explainCharge(book, { ...asked, cost: cost ?? undefined });
      return explainedToWire(explained, { price: asked.price, cost });
    });

    app.get(one, { ...reading, schema: schemas.show }, async ({ params, query }) => {
      const at = query.at === undefined ? await databaseTime(db) : readTimeOf('at', query.at);
      return inSnapshot(db, async (db) => {
        const list = await findList(db, idIn(params));
        return shownToWire(list, { clients: (await clientsOf(db))(list.id), at });
      });
    });
  };

export const pricingRoutes =
  (deps: PricingRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { pricing } = deps;
    const { databaseTime } = pricing;
    await readRoutes(deps)(app, {});
    await importRoutes(deps)(app, {});
    await datedRoutes(deps)(app, {});
    await clientPriceRoutes(deps)(app, {});

    app.post(base, { ...changing, schema: schemas.create }, async (request, reply) => {
      const { key, ...input } = request.body;
      const terms = {
        name: input.name,
        parentId: input.parent_id,
        allowBelowCost: input.allow_below_cost,
      };
      const { answer } = await actOnce(
        deps,
        actorIn(request),
        { key, action: 'price list create', input },
        {
          answers: ListSchema,
          work: async (acting) => {
            const change = await setList({ ...acting, databaseTime }, null, terms);
            if ('problems' in change) throw refuse(change);
            return change.after;
          },
          answerOf: (list) => listToWire(list, 0),
        },
      );
      await afterCommit(pricing.live.reload);
      return reply.code(201).send(answer);
    });

    app.patch(one, { ...changing, schema: schemas.change }, async (request) => {
      const id = idIn(request.params);
      const { name, parent_id, allow_below_cost } = request.body;
      const changed = await runAction(deps, actorIn(request), async (acting) => {
        await lockVersion(acting.db, 'prices');
        const before = await findList(acting.db, id);
        const change = await setList({ ...acting, databaseTime }, id, {
          name: name ?? before.name,
          parentId: parent_id === undefined ? before.parentId : parent_id,
          allowBelowCost: allow_below_cost ?? before.allowBelowCost,
        });
        if ('problems' in change) throw refuse(change);
        return listToWire(change.after, (await clientsOf(acting.db))(id));
      });
      await afterCommit(pricing.live.reload);
      return changed;
    });

    app.delete(one, { ...changing, schema: schemas.remove }, async (request, reply) => {
      const id = idIn(request.params);
      await runAction(deps, actorIn(request), async (acting) => {
        await findList(acting.db, id);
        const done = await removeList({ ...acting, databaseTime }, id);
        if ('problems' in done) throw refuse(done);
      });
      await afterCommit(pricing.live.reload);
      return reply.code(204).send(null);
    });
  };
