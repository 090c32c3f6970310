/** Shares what the commands for operators and suppliers need: how each is reached, and what it promises. */
import { type Config, type ConnectionConfig, readConfig } from '../../config/config.ts';
import { isSupplierId, kindWord } from '../../config/sections/operators.ts';
import { callWithin } from '../../connector/call.ts';
import type { Connection, Connector } from '../../connector/connector.ts';
import { checkedConnection } from '../../connector/contain.ts';
import { checkSettings } from '../../connector/settings/check.ts';
import { formOf } from '../../connector/settings/form.ts';
import { maskSettings } from '../../connector/settings/mask.ts';
import { createSecrets } from '../../db/secrets/keys.ts';
import type { Db } from '../../db/types.ts';
import { systemClock } from '../../lib/clock.ts';
import { UsageError } from '../../lib/errors.ts';
import { systemRandom, uuidV7 } from '../../lib/random.ts';
import { readConnections } from '../../operators/defined/read.ts';
import { type InForce, settingsInForce } from '../../operators/settings/in-force.ts';
import { listSettings } from '../../operators/settings/store.ts';
import { type Arguments, operand, type Result, withDatabase } from '../definition.ts';
import { promiseWords, settingWords } from './connector/describe.ts';

/** An operator or a supplier, how it is configured, and how the server reaches it. */
export type Known = {
  readonly config: ConnectionConfig;
  readonly source: string;
  readonly definedBy: 'file' | 'console';
  readonly inForce: InForce;
};

const nameTaken: InForce = {
  kind: 'unconnected',
  why: 'the configuration file gives its name to another',
};

/** All of them by their IDs, and what else the database says of them. */
export const readAll = async <More>(
  alsoRead: (db: Db) => Promise<More>,
): Promise<{
  readonly all: readonly Known[];
  readonly connectors: readonly Connector[];
  readonly more: More;
}> => {
  const config: Config = readConfig();
  const { loadAllConnectors } = await import('../../operators/connectors.ts');
  const loaded = await loadAllConnectors(config);
  const { rows, known, more } = await withDatabase(async ({ db }) => ({
    rows: await listSettings(db),
    known: await readConnections(db, { ...loaded, unconnected: config.unconnected }),
    more: await alsoRead(db),
  }));
  const secrets = createSecrets(config, systemRandom);
  const written = [...config.operators, ...config.unconnected, ...config.suppliers];
  const all = known.map(({ config: one, isNameTaken, definedBy }, index) => ({
    config: one,
    source: written[index]?.connector ?? '',
    definedBy,
    inForce: isNameTaken ? nameTaken : settingsInForce(one, rows, loaded.connectors, secrets),
  }));
  return {
    all: all.sort((one, other) => one.config.id - other.config.id),
    connectors: loaded.connectors,
    more,
  };
};

/** The brands among them. */
export const operatorsIn = (all: readonly Known[]): readonly Known[] =>
  all.filter(({ config }) => !isSupplierId(config.id));

/** The one that the first operand names, by its ID or its name. */
export const namedIn = <One extends { readonly config: Pick<ConnectionConfig, 'id' | 'name'> }>(
  args: Arguments,
  all: readonly One[],
  kind: 'operator' | 'supplier',
): One => {
  const text = operand(args, 0);
  const found = all.find(({ config }) => String(config.id) === text || config.name === text);
  if (found !== undefined) return found;
  const names = all.map(({ config }) => config.name).join(', ');
  throw new UsageError(`There is no ${kind} "${text}". There are: ${names}.`);
};

const stateOf = (inForce: InForce): string =>
  inForce.kind === 'settings' ? 'settings fit' : inForce.why;

export const rowOf = ({ config, inForce }: Known) => ({
  id: config.id,
  name: config.name,
  connector: inForce.kind === 'unconnected' ? null : inForce.connector.name,
  from: inForce.kind === 'settings' ? inForce.from : null,
  state: stateOf(inForce),
});

/** A connection beside the server's. Nothing is sent by opening it. */
export const open = ({
  config,
  inForce,
}: Known): { connection: Connection; connector: Connector } => {
  if (inForce.kind !== 'settings') {
    throw new UsageError(
      `${kindWord(config.id)} "${config.name}" cannot be reached: ${inForce.why}.`,
    );
  }
  const { connector } = inForce;
  const checked = checkSettings(connector, inForce.settings);
  const context = {
    operatorId: config.id,
    clock: systemClock,
    random: systemRandom,
    newId: uuidV7(systemClock, systemRandom),
    call: callWithin(systemClock),
  };
  const settings = checked.kind === 'fit' ? checked.settings : {};
  return { connection: checkedConnection(connector.connect(settings, context)), connector };
};

const abilities = ['offers', 'subscriber', 'reports'] as const;

const shownWith = (known: Known, connector: Connector) => {
  const { connection } = open(known);
  const promised = { ...connector, ...connection };
  const { settlesWithin, deduplicates, ordersTellSubscriber, inquiries } = promised;
  const promises = {
    ...(settlesWithin === undefined ? {} : { settlesWithin }),
    ...(deduplicates === undefined ? {} : { deduplicates }),
    ...(ordersTellSubscriber === undefined ? {} : { ordersTellSubscriber }),
    ...(inquiries === undefined ? {} : { inquiries }),
  };
  const can = abilities.filter((ability) => ability in connection);
  return { connection, promises, can };
};

/** How it is reached, and what its connector needs and promises; secrets are masked. */
export const show = async (known: Known): Promise<Result & { readonly data: object }> => {
  const { inForce, source } = known;
  const head = `${known.config.name}: ${stateOf(inForce)}.`;
  if (inForce.kind === 'unconnected') return { data: rowOf(known), text: head, ok: false };
  const { connector } = inForce;
  const needs = [
    'Settings of the connector:',
    ...settingWords(connector).map((line) => `  ${line}`),
  ];
  const about = `Connector: ${connector.name}${source === connector.name || source === '' ? '' : ` (${source})`}.`;
  const schema = formOf(connector.settings);
  if (inForce.kind === 'unusable') {
    return {
      data: { ...rowOf(known), schema },
      text: [head, about, ...needs].join('\n'),
      ok: false,
    };
  }
  const { connection, promises, can } = shownWith(known, connector);
  await connection.close();
  const settings = maskSettings(connector, inForce.settings);
  const text = [
    head,
    about,
    `Settings in force, from the ${inForce.from}: ${JSON.stringify(settings)}`,
    ...needs,
    'Promises:',
    ...promiseWords(promises).map((line) => `  ${line}`),
    `Beside orders and inquiries: ${can.join(', ') || 'nothing'}.`,
  ].join('\n');
  return { data: { ...rowOf(known), settings, schema, promises, can }, text };
};
