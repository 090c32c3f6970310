/** Applies operator settings and suspensions from the console to a running server. */
import type { OperatorConfig } from '../../config/config.ts';
import { checkSettings, type Settings } from '../../connector/settings/check.ts';
import type { Secrets } from '../../db/secrets/keys.ts';
import type { Db } from '../../db/types.ts';
import type { Clock } from '../../lib/clock.ts';
import { showCode } from '../../lib/json/show-value.ts';
import type { Log } from '../../lib/log/log.ts';
import type { Text } from '../../lib/text.ts';
import type { LiveRegistry, Prepared } from '../registry.ts';
import { openSettings, rowFor, versionOfFile } from './sealed.ts';
import { listSettings, listSuspensions, type SettingsRow } from './store.ts';

/** The current settings of an operator. */
export type InUse = {
  /** In plain text: for connecting, never for a screen. */
  readonly settings: Settings;
  readonly from: 'file' | 'console';
  /** The version last applied, or tried. */
  readonly version: string;
  /** Why it could not be applied. */
  readonly problem: Text | null;
};

export type Suspension = { readonly at: number; readonly by: string; readonly reason: string };

export type LiveDeps = {
  readonly db: Db;
  readonly clock: Pick<Clock, 'now'>;
  readonly operators: readonly OperatorConfig[];
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
  /** The file's part about an operator. */
  readonly inFile: (operatorId: number) => OperatorConfig | undefined;
  /** Applies the database's settings, if they are new here. */
  readonly reload: () => Promise<void>;
  /** Runs work exclusively, also against reloads. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Within exclusive work: puts a connection with these settings in use. */
  readonly adopt: (
    operatorId: number,
    settings: Pick<InUse, 'settings' | 'from' | 'version'>,
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
  notOpened: (error: string): Text => ({
    en: `its connector cannot be opened with them: ${error}`,
    fa: `رابط آن با این تنظیمات باز نمی‌شود: ${showCode(error)}`,
  }),
} as const;

const unusableSettings = 'the settings of an operator cannot be used';

/** How each operator is reached now, and which cannot be. */
const createUse = ({ operators, registry, secrets, log, clock }: LiveDeps) => {
  const inUse = new Map<number, InUse>();
  /** The operators with unusable settings, and since when: they have no connection. */
  const unreachable = new Map<number, number>();
  for (const { id, settings } of operators) {
    const connector = registry.byId(id)?.connector;
    const fits = connector !== undefined && checkSettings(connector, settings).kind === 'fit';
    const unopened = registry.unopened.get(id);
    const unusable = unopened === undefined ? texts.unfit : texts.notOpened(unopened);
    const problem = fits && unopened === undefined ? null : unusable;
    if (problem !== null) {
      unreachable.set(id, clock.now());
      log.error({ operator: id, problem: problem.en }, unusableSettings);
    }
    inUse.set(id, { settings, from: 'file', version: versionOfFile, problem });
  }

  const adopt: LiveOperators['adopt'] = (id, taken, prepared) => {
    prepared.use();
    unreachable.delete(id);
    inUse.set(id, { ...taken, problem: null });
  };

  // With the old settings, orders would go where other instances do not inquire about them.
  const fail = (id: number, version: string, problem: Text): void => {
    const before = inUse.get(id);
    if (before === undefined) return;
    inUse.set(id, { ...before, version, problem });
    unreachable.set(id, unreachable.get(id) ?? clock.now());
    registry.cutOff(id);
    log.error({ operator: id, problem: problem.en }, unusableSettings);
  };

  const takeOver = (config: OperatorConfig, row: SettingsRow | undefined): void => {
    const { id } = config;
    const version = row?.version ?? versionOfFile;
    const connector = registry.byId(id)?.connector;
    if (connector === undefined || inUse.get(id)?.version === version) return;
    const stored = row === undefined ? undefined : openSettings(secrets, row, connector);
    if (stored?.kind === 'unusable') return fail(id, version, stored.why);
    const settings = stored?.settings ?? config.settings;
    try {
      const from = row === undefined ? 'file' : 'console';
      adopt(id, { settings, from, version }, registry.prepare(id, settings));
      log.info({ operator: id, from }, 'an operator has other settings');
    } catch (error) {
      fail(id, version, texts.notOpened(nameOf(error)));
    }
  };

  return { of: (id: number) => inUse.get(id), unreachable, adopt, takeOver };
};

export const createLiveOperators = (deps: LiveDeps): LiveOperators => {
  const { db, log, operators } = deps;
  const inFile = new Map(operators.map((config) => [config.id, config]));
  const use = createUse(deps);
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

  const reload = async (): Promise<void> => {
    const rows = await listSettings(db);
    const found = await listSuspensions(db);
    for (const config of operators) use.takeOver(config, rowFor(config, rows));
    suspensions.clear();
    for (const { operator_id, at, actor, reason } of found) {
      suspensions.set(operator_id, { at, by: actor, reason });
    }
    for (const { id } of operators) follow(id);
  };

  return {
    suspended,
    suspensionOf,
    inUse: use.of,
    inFile: (id) => inFile.get(id),
    reload: () => inTurn(reload),
    inTurn,
    adopt: (id, taken, prepared) => {
      use.adopt(id, taken, prepared);
      follow(id);
    },
  };
};
