/** Tests that postings neither create nor lose money, against an independent model. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Account,
  type AccountName,
  changeOf,
  creditUsed,
  emptyAccount,
  LedgerError,
  movementOf,
  type Posting,
  post,
  spendable,
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

type Book = {
  readonly available: bigint;
  readonly held: bigint;
  readonly seq: number;
  readonly credit: bigint;
};

const largest = BigInt(Number.MAX_SAFE_INTEGER);

/** The book after a posting, or undefined if it must be refused. */
const bookAfter = (book: Book, posting: Posting): Book | undefined => {
  const [toAvailable, toHeld] = effects[posting.kind];
  const available = book.available + toAvailable * BigInt(posting.amount);
  const held = book.held + toHeld * BigInt(posting.amount);
  const covered = {
    hold: available + book.credit >= 0n,
    correction: posting.amount > 0 || available >= 0n,
  };
  const may =
    posting.kind === 'hold' || posting.kind === 'correction' ? covered[posting.kind] : true;
  const fits = held >= 0n && available + held + book.credit <= largest;
  return may && fits ? { ...book, available, held, seq: book.seq + 1 } : undefined;
};

const limited = <Of extends Book | Account>(account: Of, credit: Of['credit']): Of => ({
  ...account,
  credit,
});

/** A posting, or another limit: also one below what is used. */
const event = fc.oneof(
  { weight: 9, arbitrary: posting },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 2000 }) },
);

/** Each kind while a client owes: at random some would come too seldom. */
const owing = [
  1000,
  { kind: 'hold', amount: 500, purchaseId },
  { kind: 'capture', amount: 100, purchaseId },
  { kind: 'release', amount: 100, purchaseId },
  { kind: 'hold', amount: 100, purchaseId },
  { kind: 'reverse', amount: 10, purchaseId },
  { kind: 'deposit', amount: 10 },
  { kind: 'correction', amount: 10, note: 'n' },
] satisfies (Posting | number)[];

test('every posting is accepted or refused as exact books require, and leaves the same balances', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      let account: Account = emptyAccount;
      let book: Book = { available: 0n, held: 0n, seq: 0, credit: 0n };
      for (const one of events) {
        if (typeof one === 'number') {
          account = limited(account, one);
          book = limited(book, BigInt(one));
          continue;
        }
        seen.add(`${book.available < 0n ? 'owing' : 'paid'} ${one.kind}`);
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
          {
            available: Number(book.available),
            held: Number(book.held),
            seq: book.seq,
            credit: Number(book.credit),
          },
        );
      }
    }),
    { numRuns: 2000, examples: [[owing]] },
  );
  const kinds = Object.keys(effects).flatMap((kind) => [
    `${kind} taken`,
    `${kind} refused`,
    `owing ${kind}`,
    `paid ${kind}`,
  ]);
  assert.deepEqual([...seen].sort(), kinds.sort(), 'the sequences reach every case');
});

test('the original account stays unchanged', () => {
  const before = Object.freeze({ available: 100, held: 50, seq: 7, credit: 30 });
  assert.deepEqual(post(before, { kind: 'hold', amount: 10, purchaseId }), {
    available: 90,
    held: 60,
    seq: 8,
    credit: 30,
  });
  assert.deepEqual(before, { available: 100, held: 50, seq: 7, credit: 30 });
});

test('a hold goes to the limit and no further; a correction takes no credit', () => {
  const account: Account = { available: 100, held: 0, seq: 0, credit: 50 };
  const hold = (amount: number) => post(account, { kind: 'hold', amount, purchaseId });
  assert.equal(hold(150).available, -50);
  assert.throws(() => hold(151), LedgerError);
  const take = (amount: number) =>
    post(account, { kind: 'correction', amount: -amount, note: 'n' });
  assert.equal(take(100).available, 0);
  assert.throws(() => take(101), LedgerError);
});

test('with a limit below what is used nothing is held, and everything else goes on', () => {
  const account: Account = { available: -40, held: 40, seq: 0, credit: 10 };
  assert.throws(() => post(account, { kind: 'hold', amount: 1, purchaseId }), LedgerError);
  assert.throws(() => post(account, { kind: 'correction', amount: -1, note: 'n' }), LedgerError);
  assert.equal(post(account, { kind: 'deposit', amount: 5 }).available, -35);
  assert.equal(post(account, { kind: 'correction', amount: 5, note: 'n' }).available, -35);
  assert.equal(post(account, { kind: 'release', amount: 40, purchaseId }).available, 0);
  assert.equal(post(account, { kind: 'reverse', amount: 5, purchaseId }).available, -35);
  assert.deepEqual(post(account, { kind: 'capture', amount: 40, purchaseId }), {
    ...account,
    held: 0,
    seq: 1,
  });
});

test('what can be spent is never below zero; what is used may be above the limit', () => {
  const of = (available: number, credit: number) => {
    const account = { available, credit };
    return [spendable(account), creditUsed(account)];
  };
  assert.deepEqual(of(100, 0), [100, 0]);
  assert.deepEqual(of(100, 50), [150, 0]);
  assert.deepEqual(of(-20, 50), [30, 20]);
  assert.deepEqual(of(-50, 50), [0, 50]);
  assert.deepEqual(of(-50, 20), [0, 50]);
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
  const rich: Account = { available: 1_000_000, held: 1_000_000, seq: 0, credit: 0 };
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

test('an account holds at most the largest exact integer, held funds and credit included', () => {
  const full: Account = { available: Number.MAX_SAFE_INTEGER - 20, held: 10, seq: 1, credit: 10 };
  assert.throws(() => post(full, { kind: 'deposit', amount: 1 }), LedgerError);
  assert.equal(post(full, { kind: 'hold', amount: 1, purchaseId }).held, 11);
});
