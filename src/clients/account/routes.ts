/** Serves a client's own account: balance, rules and statement. */
import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import type { Db } from '../../db/types.ts';
import { emptyAccount } from '../../ledger/posting.ts';
import { readStatement, type Span } from '../../ledger/statement.ts';
import { readAccount } from '../../ledger/store.ts';
import { baseUrl } from '../../lib/http/base-url.ts';
import { dropEmptyQuery, optionalText, readSpan, spanQuery } from '../../lib/http/query.ts';
import { answer } from '../../lib/openapi/answer.ts';
import { errorResponses, tokenErrors } from '../../lib/openapi/errors.ts';
import { pageAddress, pageBounds, pageEnvelope, readPage } from '../../lib/page.ts';
import type { Rate } from '../../lib/rate-limit.ts';
import type { CurrentSettings } from '../../settings/current.ts';
import { CurrencyOrNull, currencyToWire, exampleCurrency } from '../../settings/wire.ts';
import type { Auth } from '../auth.ts';
import { noRules } from '../rules/rules.ts';
import { exampleRules, RulesSchema, rulesToWire } from '../rules/wire.ts';
import { printStatement } from './csv.ts';
import {
  balanceToWire,
  entryToWire,
  exampleStatement,
  FundsSchema,
  fundsToWire,
  StatementSchema,
} from './wire.ts';

export type AccountDeps = {
  readonly auth: Auth;
  readonly db: Db;
  readonly publicUrl: string | undefined;
  /** A client's request limit; undefined or null: unlimited. */
  readonly rate: Rate | null | undefined;
  /** A client's spending today, and when the day ends. */
  readonly dayOf: (clientId: string) => Promise<{ readonly spent: number; readonly ends: number }>;
  readonly settings: Pick<CurrentSettings, 'current'>;
};

export const AccountSchema = Type.Object(
  {
    ...FundsSchema.properties,
    test: Type.Boolean({
      description:
        'Whether you are a test client: a simulator takes your orders, nothing is delivered, and your balance is play money.',
    }),
    currency: CurrencyOrNull,
    time_zone: Type.String({
      description: 'The business time zone, as an IANA name. Daily limits go by its days.',
    }),
    limits: Type.Object(
      {
        requests: Type.Union(
          [
            Type.Object({
              per_second: Type.Number({ description: 'Requests per second on average.' }),
              burst: Type.Integer({ description: 'Requests at once.' }),
            }),
            Type.Null(),
          ],
          { description: 'Your rate limit; null if there is none.' },
        ),
        ...RulesSchema.properties,
      },
      { description: 'Your limits and purchase rules.' },
    ),
  },
  { title: 'Account', description: 'Your balance and limits.' },
);

const exampleAccount = {
  available: 4_582_000,
  held: 418_000,
  balance: 5_000_000,
  credit_limit: 2_000_000,
  credit_used: 0,
  test: false,
  currency: exampleCurrency,
  time_zone: 'Asia/Tehran',
  limits: { requests: { per_second: 50, burst: 100 }, ...exampleRules },
} as const satisfies Static<typeof AccountSchema>;

const QuerySchema = Type.Object({
  ...spanQuery('entries'),
  format: Type.Optional(
    Type.Enum(['json', 'csv'], {
      description:
        '`json`: in pages. `csv`: all entries in one file. If a currency is set, the last column is `currency`.',
    }),
  ),
  page: optionalText('Page number.', '1'),
  per_page: optionalText('Entries per page, 1 to 100.', '100'),
});

/** A stream when sent, text when read. */
const CsvSchema = Type.Unsafe<Readable>(Type.String());

const common = { tags: ['Account'], security: [{ token: [] }] };

const statementSchema = {
  ...common,
  operationId: 'getStatement',
  summary: 'Get your statement',
  description:
    'Returns the opening balance, each entry with the balance after it, and the closing balance. Entries never change: a period that ended always gives the same statement.',
  querystring: QuerySchema,
  response: {
    200: {
      description: 'A page of the statement, or the whole statement as CSV.',
      content: {
        'application/json': {
          schema: StatementSchema,
          examples: { page: { value: exampleStatement } },
        },
        'text/csv': { schema: CsvSchema },
      },
    },
    ...errorResponses(...tokenErrors, 'VALIDATION_FAILED'),
  },
};

export const accountRoutes =
  (deps: AccountDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const onRequest = deps.auth.needs('purchase');
    const { rate } = deps;
    const requests = rate ? { per_second: rate.perSecond, burst: rate.burst } : null;

    app.get(
      '/api/account',
      {
        onRequest,
        schema: {
          ...common,
          operationId: 'getAccount',
          summary: 'Get your account',
          description:
            'Returns what you can spend, what is held for purchases in progress, your credit, the currency of all amounts, your limits, and the products you can buy. The catalogue lists all products, including those you cannot buy.',
          response: {
            200: answer(AccountSchema, 'Your account.', exampleAccount),
            ...errorResponses(...tokenErrors),
          },
        },
      },
      async (request) => {
        const { clientId, clientRules: rules = noRules, clientTest: test } = request;
        const account = await readAccount(deps.db, clientId);
        const day = rules.dailyLimit === null ? undefined : await deps.dayOf(clientId);
        const limits = { requests, ...rulesToWire(rules, day) };
        const { currency, timeZone } = deps.settings.current();
        return {
          ...fundsToWire(account ?? emptyAccount),
          test,
          currency: currencyToWire(currency),
          time_zone: timeZone,
          limits,
        };
      },
    );

    const options = { onRequest, preValidation: dropEmptyQuery, schema: statementSchema };
    app.get('/api/statement', options, async (request, reply) => {
      const { query } = request;
      const span: Span = readSpan(query);
      const statement = await readStatement(deps.db, request.clientId, span);
      if (query.format === 'csv') {
        const { currency } = deps.settings.current();
        return reply
          .type('text/csv; charset=utf-8; header=present')
          .header('content-disposition', 'attachment; filename="statement.csv"')
          .send(Readable.from(printStatement(statement, { currency })));
      }
      const address = pageAddress(baseUrl(deps.publicUrl, request), request.url);
      const paging = { total: statement.count, ...readPage(query.page, query.per_page) };
      const { start, end } = pageBounds(paging);
      return reply.send({
        opening: balanceToWire(statement.opening),
        data: (await statement.entries(start, end)).map(entryToWire),
        closing: balanceToWire(statement.closing),
        ...pageEnvelope(paging, address),
      });
    });
  };
