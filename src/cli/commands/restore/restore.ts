/** Defines the restore commands: from a backup, its status, and its acceptance. */
import { existsSync, realpathSync } from 'node:fs';
import { readConfig } from '../../../config/config.ts';
import { assertFile } from '../../../db/open.ts';
import {
  checkIntegrity,
  copyDatabase,
  isNonEmptyFile,
  makeOneFile,
  removeDatabase,
  replaceDatabase,
} from '../../../db/sqlite/backup.ts';
import {
  databaseFile,
  lockDataDirAsServer,
  openExclusive,
  schemaStateOfFile,
} from '../../../db/sqlite/open.ts';
import type { Db } from '../../../db/types.ts';
import { systemClock } from '../../../lib/clock.ts';
import { UsageError } from '../../../lib/errors.ts';
import { systemRandom, uuidV7 } from '../../../lib/random.ts';
import { listPurchases } from '../../../purchases/inquiry/store.ts';
import {
  acceptRestore,
  type RestoreStatus,
  restoreStatus,
} from '../../../purchases/restored/accept.ts';
import { askWords } from '../../../purchases/restored/asked.ts';
import { closeFor } from '../../../purchases/restored/close.ts';
import { isElsewhere } from '../../../purchases/restored/place/store.ts';
import { removeWitness } from '../../../purchases/restored/place/witness-file.ts';
import { actorOf, auditOptions, reasonOf } from '../../actor.ts';
import {
  type Command,
  integerOption,
  iso,
  isoOrNull,
  operand,
  table,
  withDatabase,
} from '../../definition.ts';
import { verifyBooks } from '../verify.ts';
import { markDeps } from './place.ts';

/** Marks a copy so that a server which starts on it sells nothing new until the operators have answered. */
const mark = async (db: Db, file: string, actor: string): Promise<void> => {
  const newId = uuidV7(systemClock, systemRandom);
  const deps = markDeps({ db, clock: systemClock, newId, random: systemRandom });
  const evidence = `from ${file}`;
  const reason = 'restored from a backup';
  const now = undefined;
  const closing = { cause: 'backup', changed: null, now, evidence, actor, reason } as const;
  await db.transaction().execute((db) => closeFor(db, deps, closing));
};

type Prepared = { readonly purchases: number; readonly newest: string | null };

/** Creates a copy of the backup that is migrated, verified and marked. */
const prepare = async (
  from: string,
  copy: string,
  options: { readonly actor: string; readonly force: boolean },
): Promise<Prepared> => {
  await copyDatabase(from, copy);
  if ((await schemaStateOfFile(copy)) === 'foreign') {
    throw new UsageError(`${from} is not a Simgate database.`);
  }
  // A backup of a database that was moved away stays one: the server refuses it.
  const { db, close } = await openExclusive(copy, systemClock, { moving: true });
  try {
    const { ok, data, text } = await verifyBooks(db);
    if (!ok && !options.force) {
      throw new UsageError(`${text}\nNothing was restored. Use --force to restore it anyway.`);
    }
    const [last] = await listPurchases(db, { clientId: null }, { offset: 0, limit: 1 });
    await mark(db, from, options.actor);
    return {
      purchases: data.purchases,
      newest: last === undefined ? null : iso(last.beganAt),
    };
  } finally {
    await close();
  }
};

const assertSource = (from: string, target: string): void => {
  if (!existsSync(from)) throw new UsageError(`The file ${from} does not exist.`);
  if (existsSync(target) && realpathSync(from) === realpathSync(target)) {
    throw new UsageError(`${from} is the database itself.`);
  }
};

const assertTarget = (target: string, force: boolean): void => {
  if (!isNonEmptyFile(target) || force) return;
  throw new UsageError(
    `The database ${target} already exists. Use --force to rename it and restore.`,
  );
};

export const restoreRun: Command = {
  name: 'restore',
  summary:
    'Restore a backup. New purchases are refused until the operators have reported what it lacks.',
  operands: ['FILE'],
  options: {
    force: { about: 'Rename an existing database and replace it.' },
    by: auditOptions.by,
  },
  run: async (args) => {
    const from = operand(args, 0);
    const force = args.options.get('force') === true;
    const actor = actorOf(args);
    const config = readConfig();
    assertFile(config, 'restore with its own tools');
    const { dataDir } = config;
    const target = databaseFile(dataDir);
    assertSource(from, target);
    const release = lockDataDirAsServer(dataDir);
    const copy = `${target}.${process.pid}.partial`;
    try {
      assertTarget(target, force);
      const { purchases, newest } = await prepare(from, copy, { actor, force });
      makeOneFile(copy);
      const broken = checkIntegrity(copy);
      if (broken.length > 0) throw new UsageError(`${from} is damaged: ${broken[0]}.`);
      const stamp = iso(systemClock.now()).replaceAll(/[-:]/g, '');
      const kept = isNonEmptyFile(target) ? `${target}.before-${stamp}` : null;
      // It is about the replaced database.
      removeWitness(target);
      await replaceDatabase(copy, target, kept ?? `${target}.before-${stamp}`);
      const last = newest === null ? '' : `, the newest from ${newest}`;
      const lines = [
        `${target} is restored from ${from}: ${purchases} purchases${last}.`,
        ...(kept === null ? [] : [`The previous database is kept as ${kept}.`]),
        'Start the server. New purchases are refused until the operators have reported what was sold since. "simgate restore status" shows the progress.',
        'Deposits, clients, tokens and catalogue changes made after the backup are lost. Enter them again.',
      ];
      return { data: { restored: target, from, kept, purchases, newest }, text: lines.join('\n') };
    } finally {
      removeDatabase(copy);
      release();
    }
  },
};

