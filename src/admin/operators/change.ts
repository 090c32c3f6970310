/** Changes operators from the console: settings, faults and suspension; also tests a connection. */
import type { Call } from '../../connector/call.ts';
import type { Settings } from '../../connector/settings/check.ts';
import { changedSecrets, maskSettings } from '../../connector/settings/mask.ts';
import { bumpVersion, lockVersion } from '../../db/changes/versions.ts';
import type { Secrets } from '../../db/secrets/keys.ts';
import type { Admission } from '../../operators/admission.ts';
import type { LiveRegistry, Operator, Prepared } from '../../operators/registry.ts';
import type { LiveOperators } from '../../operators/settings/live.ts';
import {
  openSettings,
  rowFor,
  sealSettings,
  versionOfFile,
} from '../../operators/settings/sealed.ts';
import {
  deleteSuspension,
  emptySettings,
  findSettings,
  insertSuspension,
  type SettingsRow,
  saveSettings,
} from '../../operators/settings/store.ts';
import {
  type Actor,
  type AdminDeps,
  type AuditAction,
  afterCommit,
  transact,
  writeAudit,
} from '../audit/audit.ts';
import { AdminError } from '../errors.ts';
import { assertValidSettings, mergeGivenSettings } from './validate.ts';

/** What the console needs of operators. */
export type OperatorParts = {
  readonly live: LiveOperators;
  readonly registry: Pick<LiveRegistry, 'all' | 'byId' | 'prepare'>;
  readonly admission: Pick<Admission, 'state'>;
  readonly call: Call;
};

export type OperatorAdminDeps = Omit<AdminDeps, 'passwords'> & {
  readonly secrets: Secrets;
  readonly operators: OperatorParts;
};

/** The operator of a path; anything that is not an ID is not found. */
export const operatorAt = ({ operators }: OperatorAdminDeps, text: string): Operator => {
  const operator = /^\d{1,9}$/.test(text) ? operators.registry.byId(Number(text)) : undefined;
  if (operator === undefined) throw new AdminError('OPERATOR_NOT_FOUND');
  return operator;
};

const subjectOf = ({ id }: Operator): string => `operator ${id}`;

type Before = {
  readonly row: SettingsRow | undefined;
  readonly version: string;
  readonly settings: Settings;
};

const connectorOf = ({ id, connector: { name } }: Operator) => ({ id, connector: name });

const readRow = async (
  db: OperatorAdminDeps['db'],
  operator: Operator,
): Promise<SettingsRow | undefined> => {
  const row = await findSettings(db, operator.id);
  return rowFor(connectorOf(operator), row === undefined ? [] : [row]);
};

const fileSettings = ({ operators }: OperatorAdminDeps, { id }: Operator): Settings =>
  operators.live.inFile(id)?.settings ?? {};

/** The settings from the console; if there are none, or they cannot be read, those of the file. */
const readBefore = async (deps: OperatorAdminDeps, operator: Operator): Promise<Before> => {
  const row = await readRow(deps.db, operator);
  const stored =
    row === undefined ? undefined : openSettings(deps.secrets, row, operator.connector);
  const settings = stored?.kind === 'settings' ? stored.settings : fileSettings(deps, operator);
  return { row, version: row?.version ?? versionOfFile, settings };
};

/** A connector's error may repeat its settings, so it is not logged. */
const prepare = (
  { operators }: OperatorAdminDeps,
  { id }: Operator,
  settings: Settings,
): Prepared => {
  try {
    return operators.registry.prepare(id, settings);
  } catch {
    throw new AdminError('SETTINGS_REFUSED');
  }
};

type Step = {
  readonly action: AuditAction;
  readonly before: Before;
  readonly settings: Settings;
  /** The settings to write; undefined: delete them. */
  readonly row: SettingsRow | undefined;
};

