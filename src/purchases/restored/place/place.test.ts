/** Tests how a place is compared, what follows from the vouches, and which instances are dead. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPeers } from './peers.ts';
import { changedPart, judgeVouches, type Place, type Vouch } from './place.ts';

const place: Place = { system_id: '7', database_oid: 5, accounts_oid: 6, timeline: 1 };

test('the first part in which a place differs is its change; the timeline only if nothing else differs', () => {
  assert.equal(changedPart(place, { ...place }), undefined);
  assert.equal(changedPart(place, { ...place, timeline: 2 }), 'timeline');
  assert.equal(changedPart(place, { ...place, accounts_oid: 9, timeline: 2 }), 'accounts');
  assert.equal(changedPart(place, { ...place, database_oid: 9 }), 'database');
  assert.equal(changedPart(place, { ...place, system_id: '8', database_oid: 9 }), 'system');
});

const vouchesOf = (...results: readonly Vouch['result'][]): Vouch[] =>
  results.map((result, index) => ({ instance_id: `${index}`, result }));

test('one contradiction is a loss, whatever the others say', () => {
  for (const synchronous of [true, false]) {
    for (const waited of [true, false]) {
      const about = { changed: 'timeline', synchronous, waited } as const;
      const vouches = vouchesOf('confirmed', 'contradicted', 'waiting');
      assert.equal(judgeVouches(vouches, about), 'witness_contradicted');
    }
  }
});

test('it opens once all have confirmed, and waits for the rest', () => {
  const about = { changed: 'system', synchronous: false, waited: false } as const;
  assert.equal(judgeVouches(vouchesOf('confirmed', 'confirmed'), about), 'open');
  assert.equal(judgeVouches(vouchesOf('confirmed', 'waiting'), about), 'wait');
});

test('if no instance can vouch, there is no witness, at once', () => {
  const about = { changed: 'timeline', synchronous: true, waited: false } as const;
  assert.equal(judgeVouches([], about), 'witness_missing');
  assert.equal(judgeVouches(vouchesOf('absent'), about), 'witness_missing');
  assert.equal(judgeVouches(vouchesOf('waiting'), { ...about, waited: true }), 'witness_missing');
});

test('an instance that does not answer in time is missing, unless a synchronous standby was promoted', () => {
  const about = { changed: 'timeline', synchronous: false, waited: true } as const;
  const vouches = vouchesOf('confirmed', 'waiting');
  assert.equal(judgeVouches(vouches, about), 'witness_missing');
  assert.equal(judgeVouches(vouches, { ...about, synchronous: true }), 'open');
  const elsewhere = { ...about, synchronous: true, changed: 'database' } as const;
  assert.equal(judgeVouches(vouches, elsewhere), 'witness_missing');
});

test('an instance counts as dead when its heartbeat stays the same for a minute of continuous reading', () => {
  const time = { now: 0 };
  const peers = createPeers('own', () => time.now);
  const rows = (beat: number) => [
    { id: 'own', beat: 1 },
    { id: 'still', beat: 7 },
    { id: 'alive', beat },
  ];
  const observeFor = (ms: number) => {
    const until = time.now + ms;
    let dead = peers.observe(rows(time.now));
    while (time.now < until) {
      time.now += 2000;
      dead = peers.observe(rows(time.now));
    }
    return dead.map(({ id }) => id);
  };
  assert.deepEqual(observeFor(58_000), []);
  assert.deepEqual(observeFor(2000), ['still']);
  time.now += 100_000;
  assert.deepEqual(observeFor(58_000), [], 'the database was unavailable: their time restarts');
  assert.deepEqual(observeFor(2000), ['still']);
  assert.deepEqual(peers.ids(), ['still', 'alive']);
});
