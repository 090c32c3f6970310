/** Tests any connector for what the gateway relies on. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, type TestContext, test } from 'node:test';
import { readDecimal } from '../../lib/money.ts';
import type { Order, Report, StatusOutcome } from '../connector.ts';
import { reportFrom, timeFrom } from '../sanitize.ts';
import { isSecret } from '../settings/mask.ts';
import {
  buy,
  learnOf,
  mostlyWaiting,
  orderFor,
  outcomeOf,
  quietTime,
  reportsAfter,
  statusOf,
  step,
  type TestBed,
  takesInquiries,
} from './test-bed.ts';

type Check = (bed: TestBed, context: TestContext) => Promise<void>;

const assertDelivered = async (bed: TestBed, ref: string, times: number): Promise<void> => {
  assert.equal(await bed.deliveries(ref), times);
};

/** The gateway ignores other costs. */
const assertAmount = (cost: number | undefined): void =>
  assert.ok(Number.isSafeInteger(cost) && Number(cost) >= 0, `the cost ${cost}`);

const assertRefused = async (bed: TestBed, order: Order, code?: string): Promise<void> => {
  const outcome = await buy(bed, order);
  assert.equal(outcome.kind, 'refused');
  if (code !== undefined) assert.equal(outcome.code, code);
  assert.notEqual(outcome.reason, '');
  await quietTime(bed);
  await assertDelivered(bed, order.ref, 0);
  const status = await learnOf(bed, order);
  assert.ok(status.kind === 'not_found' || status.kind === 'refused', status.kind);
};

const kindsOf = (reports: readonly Report[], ref: string): readonly string[] =>
  reports.filter((report) => report.ref === ref).map(({ kind }) => kind);

/** The gateway keeps a date or null of a report's time, and texts of limited length. */
const assertReadable = (reports: readonly Report[]): void => {
  for (const report of reports) assert.deepEqual(reportFrom(report), report);
};

const abilities = ['offers', 'subscriber', 'reports', 'balance'] as const;

/** What a caller might pass by mistake, or maliciously. */
const strangeTexts = ['', ' ', '98', '../../x?y=1&z#', '۹۸۹۱۲', '\0\r\n', 'x'.repeat(10_000), '-1'];

/** An outcome without the balance right after the delivery, which a later answer need not have. */
const lasting = (outcome: StatusOutcome): object => ({ ...outcome, balance: undefined });

const noInquiries = 'this operator takes no inquiries';

const buying: Readonly<Record<string, Check>> = {
  'a success is done, and delivered exactly once': async (bed) => {
    const order = orderFor(bed.mobiles.success);
    const outcome = await buy(bed, order);
    assert.equal(outcome.kind, 'done');
    assert.notEqual(outcome.ref, '');
    if ('cost' in outcome) assertAmount(outcome.cost);
    if ('balance' in outcome) assert.ok(Number.isSafeInteger(outcome.balance));
    await assertDelivered(bed, order.ref, 1);
    assert.deepEqual(lasting(await learnOf(bed, order)), lasting(outcome));
    await assertDelivered(bed, order.ref, 1);
  },
  'a declined order is refused, and never delivered': async (bed) => {
    await assertRefused(bed, orderFor(bed.mobiles.declined));
  },
  'a number of another operator is refused as that, and never delivered': async (bed) => {
    await assertRefused(bed, orderFor(bed.mobiles.notSubscriber), 'not_subscriber');
  },
  'a lost answer is unknown, and what is learnt later is done, delivered once': async (bed) => {
    const order = orderFor(bed.mobiles.answerLost);
    assert.equal((await buy(bed, order)).kind, 'unknown');
    await quietTime(bed);
    assert.equal((await learnOf(bed, order)).kind, 'done');
    await assertDelivered(bed, order.ref, 1);
  },
  'a lost request is unknown, and a later inquiry finds no such order': async (bed, context) => {
    if (!takesInquiries(bed)) return context.skip(noInquiries);
    const order = orderFor(bed.mobiles.requestLost);
    assert.equal((await buy(bed, order)).kind, 'unknown');
    await quietTime(bed);
    assert.deepEqual(await statusOf(bed, order.ref), { kind: 'not_found' });
    return assertDelivered(bed, order.ref, 0);
  },
  'nonsense is unknown: neither a sale nor a refusal': async (bed) => {
    const outcome = await buy(bed, orderFor(bed.mobiles.nonsense));
    assert.equal(outcome.kind, 'unknown');
    assert.notEqual(outcome.detail, '');
  },
  'an inquiry about an order that was never made finds none': async (bed, context) => {
    if (!takesInquiries(bed)) return context.skip(noInquiries);
    assert.deepEqual(await statusOf(bed, randomUUID()), { kind: 'not_found' });
  },
  'an operator said to recognise a repeated reference delivers it once': async (bed, context) => {
    const { deduplicates } = bed.connector;
    if (deduplicates !== true && takesInquiries(bed)) {
      return context.skip('it declares no such thing');
    }
    const order = orderFor(bed.mobiles.success);
    await buy(bed, order);
    assert.equal((await buy(bed, order)).kind, 'done');
    return assertDelivered(bed, order.ref, 1);
  },
};

