/**
 * Runs a plain implementation of list and purchase, by Fastify and pg: what one writes in an afternoon to sell
 * correctly, without recovery, limits, webhooks or a console. It is a baseline, and no example to follow.
 */
import { createHash } from 'node:crypto';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import pg from 'pg';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

const { DATABASE_URL: connectionString, OPERATOR_URL: operatorUrl } = process.env;

// Amounts fit into a number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString, max: 20 });

const inTransaction = async <T>(work: (db: pg.PoolClient) => Promise<T>): Promise<T> => {
  const db = await pool.connect();
  try {
    await db.query('begin');
    const result = await work(db);
    await db.query('commit');
    return result;
  } catch (error) {
    await db.query('rollback');
    throw error;
  } finally {
    db.release();
  }
};

const rememberedMs = 5000;
const remembered = new Map<string, { readonly id: string; readonly until: number }>();

/** The client of a token, remembered for some seconds. */
const clientOf = async ({ headers }: FastifyRequest): Promise<string | undefined> => {
  const token = headers.authorization?.replace(/^Bearer /, '') ?? '';
  const known = remembered.get(token);
  if (known !== undefined && known.until > Date.now()) return known.id;
  const hash = createHash('sha256').update(token).digest();
  const { rows } = await pool.query<{ id: string }>({
    name: 'client',
    text: 'select id from clients where token_hash = $1',
    values: [hash],
  });
  const [client] = rows;
  if (client !== undefined)
    remembered.set(token, { id: client.id, until: Date.now() + rememberedMs });
  return client?.id;
};

const Body = Type.Object({
  product_id: Type.String(),
  price: Type.String(),
  mobile: Type.String({ pattern: '^98[0-9]{10}$' }),
});

type Order = { readonly ref: string; readonly mobile: string; readonly amount: number };

/** Orders from the operator, or delivers at once if there is none. Anything unclear is unknown. */
const order = async ({ ref, mobile, amount }: Order, productId: number): Promise<string> => {
  if (operatorUrl === undefined) return 'sold';
  try {
    const answer = await fetch(`${operatorUrl}/operators/1/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ref, mobile, amount, product_id: productId }),
      signal: AbortSignal.timeout(5000),
    });
    const text = await answer.text();
    if (answer.status === 200 && text.includes('"delivered"')) return 'sold';
    return answer.status === 422 ? 'failed' : 'unknown';
  } catch {
    return 'unknown';
  }
};

type Purchase = { readonly id: string; readonly state: string };

const hold = (
  client: string,
  key: string,
  { product_id: productId, price, mobile }: Static<typeof Body>,
): Promise<Purchase | undefined> =>
  inTransaction(async (db) => {
    const { rows } = await db.query<Purchase>({
      name: 'insert purchase',
      text: `insert into purchases (client_id, idempotency_key, product_id, mobile, price)
        values ($1, $2, $3, $4, $5) on conflict (client_id, idempotency_key) do nothing
        returning id, state`,
      values: [client, key, productId, mobile, price],
    });
    const [bought] = rows;
    if (bought === undefined) return undefined;
    const { rowCount } = await db.query({
      name: 'hold',
      text: 'update accounts set balance = balance - $2 where client_id = $1 and balance >= $2',
      values: [client, price],
    });
    if (rowCount === 0) throw new Error('not enough money');
    await db.query({
      name: 'insert posting',
      text: `insert into postings (client_id, purchase_id, kind, amount) values ($1, $2, 'hold', $3)`,
      values: [client, bought.id, price],
    });
    return bought;
  });

const settle = (client: string, { id }: Purchase, price: number, state: string): Promise<void> =>
  inTransaction(async (db) => {
    await db.query({
      name: 'settle',
      text: 'update purchases set state = $2, settled_at = now() where id = $1',
      values: [id, state],
    });
    if (state === 'unknown') return;
    if (state === 'failed') {
      await db.query({
        name: 'release',
        text: 'update accounts set balance = balance + $2 where client_id = $1',
        values: [client, price],
      });
    }
    await db.query({
      name: 'insert end',
      text: 'insert into postings (client_id, purchase_id, kind, amount) values ($1, $2, $3, $4)',
      values: [client, id, state === 'sold' ? 'capture' : 'release', price],
    });
  });

const answers: Readonly<Record<string, readonly [number, string]>> = {
  sold: [200, 'The purchase was successful.'],
  failed: [422, 'The operator refused.'],
  unknown: [202, 'The purchase is being processed.'],
  held: [202, 'The purchase is being processed.'],
};

const say = (reply: FastifyReply, state: string): FastifyReply => {
  const [status, message] = answers[state] ?? [500, 'error'];
  return reply.code(status).send({ message });
};

const app = fastify({ logger: { level: 'info' } });

app.addContentTypeParser(
  'application/x-www-form-urlencoded',
  { parseAs: 'string' },
  (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
);

const perPage = 100;

app.get<{ Querystring: { page?: string } }>('/api/clients/products', async (request, reply) => {
  if ((await clientOf(request)) === undefined) return reply.code(401).send({ message: 'no' });
  const page = Number(request.query.page ?? 1);
  const found = await pool.query<{ details: unknown }>({
    name: 'list',
    text: 'select details from products order by id limit $1 offset $2',
    values: [perPage, (page - 1) * perPage],
  });
  const counted = await pool.query<{ count: number }>({
    name: 'count',
    text: 'select count(*) as count from products',
  });
  const total = counted.rows[0]?.count ?? 0;
  return { data: found.rows.map(({ details }) => details), page, total };
});

app.post('/api/top-up/package/', async (request, reply) => {
  const client = await clientOf(request);
  if (client === undefined) return reply.code(401).send({ message: 'no' });
  const key = String(request.headers['idempotency-key'] ?? '');
  const { body } = request;
  if (key === '' || !Value.Check(Body, body)) return reply.code(422).send({ message: 'invalid' });
  const products = await pool.query<{ price: number }>({
    name: 'product',
    text: 'select price from products where id = $1',
    values: [body.product_id],
  });
  const price = products.rows[0]?.price;
  if (price !== Number(body.price)) return reply.code(422).send({ message: 'another price' });
  const bought = await hold(client, key, body);
  if (bought === undefined) {
    const before = await pool.query<Purchase>({
      name: 'find',
      text: 'select id, state from purchases where client_id = $1 and idempotency_key = $2',
      values: [client, key],
    });
    return say(reply, before.rows[0]?.state ?? 'unknown');
  }
  const state = await order(
    { ref: bought.id, mobile: body.mobile, amount: price },
    Number(body.product_id),
  );
  await settle(client, bought, price, state);
  return say(reply, state);
});

const url = await app.listen({ port: 0, host: '127.0.0.1' });
console.log(JSON.stringify({ url }));
process.once('SIGTERM', () => {
  void app.close().then(() => pool.end());
});
