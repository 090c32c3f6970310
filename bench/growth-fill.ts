/** Fills a database with past purchases in bulk, as if each had been bought. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ImportedProduct } from '../src/catalogue/product.ts';
import { readConfig } from '../src/config/config.ts';
import { openForCommand } from '../src/db/open.ts';
import { databaseFile } from '../src/db/sqlite/open.ts';
import { systemClock } from '../src/lib/clock.ts';
import { systemRandom, uuidV7 } from '../src/lib/random.ts';
import { successAnswer } from '../src/purchases/replay/answers.ts';
import { createClient } from '../test/support/clients.ts';
import { importProducts } from '../test/support/import-products.ts';

// More than any run can spend.
const balance = 1_000_000_000_000;

type Shop = { readonly products: readonly ImportedProduct[]; readonly clients: number };

/** A data folder with products and clients; returns the file of the clients' tokens. */
export const fillShop = async (data: string, { products, clients }: Shop): Promise<string> => {
  const { db, close } = await openForCommand(readConfig({ DATA_DIR: data }), systemClock);
  const newId = uuidV7(systemClock, systemRandom);
  const deps = { db, clock: systemClock, newId, random: systemRandom };
  await importProducts(deps, [...products]);
  const tokens: string[] = [];
  for (let made = 0; made < clients; made += 1) {
    tokens.push((await createClient(deps, { name: `Client ${made}`, balance })).token.token);
  }
  await close();
  const file = join(data, 'tokens');
  writeFileSync(file, tokens.join('\n'));
  return file;
};

/**
 * The purchases from one number to another, distributed evenly over the clients and over the past month. Ids
 * are UUIDv7 in order of time; the rest of them comes from the number, so that purchase and postings agree.
 */
const pastText = `
  with recursive numbers (i) as (select :from union all select i + 1 from numbers where i + 1 < :to),
  timed as (
    select i, i / :clients as nth, :start + i * :span / :count as at,
      printf('%012x', :start + i * :span / :count) as hex, (i * 2654435761) & 4294967295 as noise
    from numbers
  ),
  past as (
    select clients_by_turn.id as client, i, nth, at,
      printf('%s-%s-7%03x-%04x-%04x%08x', substr(hex, 1, 8), substr(hex, 9), noise & 4095,
        32768 | (noise >> 18), i & 65535, noise) as id
    from timed join clients_by_turn on turn = i % :clients
  )`;

// The simulator's times: two seconds to send, five to answer, three to appear.
const purchasesText = `insert into purchases (client_id, id, idempotency_key, fingerprint, state,
    product_id, operator_id, mobile, amount, webservice_code, request_id, fence, attempts, inquiries,
    notes, began_at, send_before, quiet_at, settled_at, answer_status, answer_body, operator_ref)
  ${pastText}
  select client, id, lower(hex(randomblob(16))), '1:' || lower(hex(randomblob(32))), 'succeeded',
    :product, :operator, printf('989%07d%02d', i % 10000000, i * 2 % 88), :price,
    printf('order-%d', i), 'r' || substr(id, 2), 1, 1, 0,
    0, at, at + 2000, at + 10000, at + 5, :status, :body, id
  from past order by i % :clients, i`;

/** Each purchase holds its price and captures it: two postings after the deposit and the earlier ones. */
const postingsText = `insert into postings (client_id, seq, kind, from_account, to_account, amount,
    available_after, held_after, purchase_id, at)
  ${pastText}
  select client, 2 + 2 * nth + step, kind, source, target, :price,
    :balance - :price * (nth + 1), held, id, at + 5 * step
  from past cross join (
    select 0 as step, 'hold' as kind, 'available' as source, 'held' as target, :price as held
    union all select 1, 'capture', 'held', 'sales', 0
  ) order by i % :clients, i, step`;

const accountsText = `update accounts set
  available = (select available_after from postings
    where client_id = accounts.client_id order by seq desc limit 1),
  seq = (select max(seq) from postings where client_id = accounts.client_id)`;

// Grouped by client, which takes three quarters of the time of alternating clients.
const atOnce = 100_000;
const monthMs = 30 * 24 * 60 * 60 * 1000;

type Past = {
  readonly count: number;
  readonly product: number;
  readonly operator: number;
  readonly price: number;
};

/** Writes a past into a filled folder without a running server. */
export const fillPast = (data: string, { count, product, operator, price }: Past): void => {
  const database = new DatabaseSync(databaseFile(data), { enableForeignKeyConstraints: false });
  // Durability is not needed: a failed run starts over.
  database.exec(
    'pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -1000000',
  );
  database.exec(`create temp table clients_by_turn as
    select row_number() over (order by id) - 1 as turn, id from clients`);
  database.exec('create unique index temp.turns on clients_by_turn (turn, id)');
  const clients = Number(database.prepare('select count(*) as n from clients').get()?.['n']);
  const insert = [purchasesText, postingsText].map((text) => {
    const statement = database.prepare(text);
    statement.setAllowUnknownNamedParameters(true);
    return statement;
  });
  const start = Date.now() - monthMs;
  const { status, body } = successAnswer;
  const numbers = {
    count,
    product,
    operator,
    price,
    clients,
    start,
    span: monthMs,
    balance,
    status,
  };
  // A number would be bound as a floating-point value, and divided as one.
  const whole = (values: Readonly<Record<string, number>>): Record<string, bigint> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, BigInt(value)]));
  for (let from = 0; from < count; from += atOnce) {
    const to = Math.min(count, from + atOnce);
    database.exec('begin');
    for (const statement of insert) {
      statement.run({ ...whole({ ...numbers, from, to }), body });
    }
    database.exec('commit');
  }
  database.exec(accountsText);
  database.close();
};
