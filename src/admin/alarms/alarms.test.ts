/** Tests that every change of an alarm is recorded once and told at least once, over restarts and on two instances. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { alarmInstance, type Health, setAlarms, sourcesOf } from '../../../test/support/alarms.ts';
import { at, listOf } from '../../../test/support/answers.ts';
import {
  openBesideTest,
  openTestDatabase,
  type TestDatabase,
} from '../../../test/support/database.ts';
import { eventually, parsed } from '../../../test/support/live.ts';
import { type ManualClock, manualClock } from '../../../test/support/manual-clock.ts';
import {
  mailTo,
  readMail,
  startMailServer,
  startSilentServer,
} from '../../../test/support/smtp.ts';
import { startReceiver } from '../../../test/support/webhooks.ts';
import type { Db } from '../../db/types.ts';
import { openAccount, writePostings } from '../../ledger/store.ts';
import { currencyOf } from '../../settings/currency.ts';
import { changeSettings } from '../../settings/settings.ts';
import { deliverDue, leaseMs } from './delivery/deliver.ts';
import { evaluate, turnMs } from './evaluate.ts';
import { createAlarmJob, judgeEveryMs } from './job.ts';
import { alarmKind } from './kinds.ts';
import {
  type Change,
  mostInMessage,
  readAlarms,
  readChannels,
  readLatest,
  readWanted,
} from './store.ts';

let database: TestDatabase;
/** Two instances on one database; one server on a file. */
let instances: readonly Db[];
let clock: ManualClock;
const seen = { sources: sourcesOf({}) };

before(async () => {
  database = await openTestDatabase();
  const { DATABASE_URL: url } = database.env;
  instances = [database.db, url === undefined ? database.db : openBesideTest(url).db];
});
after(() => database.close());

beforeEach(async () => {
  const { db } = database;
  for (const table of [
    'alarms',
    'alarm_changes',
    'settings',
    'postings',
    'accounts',
    'clients',
  ] as const) {
    await db.deleteFrom(table).execute();
  }
  await db.updateTable('alarm_turn').set({ holder: '', until_at: 0, seq: 0 }).execute();
  const unsent = { message_id: null, message_until: null, message_at: null, due_at: null };
  await db
    .updateTable('alarm_channels')
    .set({ ...unsent, told: 0, attempts: 0, step: 0, tried: '[]' })
    .execute();
  clock = manualClock();
  seen.sources = sourcesOf({});
});

const instance = (index = 0) => alarmInstance(instances[index] ?? database.db, clock, seen);
const changes = (): Promise<Change[]> =>
  readWanted(database.db, { after: 0, until: 1_000_000, most: 1_000_000 });
const states = async (): Promise<string[]> =>
  (await changes()).map(({ kind, subject, state }) =>
    [kind, subject, state].filter(Boolean).join(' '),
  );
const minute = 60_000;

/** A client with this balance. */
const addClient = async (id: string, name: string, available: number): Promise<void> => {
  const { db } = database;
  const client = { id, name, status: 'active', created_at: 0, test: 0 } as const;
  await db.insertInto('clients').values(client).execute();
  await openAccount(db, id);
  if (available > 0) await writePostings(db, id, [{ kind: 'deposit', amount: available }], 0);
};

const setBalance = async (id: string, available: number): Promise<void> => {
  await database.db
    .updateTable('accounts')
    .set({ available })
    .where('client_id', '=', id)
    .execute();
};

