/** Measures the baseline on PostgreSQL: `pgbench` writes the records of a purchase, one statement at a time. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '../src/config/config.ts';
import { openForCommand } from '../src/db/open.ts';
import { systemClock } from '../src/lib/clock.ts';
import { attemptColumns, progressColumns, requestColumns } from '../src/purchases/rows.ts';
import { runLoad } from './load-child.ts';
import { newFolder, postgres } from './resources.ts';
import { toolFor } from './tools.ts';

/** Runs SQL on a database of the bench's PostgreSQL. */
export const runSql = async (database: string, text: string): Promise<void> => {
  const client = new pg.Client({ connectionString: (await postgres()).url(database) });
  await client.connect();
  await client.query(text);
  await client.end();
};

const firstAccount = 100_000_000_000;
// As long as the gateway's ids.
const idPrefix = '00000000-0000-7000-8000-';

/** A database with the gateway's own tables and this many accounts. */
export const makeRival = async (database: string, accounts: number): Promise<void> => {
  const url = (await postgres()).url(database);
  await runSql('postgres', `create database ${database}`);
  const { close } = await openForCommand(readConfig({ DATABASE_URL: url }), systemClock);
  await close();
  const ids = `generate_series(${firstAccount}, ${firstAccount + accounts - 1}) as n`;
  await runSql(
    database,
    `insert into clients select '${idPrefix}' || n, 'client ' || n, 'active', 0 from ${ids};
     insert into accounts select '${idPrefix}' || n, 1000000000000, 0, 0 from ${ids};`,
  );
};

const price = 10_000;
const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

const columns = [...requestColumns, ...attemptColumns, ...progressColumns];

/** What the gateway writes into each column when a purchase begins. */
const begun: Readonly<Record<(typeof columns)[number], string>> = {
  client_id: 'account.client_id',
  id: 'uuidv7()::text',
  idempotency_key: "'bench-' || gen_random_uuid()::text",
  fingerprint: "'1:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'",
  product_id: '1',
  operator_id: '1',
  mobile: "'989112345600'",
  amount: String(price),
  offer_code: 'null',
  offer_type: 'null',
  profile_id: 'null',
  webservice_code: "'bench'",
  request_id: 'gen_random_uuid()::text',
  began_at: now,
  supplier_id: '1',
  sent_to: "'0123456789abcdef'",
  route_id: 'null',
  supplier_code: 'null',
  passed_over: 'null',
  left_suppliers: 'null',
  trace: 'null',
  charged_amount: String(price),
  price_entry_id: 'null',
  cost: 'null',
  told_cost: 'null',
  state: "'submitted'",
  fence: '1',
  attempts: '1',
  inquiries: '0',
  notes: '0',
  send_before: `${now} + 2000`,
  quiet_at: `${now} + 10000`,
  due_at: `${now} + 10000`,
  settled_at: 'null',
  answer_status: 'null',
  answer_body: 'null',
  operator_ref: 'null',
  reason: 'null',
  reason_values: 'null',
  disputed: 'null',
  disputed_values: 'null',
};

const movement = (kind: string, from: string, to: string): string =>
  `insert into postings (client_id, seq, kind, from_account, to_account, amount, available_after,
  held_after, purchase_id, note, at) select account.client_id, account.seq, '${kind}', '${from}', '${to}',
  ${price}, account.available, account.held, bought.id, null, ${now} from account, bought`;

/** A statement of several parts in one line: it is its own transaction. */
const asOne = (parts: Readonly<Record<string, string>>, end: string): string => {
  const named = Object.entries(parts).map(([name, text]) => `${name} as (${text})`);
  return `with ${named.join(', ')} ${end}`.replace(/\s+/g, ' ');
};

/** The two transactions of one purchase, each a single statement that writes the same rows. */
const script = (accounts: number): string =>
  [
    `\\set account random(${firstAccount}, ${firstAccount + accounts - 1})`,
    asOne(
      {
        account: `update accounts set available = available - ${price}, held = held + ${price},
          seq = seq + 1 where client_id = '${idPrefix}' || :account
          returning client_id, available, held, seq`,
        bought: `insert into purchases (${columns.join(', ')})
          select ${columns.map((name) => begun[name]).join(', ')} from account
          on conflict do nothing returning id, client_id`,
        posted: movement('hold', 'available', 'held'),
      },
      'select id, client_id as client from bought \\gset',
    ),
    `${asOne(
      {
        bought: `update purchases set state = 'succeeded', due_at = null, settled_at = ${now},
          answer_status = 200, answer_body = '{"message":"The purchase was successful."}',
          operator_ref = :id where client_id = :client and id = :id returning id, client_id`,
        account: `update accounts set held = held - ${price}, seq = seq + 1 from bought
          where accounts.client_id = bought.client_id
          returning accounts.client_id, available, held, seq`,
        posted: movement('capture', 'held', 'sales'),
      },
      'select 1',
    )};`,
    '',
  ].join('\n');

const clients = 16;

/** Purchases a second; throws if a single one fails. */
export const runRival = async (
  database: string,
  accounts: number,
  seconds: number,
): Promise<number> => {
  const file = join(newFolder(), 'purchase.sql');
  writeFileSync(file, script(accounts));
  const { hostname, port, username, password } = new URL((await postgres()).url(database));
  const place = ['-h', hostname, '-p', port, '-U', username];
  const size = ['-c', String(clients), '-j', '1', '-T', String(seconds), '-M', 'prepared', '-n'];
  const { text } = await runLoad(toolFor('pgbench'), [...place, ...size, '-f', file, database], {
    PGPASSWORD: password,
  });
  const failed = /failed transactions: (\d+)/.exec(text)?.[1];
  const rate = /tps = ([\d.]+)/.exec(text)?.[1];
  if (failed !== '0' || rate === undefined) throw new Error(text);
  return Number(rate);
};