const shown = (status: RestoreStatus) => ({
  restored_at: iso(status.restore.at),
  cause: status.restore.cause,
  changed: status.restore.changed,
  selling: status.restore.opened_at !== null,
  opened_at: isoOrNull(status.restore.opened_at),
  opened_by: status.restore.opened_by,
  operators: status.operators.map(({ operator_id, state, asked_at, ...fact }) => ({
    operator_id,
    state,
    detail: askWords(fact),
    asked_at: isoOrNull(asked_at),
  })),
  instances: status.vouches.map(({ instance_id, result }) => ({ instance_id, result })),
  forgotten_count: status.count,
  forgotten: status.forgotten.map((one) => ({
    operator_id: one.operator_id,
    ref: one.ref,
    kind: one.kind,
    at: iso(one.at),
    mobile: one.mobile,
    amount: one.amount,
    client_id: one.client_id,
    idempotency_key: one.idempotency_key,
  })),
});

const beginnings = {
  backup: 'Restored',
  marked: 'Marked as restored',
  place_changed: 'Moved',
  witness_missing: 'Moved',
  witness_contradicted: 'Found to lack purchases',
} as const satisfies Record<RestoreStatus['restore']['cause'], string>;

const headline = (status: RestoreStatus): string => {
  const { at, cause, opened_at, opened_by } = status.restore;
  const restored = `${beginnings[cause]} at ${iso(at)}.`;
  if (opened_at !== null)
    return `${restored} Purchases have been accepted since ${iso(opened_at)}, by ${opened_by}.`;
  if (cause === 'place_changed') {
    return `${restored} New purchases are refused until its instances have confirmed it.`;
  }
  const asking =
    status.operators.length === 0 || status.operators.some(({ state }) => state === 'waiting');
  return asking
    ? `${restored} New purchases are refused: a running server still has to ask the operators.`
    : `${restored} New purchases are refused until you run "simgate restore accept${status.count === 0 ? '' : ` --forgotten ${status.count}`}".`;
};

const statusText = (status: RestoreStatus): string => {
  const { operators, instances, forgotten, forgotten_count } = shown(status);
  return [
    headline(status),
    '',
    ...(instances.length === 0
      ? []
      : [table({ INSTANCE: 'instance_id', RESULT: 'result' }, instances), '']),
    table({ OPERATOR: 'operator_id', STATE: 'state', DETAIL: 'detail' }, operators),
    '',
    forgotten_count === 0
      ? 'No missing purchase is known.'
      : `${forgotten_count} purchases are missing:`,
    ...(forgotten_count === 0
      ? []
      : [
          table(
            {
              WHEN: 'at',
              OPERATOR: 'operator_id',
              WHAT: 'kind',
              REF: 'ref',
              MOBILE: 'mobile',
              AMOUNT: 'amount',
              CLIENT: 'client_id',
              KEY: 'idempotency_key',
            },
            forgotten,
          ),
        ]),
  ].join('\n');
};

const elsewhereText =
  'The database has moved, and no server has examined it yet. The next server refuses new purchases. If the database was moved completely, run "simgate restore moved".';

export const restoreStatusShow: Command = {
  name: 'restore status',
  summary: 'Show what the operators reported about the time that a restored backup does not cover.',
  run: async () => {
    const { status, elsewhere } = await withDatabase(async ({ db }) => ({
      status: await restoreStatus(db),
      elsewhere: await isElsewhere(db),
    }));
    if (elsewhere && status?.restore.opened_at !== null) {
      return { data: { restored_at: null, selling: false }, text: elsewhereText };
    }
    return status === undefined
      ? { data: { restored_at: null, selling: true }, text: 'This database was never restored.' }
      : { data: shown(status), text: statusText(status) };
  },
};

export const restoreAccept: Command = {
  name: 'restore accept',
  summary: 'Accept purchases on a restored database, although some are missing or not reported.',
  options: {
    ...auditOptions,
    forgotten: {
      value: 'N',
      about: 'The number of missing purchases that "restore status" shows (default: 0).',
    },
    force: { about: 'Accept before all operators were asked.' },
  },
  run: async (args) => {
    const acceptance = {
      actor: actorOf(args),
      reason: reasonOf(args),
      forgotten: integerOption(args, 'forgotten', { most: Number.MAX_SAFE_INTEGER, otherwise: 0 }),
      force: args.options.get('force') === true,
    };
    const status = await withDatabase((deps) => acceptRestore(markDeps(deps), acceptance));
    return {
      data: shown(status),
      text: `Purchases are accepted again; a running server needs up to a second. ${status.count} purchases are missing.`,
    };
  },
};