describe('The states', () => {
  test('an operator that is down is raised after a minute, and resolved when it stays up', async () => {
    const one = instance();
    seen.sources = sourcesOf({ 1: 'down', 2: 'up' });
    await evaluate(one);
    assert.deepEqual(await states(), []);
    await clock.advance(minute);
    await evaluate(one);
    const [alarm] = await readAlarms(database.db);
    assert.deepEqual(
      [alarm?.kind, alarm?.state, alarm?.since],
      ['operator_down', 'raised', clock.now()],
    );
    assert.deepEqual(alarm?.facts, { name: { en: 'Operator 1', fa: 'اپراتور 1' } });
    // It flaps, and no one hears of it.
    for (const health of ['up', 'down', 'up', 'degraded'] as const) {
      seen.sources = sourcesOf({ 1: health });
      await clock.advance(minute);
      await evaluate(one);
    }
    assert.deepEqual(await states(), ['operator_down 1 raised']);
    await clock.advance(alarmKind('operator_down').resolveAfterMs);
    await evaluate(one);
    assert.deepEqual(await states(), ['operator_down 1 raised', 'operator_down 1 resolved']);
    assert.deepEqual(await readAlarms(database.db), []);
  });

  test('each client with a low balance is an alarm until it has a tenth more', async () => {
    await changeSettings({ ...instance(), db: database.db }, { lowBalanceBelow: 1000 });
    await addClient('a', 'Shop 09123456789', 999);
    await addClient('b', 'Other', 1000);
    const one = instance();
    await evaluate(one);
    const [change] = await changes();
    assert.deepEqual(
      [change?.kind, change?.subject, change?.facts.available, change?.facts.below],
      ['low_balance', 'a', 999, 1000],
    );
    assert.deepEqual(await readLatest(database.db, 1), [change]);
    assert.match(change?.facts.name?.en ?? '', /^Shop 0\*+6789$/);
    for (const available of [1099, 999, 1050]) {
      await setBalance('a', available);
      await clock.advance(10 * minute);
      await evaluate(one);
    }
    assert.equal((await changes()).length, 1);
    await setBalance('a', 1100);
    await evaluate(one);
    await clock.advance(5 * minute);
    await evaluate(one);
    assert.deepEqual(await states(), ['low_balance a raised', 'low_balance a resolved']);
  });

  test('a float that falls raises an alarm at each level, once, until it has recovered', async () => {
    const one = instance();
    const names = { en: 'Partner', fa: 'شریک' };
    const held = async (amount: number, rounds = 1): Promise<void> => {
      const float = {
        supplierId: 101,
        held: amount,
        inFlight: 0,
        free: amount,
        perHour: 10,
        coverHours: amount / 10,
      };
      const partner = { id: 101, names, health: 'up', since: undefined, float } as const;
      seen.sources = { ...sourcesOf({}), operators: [partner] };
      for (let round = 0; round < rounds; round += 1) {
        await clock.advance(5 * minute);
        await evaluate(one);
      }
    };
    for (const amount of [300, 239, 245, 239, 59, 70, 59, 0, 2, 0]) await held(amount);
    const raised = ['approaching', 'low', 'empty'].map((level) => `float_${level} 101 raised`);
    assert.deepEqual(await states(), raised);
    await held(74, 3);
    assert.deepEqual((await states()).slice(3), ['float_empty 101 resolved']);
    await held(300, 3);
    assert.deepEqual((await states()).slice(4).toSorted(), [
      'float_approaching 101 resolved',
      'float_low 101 resolved',
    ]);
  });

  test('used-up credit is an alarm for each client, until more than a tenth is free', async () => {
    const one = instance();
    const shop = { id: 'c', name: 'Shop 09123456789' };
    const use = async (usedUp: boolean, nearly: boolean): Promise<void> => {
      const credit = { usedUp: usedUp ? [shop] : [], nearly: nearly ? [shop] : [] };
      seen.sources = { ...sourcesOf({}), credit };
      for (let round = 0; round < 2; round += 1) {
        await clock.advance(5 * minute);
        await evaluate(one);
      }
    };
    await use(false, true);
    await use(true, false);
    await use(false, true);
    assert.deepEqual(await states(), ['credit_used_up c raised']);
    assert.match((await changes())[0]?.facts.name?.en ?? '', /^Shop 0\*+6789$/);
    await use(false, false);
    assert.deepEqual(await states(), ['credit_used_up c raised', 'credit_used_up c resolved']);
  });

  test('a restart neither repeats nor loses an alarm', async () => {
    await setAlarms(database.db, clock, { reviewAtLeast: 3 });
    seen.sources = sourcesOf({}, 2);
    await evaluate(instance());
    assert.deepEqual(await states(), []);
    seen.sources = sourcesOf({}, 3);
    await clock.advance(turnMs);
    await evaluate(instance());
    await clock.advance(turnMs);
    seen.sources = sourcesOf({}, 5);
    await evaluate(instance());
    assert.deepEqual(await states(), ['review raised']);
    assert.equal((await readAlarms(database.db))[0]?.facts.count, 5);
    seen.sources = sourcesOf({});
    await clock.advance(turnMs);
    await evaluate(instance());
    await clock.advance(5 * minute);
    await evaluate(instance());
    assert.deepEqual(await states(), ['review raised', 'review resolved']);
  });

  test('only one instance judges, until it stops or is silent', async () => {
    const [one, other] = [instance(0), instance(1)];
    assert.deepEqual([await evaluate(one), await evaluate(other)], [true, false]);
    await clock.advance(turnMs - 1);
    assert.equal(await evaluate(other), false);
    await clock.advance(1);
    assert.deepEqual([await evaluate(other), await evaluate(one)], [true, false]);
  });

  test('many instances at once record every change once, in turn and numbered without gaps', async () => {
    const health = fc.constantFrom<Health>('up', 'down');
    const moment = fc.record({
      one: health,
      two: health,
      review: fc.integer({ min: 0, max: 1 }),
      afterMs: fc.integer({ min: 1000, max: 8 * minute }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { minLength: 1, maxLength: 15 }), async (moments) => {
        await database.db.deleteFrom('alarms').execute();
        await database.db.deleteFrom('alarm_changes').execute();
        await database.db.updateTable('alarm_turn').set({ seq: 0 }).execute();
        for (const { one, two, review, afterMs } of moments) {
          await clock.advance(afterMs);
          seen.sources = sourcesOf({ 1: one, 2: two }, review);
          const judged = await Promise.all([0, 1, 0, 1].map((index) => evaluate(instance(index))));
          assert.ok(judged.filter(Boolean).length <= 1);
        }
        const all = await changes();
        assert.deepEqual(
          all.map(({ seq }) => seq),
          all.map((_, index) => index + 1),
        );
        const bySubject = Map.groupBy(all, ({ kind, subject }) => `${kind} ${subject}`);
        for (const some of bySubject.values()) {
          some.forEach(({ state }, index) => {
            assert.equal(state, index % 2 === 0 ? 'raised' : 'resolved');
          });
        }
        const raised = [...bySubject.values()].filter((some) => some.at(-1)?.state === 'raised');
        const now = (await readAlarms(database.db)).filter(({ state }) => state === 'raised');
        assert.equal(now.length, raised.length);
      }),
      { numRuns: 15 },
    );
  });
});