const asking: Readonly<Record<string, Check>> = {
  'offers are stable, readable and told apart by code and type': async (bed, context) => {
    const ask = bed.connection.offers;
    if (ask === undefined) return context.skip('this operator lists no offers');
    const first = await outcomeOf(bed, () => ask(bed.mobiles.success));
    const second = await outcomeOf(bed, () => ask(bed.mobiles.success));
    assert.ok(first.kind === 'offers' && second.kind === 'offers');
    assert.deepEqual(second.offers, first.offers);
    assert.ok(first.offers.length > 0);
    for (const offer of first.offers) {
      for (const value of Object.values(offer)) assert.equal(typeof value, 'string');
      assert.notEqual(readDecimal(offer.amount), undefined, `the amount "${offer.amount}"`);
      assert.match(offer.validityDays, /^\d*$/);
    }
    const identities = first.offers.map(({ code, type }) => JSON.stringify([code, type]));
    assert.equal(new Set(identities).size, identities.length);
  },
  'a listed offer is sold, one that is not listed is refused': async (bed, context) => {
    const ask = bed.connection.offers;
    if (ask === undefined) return context.skip('this operator lists no offers');
    const { success } = bed.mobiles;
    const listed = await outcomeOf(bed, () => ask(success));
    const offer = listed.kind === 'offers' ? listed.offers[0] : undefined;
    assert.ok(offer !== undefined);
    const order = orderFor(success, { code: offer.code, type: offer.type });
    assert.equal((await buy(bed, order)).kind, 'done');
    const gone = orderFor(success, { code: 'no-such-offer', type: offer.type });
    await assertRefused(bed, gone, 'offer_gone');
  },
  'offers for a number of another operator are refused, not empty': async (bed, context) => {
    const ask = bed.connection.offers;
    if (ask === undefined) return context.skip('this operator lists no offers');
    const outcome = await outcomeOf(bed, () => ask(bed.mobiles.notSubscriber));
    assert.equal(outcome.kind, 'refused');
    assert.notEqual(outcome.code, 0, 'zero means success on the wire');
    assert.notEqual(outcome.reason, '');
  },
  'a subscriber is known with a SIM type, a number of another operator is not': async (
    bed,
    context,
  ) => {
    const ask = bed.connection.subscriber;
    if (ask === undefined) return context.skip('this operator tells nothing of subscribers');
    const known = await outcomeOf(bed, () => ask(bed.mobiles.success));
    assert.ok(known.kind === 'subscriber');
    assert.ok(['credit', 'permanent'].includes(known.simType));
    const other = await outcomeOf(bed, () => ask(bed.mobiles.notSubscriber));
    assert.deepEqual(other, { kind: 'not_subscriber' });
  },
  'the balance is an amount, and falls by what a delivery costs': async (bed, context) => {
    const ask = bed.connection.balance;
    if (ask === undefined) return context.skip('this operator says no balance');
    const before = await outcomeOf(bed, () => ask());
    assert.ok(before.kind === 'balance' && Number.isSafeInteger(before.amount));
    const bought = await buy(bed, orderFor(bed.mobiles.success));
    assert.ok(bought.kind === 'done');
    if (bought.cost === undefined) return undefined;
    const after = await outcomeOf(bed, () => ask());
    return assert.deepEqual(after, { kind: 'balance', amount: before.amount - bought.cost });
  },
  'reports name a delivery once, and a cursor never goes back': async (bed, context) => {
    const ask = bed.connection.reports;
    if (ask === undefined) return context.skip('this operator reports nothing');
    const [one, two] = [orderFor(bed.mobiles.success), orderFor(bed.mobiles.success)];
    await buy(bed, one);
    const first = await reportsAfter(bed, ask, '');
    assertReadable(first.reports);
    assert.deepEqual(kindsOf(first.reports, one.ref), ['delivered']);
    await buy(bed, two);
    const second = await reportsAfter(bed, ask, first.cursor);
    assert.deepEqual(kindsOf(second.reports, one.ref), []);
    assert.deepEqual(kindsOf(second.reports, two.ref), ['delivered']);
    const again = await reportsAfter(bed, ask, first.cursor);
    assert.deepEqual(again, second, 'the same cursor gives the same reports');
  },
  'a reversal is reported once, when it has happened, and found by inquiry': async (
    bed,
    context,
  ) => {
    const [ask, { reversed }] = [bed.connection.reports, bed.mobiles];
    if (ask === undefined || reversed === undefined) return context.skip('there are none to see');
    const order = orderFor(reversed.mobile);
    assert.equal((await buy(bed, order)).kind, 'done');
    const before = await reportsAfter(bed, ask, '');
    assert.deepEqual(kindsOf(before.reports, order.ref), ['delivered']);
    await bed.wait(reversed.after + step);
    const after = await reportsAfter(bed, ask, before.cursor);
    assertReadable(after.reports);
    assert.deepEqual(kindsOf(after.reports, order.ref), ['reversed']);
    const last = await reportsAfter(bed, ask, after.cursor);
    assert.deepEqual(kindsOf(last.reports, order.ref), []);
    if (!takesInquiries(bed)) return undefined;
    const status = await statusOf(bed, order.ref);
    assert.ok(status.kind === 'reversed');
    return assert.equal(timeFrom(status.at), status.at);
  },
};

