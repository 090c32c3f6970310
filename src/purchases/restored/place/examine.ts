/** Examines the database's place: whether it is still the same one, and holds everything this process saw committed. */
import { lockSetUp } from '../../../db/engine.ts';
import type { Db } from '../../../db/types.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log/log.ts';
import type { NewId } from '../../../lib/random.ts';
import { closeFor, openUnaided, restartQuietTimesFrom, setCause } from '../close.ts';
import { findRestore, insertHeld, type Restore } from '../store.ts';
import {
  changedPart,
  judgeVouches,
  lacksBeat,
  type OwnRow,
  type Vouch,
  type VouchAnswer,
} from './place.ts';
import {
  beatInstance,
  countContradictions,
  endWaiting,
  expectVouches,
  findPlace,
  forgetSeen,
  listInstances,
  listVouches,
  missingPurchases,
  type SeenPlace,
  savePlace,
  saveVouch,
} from './store.ts';
import type { Known } from './witness.ts';

export type ExamineDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly instanceId: string;
  readonly sendWithinMs: number;
  /** Whether the configuration replicates every commit to a standby before acknowledging it. */
  readonly synchronous: boolean;
  /** Reads the database's place. */
  readonly readPlace: (db: Db) => Promise<SeenPlace | undefined>;
  /** A number in a form that people may recognize and we may keep. */
  readonly mask: (mobile: string) => string;
  /** What else a loss requires, in the transaction that closes the gate for it. */
  readonly onLoss: (db: Db) => Promise<void>;
};

/** What this process knows as it examines. */
export type Standing = OwnRow & {
  /** Whether it has never sold. A new process can vouch for nothing. */
  readonly fresh: boolean;
  /** The instances at its last heartbeat. */
  readonly peers: readonly string[];
  /** All that it knows. */
  readonly known: Known;
};

export type Examined = {
  readonly signature: string;
  readonly restore: Restore | undefined;
  /** Whether the database lacks something that this process knows. */
  readonly contradicted: boolean;
  /** The beat with which it is registered in the place. */
  readonly beat: number;
};

type Testimony = { readonly result: VouchAnswer; readonly lost: number };

/** Checks everything that this process knows against the database. */
const testify = async (
  db: Db,
  { instanceId }: ExamineDeps,
  standing: Standing,
): Promise<Testimony> => {
  const { known } = standing;
  const held = await missingPurchases(db, known.held);
  const lost = held.length + (await countContradictions(db, known));
  // Its last heartbeat was committed after all earlier sales: if it is there, so are they.
  const own = (await listInstances(db)).find(({ id }) => id === instanceId);
  if (lost > 0 || lacksBeat(own, standing)) return { result: 'contradicted', lost };
  return { result: own === undefined ? 'absent' : 'confirmed', lost };
};

/** Records what this process saw committed and the database lacks, with the keys. */
const writeForgotten = async (
  db: Db,
  deps: ExamineDeps,
  { held }: Known,
  restore: Restore,
): Promise<void> => {
  const lost = await missingPurchases(db, held);
  const rows = lost.map(({ id, operatorId, kind, beganAt, mobile, price, clientId, key }) => ({
    restore_id: restore.id,
    operator_id: operatorId ?? 0,
    ref: id,
    kind,
    at: beganAt,
    mobile: deps.mask(mobile),
    amount: price,
    found_at: deps.clock.now(),
    client_id: clientId,
    idempotency_key: key,
  }));
  await insertHeld(db, rows);
  for (const { ref, kind, mobile, amount } of rows) {
    deps.log.warn(
      { ref, kind, mobile, amount },
      'the database lacks a purchase that was begun here',
    );
  }
};

const notOpened = (restore: Restore | undefined): Restore | undefined =>
  restore?.opened_at === null ? restore : undefined;

const waitingFor = (instanceIds: readonly string[]): Vouch[] =>
  instanceIds.map((instance_id) => ({ instance_id, result: 'waiting' }));

/**
 * The instances that have to vouch for a changed place: those known there. Earlier statements stand, except
 * confirmations.
 */
const expected = async (db: Db, before: Restore | undefined): Promise<Vouch[]> => {
  const said = before === undefined ? [] : await listVouches(db, before.id);
  const instances = (await listInstances(db)).map(({ id }) => id);
  return [...said.filter(({ result }) => result !== 'confirmed'), ...waitingFor(instances)];
};