/** Review is raised and resolved, so that there are two changes. */
const raiseReview = async (): Promise<void> => {
  seen.sources = sourcesOf({}, 1);
  await clock.advance(turnMs);
  await evaluate(instance());
};
const resolveReview = async (): Promise<void> => {
  seen.sources = sourcesOf({});
  for (let round = 0; round < 6; round += 1) {
    await clock.advance(turnMs);
    await evaluate(instance());
  }
};

describe('The webhook', () => {
  test('is signed as webhooks of clients are, and each change is in one message', async () => {
    const receiver = await startReceiver();
    const secret = await setAlarms(database.db, clock, {
      webhookUrl: receiver.url,
      pauseMinutes: 1,
    });
    await raiseReview();
    await deliverDue(instance(), 'webhook');
    await deliverDue(instance(1), 'webhook');
    await resolveReview();
    await deliverDue(instance(1), 'webhook');
    assert.equal(receiver.received.length, 2);
    const told = receiver.received.flatMap(({ body, headers }) => {
      const time = new Date(Number(headers['webhook-timestamp']) * 1000);
      const id = String(headers['webhook-id']);
      assert.equal(headers['webhook-signature'], new Webhook(secret ?? '').sign(id, time, body));
      assert.equal(at(parsed(body), 'type'), 'alarms.changed');
      return listOf(at(parsed(body), 'data', 'changes'));
    });
    assert.deepEqual(
      told.map((change) => [at(change, 'number'), at(change, 'state'), at(change, 'url')]),
      [
        [1, 'raised', 'https://gate.example/console/purchases?needs_person=1'],
        [2, 'resolved', 'https://gate.example/console/purchases?needs_person=1'],
      ],
    );
  });

  test('a message whose delivery was not recorded is sent again, with the same bytes', async () => {
    const receiver = await startReceiver();
    await setAlarms(database.db, clock, { webhookUrl: receiver.url });
    await raiseReview();
    const crashed = {
      ...instance(),
      random: () => assert.fail('it crashes before it is recorded'),
    };
    await assert.rejects(deliverDue(crashed, 'webhook'));
    await deliverDue(instance(), 'webhook');
    assert.equal(receiver.received.length, 1, 'the lease holds');
    await clock.advance(leaseMs);
    await deliverDue(instance(1), 'webhook');
    await clock.advance(leaseMs);
    await deliverDue(instance(), 'webhook');
    const [first, second] = receiver.received;
    assert.equal(receiver.received.length, 2);
    assert.equal(first?.body, second?.body);
    assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
  });

  test('of two instances that deliver at once one sends', async () => {
    const receiver = await startReceiver();
    await setAlarms(database.db, clock, { webhookUrl: receiver.url });
    await raiseReview();
    await Promise.all([0, 1, 0, 1].map((index) => deliverDue(instance(index), 'webhook')));
    assert.equal(receiver.received.length, 1);
  });

  test('a receiver that refuses is tried again, and in the end hears of everything', async () => {
    const receiver = await startReceiver();
    receiver.answerWith(500);
    await setAlarms(database.db, clock, { webhookUrl: receiver.url });
    const outcomes: string[] = [];
    const attempted = (channel: string, outcome: string) => outcomes.push(`${channel} ${outcome}`);
    await raiseReview();
    const round = async (): Promise<void> => {
      await clock.advance(11 * minute);
      await evaluate(instance());
      await deliverDue({ ...instance(), attempted }, 'webhook');
    };
    await deliverDue(instance(), 'webhook');
    await round();
    await round();
    seen.sources = sourcesOf({});
    await round();
    await round();
    receiver.answerWith(204);
    await round();
    const bodies = receiver.received.map(({ body }) => body);
    assert.equal(new Set(bodies.slice(0, 5)).size, 1, 'five attempts of one message');
    const last = listOf(at(parsed(bodies.at(-1) ?? ''), 'data', 'changes'));
    assert.deepEqual(
      last.map((change) => at(change, 'state')),
      ['raised', 'resolved'],
    );
    assert.deepEqual(outcomes.at(-1), 'webhook delivered');
    const channels = await readChannels(database.db);
    const webhook = channels.find(({ channel }) => channel === 'webhook');
    assert.deepEqual([webhook?.told, webhook?.message_id], [2, null]);
    assert.equal(listOf(parsed(webhook?.tried ?? '')).length, 6);
  });
});

