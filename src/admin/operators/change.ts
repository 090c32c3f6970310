/** Changes how an operator is reached, from the console: its connector, settings and faults. */
import type { Call } from '../../connector/call.ts';
import type { Connector } from '../../connector/connector.ts';
import type { Settings } from '../../connector/settings/check.ts';
import { changedSecrets, maskSettings } from '../../connector/settings/mask.ts';
import { bumpVersion, lockVersion } from '../../db/changes/versions.ts';
import type { Secrets } from '../../db/secrets/keys.ts';
import { GatewayError } from '../../lib/errors.ts';
import type { Admission } from '../../operators/admission.ts';
import {
  type LiveRegistry,
  noConnector,
  type Operator,
  type Prepared,
} from '../../operators/registry.ts';
import type { LiveOperators } from '../../operators/settings/live.ts';
import {
  openSettings,
  rowFor,
  sealSettings,
  versionOfFile,
} from '../../operators/settings/sealed.ts';
import {
  emptySettings,
  findSettings,
  type SettingsRow,
  saveSettings,
} from '../../operators/settings/store.ts';
import type { Promises } from '../../purchases/left/promises.ts';
import {
  type Actor,
  type AdminDeps,
  type AuditAction,
  transact,
  writeAudit,
} from '../audit/audit.ts';
import { AdminError } from '../errors.ts';
import { assertValidSettings, mergeGivenSettings, notAvailable } from './validate.ts';

/** What the console needs of operators. */
export type OperatorParts = {
  readonly live: LiveOperators;
  readonly registry: Pick<LiveRegistry, 'all' | 'unconnected' | 'connectors' | 'byId' | 'prepare'>;
  readonly admission: Pick<Admission, 'state'>;
  readonly call: Call;
  /** How many routes lead to a supplier, and how many of them are closed here. */
  readonly routesTo: (id: number) => { readonly all: number; readonly closed: number };
  readonly promises: Promises;
};

export type OperatorAdminDeps = Omit<AdminDeps, 'passwords'> & {
  readonly secrets: Secrets;
  readonly operators: OperatorParts;
};

/** The operator of a path; anything that is not an ID is not found. It may have no connector. */
export const operatorAt = ({ operators }: OperatorAdminDeps, text: string): Operator => {
  const { registry } = operators;
  const operator = /^\d{1,9}$/.test(text)
    ? (registry.byId(Number(text)) ?? registry.unconnected.find(({ id }) => id === Number(text)))
    : undefined;
  if (operator === undefined) throw new AdminError('OPERATOR_NOT_FOUND');
  return operator;
};

export const subjectOf = ({ id }: Pick<Operator, 'id'>): string => `operator ${id}`;

type Before = {
  readonly row: SettingsRow | undefined;
  readonly version: string;
  readonly connector: Connector;
  readonly settings: Settings;
};

/** What the file says of an operator: it may give it no connector. */
const inFile = ({ operators }: OperatorAdminDeps, { id }: Operator) => {
  const { connector = '', settings = {} } = operators.live.inFile(id) ?? {};
  return { id, connector, settings };
};

const connectorNamed = ({ operators }: OperatorAdminDeps, name: string): Connector =>
  operators.registry.connectors().find((one) => one.name === name) ?? noConnector;

const readRow = async (
  deps: OperatorAdminDeps,
  db: OperatorAdminDeps['db'],
  operator: Operator,
): Promise<SettingsRow | undefined> => {
  const row = await findSettings(db, operator.id);
  return rowFor(inFile(deps, operator), row === undefined ? [] : [row]);
};

/** The settings from the console; if there are none, or they cannot be read, those of the file. */
const readBefore = async (deps: OperatorAdminDeps, operator: Operator): Promise<Before> => {
  const row = await readRow(deps, deps.db, operator);
  const file = inFile(deps, operator);
  const version = row?.version ?? versionOfFile;
  const connector = connectorNamed(deps, row?.connector ?? file.connector);
  const stored = row === undefined ? undefined : openSettings(deps.secrets, row, connector);
  if (stored?.kind === 'settings') return { row, version, connector, settings: stored.settings };
  return {
    row,
    version,
    connector: connectorNamed(deps, file.connector),
    settings: file.settings,
  };
};

/** A connector's error may repeat its settings, so it is not logged. */
const prepare = (
  { operators }: OperatorAdminDeps,
  { id }: Operator,
  connector: Connector,
  settings: Settings,
): Prepared => {
  try {
    return operators.registry.prepare(id, settings, connector);
  } catch {
    throw new AdminError('SETTINGS_REFUSED');
  }
};

type Step = {
  readonly action: AuditAction;
  readonly before: Before;
  readonly connector: Connector;
  readonly settings: Settings;
  /** The settings to write; undefined: delete them. */
  readonly row: SettingsRow | undefined;
};