/** Calls every function with an unexpected text; each must answer with a value. */
const callAll = async (bed: TestBed, text: string): Promise<void> => {
  const { connection } = bed;
  const calls: readonly (() => Promise<{ readonly kind: string }>)[] = [
    () => buy(bed, { ...orderFor(text), ref: text }),
    ...(takesInquiries(bed) ? [() => statusOf(bed, text)] : []),
    ...(connection.balance === undefined
      ? []
      : [
          () =>
            outcomeOf<{ readonly kind: string }>(
              bed,
              async () => connection.balance?.() ?? { kind: '' },
            ),
        ]),
    ...[connection.offers, connection.subscriber, connection.reports]
      .filter((ask) => ask !== undefined)
      .map((ask) => () => outcomeOf<{ readonly kind: string }>(bed, () => ask(text))),
  ];
  for (const call of calls) assert.equal(typeof (await call()).kind, 'string');
};

const abilitiesOf = ({ connection }: TestBed): readonly string[] =>
  abilities.filter((ability) => ability in connection);

const behaving: Readonly<Record<string, Check>> = {
  'no function rejects or throws, whatever it is given': async (bed) => {
    for (const text of strangeTexts) await callAll(bed, text);
  },
  'no function rejects or throws after the connection was closed': async (bed) => {
    await bed.connection.close();
    await callAll(bed, bed.mobiles.success);
  },
  'no secret identifies the system, so that a rotated one leaves proof possible': async (bed) => {
    const { identifiedBy = [], settings } = bed.connector;
    const schemas = Object.entries(settings.properties);
    const secret = schemas.filter(([, schema]) => isSecret(schema)).map(([name]) => name);
    assert.deepEqual(new Set(identifiedBy).intersection(new Set(secret)), new Set());
  },
  'what an operator cannot do is absent, not undefined': async (bed) => {
    const usable = abilities.filter((ability) => typeof bed.connection[ability] === 'function');
    assert.deepEqual(abilitiesOf(bed), usable);
  },
};

/** Registers the suite. `open` returns a fresh connection every time. */
export const connectorSuite = (options: {
  readonly name: string;
  readonly open: () => Promise<TestBed>;
}): void => {
  const { name, open } = options;
  const withBed = async <T>(work: (bed: TestBed) => Promise<T>): Promise<T> => {
    const bed = await open();
    try {
      return await work(bed);
    } finally {
      await bed.connection.close();
      await bed.end?.();
    }
  };
  void describe(name, mostlyWaiting, () => {
    for (const [sentence, check] of Object.entries({ ...buying, ...asking, ...behaving })) {
      void test(`${name}: ${sentence}`, (context) => withBed((bed) => check(bed, context)));
    }
    void test(`${name}: two connections of one operator can do the same`, async () => {
      const first = await withBed(async (bed) => abilitiesOf(bed));
      const second = await withBed(async (bed) => abilitiesOf(bed));
      assert.deepEqual(second, first);
    });
  });
};
