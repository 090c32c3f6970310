/** Tests that verify and a statement read any number of purchases in constant memory, and that verify changes nothing. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { printCatalogue } from '../../src/catalogue/file/file.ts';
import { sampleProduct } from '../contract/sample-product.ts';
import { at } from '../support/answers.ts';
import { done, temporaryFolders } from '../support/command.ts';
import { testEngine } from '../support/database.ts';
import { serveKept } from '../support/kept-server.ts';
import { parsed } from '../support/live.ts';
import { peakMegabytesWhile, residentMegabytes } from '../support/memory.ts';
import { serveProcess, simgate, simgateProcess, thisProgram } from '../support/process.ts';
import { runSql } from '../support/sql.ts';
import { readStatementFile } from '../support/statement-file.ts';

const folder = temporaryFolders();
const many = 50_000;
/** Enough if memory is not tested. */
const some = 2_000;
const part = 5_000;
const price = 10_000;
/** How many a server sells during the verification. */
const sold = 50;
const balance = (many + sold) * price;
const mostMegabytes = 60;
const mostStatementMegabytes = 30;

/** A client with enough balance for all, in its own database. */
const newClient = async (data: string): Promise<{ id: string; token: string }> => {
  const args = ['client', 'create', '--name', 'A', '--balance', String(balance), '--json'];
  const made = parsed(await done(data, ...args));
  return { id: String(at(made, 'id')), token: String(at(made, 'token')) };
};

/** Sold purchases of a client, from one number to another, as the server would have written them. */
const insertSoldBetween = async (
  data: string,
  clientId: string,
  [first, last]: readonly [first: number, last: number],
): Promise<void> => {
  const numbered = `with recursive numbers (i) as (
    select ${first} union all select i + 1 from numbers where i < ${last}
  )`;
  await runSql(
    data,
    `insert into purchases (client_id, id, idempotency_key, fingerprint, state, product_id,
      operator_id, mobile, amount, webservice_code, request_id, fence, attempts, inquiries, notes,
      began_at, send_before, quiet_at, settled_at, answer_status, answer_body, operator_ref)
      ${numbered} select ?, 'purchase ' || i, 'key-' || i, '1:0', 'succeeded', 1,
      1, '989121234500', ${price}, 'code', 'request', 1, 1, 0, 0,
      i, i, i, i, 200, '{"message":"The purchase was successful."}', 'receipt' from numbers`,
    clientId,
  );
  const postings = (seq: string, kind: string, way: string, held: number) =>
    runSql(
      data,
      `insert into postings (client_id, seq, kind, from_account, to_account, amount,
        available_after, held_after, purchase_id, at)
        ${numbered} select ?, ${seq}, ${kind}, ${way}, ${price},
        ${balance} - i * ${price}, ${held}, 'purchase ' || i, i from numbers`,
      clientId,
    );
  await postings('2 * i', "'hold'", "'available', 'held'", price);
  await postings('2 * i + 1', "'capture'", "'held', 'sales'", 0);
};

/** This many of them, in parts that even a slow machine finishes in time. */
const insertSold = async (data: string, clientId: string, count: number): Promise<void> => {
  for (let first = 1; first <= count; first += part) {
    await insertSoldBetween(data, clientId, [first, Math.min(first + part - 1, count)]);
  }
  const spend = 'update accounts set available = available - ?, seq = ? where client_id = ?';
  await runSql(data, spend, count * price, 2 * count + 1, clientId);
};

/** Records a process's peak memory at its end. */
const peakOf = async (data: string): Promise<{ megabytes: number; report: unknown }> => {
  const file = join(data, 'peak.txt');
  const code = `import { writeFileSync } from 'node:fs';
    process.on('exit', () => {
      writeFileSync(${JSON.stringify(file)}, String(process.resourceUsage().maxRSS));
    });`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
  const { status, out, err } = await simgateProcess(data, ['verify', '--json'], env, thisProgram);
  assert.deepEqual({ status, err }, { status: 0, err: '' });
  return { megabytes: (Number(readFileSync(file, 'utf8')) * 1024) / 1e6, report: parsed(out) };
};

/** Of the file; of PostgreSQL, of every row. */
const hashOf = async (data: string): Promise<string> => {
  if (testEngine === 'sqlite') {
    return hash('sha256', readFileSync(join(data, 'simgate.db')), 'hex');
  }
  // A sum needs no order: sorting so many long texts by collation takes longer than verifying them.
  const rowsOf = (table: string): string =>
    `(select sum(hashtextextended(t::text, 0)) || ' of ' || count(*) from ${table} t)`;
  const { rows } = await runSql(
    data,
    `select concat_ws(', ', ${['purchases', 'postings', 'accounts'].map(rowsOf).join(', ')}) as hash`,
  );
  return String(at(rows, 0, 'hash'));
};

const filledWith = async (count: number) => {
  const data = folder();
  const client = await newClient(data);
  await insertSold(data, client.id, count);
  return { data, client };
};