/** Stores the settings and applies them here; other instances follow. If that fails, nothing has changed. */
const store = async (
  deps: OperatorAdminDeps,
  actor: Actor,
  operator: Operator,
  { action, before, connector, settings, row }: Step,
): Promise<void> => {
  const { id } = operator;
  const prepared = prepare(deps, operator, connector, settings);
  const changedAt = row?.changed_at ?? deps.clock.now();
  try {
    await transact(deps, async (db) => {
      await lockVersion(db, 'operators');
      const now = await readRow(deps, db, operator);
      if (now?.version !== before.row?.version) throw new AdminError('SETTINGS_CHANGED');
      const changed = { operator_id: id, version: deps.newId(), changed_at: changedAt };
      await (row === undefined ? emptySettings(db, changed) : saveSettings(db, row));
      await bumpVersion(db, 'operators', deps.newId);
      const isInFile = deps.operators.live.inFile(id) !== undefined;
      const from = (one: SettingsRow | undefined) =>
        one === undefined && isInFile ? 'file' : 'console';
      await writeAudit(db, deps, actor, {
        action,
        subject: subjectOf(operator),
        before: {
          connector: before.connector.name,
          settings: maskSettings(before.connector, before.settings),
          settings_from: from(before.row),
        },
        after: {
          connector: connector.name,
          settings: maskSettings(connector, settings),
          settings_from: from(row),
          secrets_changed: changedSecrets(
            connector,
            before.connector.name === connector.name ? before.settings : {},
            settings,
          ),
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
    { settings, from, connector: connector.name, version: row?.version ?? versionOfFile },
    prepared,
  );
};

/** Only a connector that was loaded at the start can be chosen: the console never names a file. */
const chosen = async (
  deps: OperatorAdminDeps,
  { id }: Operator,
  name: string,
): Promise<Connector> => {
  const choices = await deps.operators.live.choices(id);
  const connector = choices.find((one) => one.name === name);
  if (connector !== undefined) return connector;
  throw new GatewayError('VALIDATION_FAILED', { errors: { connector: [notAvailable(name)] } });
};

const change = (
  deps: OperatorAdminDeps,
  actor: Actor,
  operator: Operator,
  wanted: {
    readonly action: AuditAction;
    readonly version?: string;
    /** The name of another connector than the one in use. */
    readonly connector?: string | undefined;
    readonly from: (before: Settings, connector: Connector) => Settings;
  },
): Promise<void> =>
  deps.operators.live.inTurn(async () => {
    const { action } = wanted;
    const before = await readBefore(deps, operator);
    if (wanted.version !== undefined && wanted.version !== before.version) {
      throw new AdminError('SETTINGS_CHANGED');
    }
    const connector = await chosen(deps, operator, wanted.connector ?? before.connector.name);
    // No secret goes from one connector to another.
    const isSame = connector.name === before.connector.name;
    const settings = wanted.from(isSame ? before.settings : {}, connector);
    assertValidSettings(connector, settings);
    const place = { operator_id: operator.id, connector: connector.name };
    const sealed = sealSettings(deps.secrets, place, settings);
    if (sealed === undefined) throw new AdminError('SECRETS_KEY_MISSING');
    const file = inFile(deps, operator).connector;
    const row = {
      ...place,
      sealed,
      version: deps.newId(),
      changed_at: deps.clock.now(),
      chosen_over: file === connector.name ? null : file,
    };
    await store(deps, actor, operator, { action, before, connector, settings, row });
  });

/**
 * Changes settings and, if one is named, the connector. A secret that is left out or masked stays, unless
 * requests would go to another address.
 */
export const updateSettings = (
  deps: OperatorAdminDeps,
  actor: Actor,
  operator: Operator,
  given: { readonly connector?: string; readonly settings: Settings; readonly version: string },
): Promise<void> =>
  change(deps, actor, operator, {
    action: 'operator settings',
    version: given.version,
    connector: given.connector,
    from: (before, connector) => mergeGivenSettings(connector, before, given.settings),
  });

/** Resets to the file's settings; a supplier that the console defines has none there. */
export const removeSettings = (
  deps: OperatorAdminDeps,
  actor: Actor,
  operator: Operator,
): Promise<void> =>
  deps.operators.live.inTurn(async () => {
    const before = await readBefore(deps, operator);
    if (deps.operators.live.inFile(operator.id) === undefined) throw new AdminError('NOT_IN_FILE');
    if (before.row === undefined) return;
    const { connector, settings } = inFile(deps, operator);
    await store(deps, actor, operator, {
      action: 'operator settings remove',
      before,
      connector: connectorNamed(deps, connector),
      settings,
      row: undefined,
    });
  });

export const assertSimulated = ({ connector }: Operator): void => {
  const has = Object.hasOwn(connector.settings.properties, 'faults');
  if (connector.inProcess !== true || !has) throw new AdminError('NOT_SIMULATED');
};

/** A simulated operator's faults are one of its settings. */
export const updateFaults = (
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
