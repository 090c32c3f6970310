/** Defines the commands that show operators and their connectors, and check that they answer. */
import { callWithin } from '../../connector/call.ts';
import { withoutSecrets } from '../../connector/settings/mask.ts';
import { systemClock } from '../../lib/clock.ts';
import { systemRandom, uuidV7 } from '../../lib/random.ts';
import { type Arguments, type Command, type Result, table } from '../definition.ts';
import { type Known, namedIn, open, operatorsIn, readAll, rowOf, show } from './connections.ts';

const nothing = async (): Promise<void> => {};

const wanted = async (args: Arguments): Promise<Known> => {
  const { all } = await readAll(nothing);
  return namedIn(args, operatorsIn(all), 'operator');
};

export const operatorList: Command = {
  name: 'operator list',
  summary: 'List the operators with their connectors, and all connectors.',
  run: async (): Promise<Result> => {
    const { all, connectors } = await readAll(nothing);
    const rows = operatorsIn(all).map(rowOf);
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

export const operatorShow: Command = {
  name: 'operator show',
  summary: 'Show how an operator is reached, and what its connector needs and promises.',
  operands: ['OPERATOR'],
  run: async (args): Promise<Result> => show(await wanted(args)),
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
    const { status } = connection;
    if (typeof status !== 'function') {
      await connection.close();
      const text = `${name} takes no inquiries, so nothing was sent: only an order shows whether it answers.`;
      return { data: { ok: true, operator: name, outcome: 'no inquiries' }, text };
    }
    const call = callWithin(systemClock);
    const ref = uuidV7(systemClock, systemRandom)();
    const result = await call(connection.deadlineMs, () => status(ref));
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