describe('Messages', () => {
  test('are bounded: changes within the pause share one, and a flood is sent in parts', async () => {
    const receiver = await startReceiver();
    await setAlarms(database.db, clock, { webhookUrl: receiver.url, pauseMinutes: 30 });
    const told = async (): Promise<number[]> => {
      await evaluate(instance());
      await deliverDue(instance(), 'webhook');
      return receiver.received.map(
        ({ body }) => listOf(at(parsed(body), 'data', 'changes')).length,
      );
    };
    await raiseReview();
    assert.deepEqual(await told(), [1]);
    const many = mostInMessage + 7;
    const names = Array.from({ length: many }, (_, index) => index + 1);
    seen.sources = sourcesOf(Object.fromEntries(names.map((id) => [id, 'down'])), 1);
    for (let passed = 0; passed < 29; passed += 1) {
      await clock.advance(minute - 1);
      assert.deepEqual(await told(), [1]);
    }
    await clock.advance(30 * minute);
    assert.deepEqual(await told(), [1, mostInMessage]);
    await clock.advance(30 * minute);
    assert.deepEqual(await told(), [1, mostInMessage, 7]);
  });

  test('tell only what was chosen, and nothing from before the channel was set', async () => {
    const receiver = await startReceiver();
    await raiseReview();
    await setAlarms(database.db, clock, { webhookUrl: receiver.url, kinds: ['operator_down'] });
    await resolveReview();
    await deliverDue(instance(), 'webhook');
    assert.deepEqual(receiver.received, []);
    await setAlarms(database.db, clock, { kinds: ['operator_down', 'review'] });
    await raiseReview();
    await deliverDue(instance(), 'webhook');
    assert.equal(receiver.received.length, 1);
    // A channel that is removed while a message waits starts fresh later.
    await resolveReview();
    await setAlarms(database.db, clock, { webhookUrl: null });
    await clock.advance(turnMs);
    await evaluate(instance());
    const channels = await readChannels(database.db);
    assert.ok(channels.every(({ message_id: id, told }) => id === null && told === 4));
  });
});

