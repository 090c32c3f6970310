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

/** Marks a copy so that a server which starts on it sells nothing new until the operators were asked. */
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

/** Makes a copy of the backup that is up to date, proved and marked. */
const prepare = async (
  from: string,
  copy: string,
  options: { readonly actor: string; readonly force: boolean },
): Promise<Prepared> => {
  await copyDatabase(from, copy);
  if ((await schemaStateOfFile(copy)) === 'foreign') {
    throw new UsageError(`${from} is a database, but none of Simgate's.`);
  }
  const { db, close } = await openExclusive(copy, systemClock);
  try {
    const { ok, data, text } = await verifyBooks(db);
    if (!ok && !options.force) {
      throw new UsageError(`${text}\nNothing was restored. With --force it is all the same.`);
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
  if (!existsSync(from)) throw new UsageError(`There is no file ${from}.`);
  if (existsSync(target) && realpathSync(from) === realpathSync(target)) {
    throw new UsageError(`${from} is the database itself.`);
  }
};

const assertTarget = (target: string, force: boolean): void => {
  if (!isNonEmptyFile(target) || force) return;
  throw new UsageError(
    `There is a database at ${target} already. With --force it is kept under another name and replaced.`,
  );
};

export const restoreRun: Command = {
  name: 'restore',
  summary:
    'Put a backup in the place of the database. Nothing new is sold from it until the operators were asked what it forgot.',
  operands: ['FILE'],
  options: {
    force: { about: 'Also where there is a database; it is kept under another name.' },
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
      if (broken.length > 0) throw new UsageError(`${from} is not whole: ${broken[0]}.`);
      const stamp = iso(systemClock.now()).replaceAll(/[-:]/g, '');
      const kept = isNonEmptyFile(target) ? `${target}.before-${stamp}` : null;
      // It speaks of what is replaced.
      removeWitness(target);
      await replaceDatabase(copy, target, kept ?? `${target}.before-${stamp}`);
      const last = newest === null ? '' : `, the newest begun at ${newest}`;
      const lines = [
        `${target} is restored from ${from}: ${purchases} purchases${last}.`,
        ...(kept === null ? [] : [`What was there is kept as ${kept}.`]),
        'Start the server. It answers everything but new purchases until the operators have told what was sold since; "simgate restore status" tells how far it is.',
        'What only the gateway knew is gone: deposits, clients, tokens and catalogue changes made after the backup. Enter them again.',
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
  place_changed: 'Found in another place',
  witness_missing: 'Found in another place',
  witness_contradicted: 'Found to lack something that was sold',
} as const satisfies Record<RestoreStatus['restore']['cause'], string>;

const headline = (status: RestoreStatus): string => {
  const { at, cause, opened_at, opened_by } = status.restore;
  const restored = `${beginnings[cause]} at ${iso(at)}.`;
  if (opened_at !== null) return `${restored} It sells since ${iso(opened_at)}, by ${opened_by}.`;
  if (cause === 'place_changed') {
    return `${restored} It sells nothing new until its instances have vouched for it.`;
  }
  const asking =
    status.operators.length === 0 || status.operators.some(({ state }) => state === 'waiting');
  return asking
    ? `${restored} It sells nothing new: the operators are still to be asked, by a server that runs.`
    : `${restored} It sells nothing new until a person runs "simgate restore accept${status.count === 0 ? '' : ` --forgotten ${status.count}`}".`;
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
      ? 'No forgotten purchase is known.'
      : `${forgotten_count} purchases were forgotten:`,
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
  'The database is in another place than before, and no server has examined it there. The next one that starts sells nothing new. Run "simgate restore moved" where the database was moved with everything in it.';

export const restoreStatusShow: Command = {
  name: 'restore status',
  summary: 'Tell what the operators have told of the time that a restored backup does not know.',
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
  summary: 'Let a restored database sell again, although something was forgotten or not told.',
  options: {
    ...auditOptions,
    forgotten: {
      value: 'N',
      about: 'How many forgotten purchases "restore status" has shown (default: 0).',
    },
    force: { about: 'Also before all operators were asked.' },
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
      text: `New purchases are sold again, within a second where a server runs. ${status.count} purchases were forgotten.`,
    };
  },
};
