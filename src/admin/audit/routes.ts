/** Serves the audit log over HTTP: pages, the people in it, and the same entries as CSV. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { dropEmptyQuery, readSpan, spanQuery } from '../../lib/http/query.ts';
import type { MobileFormat } from '../../lib/mobile.ts';
import { answer } from '../../lib/openapi/answer.ts';
import { idLowerBound } from '../../lib/random.ts';
import { type GuardDeps, visitIn } from '../access/guard.ts';
import { type AuditFilter, type AuditRow, auditSorts, listAudit } from '../access/store.ts';
import { pageOf } from '../clients/page.ts';
import type { Exports } from '../exports.ts';
import { maskFor } from '../mask.ts';
import {
  AuditSchema,
  auditToWire,
  csvFile,
  exampleAudit,
  guarded,
  refusals,
  textOrNull,
} from '../wire.ts';
import { mostEntries, printAudit } from './csv.ts';
import { findNames, listActors } from './store.ts';

const common = { tags: ['Audit'] };

const entriesOfPage = 100;

const filterQuery = {
  subject: Type.Optional(
    Type.String({ description: 'Return only entries about this object, by its ID.' }),
  ),
  actor: Type.Optional(
    Type.String({ description: 'Return only entries of the account with this name.' }),
  ),
  action: Type.Optional(Type.String({ description: 'Return only entries of this action.' })),
  ...spanQuery('entries'),
};

const FilterSchema = Type.Object(filterQuery);

const schemas = {
  list: {
    ...common,
    operationId: 'listAudit',
    summary: 'List audit log entries',
    description:
      'Returns entries, newest first unless you sort them. For the next page, send `next` as `before`.',
    querystring: Type.Object({
      before: Type.Optional(Type.String({ description: 'Cursor: `next` of the previous page.' })),
      sort: Type.Optional(
        Type.Enum([...auditSorts], { description: 'What to sort by. Default: `at`.' }),
      ),
      order: Type.Optional(
        Type.Enum(['asc', 'desc'], { description: 'The direction. Default: `desc`.' }),
      ),
      ...filterQuery,
    }),
    response: {
      200: answer(
        Type.Object({
          data: Type.Array(AuditSchema, {
            description: `Up to ${entriesOfPage} entries, in this order.`,
          }),
          next: textOrNull('Send it as `before` for the next page; null on the last page.'),
        }),
        'The entries.',
        { data: [exampleAudit], next: exampleAudit.id },
      ),
      ...refusals(...guarded),
    },
  },
  actors: {
    ...common,
    operationId: 'listAuditActors',
    summary: 'List the people of the audit log',
    description: 'Returns the names of all accounts and commands that have an entry.',
    response: {
      200: answer(
        Type.Object({ data: Type.Array(Type.String(), { description: 'The names, sorted.' }) }),
        'The names.',
        { data: ['office'] },
      ),
      ...refusals(...guarded),
    },
  },
  csv: {
    ...common,
    operationId: 'exportAudit',
    summary: 'Export audit log entries',
    description: `Exports the same entries as CSV, newest first, up to ${mostEntries} of them. Each changed field is a line of its own.`,
    querystring: FilterSchema,
    response: { 200: csvFile, ...refusals(...guarded, 'EXPORT_BUSY') },
  },
};

/** A time maps to a range of ids. */
const filterOf = (query: Static<typeof FilterSchema>): Omit<AuditFilter, 'before' | 'limit'> => {
  const { subject, actor, action } = query;
  const { from, to } = readSpan(query);
  return {
    ...(subject === undefined ? {} : { subject }),
    ...(actor === undefined ? {} : { actor }),
    ...(action === undefined ? {} : { action }),
    ...(from === undefined ? {} : { from: idLowerBound(Math.max(0, from)) }),
    ...(to === undefined ? {} : { to: idLowerBound(Math.max(0, to)) }),
  };
};

export const auditRoutes =
  ({
    db,
    mobile,
    exports,
  }: GuardDeps & {
    readonly mobile: MobileFormat;
    readonly exports: Exports;
  }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const config = { adminNeeds: 'audit' } as const;
    const preValidation = dropEmptyQuery;
    const toWire = async (request: FastifyRequest, rows: readonly AuditRow[]) => {
      const mask = maskFor(visitIn(request).account.role, mobile);
      const names = await findNames(db, [...new Set(rows.map(({ subject }) => subject))]);
      return rows.map((row) => auditToWire(row, mask, names.get(row.subject) ?? null));
    };
    const base = '/admin/api/audit';

    app.get(base, { config, preValidation, schema: schemas.list }, async (request) => {
      const { before, sort, order } = request.query;
      const wanted = {
        ...filterOf(request.query),
        ...(before === undefined ? {} : { before }),
        limit: entriesOfPage + 1,
      };
      const rows = await listAudit(db, wanted, {
        ...(sort === undefined ? {} : { sort }),
        descending: order !== 'asc',
      });
      const { page, next } = pageOf(rows, entriesOfPage);
      return { data: await toWire(request, page), next };
    });

    app.get(`${base}/actors`, { config, schema: schemas.actors }, async () => ({
      data: await listActors(db),
    }));

    app.get(
      `${base}.csv`,
      { config, preValidation, schema: schemas.csv },
      async (request, reply) => {
        const filter = filterOf(request.query);
        const { body, rest } = exports.open(visitIn(request).account.id, reply.raw);
        const read = async (before: string | undefined, limit: number) =>
          toWire(
            request,
            await listAudit(db, {
              ...filter,
              ...(before === undefined ? {} : { before }),
              limit,
            }),
          );
        return reply
          .type('text/csv; charset=utf-8; header=present')
          .header('content-disposition', 'attachment; filename="audit.csv"')
          .send(body(printAudit(read, rest)));
      },
    );
  };
