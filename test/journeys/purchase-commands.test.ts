/** Tests the commands for purchases beside a running server: filters, histories, masked numbers. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as rest } from 'node:timers/promises';
import { printCatalogue } from '../../src/catalogue/file/file.ts';
import { sampleProduct } from '../contract/sample-product.ts';
import { at, listOf } from '../support/answers.ts';
import { assertSentence, done, temporaryFolders, twoAtATime } from '../support/command.ts';
import { serveKept } from '../support/kept-server.ts';
import { ask, eventually, parsed } from '../support/live.ts';
import { type Served, simgate } from '../support/process.ts';

const folder = temporaryFolders();
const price = 10_000;
const [credit, permanent, ofTwoSuppliers] = [1, 2, 3];

/** The numbers, by their last two digits, and how each purchase must end. */
const ends: Readonly<Record<string, string>> = {
  '00': 'succeeded',
  '88': 'succeeded',
  '90': 'failed',
  '91': 'refused',
  '93': 'succeeded',
  '94': 'failed',
  '97': 'succeeded',
  '98': 'review',
  '99': 'reversed',
};
const productFor = (digits: string): number => {
  if (digits === '88') return ofTwoSuppliers;
  return Number(digits) % 2 === 0 ? credit : permanent;
};
const mobileOf = (digits: string): string => `9891212345${digits}`;

// The forever pending number is given up after half a minute; a busy machine may double that.
const patienceMs = 90_000;

