/** Fills a database with past purchases in bulk, as if each had been bought and counted. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ImportedProduct } from '../src/catalogue/product.ts';
import { readConfig } from '../src/config/config.ts';
import { openForCommand, openForServer } from '../src/db/open.ts';
import { databaseFile } from '../src/db/sqlite/open.ts';
import type { Db } from '../src/db/types.ts';
import { systemClock } from '../src/lib/clock.ts';
import { systemRandom, uuidV7 } from '../src/lib/random.ts';
import { successAnswer } from '../src/purchases/replay/answers.ts';
import { countRound } from '../src/purchases/sales/count.ts';
import { createClient } from '../test/support/clients.ts';
import { importProducts } from '../test/support/import-products.ts';
import { type Engine, words } from './console-fill.ts';
import { runSql } from './pgbench.ts';

// More than any run can spend.
const balance = 1_000_000_000_000;

/** A data folder, and the settings of its database if that is elsewhere. */
export type Place = {
  readonly data: string;
  readonly env?: Readonly<Record<string, string>>;
};

const configOf = ({ data, env = {} }: Place) => readConfig({ DATA_DIR: data, ...env });

type Shop = { readonly products: readonly ImportedProduct[]; readonly clients: number };

/** A database with products and clients; returns the file of the clients' tokens. */
export const fillShop = async (place: Place, { products, clients }: Shop): Promise<string> => {
  const { db, close } = await openForCommand(configOf(place), systemClock);
  const newId = uuidV7(systemClock, systemRandom);
  const deps = { db, clock: systemClock, newId, random: systemRandom };
  await importProducts(deps, [...products]);
  const tokens: string[] = [];
  for (let made = 0; made < clients; made += 1) {
    tokens.push((await createClient(deps, { name: `Client ${made}`, balance })).token.token);
  }
  await close();
  const file = join(place.data, 'tokens');
  writeFileSync(file, tokens.join('\n'));
  return file;
};

type Past = {
  readonly count: number;
  readonly product: number;
  readonly operator: number;
  readonly price: number;
};

const monthMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Writes the purchases from one number to another, distributed evenly over the clients and over the past month.
 * Ids are UUIDv7 in order of time; the rest of them comes from the number, so that purchase and postings agree.
 */
const pastTexts = (engine: Engine, start: number, { count, product, operator, price }: Past) => {
  const { numbers, hex, padded, random } = words[engine];
  const past = (from: number, to: number): string => `with ${numbers(to, from)},
    turns as (select row_number() over (order by id) - 1 as turn, id as client from clients),
    counted as (select count(*) as clients from turns),
    timed as (select i, i / clients as nth, i % clients as whose,
        ${start} + i * ${monthMs} / ${count} as at, (i * 2654435761) & 4294967295 as noise
      from numbers cross join counted),
    past as (select client, i, nth, whose, at,
        substr(${hex('at', 12)}, 1, 8) || '-' || substr(${hex('at', 12)}, 9)
          || '-7' || ${hex('noise & 4095', 3)} || '-' || ${hex('32768 | (noise >> 18)', 4)}
          || '-' || ${hex('i & 65535', 4)} || ${hex('noise', 8)} as id
      from timed join turns on turn = whose)`;
  const { status, body } = successAnswer;
  return {
    // The simulator's times: two seconds to send, five to answer, three to appear.
    purchases: (from: number, to: number): string => `insert into purchases (client_id, id,
        idempotency_key, fingerprint, state, product_id, operator_id, mobile, amount, webservice_code,
        request_id, fence, attempts, inquiries, notes, began_at, send_before, quiet_at, settled_at,
        answer_status, answer_body, operator_ref)
      ${past(from, to)}
      select client, id, ${random}, '1:' || ${random} || ${random}, 'succeeded', ${product}, ${operator},
        '989' || ${padded('i % 10000000', 7)} || ${padded('i * 2 % 88', 2)}, ${price}, 'order-' || i,
        'r' || substr(id, 2), 1, 1, 0, 0, at, at + 2000, at + 10000, at + 5, ${status}, '${body}', id
      from past order by whose, i`,
    // Each purchase holds its price and captures it: two postings after the deposit and the earlier ones.
    postings: (from: number, to: number): string => `insert into postings (client_id, seq, kind,
        from_account, to_account, amount, available_after, held_after, purchase_id, at)
      ${past(from, to)}
      select client, 2 + 2 * nth + step, kind, source, target, ${price},
        ${balance} - ${price} * (nth + 1), held, id, at + 5 * step
      from past cross join (
        select 0 as step, 'hold' as kind, 'available' as source, 'held' as target, ${price} as held
        union all select 1, 'capture', 'held', 'sales', 0
      ) as steps order by whose, i, step`,
  };
};

const accountsText = `update accounts set
  available = (select available_after from postings
    where client_id = accounts.client_id order by seq desc limit 1),
  seq = (select max(seq) from postings where client_id = accounts.client_id)`;

// Grouped by client, which takes three quarters of the time of alternating clients.
const atOnce = 100_000;

/** Runs texts one after another, without foreign keys. */
type Write = (texts: readonly string[]) => Promise<void>;

const writeTo = ({ data, env }: Place): { readonly write: Write; readonly close: () => void } => {
  const url = env?.['DATABASE_URL'];
  if (url !== undefined) {
    const database = new URL(url).pathname.slice(1);
    return {
      write: (texts) =>
        runSql(database, `set session_replication_role = replica; ${texts.join(';\n')}`),
      close: () => {},
    };
  }
  const file = new DatabaseSync(databaseFile(data), { enableForeignKeyConstraints: false });
  // Durability is not needed: a failed run starts over.
  file.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -1000000');
  return {
    write: async (texts) => file.exec(`begin; ${texts.join(';\n')}; commit`),
    close: () => file.close(),
  };
};

/** Writes a past into a filled database without a running server. */
export const fillPast = async (place: Place, past: Past): Promise<void> => {
  const engine = place.env?.['DATABASE_URL'] === undefined ? 'sqlite' : 'postgres';
  const { purchases, postings } = pastTexts(engine, Date.now() - monthMs, past);
  const { write, close } = writeTo(place);
  for (let from = 0; from < past.count; from += atOnce) {
    const to = Math.min(past.count, from + atOnce);
    await write([purchases(from, to), postings(from, to)]);
  }
  await write([accountsText]);
  close();
};

// No purchase waits meanwhile: more at a time than the gateway's job takes.
const countedAtOnce = 2000;

/** Counts what was sold, as the gateway's job does. */
export const countAll = async (db: Db): Promise<void> => {
  const deps = {
    db,
    clock: systemClock,
    retryLocked: <T>(work: () => Promise<T>) => work(),
    log: { error: () => {} },
    timeZone: async () => 'Asia/Tehran',
  };
  while ((await countRound(deps, { most: countedAtOnce })).left > 0);
};

/** The same in a database without a running server. */
export const countPast = async (place: Place): Promise<void> => {
  const { db, close } = await openForServer(configOf(place), systemClock);
  await countAll(db);
  await close();
};
