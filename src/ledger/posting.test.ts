/** Tests that postings neither create nor lose money, against an independent model. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Account,
  type AccountName,
  changeOf,
  emptyAccount,
  LedgerError,
  movementOf,
  type Posting,
  post,
} from './posting.ts';

const purchaseId = 'p';
const amount = fc.oneof(
  fc.integer({ min: 1, max: 1000 }),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
);
const posting: fc.Arbitrary<Posting> = fc.oneof(
  { weight: 3, arbitrary: amount.map((amount): Posting => ({ kind: 'deposit', amount })) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom('hold', 'capture', 'release', 'reverse'), amount)
      .map(([kind, amount]): Posting => ({ kind, amount, purchaseId })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(amount, fc.boolean()).map(
      ([amount, taken]): Posting => ({
        kind: 'correction',
        amount: taken ? -amount : amount,
        note: 'n',
      }),
    ),
  },
);

/** The effect of each kind on a client's two balances, written out rather than derived from accounts. */
const effects = {
  deposit: [1n, 0n],
  hold: [-1n, 1n],
  capture: [0n, -1n],
  release: [1n, -1n],
  reverse: [1n, 0n],
  correction: [1n, 0n],
} as const;

type Book = { readonly available: bigint; readonly held: bigint; readonly seq: number };

/** The book after a posting, or undefined if it must be refused. */
const bookAfter = (book: Book, posting: Posting): Book | undefined => {
  const [toAvailable, toHeld] = effects[posting.kind];
  const available = book.available + toAvailable * BigInt(posting.amount);
  const held = book.held + toHeld * BigInt(posting.amount);
  const fits = available >= 0n && held >= 0n && available + held <= BigInt(Number.MAX_SAFE_INTEGER);
  return fits ? { available, held, seq: book.seq + 1 } : undefined;
};

test('every posting is accepted or refused as exact books require, and leaves the same balances', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(posting, { maxLength: 60 }), (postings) => {
      let account: Account = emptyAccount;
      let book: Book = { available: 0n, held: 0n, seq: 0 };
      for (const one of postings) {
        const after = bookAfter(book, one);
        seen.add(`${one.kind} ${after === undefined ? 'refused' : 'taken'}`);
        if (after === undefined) {
          assert.throws(() => post(account, one), LedgerError);
        } else {
          account = post(account, one);
          book = after;
        }
        assert.deepEqual(
          { ...account },
          { available: Number(book.available), held: Number(book.held), seq: book.seq },
        );
      }
    }),
    { numRuns: 2000 },
  );
  const kinds = Object.keys(effects).flatMap((kind) => [`${kind} taken`, `${kind} refused`]);
  assert.deepEqual([...seen].sort(), kinds.sort(), 'the sequences reach every case');
});

test('the original account stays unchanged', () => {
  const before = Object.freeze({ available: 100, held: 50, seq: 7 });
  assert.deepEqual(post(before, { kind: 'hold', amount: 10, purchaseId }), {
    available: 90,
    held: 60,
    seq: 8,
  });
  assert.deepEqual(before, { available: 100, held: 50, seq: 7 });
});

const accounts: readonly AccountName[] = ['available', 'held', 'funding', 'sales', 'corrections'];

test('what leaves one account enters another: the changes of all five sum to zero', () => {
  fc.assert(
    fc.property(posting, (posting) => {
      const movement = movementOf(posting);
      const changes = accounts.map((account) => changeOf(account, movement));
      assert.equal(
        changes.reduce((sum, change) => sum + change, 0),
        0,
      );
      assert.equal(changes.filter((change) => change !== 0).length, 2);
      assert.ok(movement.amount > 0);
    }),
  );
});

test('each kind moves money between its two accounts', () => {
  const ways = {
    deposit: ['funding', 'available'],
    hold: ['available', 'held'],
    capture: ['held', 'sales'],
    release: ['held', 'available'],
    reverse: ['sales', 'available'],
  } as const;
  for (const [kind, [from, to]] of Object.entries(ways)) {
    const posting = Object.assign({ amount: 5, purchaseId }, { kind });
    assert.ok(isPosting(posting));
    assert.deepEqual(movementOf(posting), { from, to, amount: 5 });
  }
  const note = 'counted again';
  assert.deepEqual(movementOf({ kind: 'correction', amount: 5, note }), {
    from: 'corrections',
    to: 'available',
    amount: 5,
  });
  assert.deepEqual(movementOf({ kind: 'correction', amount: -5, note }), {
    from: 'available',
    to: 'corrections',
    amount: 5,
  });
});

const isPosting = (value: { readonly kind: string }): value is Posting => value.kind in effects;

test('an amount that is not a positive whole number is refused for every kind', () => {
  const rich: Account = { available: 1_000_000, held: 1_000_000, seq: 0 };
  for (const amount of [0, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    for (const kind of ['hold', 'capture', 'release', 'reverse'] as const) {
      assert.throws(() => post(rich, { kind, amount, purchaseId }), RangeError);
      assert.throws(() => post(rich, { kind, amount: -amount, purchaseId }), RangeError);
    }
    assert.throws(() => post(rich, { kind: 'deposit', amount }), RangeError);
    assert.throws(() => post(rich, { kind: 'deposit', amount: -1 }), RangeError);
    assert.throws(() => post(rich, { kind: 'correction', amount, note: 'n' }), RangeError);
    assert.throws(() => post(rich, { kind: 'correction', amount: -amount, note: 'n' }), RangeError);
  }
});

test('an account holds at most the largest exact integer, held funds included', () => {
  const full: Account = { available: Number.MAX_SAFE_INTEGER - 10, held: 10, seq: 1 };
  assert.throws(() => post(full, { kind: 'deposit', amount: 1 }), LedgerError);
  assert.equal(post(full, { kind: 'hold', amount: 1, purchaseId }).held, 11);
});
