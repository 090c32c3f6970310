/** Serves clients' money over HTTP: deposits, corrections, credit limits and the statement. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { printStatement } from '../../clients/account/csv.ts';
import { balanceToWire } from '../../clients/account/wire.ts';
import type { Db } from '../../db/types.ts';
import { type RecentOf, readRecent } from '../../ledger/entries.ts';
import { readStatement, type Statement } from '../../ledger/statement.ts';
import { dropEmptyQuery, readSpan, spanQuery } from '../../lib/http/query.ts';
import type { MobileFormat } from '../../lib/mobile.ts';
import { answer } from '../../lib/openapi/answer.ts';
import { actorIn, visitIn } from '../access/guard.ts';
import { type Mask, maskFor } from '../mask.ts';
import { namesFor, type PurchaseRouteDeps } from '../purchases/routes.ts';
import { csvFile, refusals } from '../wire.ts';
import { type ClientsDeps, fieldFault } from './act.ts';
import { correctOnce, depositOnce, setCredit } from './money.ts';
import {
  CorrectionBody,
  CreditBody,
  CreditSchema,
  DepositBody,
  entryToWire,
  exampleCredit,
  exampleMoney,
  exampleStatement,
  MoneySchema,
  StatementSchema,
} from './money-wire.ts';
import { limitOf, pageQuery } from './page.ts';
import { clientParam, common, ofClient, one, reading } from './routes.ts';
import { assertClient } from './webhooks.ts';

const params = Type.Object(clientParam);

const holdsQuery = {
  holds: Type.Optional(
    Type.Enum(['0', '1'], {
      description: '`0` leaves out what is held and released: one entry per sale. Default: `1`.',
    }),
  ),
};

const money = answer(MoneySchema, 'The entry and the balance after it.', exampleMoney);

const schemas = {
  deposit: {
    ...common,
    operationId: 'depositMoney',
    summary: 'Deposit money',
    description:
      'Adds an amount, once per key. A retry with the same key gets the same response. Other input with the same key is refused.',
    params,
    body: DepositBody,
    response: { 201: money, ...refusals(...ofClient, 'KEY_REUSED') },
  },
  correct: {
    ...common,
    operationId: 'correctBalance',
    summary: "Correct a client's balance",
    description:
      'Adds or subtracts an amount, once per key. It never takes more than the client’s own money, and held money stays held. If the balance falls below a threshold, the client receives `balance.low`.',
    params,
    body: CorrectionBody,
    response: { 201: money, ...refusals(...ofClient, 'BALANCE_TOO_SMALL', 'KEY_REUSED') },
  },
  credit: {
    ...common,
    operationId: 'setClientCredit',
    summary: "Update a client's credit limit",
    description:
      'Later purchases go by the new limit. If it has changed since you loaded it: 409 `SETTINGS_CHANGED`. The client may receive `balance.low`.',
    params,
    body: CreditBody,
    response: {
      200: answer(CreditSchema, 'The credit.', exampleCredit),
      ...refusals(...ofClient, 'SETTINGS_CHANGED'),
    },
  },
  statement: {
    ...common,
    operationId: 'getClientStatement',
    summary: "Get a client's statement",
    description:
      'Returns entries, newest first, with the opening and closing balance of the period.',
    params,
    querystring: Type.Object({ ...spanQuery('entries'), ...pageQuery, ...holdsQuery }),
    response: {
      200: answer(StatementSchema, 'A page of the statement.', exampleStatement),
      ...refusals(...ofClient),
    },
  },
  csv: {
    ...common,
    operationId: 'exportClientStatement',
    summary: "Export a client's statement",
    description:
      'Exports all entries of the period as CSV, oldest first. Mobile numbers are masked for roles that cannot see them.',
    params,
    querystring: Type.Object(spanQuery('entries')),
    response: {
      200: csvFile,
      ...refusals(...ofClient, 'EXPORT_BUSY'),
    },
  },
};

const readBefore = (text: string | undefined): number => {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  throw fieldFault('before', {
    en: 'before must be the value of "next" of the previous page.',
    fa: 'before باید مقدار next صفحهٔ قبل باشد.',
  });
};

/** The entries whose numbers come before one, the newest first; and where the next page begins. */
const pageOf = async (
  db: Db,
  clientId: string,
  { opening, closing }: Statement,
  { before, limit, holds }: Pick<RecentOf, 'before' | 'limit' | 'holds'>,
) => {
  const rows = await readRecent(db, clientId, {
    after: opening.seq,
    before: Math.min(before, closing.seq + 1),
    limit: limit + 1,
    holds,
  });
  const page = rows.slice(0, limit);
  const next = rows.length > limit ? String(page.at(-1)?.seq) : null;
  return { page, next };
};

export const moneyRoutes =
  (deps: ClientsDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const config = { adminNeeds: 'money' } as const;

    app.post(`${one}/deposits`, { config, schema: schemas.deposit }, async (request, reply) => {
      const { params, body } = request;
      const wanted = { clientId: params.client_id, ...body };
      return reply.code(201).send(await depositOnce(deps, actorIn(request), wanted));
    });

    app.post(`${one}/corrections`, { config, schema: schemas.correct }, async (request, reply) => {
      const { params, body } = request;
      const wanted = { clientId: params.client_id, ...body };
      return reply.code(201).send(await correctOnce(deps, actorIn(request), wanted));
    });

    const setting = { config: { adminNeeds: 'credit' }, schema: schemas.credit } as const;
    app.put(`${one}/credit`, setting, async (request) => {
      const { params, body } = request;
      const { credit_limit: limit, seen, reason } = body;
      const wanted = { clientId: params.client_id, limit, seen, reason };
      return setCredit(deps, actorIn(request), wanted);
    });
  };

export const statementRoutes =
  (
    deps: ClientsDeps &
      PurchaseRouteDeps & {
        readonly mobile: MobileFormat;
      },
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const config = reading;
    const maskForRequest = (request: FastifyRequest): Mask =>
      maskFor(visitIn(request).account.role, deps.mobile);
    const preValidation = dropEmptyQuery;

    app.get(
      `${one}/statement`,
      { config, preValidation, schema: schemas.statement },
      async (request) => {
        const { params, query } = request;
        const before = readBefore(query.before);
        const span = readSpan(query);
        await assertClient(deps.db, params.client_id);
        const statement = await readStatement(deps.db, params.client_id, span);
        const { page, next } = await pageOf(deps.db, params.client_id, statement, {
          before,
          limit: limitOf(query),
          holds: query.holds !== '0',
        });
        const names = namesFor(request, deps.purchases);
        return {
          data: page.map((entry) => entryToWire(entry, names)),
          next,
          opening: balanceToWire(statement.opening),
          closing: balanceToWire(statement.closing),
        };
      },
    );

    app.get(
      `${one}/statement.csv`,
      { config, preValidation, schema: schemas.csv },
      async (request, reply) => {
        const { params, query } = request;
        const span = readSpan(query);
        await assertClient(deps.db, params.client_id);
        const { body, rest } = deps.exports.open(visitIn(request).account.id, reply.raw);
        const { currency } = deps.settings.current();
        const note = maskForRequest(request);
        const statement = await readStatement(deps.db, params.client_id, span);
        return reply
          .type('text/csv; charset=utf-8; header=present')
          .header('content-disposition', 'attachment; filename="statement.csv"')
          .send(body(printStatement(statement, { turn: rest, note, currency })));
      },
    );
  };