describe('Mails', () => {
  const last = (mails: readonly { readonly source: string }[]) =>
    readMail(mails.at(-1)?.source ?? '');

  test('are written in the chosen language, with a link, and without numbers', async () => {
    const { db } = database;
    const server = await startMailServer();
    const currency = currencyOf('IRR');
    const settings = {
      currency,
      timeZone: 'Asia/Tehran',
      companyName: 'نمونه',
      lowBalanceBelow: 5000,
    };
    await changeSettings({ ...instance(), db }, settings);
    await addClient('c1', 'فروشگاه <ب> 09123456789', 1200);
    const mail = {
      ...mailTo(server.port, { language: 'fa' }),
      password: 'a password of the mail server',
    };
    await setAlarms(db, clock, { mail });
    await evaluate(instance());
    await deliverDue(instance(), 'mail');
    const persian = last(server.received);
    assert.match(persian.subject, /^\[نمونه\] موجودی .* کم است: .*۱٬۲۰۰/);
    assert.match(persian.html, /^<!doctype html><html lang="fa" dir="rtl">/);
    assert.match(persian.html, /href="https:\/\/gate\.example\/console\/clients\/c1"/);
    assert.match(persian.html, /&#60;ب&#62;/);
    assert.match(persian.text, /۱٬۲۰۰\u00a0ریال/);
    // Half past nine in London, by the calendar and the clocks of Tehran.
    assert.match(persian.text, /۱۱ بهمن ۱۴۰۴[^\n]*۱۳:۰۰/);
    assert.match(persian.text, /https:\/\/gate\.example\/console\/clients\/c1/);
    for (const text of Object.values(persian)) assert.doesNotMatch(text, /9123456789|۹۱۲۳۴۵۶۷۸۹/);

    await setAlarms(db, clock, { mail: { ...mail, language: 'en' } });
    await setBalance('c1', 9000);
    for (let round = 0; round < 7; round += 1) {
      await clock.advance(turnMs);
      await evaluate(instance());
    }
    await deliverDue(instance(), 'mail');
    const english = last(server.received);
    assert.match(english.subject, /^\[نمونه\] The balance of .* is no longer low\.$/);
    assert.match(english.html, /<html lang="en" dir="ltr">/);
    assert.match(english.text, /^Resolved · 31 Jan 2026, 13:0/);
  });

  test('list fifty alarms and count the rest', async () => {
    const server = await startMailServer({ authOptional: true });
    await setAlarms(database.db, clock, { mail: mailTo(server.port, { user: '' }) });
    const ids = Array.from({ length: 60 }, (_, index) => [index + 1, 'down'] as const);
    seen.sources = sourcesOf(Object.fromEntries(ids));
    await evaluate(instance());
    await clock.advance(minute);
    await evaluate(instance());
    await deliverDue(instance(), 'mail');
    const { subject, text } = last(server.received);
    assert.equal(subject, '[Simgate] 60 raised, 0 resolved');
    assert.equal(text.match(/is down\./g)?.length, 50);
    assert.match(text, /And 10 more\./);
  });
});

test('a mail server that hangs delays neither the webhook nor the states, and stop ends it', async () => {
  const { db } = database;
  const silent = await startSilentServer();
  const receiver = await startReceiver();
  await setAlarms(db, clock, { webhookUrl: receiver.url, mail: mailTo(silent.port, { user: '' }) });
  const [job, next] = [createAlarmJob(instance(0)), createAlarmJob(instance(1))];
  seen.sources = sourcesOf({}, 1);
  job.start();
  await clock.advance(judgeEveryMs);
  await silent.connected;
  await receiver.has(1);
  seen.sources = sourcesOf({ 1: 'down' }, 1);
  await clock.advance(judgeEveryMs);
  await eventually('the next state is recorded', async () => (await readAlarms(db)).length === 2);
  const stopping = job.stop();
  await clock.advance(1000);
  await stopping;
  assert.equal(clock.pending(), 0);
  // Another instance judges at once, and sends the interrupted message when its lease ends.
  next.start();
  await clock.advance(minute);
  await eventually('another instance judges', async () => (await states()).length === 2);
  const ending = next.stop();
  await clock.advance(1000);
  await ending;
});
