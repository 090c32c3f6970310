/** Applies operator settings and suspensions from the console to a running server. */
import type { OperatorConfig } from '../../config/config.ts';
import type { Connector } from '../../connector/connector.ts';
import { checkSettings, type Settings } from '../../connector/settings/check.ts';
import type { Secrets } from '../../db/secrets/keys.ts';
import type { Db } from '../../db/types.ts';
import type { Clock } from '../../lib/clock.ts';
import { showCode } from '../../lib/json/show-value.ts';
import type { Log } from '../../lib/log/log.ts';
import type { Text } from '../../lib/text.ts';
import { definedIn } from '../defined/defined.ts';
import { listSuppliers, type SupplierRow } from '../defined/store.ts';
import { type LiveRegistry, noConnector, type Prepared } from '../registry.ts';
import { openSettings, rowFor, versionOfFile } from './sealed.ts';
import { listSettings, listSuspensions, type SettingsRow } from './store.ts';

/** The current settings of an operator. */
export type InUse = {
  /** In plain text: for connecting, never for a screen. */
  readonly settings: Settings;
  readonly from: 'file' | 'console';
  /** The name of the connector; '' where there is none. */
  readonly connector: string;
  /** The version last applied, or tried. */
  readonly version: string;
  /** Why it could not be applied. */
  readonly problem: Text | null;
};

export type Suspension = { readonly at: number; readonly by: string; readonly reason: string };

export type LiveDeps = {
  readonly db: Db;
  readonly clock: Pick<Clock, 'now'>;
  /** Those of the configuration file, also without a connector. */
  readonly operators: readonly OperatorConfig[];
  /** Loads the connectors that no operator of the file needs. */
  readonly loadMore: () => Promise<readonly Connector[]>;
  /** Whether an operator may have this connector: in production the simulator is named by the file alone. */
  readonly mayHave: (operatorId: number, connector: string) => boolean;
  readonly registry: LiveRegistry;
  readonly secrets: Secrets;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** Called for each operator that is suspended or resumed. */
  readonly suspensionChanged: (operatorId: number) => void;
};

export type LiveOperators = {
  readonly suspended: ReadonlySet<number>;
  readonly suspensionOf: (operatorId: number) => Suspension | undefined;
  readonly inUse: (operatorId: number) => InUse | undefined;
  /** The file's part about an operator; undefined for a supplier that the console defines. */
  readonly inFile: (operatorId: number) => OperatorConfig | undefined;
  /** The connectors that an operator can have. */
  readonly choices: (operatorId: number) => Promise<readonly Connector[]>;
  /** Applies the database's settings, if they are new here. */
  readonly reload: () => Promise<void>;
  /** Runs work exclusively, also against reloads. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Within exclusive work: puts a connection with these settings in use. */
  readonly adopt: (
    operatorId: number,
    settings: Pick<InUse, 'settings' | 'from' | 'version' | 'connector'>,
    prepared: Prepared,
  ) => void;
};

/** Runs tasks one after another. */
const createTurns = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
};

/** The name alone: a message may repeat a connector's settings. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'error');

const texts = {
  unfit: {
    en: 'the file gives it no settings that fit',
    fa: 'فایل پیکربندی تنظیمات معتبری برای آن ندارد',
  },
  noSuchConnector: (name: string): Text => ({
    en: `the connector "${name}" is not available: name it in "connectors" of the configuration file`,
    fa: `رابط ${showCode(name)} در دسترس نیست. آن را در \`connectors\` فایل پیکربندی بیاورید`,
  }),
  notOpened: (error: string): Text => ({
    en: `its connector cannot be opened with them: ${error}`,
    fa: `رابط آن با این تنظیمات باز نمی‌شود: ${showCode(error)}`,
  }),
  nameTaken: {
    en: 'the configuration file gives its name to another: rename that one',
    fa: 'فایل پیکربندی نام آن را به دیگری داده است. نام دیگری را عوض کنید',
  },
} as const;

const named = ({ connectors }: LiveRegistry, name: string): Connector | undefined =>
  connectors().find((one) => one.name === name);

const unusableSettings = 'the settings of an operator cannot be used';

/** How each operator is reached now, and which cannot be. */
const createUse = ({ operators, registry, secrets, log, clock, mayHave }: LiveDeps) => {
  const inUse = new Map<number, InUse>();
  /** The operators with unusable settings, and since when: they have no connection. */
  const unreachable = new Map<number, number>();
  const fileConnector = (config: OperatorConfig): Connector | undefined =>
    config.connector === '' ? noConnector : named(registry, config.connector);
  const begin = (config: OperatorConfig, from: InUse['from']): void => {
    const { id, settings } = config;
    const connector = fileConnector(config);
    const fits = connector !== undefined && checkSettings(connector, settings).kind === 'fit';
    const unopened = registry.unopened.get(id);
    const unusable = unopened === undefined ? texts.unfit : texts.notOpened(unopened);
    const problem = fits && unopened === undefined ? null : unusable;
    if (problem !== null) {
      unreachable.set(id, clock.now());
      log.error({ operator: id, problem: problem.en }, unusableSettings);
    }
    const { connector: name } = config;
    inUse.set(id, { settings, from, connector: name, version: versionOfFile, problem });
  };
  for (const config of operators) begin(config, 'file');

  const adopt: LiveOperators['adopt'] = (id, taken, prepared) => {
    prepared.use();
    unreachable.delete(id);
    inUse.set(id, { ...taken, problem: null });
  };

  // With the old settings, orders would go where other instances do not inquire about them.
  const fail = (id: number, version: string, problem: Text, connector?: Connector): void => {
    const before = inUse.get(id);
    if (before === undefined) return;
    inUse.set(id, { ...before, version, problem });
    unreachable.set(id, unreachable.get(id) ?? clock.now());
    registry.cutOff(id, connector);
    log.error({ operator: id, problem: problem.en }, unusableSettings);
  };

  const takeOver = (config: OperatorConfig, row: SettingsRow | undefined): void => {
    const { id } = config;
    const version = row?.version ?? versionOfFile;
    if (inUse.get(id)?.version === version) return;
    const connector = row === undefined ? fileConnector(config) : named(registry, row.connector);
    if (connector === undefined || !mayHave(id, connector.name)) {
      return fail(id, version, texts.noSuchConnector(row?.connector ?? config.connector));
    }
    const stored = row === undefined ? undefined : openSettings(secrets, row, connector);
    if (stored?.kind === 'unusable') return fail(id, version, stored.why, connector);
    const settings = stored?.settings ?? config.settings;
    try {
      const from = row === undefined ? 'file' : 'console';
      const prepared = registry.prepare(id, settings, connector);
      adopt(id, { settings, from, version, connector: connector.name }, prepared);
      log.info({ operator: id, from, connector: connector.name }, 'an operator has other settings');
    } catch (error) {
      fail(id, version, texts.notOpened(nameOf(error)), connector);
    }
  };

  const forget = (id: number): void => {
    inUse.delete(id);
    unreachable.delete(id);
  };

  return { of: (id: number) => inUse.get(id), unreachable, adopt, begin, fail, takeOver, forget };
};

