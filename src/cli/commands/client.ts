/** Defines the client commands: create, list, deposit, correct, set-credit, suspend, resume. */
import { createClient, updateClient } from '../../admin/clients/actions.ts';
import { correct, deposit, setCreditLimit } from '../../admin/clients/money.ts';
import { listClients } from '../../clients/store.ts';
import { creditUsed, spendable } from '../../ledger/posting.ts';
import { auditOptions, reasonOf } from '../actor.ts';
import { readAmounts } from '../amounts.ts';
import { byOption, runAudited } from '../audited.ts';
import {
  type Command,
  InvalidUsage,
  operand,
  readAmount,
  table,
  textOption,
  withDatabase,
} from '../definition.ts';
import { testOption, wantsTest } from '../test-option.ts';

export const clientCreate: Command = {
  name: 'client create',
  summary: 'Create a client and its first token. The token is shown once.',
  options: {
    name: { value: 'NAME', about: 'The name of the client. It need not be unique.' },
    balance: { value: 'AMOUNT', about: 'A first deposit, in whole currency units.' },
    test: { about: 'Create a test client: the simulator takes its orders, and nothing is sold.' },
    ...byOption,
  },
  run: async (args) => {
    const name = textOption(args, 'name');
    if (name === undefined || name.trim() === '') throw new InvalidUsage('Missing: --name NAME.');
    const given = textOption(args, 'balance');
    const balance = given === undefined || given === '0' ? 0 : readAmount(given, '--balance');
    const test = args.options.get('test') === true;
    const { id, token, amounts } = await runAudited(args, async (acting) => ({
      ...(await createClient(acting, { name, balance, test })),
      amounts: await readAmounts(acting.db),
    }));
    const { currency } = amounts;
    return {
      data: { id, name, test, balance, currency, token: token.token, token_id: token.id },
      text: `Created the ${test ? 'test client' : 'client'} ${id} with a balance of ${amounts.write(balance)}. Its token is shown only now:\n\n  ${token.token}\n`,
    };
  },
};

export const clientList: Command = {
  name: 'client list',
  summary: 'List clients with what they can spend, what is held, and their credit.',
  options: testOption,
  run: async (args) => {
    const { clients, amounts } = await withDatabase(async ({ db }) => ({
      clients: await listClients(db, wantsTest(args)),
      amounts: await readAmounts(db),
    }));
    const { currency, title } = amounts;
    const listed = clients.map(({ credit, ...client }) => ({
      ...client,
      available: spendable({ ...client, credit }),
      credit_limit: credit,
      credit_used: creditUsed(client),
    }));
    return {
      data: listed.map((client) => ({ ...client, test: client.test === 1, currency })),
      text: table(
        {
          ID: 'id',
          NAME: 'name',
          STATUS: 'status',
          TEST: 'test',
          [title('AVAILABLE')]: 'available',
          [title('HELD')]: 'held',
          [title('CREDIT LIMIT')]: 'credit_limit',
          [title('CREDIT USED')]: 'credit_used',
        },
        listed.map((client) => ({ ...client, test: client.test === 1 ? 'yes' : '' })),
      ),
    };
  },
};

export const clientDeposit: Command = {
  name: 'client deposit',
  summary: "Add money to a client's balance.",
  operands: ['ID', 'AMOUNT'],
  options: { note: { value: 'TEXT', about: 'A note for the statement.' }, ...byOption },
  run: async (args) => {
    const clientId = operand(args, 0);
    const amount = readAmount(operand(args, 1), 'AMOUNT');
    const note = textOption(args, 'note');
    const wanted = { clientId, amount, ...(note === undefined ? {} : { note }) };
    const { after, amounts } = await runAudited(args, async (acting) => ({
      ...(await deposit(acting, wanted)),
      amounts: await readAmounts(acting.db),
    }));
    const available = spendable(after);
    const { held } = after;
    const { currency } = amounts;
    return {
      data: { id: clientId, deposited: amount, available, held, currency },
      text: `Deposited. Available balance of client ${clientId}: ${amounts.write(available)}.`,
    };
  },
};

const readCorrection = (text: string): number => {
  const taken = text.startsWith('-');
  const amount = readAmount(taken ? text.slice(1) : text, 'AMOUNT');
  return taken ? -amount : amount;
};

export const clientCorrect: Command = {
  name: 'client correct',
  summary: "Correct a client's balance. AMOUNT is added; a negative one is subtracted.",
  operands: ['ID', 'AMOUNT'],
  options: auditOptions,
  run: async (args) => {
    const clientId = operand(args, 0);
    const wanted = { clientId, amount: readCorrection(operand(args, 1)), reason: reasonOf(args) };
    const { after, amounts } = await runAudited(args, async (acting) => ({
      ...(await correct(acting, wanted)),
      amounts: await readAmounts(acting.db),
    }));
    const available = spendable(after);
    const { held } = after;
    const { currency } = amounts;
    return {
      data: { id: clientId, corrected: wanted.amount, available, held, currency },
      text: `Corrected. Available balance of client ${clientId}: ${amounts.write(available)}.`,
    };
  },
};

export const clientSetCredit: Command = {
  name: 'client set-credit',
  summary: 'Set how much a client can spend beyond its own money. 0 ends its credit.',
  operands: ['ID', 'AMOUNT'],
  options: auditOptions,
  run: async (args) => {
    const clientId = operand(args, 0);
    const given = operand(args, 1);
    const limit = given === '0' ? 0 : readAmount(given, 'AMOUNT');
    const wanted = { clientId, limit, reason: reasonOf(args) };
    const { after, amounts } = await runAudited(args, async (acting) => ({
      ...(await setCreditLimit(acting, wanted)),
      amounts: await readAmounts(acting.db),
    }));
    const { currency, write } = amounts;
    const available = spendable(after);
    const used = creditUsed(after);
    return {
      data: { id: clientId, credit_limit: limit, credit_used: used, available, currency },
      text: `Credit limit of client ${clientId}: ${write(limit)}, of which ${write(used)} is used. It can spend ${write(available)}.`,
    };
  },
};

const statusCommand = (
  verb: 'suspend' | 'resume',
  status: 'active' | 'suspended',
  summary: string,
): Command => ({
  name: `client ${verb}`,
  summary,
  operands: ['ID'],
  options: byOption,
  run: async (args) => {
    const id = operand(args, 0);
    await runAudited(args, (acting) => updateClient(acting, id, { status }));
    return { data: { id, status }, text: `Client ${id} is ${status}.` };
  },
});

export const clientSuspend = statusCommand(
  'suspend',
  'suspended',
  'Refuse all requests of a client, within a second.',
);

export const clientResume = statusCommand('resume', 'active', 'Resume a suspended client.');