describe('The commands about purchases', { ...twoAtATime, timeout: 300_000 }, () => {
  const data = folder();
  const clients = { first: { id: '', token: '' }, second: { id: '', token: '' } };
  const ids = new Map<string, string>();
  let served: Served | undefined;

  const json = async (...args: readonly string[]): Promise<unknown> =>
    parsed(await done(data, ...args, '--json'));

  const newClient = async (): Promise<{ id: string; token: string }> => {
    const args = ['client', 'create', '--name', 'Reseller', '--balance', '1000000'];
    const made = await json(...args);
    return { id: String(at(made, 'id')), token: String(at(made, 'token')) };
  };

  const buy = async (token: string, digits: string, key: string): Promise<string> => {
    const response = await fetch(`${served?.url}/api/top-up/package/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
      body: new URLSearchParams({
        product_id: String(productFor(digits)),
        mobile: mobileOf(digits),
        price: String(price),
        webservice_code: `code of ${digits}`,
      }),
    });
    await response.text();
    return response.headers.get('purchase-id') ?? assert.fail(`no purchase: ${response.status}`);
  };

  const stateOf = async (digits: string): Promise<unknown> => {
    const path = `/api/purchases/${ids.get(digits)}`;
    return at((await ask(served?.url ?? '', clients.first.token, path)).body, 'state');
  };

  const untilEnded = async (digits: string, end: string): Promise<void> => {
    const until = performance.now() + patienceMs;
    while ((await stateOf(digits)) !== end) {
      assert.ok(performance.now() < until, `${digits} never ends ${end}`);
      await rest(200);
    }
  };

  before(async () => {
    const file = join(data, 'products.json');
    const products = [
      sampleProduct({ id: credit, price, sim_card_type: 'credit' }),
      sampleProduct({ id: permanent, price, sim_card_type: 'permanent' }),
      sampleProduct({ id: ofTwoSuppliers, price, sim_card_type: 'credit' }),
    ];
    writeFileSync(file, [...printCatalogue(products, 'json')].join(''));
    await done(data, 'catalogue', 'import', file);
    clients.first = await newClient();
    clients.second = await newClient();
    const config = join(data, 'config.json');
    // No time to wait for numbers without an answer; a busy machine may send the orders late.
    const purchases = { pendingAfterMs: 500, sendWithinMs: 15_000 };
    const second = { name: 'second', connector: 'simulator', settings: { second: true } };
    writeFileSync(config, JSON.stringify({ purchases, suppliers: { 101: second } }));
    const route = ['--operator', '1', '--product', String(ofTwoSuppliers), '--supplier', '101'];
    const args = ['route', 'set', ...route, '--priority', '200'];
    assert.equal((await simgate(data, args, { SIMGATE_CONFIG: config })).status, 0);
    served = await serveKept(data, { SIMGATE_DEMO: 'off', SIMGATE_CONFIG: config });
    await Promise.all([
      ...Object.keys(ends).map(async (digits) => {
        ids.set(
          digits,
          await buy(clients.first.token, digits, `key of ${digits}`.replaceAll(' ', '-')),
        );
      }),
      buy(clients.second.token, '00', 'key-of-00'),
    ]);
    await Promise.all(Object.entries(ends).map(([digits, end]) => untilEnded(digits, end)));
  });
  after(async () => {
    await served?.stop();
  });

  const idOf = (digits: string): string => ids.get(digits) ?? '';
  const idsIn = (listed: unknown): unknown[] => listOf(listed).map((one) => at(one, 'id'));

  it('list all purchases of all clients, the newest first', async () => {
    const listed = listOf(await json('purchase', 'list'));
    assert.equal(listed.length, Object.keys(ends).length + 1);
    const began = listed.map((one) => String(at(one, 'began_at')));
    assert.deepEqual(began, began.toSorted().toReversed());
    const one = listed.find((each) => at(each, 'id') === idOf('00'));
    assert.deepEqual(one, {
      id: idOf('00'),
      client_id: clients.first.id,
      state: 'succeeded',
      product_id: credit,
      operator_id: 1,
      mobile: '98******4500',
      amount: price,
      currency: null,
      webservice_code: 'code of 00',
      idempotency_key: 'key-of-00',
      reason: null,
      disputed: null,
      began_at: at(one, 'began_at'),
      settled_at: at(one, 'settled_at'),
    });
  });

  it('list those of a client, in a state, with a code or a key, up to a limit', async () => {
    const { first, second } = clients;
    const listed = async (...options: readonly string[]): Promise<unknown[]> =>
      idsIn(await json('purchase', 'list', ...options));
    assert.equal((await listed('--client', second.id)).length, 1);
    assert.deepEqual(await listed('--state', 'review'), [idOf('98')]);
    assert.deepEqual(await listed('--code', 'code of 94'), [idOf('94')]);
    assert.deepEqual(await listed('--key', 'key-of-97'), [idOf('97')]);
    assert.deepEqual(await listed('--client', first.id, '--key', 'key-of-00'), [idOf('00')]);
    assert.equal((await listed('--key', 'key-of-00')).length, 2, 'two clients may use one key');
    assert.equal((await listed('--limit', '2')).length, 2);
    assert.deepEqual(await listed('--client', 'unknown'), []);
  });

  it('list them as a table for people', async () => {
    const lines = (await done(data, 'purchase', 'list', '--state', 'failed')).trim().split('\n');
    assert.match(lines[0] ?? '', /^ID +BEGAN +STATE +PRODUCT +MOBILE +AMOUNT +CODE +REASON$/);
    assert.equal(lines.length, 3);
    const row = lines.find((line) => line.startsWith(idOf('94'))) ?? '';
    assert.match(row, / failed +1 +98\*{6}4594 +10000 +code of 94 +ORDER_NOT_RECEIVED$/);
  });

  it('show no number in full, in words or as JSON, in list or in show', async () => {
    const commands = [
      ['purchase', 'list'],
      ...['91', '94', '98'].map((digits) => ['purchase', 'show', idOf(digits)]),
    ];
    for (const command of commands) {
      const texts = [await done(data, ...command), await done(data, ...command, '--json')];
      for (const text of texts) {
        assert.match(text, /98\*{6}45\d\d/);
        assert.doesNotMatch(text, /9891212345|91212345/, 'a number in full');
      }
    }
  });

  /** The history, each line as "what: detail", and the postings. */
  const historyOf = async (digits: string) => {
    const shown = await json('purchase', 'show', idOf(digits));
    const history = listOf(at(shown, 'history'));
    const times = history.map((one) => String(at(one, 'at')));
    assert.deepEqual(times, times.toSorted(), 'in the order in which it happened');
    return {
      shown,
      lines: history.map((one) => `${String(at(one, 'what'))}: ${String(at(one, 'detail'))}`),
      postings: listOf(at(shown, 'postings')).map((one) => at(one, 'kind')),
    };
  };

  it('show for a plain sale that it was held, submitted and sold', async () => {
    const { shown, lines, postings } = await historyOf('00');
    assert.deepEqual(lines, ['held and submitted: attempt 1', 'succeeded: ']);
    assert.deepEqual(postings, ['hold', 'capture']);
    assert.equal(at(shown, 'answer', 'status'), 200);
    assert.deepEqual([at(shown, 'attempts'), at(shown, 'inquiries')], [1, 0]);
  });

  it('show for a number that is refused before the order that nothing was held', async () => {
    const { shown, lines, postings } = await historyOf('91');
    assert.deepEqual(lines, ['refused: OPERATOR_MISMATCH']);
    assert.deepEqual(postings, []);
    assert.equal(at(shown, 'answer', 'status'), 422);
  });

  it('show for 93, whose answer is lost, how its delivery was found', async () => {
    const { shown, lines, postings } = await historyOf('93');
    assert.equal(lines[0], 'held and submitted: attempt 1');
    assert.equal(lines.at(-1), 'succeeded: ');
    // Whichever is first: a report of the operator, or the call's timeout and an inquiry.
    assert.match(
      lines.slice(1, -1).join('; '),
      /^(order: no answer within 5000 ms; )?(inquiry: done|report: the operator reports it delivered at \d{4}-.*Z)$/,
    );
    assert.deepEqual(postings, ['hold', 'capture']);
    assert.equal(at(shown, 'attempts'), 1);
  });

  it('show for 94, whose request is lost, that "no such order" was no proof until the quiet time ended', async () => {
    const { shown, lines, postings } = await historyOf('94');
    assert.deepEqual(lines.slice(0, 2), [
      'held and submitted: attempt 1',
      'order: no answer within 5000 ms',
    ]);
    const asked = lines.slice(2, -2);
    assert.ok(asked.length > 0);
    assert.deepEqual(
      new Set(asked),
      new Set(['inquiry: the operator knows no such order, which is no proof yet']),
    );
    assert.deepEqual(lines.slice(-2), [
      'inquiry: the operator knows no such order',
      'failed: ORDER_NOT_RECEIVED',
    ]);
    assert.deepEqual(postings, ['hold', 'release']);
    assert.equal(at(shown, 'answer', 'status'), 422);
  });

  it('show for 97 that it was pending twice, and delivered at the third inquiry', async () => {
    const { shown, lines, postings } = await historyOf('97');
    assert.deepEqual(lines, [
      'held and submitted: attempt 1',
      'order: the operator took the order: pending',
      'inquiry: the operator says that it is pending',
      'inquiry: the operator says that it is pending',
      'inquiry: done',
      'succeeded: ',
    ]);
    assert.deepEqual(postings, ['hold', 'capture']);
    assert.equal(at(shown, 'attempts'), 1);
  });

  it('show for 98, pending forever, every inquiry and that it needs review', async () => {
    const { shown, lines, postings } = await historyOf('98');
    assert.equal(lines[1], 'order: the operator took the order: pending');
    const inquiries = lines.slice(2);
    assert.equal(at(shown, 'inquiries'), inquiries.length);
    assert.deepEqual(
      new Set(inquiries),
      new Set(['inquiry: the operator says that it is pending']),
    );
    assert.match(String(at(shown, 'reason')), /^not known after \d+ inquiries: /);
    assert.deepEqual(postings, ['hold'], 'the hold stays');
    assert.deepEqual([at(shown, 'answer'), at(shown, 'settled_at')], [null, null]);
  });

  it('show for 99 that it was sold, and refunded when the operator reversed it', async () => {
    const { shown, lines, postings } = await historyOf('99');
    assert.deepEqual(lines.slice(0, 2), ['held and submitted: attempt 1', 'succeeded: ']);
    assert.match(lines[2] ?? '', /^reversal: the operator reversed it at \d{4}-.*Z$/);
    assert.equal(lines.length, 3);
    assert.deepEqual(postings, ['hold', 'capture', 'reverse']);
    assert.equal(at(shown, 'answer', 'status'), 200, 'its answer stays');
  });

  it('show where it was ordered, and why a supplier was left', async () => {
    const shown = await json('purchase', 'show', idOf('88'));
    const left = listOf(at(shown, 'left')).map((one) => at(one, 'supplier_id'));
    assert.deepEqual([at(shown, 'supplier_id'), left], [101, [1]]);
    const text = await done(data, 'purchase', 'show', idOf('88'));
    assert.match(text, /^supplier_id +101$/m);
    assert.match(text, /^LEFT +SUPPLIER +WHY\n\S+Z +1 +The product is not available/m);
  });

  it('show in words the facts, the history, the money and the answer', async () => {
    const text = await done(data, 'purchase', 'show', idOf('94'));
    assert.match(text, new RegExp(`^id +${idOf('94')}\n`));
    assert.match(text, /^state +failed$/m);
    assert.match(text, /^mobile +98\*{6}4594$/m);
    assert.match(text, /^WHEN +WHAT +DETAIL\n\S+Z +held and submitted +attempt 1$/m);
    assert.match(text, /^WHEN +POSTING +AMOUNT\n\S+Z +hold +10000\n\S+Z +release +10000$/m);
    assert.match(text, /^Answer: 422 \{"message":.*\}\n$/m);
  });

  it('end with 1 if there is no such purchase, and with 2 for wrong usage', async () => {
    assertSentence(await simgate(data, ['purchase', 'show', 'nothing']), /^There is no purchase/);
    for (const args of [
      ['purchase', 'show'],
      ['purchase', 'list', '--state', 'sold'],
      ['purchase', 'list', '--limit', '0'],
      ['purchase', 'list', '--limit', 'many'],
      ['purchase', 'list', '--colour', 'red'],
      ['purchase'],
    ]) {
      const { status, out, err } = await simgate(data, args);
      assert.deepEqual({ status, out }, { status: 2, out: '' }, args.join(' '));
      assert.match(err, /simgate purchase|There is no command/);
    }
    const { err } = await simgate(data, ['purchase', 'list', '--state', 'sold']);
    assert.match(err, /^--state must be one of: refused, submitted, .*; not "sold"\.$/m);
  });

  it('report what was sold in words, as JSON and as CSV', async () => {
    const dayText = (offset: number): string =>
      new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    const report = [
      'sales',
      'report',
      '--from',
      dayText(-1),
      '--to',
      dayText(1),
      '--by',
      'product',
    ];
    let found: unknown;
    await eventually('all is counted', async () => {
      found = await json(...report);
      return at(found, 'progress', 'counted') === at(found, 'progress', 'postings');
    });
    const sums = { sold: 6, sold_amount: 60_000, reversed: 1, reversed_amount: 10_000 };
    assert.deepEqual(at(found, 'totals'), {
      ...sums,
      failed: 2,
      success_rate: 0.75,
      price: 50_000,
      commission: 0,
      amount: 50_000,
      cost: null,
      margin: null,
      uncosted: 7,
    });
    const [words, csv] = await Promise.all([done(data, ...report), done(data, ...report, '--csv')]);
    assert.match(words, /^Sales from \S+ to \S+ \(UTC\), complete up to \S+Z\. .*\.\n/);
    assert.match(
      words,
      /\nPRODUCT +SOLD +REVERSED +FAILED +AMOUNT +COST +MARGIN\nProduct 2 +3 +1 +\d +20000 *\nProduct 1 +2 +0 +\d +20000 *\nProduct 3 +1 +0 +\d +10000 *\n +6 +1 +2 +50000 *\n$/,
    );
    assert.deepEqual(csv.trimEnd().split('\r\n'), [
      'product_id,product,sold,sold_amount,reversed,reversed_amount,failed,success_rate,price,commission,amount,cost,margin,uncosted',
      '2,Product 2,3,30000,1,10000,0,1,20000,0,20000,,,4',
      '1,Product 1,2,20000,0,0,2,0.5,20000,0,20000,,,2',
      '3,Product 3,1,10000,0,0,0,1,10000,0,10000,,,1',
    ]);
    const wrong = await simgate(data, ['sales', 'report', '--by', 'day,client,product']);
    assert.deepEqual([wrong.status, wrong.out], [2, '']);
    assert.match(
      wrong.err,
      /^--by must be up to two of day, client, product, operator, supplier\.\n/,
    );
  });

  it('leave a correct ledger', async () => {
    const report = await json('verify');
    assert.equal(at(report, 'ok'), true);
    assert.equal(at(report, 'purchases'), Object.keys(ends).length + 1);
    assert.deepEqual(at(report, 'states'), {
      failed: 2,
      refused: 1,
      review: 1,
      reversed: 1,
      succeeded: 5,
    });
  });
});