type Use = ReturnType<typeof createUse>;

/** The suppliers that the console defines, as this instance knows them. */
const createDefined = ({ db, operators, registry, log }: LiveDeps, use: Use) => {
  const known = new Map<number, OperatorConfig>();
  const unused = new Set<number>();
  const warned = new Set<number>();

  const begin = (config: OperatorConfig, isNameTaken: boolean): void => {
    use.begin(config, 'console');
    if (!isNameTaken) return;
    unused.add(config.id);
    use.fail(config.id, versionOfFile, texts.nameTaken);
  };

  const warnOfReplaced = (rows: readonly SupplierRow[]): void => {
    for (const { id } of rows) {
      if (warned.has(id) || operators.every((one) => one.id !== id)) continue;
      warned.add(id);
      log.warn(
        { operator: id },
        'the configuration defines this supplier: that of the console is not used',
      );
    }
  };

  /** Reads them; returns those that are in use, and those that are gone. */
  const reload = async () => {
    const rows = await listSuppliers(db);
    const found = definedIn(rows, operators);
    warnOfReplaced(rows);
    const gone = [...known.keys()].filter((id) => found.every(({ config }) => config.id !== id));
    for (const { config, isNameTaken } of found) {
      registry.define(config);
      if (!known.has(config.id)) begin(config, isNameTaken);
      known.set(config.id, config);
    }
    for (const id of gone) {
      known.delete(id);
      unused.delete(id);
      registry.forget(id);
      use.forget(id);
      log.info({ operator: id }, 'a supplier was removed');
    }
    return { inUse: [...known.values()].filter(({ id }) => !unused.has(id)), gone };
  };

  return { reload, ids: () => [...known.keys()], isUnused: (id: number) => unused.has(id) };
};

export const createLiveOperators = (deps: LiveDeps): LiveOperators => {
  const { db, log, operators, registry } = deps;
  const inFile = new Map(operators.map((config) => [config.id, config]));
  const use = createUse(deps);
  const defined = createDefined(deps, use);
  const suspensions = new Map<number, Suspension>();
  const suspended = new Set<number>();
  const inTurn = createTurns();

  const suspensionOf = (id: number): Suspension | undefined => {
    const [known, at] = [suspensions.get(id), use.unreachable.get(id)];
    if (known !== undefined || at === undefined) return known;
    const reason = use.of(id)?.problem?.en ?? 'it cannot be reached';
    return { at, by: 'simgate', reason };
  };

  const follow = (id: number): void => {
    const is = suspensionOf(id) !== undefined;
    if (is === suspended.has(id)) return;
    if (is) suspended.add(id);
    else suspended.delete(id);
    if (is) log.warn({ operator: id }, 'an operator is suspended: nothing new is sold of it');
    else log.info({ operator: id }, 'an operator is no longer suspended');
    deps.suspensionChanged(id);
  };

  let loading: Promise<void> | undefined;
  const load = (): Promise<void> => {
    loading ??= deps.loadMore().then(registry.addConnectors);
    return loading;
  };

  const reload = async (): Promise<void> => {
    const { inUse, gone } = await defined.reload();
    const rows = await listSettings(db);
    const found = await listSuspensions(db);
    if (rows.some(({ connector }) => connector !== '' && !named(registry, connector))) await load();
    for (const config of [...operators, ...inUse]) use.takeOver(config, rowFor(config, rows));
    suspensions.clear();
    for (const { operator_id, at, actor, reason } of found) {
      suspensions.set(operator_id, { at, by: actor, reason });
    }
    for (const id of [...inFile.keys(), ...defined.ids(), ...gone]) follow(id);
  };

  return {
    suspended,
    suspensionOf,
    inUse: use.of,
    inFile: (id) => inFile.get(id),
    choices: async (id) => {
      await load();
      if (defined.isUnused(id)) return [];
      return registry.connectors().filter(({ name }) => deps.mayHave(id, name));
    },
    reload: () => inTurn(reload),
    inTurn,
    adopt: (id, taken, prepared) => {
      use.adopt(id, taken, prepared);
      follow(id);
    },
  };
};