/**
 * Notices a changed place: closes the gate, and asks every instance known there to vouch. A restart closes
 * nothing.
 */
const noticeChange = async (
  db: Db,
  deps: ExamineDeps,
  seen: SeenPlace,
): Promise<Restore | undefined> => {
  const recorded = await findPlace(db);
  const before = notOpened(await findRestore(db));
  if (recorded?.signature === seen.signature) return before;
  await savePlace(db, seen);
  if (recorded === undefined) return before;
  const changed = changedPart(recorded, seen);
  if (changed === undefined) {
    // The server was restarted, perhaps with another clock: quiet times measured by the old one prove
    // nothing.
    await restartQuietTimesFrom(db, deps, seen.now);
    await forgetSeen(db);
    return before;
  }
  // A gate closed for a loss is not opened by vouches for another change.
  const cause = before?.cause ?? 'place_changed';
  const restore = await closeFor(db, deps, { cause, changed, now: seen.now, evidence: changed });
  await expectVouches(db, restore.id, await expected(db, before));
  return restore;
};

const testifyFor = async (
  db: Db,
  deps: ExamineDeps,
  standing: Standing,
  about: { readonly restore: Restore | undefined; readonly now: number },
): Promise<Pick<Examined, 'restore' | 'contradicted'>> => {
  const { result, lost } = await testify(db, deps, standing);
  const contradicted = result === 'contradicted';
  let { restore } = about;
  if (restore === undefined && contradicted) {
    const cause = 'witness_contradicted';
    restore = await closeFor(db, deps, {
      cause,
      changed: null,
      now: about.now,
      evidence: 'witness',
    });
  }
  if (restore === undefined) return { restore, contradicted };
  // Now rather than with the others' statements: this process may be gone by then.
  if (contradicted && restore.cause === 'place_changed') {
    restore = { ...restore, cause: 'witness_contradicted' };
    await setCause(db, deps, restore, { cause: restore.cause, evidence: 'witness' });
  }
  const name = { restoreId: restore.id, instanceId: deps.instanceId };
  await expectVouches(db, restore.id, waitingFor(standing.peers));
  await saveVouch(db, name, { result, at: deps.clock.now() });
  if (lost > 0) await writeForgotten(db, deps, standing.known, restore);
  deps.log.warn(
    { result, lost, cause: restore.cause },
    'what was acknowledged here was looked for',
  );
  return { restore, contradicted };
};

/**
 * Examines the place in one transaction, one instance at a time: notices a change, checks what this process
 * knows, and registers it. Undefined for a file, which has no place.
 */
export const examine = async (
  deps: ExamineDeps,
  standing: Standing,
): Promise<Examined | undefined> =>
  deps.db.transaction().execute(async (db) => {
    await lockSetUp(db);
    const seen = await deps.readPlace(db);
    if (seen === undefined) return undefined;
    const { signature, now } = seen;
    const noticed = await noticeChange(db, deps, seen);
    const testified = standing.fresh
      ? { restore: noticed, contradicted: false }
      : await testifyFor(db, deps, standing, { restore: noticed, now });
    const beat = await beatInstance(db, { id: deps.instanceId, beat: standing.beat + 1 }, now);
    return { signature, beat, ...testified };
  });

const evidenceOf = (vouches: readonly Vouch[]): string =>
  vouches.map(({ instance_id, result }) => `${instance_id} ${result}`).join('; ');

/**
 * Opens a changed place that its instances vouched for, or declares a loss; does nothing while one is
 * pending.
 */
export const settleVouches = (
  deps: ExamineDeps,
  restore: Restore,
  waited: boolean,
): Promise<void> =>
  deps.db.transaction().execute(async (db) => {
    await lockSetUp(db);
    const current = notOpened(await findRestore(db));
    if (current?.id !== restore.id || current.cause !== 'place_changed') return;
    const { synchronous } = deps;
    const vouches = await listVouches(db, restore.id);
    const judgement = judgeVouches(vouches, { changed: current.changed, synchronous, waited });
    if (judgement === 'wait') return;
    const at = deps.clock.now();
    if (waited) await endWaiting(db, restore.id, at);
    const evidence = evidenceOf(vouches);
    if (judgement !== 'open') return setCause(db, deps, current, { cause: judgement, evidence });
    const reason = 'the instances vouch for the place';
    await openUnaided(db, deps, current, { at, evidence, reason });
    return undefined;
  });
