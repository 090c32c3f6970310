/** Tests how connectors' answers are checked and bounded. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../test/support/text.ts';
import type { Connection } from './connector.ts';
import { checkedConnection } from './contain.ts';
import { reportFrom, timeFrom } from './sanitize.ts';
import { inquireAt } from './suite/inquire-at.ts';

const order = { ref: 'ours', mobile: '989120000000', amount: 5, productId: 1 };

const isTakenFor = (value: unknown): value is Connection => value !== undefined;

/** A connection that returns this for every call, as untyped code may. */
const saying = (value: unknown): Connection => {
  const said = async (): Promise<unknown> => value;
  const connection: unknown = { buy: said, status: said, reports: said, deadlineMs: 1 };
  assert.ok(isTakenFor(connection));
  return checkedConnection(connection);
};

test('an instance of a class is a connection, with all its capabilities', async () => {
  class Wire implements Connection {
    readonly deadlineMs = 7;
    readonly #calls: string[] = [];
    async buy() {
      return { kind: 'done', ref: 'receipt' } as const;
    }
    async status() {
      return { kind: 'not_found' } as const;
    }
    async offers() {
      this.#calls.push('offers');
      return { kind: 'unknown', detail: '' } as const;
    }
    async subscriber() {
      this.#calls.push('subscriber');
      return { kind: 'not_subscriber' } as const;
    }
    async reports(cursor: string) {
      this.#calls.push('reports');
      return { kind: 'reports', reports: [], cursor } as const;
    }
    async close() {
      this.#calls.push('close');
    }
    get calls(): readonly string[] {
      return this.#calls;
    }
  }
  const wire = new Wire();
  const checked = checkedConnection(wire);
  await checked.offers?.('989120000000');
  await checked.subscriber?.('989120000000');
  await checked.reports?.('');
  await checked.close();
  assert.deepEqual(wire.calls, ['offers', 'subscriber', 'reports', 'close']);
  assert.equal(checked.deadlineMs, 7);
});

test('getters of a class count as much as its fields', () => {
  const inquiries = { firstInquiryMs: 1, widestInquiryMs: 2, reviewAfterMs: 3 };
  class Wire implements Connection {
    get deadlineMs() {
      return 7;
    }
    get atOnce() {
      return 3;
    }
    get settlesWithin() {
      return 50;
    }
    get inquiries() {
      return inquiries;
    }
    get deduplicates() {
      return true;
    }
    async buy() {
      return { kind: 'done', ref: 'receipt' } as const;
    }
    async status() {
      return { kind: 'not_found' } as const;
    }
    async close() {}
  }
  const { deadlineMs, atOnce, settlesWithin, deduplicates, ...rest } = checkedConnection(
    new Wire(),
  );
  assert.deepEqual(
    { deadlineMs, atOnce, settlesWithin, deduplicates, inquiries: rest.inquiries },
    { deadlineMs: 7, atOnce: 3, settlesWithin: 50, deduplicates: true, inquiries },
  );
  const promised = ['atOnce', 'settlesWithin', 'inquiries', 'deduplicates'];
  assert.deepEqual(
    promised.filter((name) => name in saying({})),
    [],
    'undeclared capabilities are absent',
  );
});

test('a time is a date or null, and a date is kept to the millisecond', () => {
  fc.assert(
    fc.property(fc.oneof(fc.double(), fc.integer(), fc.string()), (value) => {
      const at = timeFrom(value);
      assert.ok(at === null || !Number.isNaN(new Date(at).getTime()));
    }),
  );
  fc.assert(
    fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (value) => {
      assert.equal(timeFrom(value), value <= 8.64e15 ? value : null);
    }),
  );
});

test('a report keeps its readable parts, bounded, and none is lost because of its time', () => {
  const anything = fc.oneof(
    fc.double(),
    fc.integer(),
    fc.string(),
    fc.constantFrom(null, {}, true),
  );
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter, maxLength: 400 }),
      fc.constantFrom('delivered', 'reversed'),
      fc.record({ at: anything, mobile: anything, amount: anything }),
      (ref, kind, rest) => {
        const report = reportFrom({ ref, kind, ...rest });
        assert.ok(report !== undefined);
        assert.ok(report.ref.length <= 255 && !report.ref.includes('\0'));
        assert.ok((report.mobile ?? '').length <= 32);
        assert.ok(report.amount === undefined || Number.isSafeInteger(report.amount));
        assert.deepEqual(reportFrom(report), report, 'a checked value passes again');
      },
    ),
  );
});

test('a receipt that is not text becomes the reference, and one that is too long is cut', async () => {
  assert.deepEqual(await saying({ kind: 'done', ref: 5 }).buy(order), {
    kind: 'done',
    ref: 'ours',
  });
  const long = await inquireAt(saying({ kind: 'done', ref: 'r'.repeat(5000) }), 'ours');
  assert.deepEqual(long, { kind: 'done', ref: 'r'.repeat(255) });
  const zero = await saying({ kind: 'done', ref: 'a\0b' }).buy(order);
  assert.deepEqual(zero, { kind: 'done', ref: 'a\u{fffd}b' });
  const owing = await saying({ kind: 'done', ref: 'r', cost: 5, balance: -7 }).buy(order);
  assert.deepEqual(owing, { kind: 'done', ref: 'r', cost: 5, balance: -7 });
  const halves = await saying({ kind: 'done', ref: 'r', cost: -5, balance: 0.5 }).buy(order);
  assert.deepEqual(halves, { kind: 'done', ref: 'r' });
});

test('an unlisted refusal is declined, and anything but an outcome is unknown', async () => {
  const said = { kind: 'refused', blame: 'subscriber', reason: 'x'.repeat(900) };
  const refused = await saying({ ...said, code: 'new' }).buy(order);
  assert.deepEqual(refused, { ...said, code: 'declined', reason: 'x'.repeat(500) });
  for (const value of [{}, { kind: 'sold' }, { kind: 'reversed' }]) {
    assert.equal((await saying(value).buy(order)).kind, 'unknown', JSON.stringify(value));
  }
  assert.deepEqual(await inquireAt(saying({ kind: 'reversed' }), 'x'), {
    kind: 'reversed',
    at: null,
  });
});

test('a page with an unreadable report or cursor is unknown, so that none is skipped', async () => {
  const page = {
    kind: 'reports',
    reports: [{ ref: 'r', kind: 'delivered', at: 'x' }],
    cursor: '1',
  };
  assert.deepEqual(await saying(page).reports?.(''), {
    ...page,
    reports: [{ ref: 'r', kind: 'delivered', at: null }],
  });
  for (const other of [
    { ...page, reports: [{ ref: 'r', kind: 'lost', at: 1 }] },
    { ...page, reports: [{ kind: 'delivered', at: 1 }] },
    { ...page, cursor: 'c'.repeat(5000) },
    { ...page, cursor: 'c\0' },
    { ...page, cursor: 5 },
    { ...page, reports: {} },
  ]) {
    assert.equal((await saying(other).reports?.(''))?.kind, 'unknown', JSON.stringify(other));
  }
});