describe('verify', { timeout: 480_000 }, () => {
  /**
   * What both memory tests read. Not a promise: awaiting another test's promise would leave the own test's
   * context.
   */
  const filled: Awaited<ReturnType<typeof filledWith>>[] = [];
  before(async () => {
    filled.push(await filledWith(many));
  });

  it('verifies 50,000 purchases in hardly more memory than none, and changes nothing', async () => {
    const { data: full } = filled[0] ?? assert.fail('not filled');
    const empty = folder();
    await newClient(empty);
    const before = await hashOf(full);
    const [least, most] = [await peakOf(empty), await peakOf(full)];
    assert.deepEqual(most.report, {
      ok: true,
      accounts: 1,
      postings: 2 * many + 1,
      purchases: many,
      states: { succeeded: many },
      // No server has counted them.
      sales: 0,
      invoices: 0,
      problems: [],
    });
    assert.equal(await hashOf(full), before, 'the file is the same');
    const grown = most.megabytes - least.megabytes;
    assert.ok(least.megabytes > 20, `${least.megabytes} MB cannot be all of a process`);
    assert.ok(grown < mostMegabytes, `it grew by ${Math.round(grown)} MB`);
  });

  it('ends with 1 and says what is wrong with which purchase', async () => {
    const {
      data,
      client: { id },
    } = await filledWith(some);
    await runSql(data, "update purchases set amount = 9999 where id = 'purchase 1234'");
    const { status, out } = await simgate(data, ['verify']);
    assert.equal(status, 1);
    assert.equal(
      out,
      [
        `Problems found (1 accounts, ${2 * some + 1} postings, ${some} purchases):`,
        `client ${id}, purchase purchase 1234: its hold is of 10000, not of 9999`,
        `client ${id}, purchase purchase 1234: its capture is of 10000, not of 9999`,
        '',
      ].join('\n'),
    );
  });

  /** How much a server grows that sends a full statement, once it has sent the beginning of it. */
  const growthBy = async (data: string, token: string): Promise<number> => {
    const served = await serveProcess(data, { SIMGATE_DEMO: 'off' }, thisProgram);
    const source = { url: served.url, token };
    // Two fifths of them: there was a sale in each of the first milliseconds of 1970.
    const beginning = await readStatementFile(source, {
      query: '&to=1970-01-01T00:00:20Z',
    });
    assert.equal(beginning.lines, 2 * 19_999 + 4);
    const before = residentMegabytes(served.child.pid);
    let whole = beginning;
    // A slow reader has to be waited for, too: nothing is buffered in between.
    const peak = await peakMegabytesWhile(served.child.pid, async () => {
      whole = await readStatementFile(source, { pauseMs: 2 });
    });
    // A heading, the opening, the deposit, two for each sale, the closing.
    assert.equal(whole.lines, 2 * many + 4);
    const left = balance - many * price;
    assert.equal(whole.last, `,,closing,,,,${left},0,${left},,,,,`);
    assert.equal(await served.stop(), 0);
    return peak - before;
  };

  it('has a statement beside it that is streamed in hardly more memory than its beginning', async () => {
    const { data, client } = filled[0] ?? assert.fail('not filled');
    // On a busy machine garbage may stay longer; buffered rows would grow each time.
    const grown: number[] = [];
    while (grown.length < 3 && !grown.some((megabytes) => megabytes < mostStatementMegabytes)) {
      grown.push(await growthBy(data, client.token));
    }
    assert.ok(Math.min(...grown) < mostStatementMegabytes, `it grew by ${grown.join(', ')} MB`);
  });

  it('finds a correct ledger at any time beside a selling server', async () => {
    const { data, client } = await filledWith(some);
    const file = join(data, 'products.json');
    writeFileSync(file, [...printCatalogue([sampleProduct({ id: 1, price })], 'json')].join(''));
    await done(data, 'catalogue', 'import', file);
    // A busy machine may send an order late.
    writeFileSync(join(data, 'simgate.json'), '{ "purchases": { "sendWithinMs": 15000 } }');
    const served = await serveKept(data, { SIMGATE_DEMO: 'off' });
    const buy = async (key: string): Promise<number> => {
      const response = await fetch(`${served.url}/api/top-up/package/`, {
        method: 'POST',
        headers: { authorization: `Bearer ${client.token}`, 'idempotency-key': key },
        body: new URLSearchParams({
          product_id: '1',
          mobile: '989121234500',
          price: String(price),
          webservice_code: 'code',
        }),
      });
      await response.text();
      return response.status;
    };
    const state = { over: false };
    const selling = (async () => {
      for (let key = 0; key < sold; key += 1) assert.equal(await buy(`live-${key}`), 200);
    })().finally(() => {
      state.over = true;
    });
    const proving = (async () => {
      for (let last = some; !state.over; ) {
        const during = parsed(await done(data, 'verify', '--json'));
        const purchases = Number(at(during, 'purchases'));
        assert.deepEqual([at(during, 'ok'), purchases >= last], [true, true]);
        last = purchases;
      }
    })();
    await Promise.all([selling, proving]);
    const afterwards = parsed(await done(data, 'verify', '--json'));
    assert.deepEqual([at(afterwards, 'ok'), at(afterwards, 'purchases')], [true, some + sold]);
    assert.equal(await served.stop(), 0);
  });
});