/** Stores the settings and applies them here; other instances follow. If that fails, nothing has changed. */
const store = async (
  deps: OperatorAdminDeps,
  actor: Actor,
  operator: Operator,
  { action, before, settings, row }: Step,
): Promise<void> => {
  const { connector, id } = operator;
  const prepared = prepare(deps, operator, settings);
  const changedAt = row?.changed_at ?? deps.clock.now();
  try {
    await transact(deps, async (db) => {
      await lockVersion(db, 'operators');
      const now = await readRow(db, operator);
      if (now?.version !== before.row?.version) throw new AdminError('SETTINGS_CHANGED');
      const changed = { operator_id: id, version: deps.newId(), changed_at: changedAt };
      await (row === undefined ? emptySettings(db, changed) : saveSettings(db, row));
      await bumpVersion(db, 'operators', deps.newId);
      const from = (one: SettingsRow | undefined) => (one === undefined ? 'file' : 'console');
      await writeAudit(db, deps, actor, {
        action,
        subject: subjectOf(operator),
        before: {
          settings: maskSettings(connector, before.settings),
          settings_from: from(before.row),
        },
        after: {
          settings: maskSettings(connector, settings),
          settings_from: from(row),
          secrets_changed: changedSecrets(connector, before.settings, settings),
        },
      });
    });
  } catch (error) {
    await prepared.discard();
    throw error;
  }
  const from = row === undefined ? 'file' : 'console';
  deps.operators.live.adopt(
    id,
    { settings, from, version: row?.version ?? versionOfFile },
    prepared,
  );
};

const change = (
  deps: OperatorAdminDeps,
  actor: Actor,
  operator: Operator,
  wanted: {
    readonly action: AuditAction;
    readonly version?: string;
    readonly from: (before: Settings) => Settings;
  },
): Promise<void> =>
  deps.operators.live.inTurn(async () => {
    const before = await readBefore(deps, operator);
    if (wanted.version !== undefined && wanted.version !== before.version) {
      throw new AdminError('SETTINGS_CHANGED');
    }
    const settings = wanted.from(before.settings);
    assertValidSettings(operator, settings);
    const place = { operator_id: operator.id, connector: operator.connector.name };
    const sealed = sealSettings(deps.secrets, place, settings);
    if (sealed === undefined) throw new AdminError('SECRETS_KEY_MISSING');
    const version = deps.newId();
    const row = { ...place, sealed, version, changed_at: deps.clock.now() };
    await store(deps, actor, operator, { action: wanted.action, before, settings, row });
  });

/**
 * Changes settings. A secret that is left out or masked stays, unless requests would go to another address.
 */
export const changeSettings = (
  deps: OperatorAdminDeps,
  actor: Actor,
  operator: Operator,
  { settings, version }: { readonly settings: Settings; readonly version: string },
): Promise<void> =>
  change(deps, actor, operator, {
    action: 'operator settings',
    version,
    from: (before) => mergeGivenSettings(operator, before, settings),
  });

/** Resets to the file's settings. */
export const removeSettings = (
  deps: OperatorAdminDeps,
  actor: Actor,
  operator: Operator,
): Promise<void> =>
  deps.operators.live.inTurn(async () => {
    const before = await readBefore(deps, operator);
    if (before.row === undefined) return;
    const settings = fileSettings(deps, operator);
    await store(deps, actor, operator, {
      action: 'operator settings remove',
      before,
      settings,
      row: undefined,
    });
  });

export const assertSimulated = ({ connector }: Operator): void => {
  const has = Object.hasOwn(connector.settings.properties, 'faults');
  if (connector.inProcess !== true || !has) throw new AdminError('NOT_SIMULATED');
};

/** A simulated operator's faults are one of its settings. */
export const changeFaults = (
  deps: OperatorAdminDeps,
  actor: Actor,
  operator: Operator,
  faults: object,
): Promise<void> => {
  assertSimulated(operator);
  return change(deps, actor, operator, {
    action: 'operator faults',
    from: (before) => ({ ...before, faults }),
  });
};

/** Stops selling from this operator. Suspending it twice changes nothing. */
export const suspend = async (
  deps: OperatorAdminDeps,
  actor: Actor,
  operator: Operator,
  reason: string,
): Promise<void> => {
  await transact(deps, async (db) => {
    const row = { operator_id: operator.id, at: deps.clock.now(), actor: actor.name, reason };
    if (!(await insertSuspension(db, row))) return;
    await bumpVersion(db, 'operators', deps.newId);
    await writeAudit(db, deps, actor, {
      action: 'operator suspend',
      subject: subjectOf(operator),
      before: { suspended: false },
      after: { suspended: true, reason },
    });
  });
  await afterCommit(deps.operators.live.reload);
};

export const resume = async (
  deps: OperatorAdminDeps,
  actor: Actor,
  operator: Operator,
): Promise<void> => {
  await transact(deps, async (db) => {
    const was = await deleteSuspension(db, operator.id);
    if (was === undefined) return;
    await bumpVersion(db, 'operators', deps.newId);
    await writeAudit(db, deps, actor, {
      action: 'operator resume',
      subject: subjectOf(operator),
      before: { suspended: true, reason: was.reason },
      after: { suspended: false },
    });
  });
  await afterCommit(deps.operators.live.reload);
};
