/** Defines the commands that show operators and their connectors, and check that they answer. */
import { type Config, type OperatorConfig, readConfig } from '../../config/config.ts';
import { callWithin } from '../../connector/call.ts';
import type { Connection, Connector } from '../../connector/connector.ts';
import { checkedConnection } from '../../connector/contain.ts';
import { checkSettings } from '../../connector/settings/check.ts';
import { formOf } from '../../connector/settings/form.ts';
import { maskSettings, withoutSecrets } from '../../connector/settings/mask.ts';
import { createSecrets } from '../../db/secrets/keys.ts';
import { systemClock } from '../../lib/clock.ts';
import { UsageError } from '../../lib/errors.ts';
import { systemRandom, uuidV7 } from '../../lib/random.ts';
import { type InForce, settingsInForce } from '../../operators/settings/in-force.ts';
import { listSettings } from '../../operators/settings/store.ts';
import {
  type Arguments,
  type Command,
  operand,
  type Result,
  table,
  withDatabase,
} from '../definition.ts';
import { promiseWords, settingWords } from './connector/describe.ts';

/** An operator, how it is configured, and how the server reaches it. */
type Known = {
  readonly config: OperatorConfig;
  readonly source: string;
  readonly inForce: InForce;
};

const readAll = async (): Promise<{
  readonly operators: readonly Known[];
  readonly connectors: readonly Connector[];
}> => {
  const config: Config = readConfig();
  const { loadAllConnectors } = await import('../../operators/connectors.ts');
  const loaded = await loadAllConnectors(config);
  const rows = await withDatabase(({ db }) => listSettings(db));
  const secrets = createSecrets(config, systemRandom);
  const named = [...loaded.operators, ...config.unconnected];
  const written = [...config.operators, ...config.unconnected];
  const operators = named.map((one, index) => ({
    config: one,
    source: written[index]?.connector ?? '',
    inForce: settingsInForce(one, rows, loaded.connectors, secrets),
  }));
  return {
    operators: operators.sort((one, other) => one.config.id - other.config.id),
    connectors: loaded.connectors,
  };
};

const wanted = async (args: Arguments): Promise<Known> => {
  const text = operand(args, 0);
  const { operators } = await readAll();
  const found = operators.find(({ config }) => String(config.id) === text || config.name === text);
  if (found !== undefined) return found;
  const names = operators.map(({ config }) => config.name).join(', ');
  throw new UsageError(`There is no operator "${text}". There are: ${names}.`);
};

const stateOf = (inForce: InForce): string =>
  inForce.kind === 'settings' ? 'settings fit' : inForce.why;

const rowOf = ({ config, inForce }: Known) => ({
  id: config.id,
  name: config.name,
  connector: inForce.kind === 'unconnected' ? null : inForce.connector.name,
  from: inForce.kind === 'settings' ? inForce.from : null,
  state: stateOf(inForce),
});

export const operatorList: Command = {
  name: 'operator list',
  summary: 'List the operators with their connectors, and all connectors.',
  run: async (): Promise<Result> => {
    const { operators, connectors } = await readAll();
    const rows = operators.map(rowOf);
    const names = connectors.map(({ name }) => name);
    const columns = {
      ID: 'id',
      NAME: 'name',
      CONNECTOR: 'connector',
      FROM: 'from',
      STATE: 'state',
    } as const;
    const text = `${table(columns, rows)}\nConnectors: ${names.join(', ')}.`;
    return { data: { operators: rows, connectors: names }, text };
  },
};

/** A connection beside the server's. Nothing is sent by opening it. */
const open = ({ config, inForce }: Known): { connection: Connection; connector: Connector } => {
  if (inForce.kind !== 'settings') {
    throw new UsageError(`Operator "${config.name}" cannot be reached: ${inForce.why}.`);
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

export const operatorShow: Command = {
  name: 'operator show',
  summary: 'Show how an operator is reached, and what its connector needs and promises.',
  operands: ['OPERATOR'],
  run: async (args): Promise<Result> => {
    const known = await wanted(args);
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
  },
};

export const operatorCheck: Command = {
  name: 'operator check',
  summary: 'Inquire at an operator about an order that was never made. Nothing is ordered.',
  operands: ['OPERATOR'],
  run: async (args): Promise<Result> => {
    const known = await wanted(args);
    const { name } = known.config;
    const { connection, connector } = open(known);
    if (connector.inProcess === true) {
      const text = `${name} is simulated within the server, so there is nothing to ask.`;
      return { data: { ok: true, operator: name, outcome: 'simulated' }, text };
    }
    const call = callWithin(systemClock);
    const ref = uuidV7(systemClock, systemRandom)();
    const result = await call(connection.deadlineMs, () => connection.status(ref));
    await connection.close();
    const outcome = result.kind === 'answer' ? result.value : result;
    const ok = outcome.kind === 'not_found' || outcome.kind === 'refused';
    const settings = known.inForce.kind === 'settings' ? known.inForce.settings : {};
    const detail =
      outcome.kind === 'unknown'
        ? withoutSecrets(connector, settings, outcome.detail)
        : outcome.kind;
    const words = ok
      ? `${name} answered that it knows no such order, as it should.`
      : `${name} gave no answer that can be used: ${detail}.`;
    const text = `${words} It was asked about an order that was never made; nothing was ordered.`;
    return { data: { ok, operator: name, outcome: outcome.kind, detail }, text, ok };
  },
};
