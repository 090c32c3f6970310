/** Runs the command line: finds the command, parses its options, prints the result, sets the exit status. */
import { parseArgs } from 'node:util';
import { AdminError } from '../admin/errors.ts';
import { isUnavailable } from '../db/errors.ts';
import { isRowLocked } from '../db/postgres/errors.ts';
import { didYouMean, nearest } from '../lib/closest-word.ts';
import { UsageError } from '../lib/errors.ts';
import { version } from '../lib/version.ts';
import { adminCreate, adminDisable, adminList, adminPassword } from './commands/admin.ts';
import { alarmTest } from './commands/alarm.ts';
import { backupRun } from './commands/backup.ts';
import { catalogueExport, catalogueImport, catalogueRemove } from './commands/catalogue.ts';
import {
  clientCorrect,
  clientCreate,
  clientDeposit,
  clientList,
  clientResume,
  clientSetCredit,
  clientSuspend,
} from './commands/client.ts';
import { connectorCheck } from './commands/connector/check.ts';
import { connectorNew } from './commands/connector/new.ts';
import { floatCorrect, floatShow, floatTopUp } from './commands/float.ts';
import { invoiceCommands } from './commands/invoice.ts';
import { moveRun, moveUndo } from './commands/move/move.ts';
import { operatorCheck, operatorList, operatorShow } from './commands/operator.ts';
import { priceListCommands } from './commands/price-list/commands.ts';
import { purchaseList, purchaseShow, purchaseUnmatched } from './commands/purchase.ts';
import { purchaseResolve } from './commands/resolve.ts';
import { restoreMark, restoreMoved } from './commands/restore/place.ts';
import { restoreAccept, restoreRun, restoreStatusShow } from './commands/restore/restore.ts';
import { routeExplain } from './commands/route/explain.ts';
import { routeExport, routeImport } from './commands/route/files.ts';
import { routeList, routeRemove, routeSet } from './commands/route/route.ts';
import { clientRules } from './commands/rules.ts';
import { salesReport } from './commands/sales.ts';
import { secretsNewKey, secretsReseal } from './commands/secrets.ts';
import { configShow, migrateRun, serveRun } from './commands/server.ts';
import { settingsChange, settingsShow } from './commands/settings.ts';
import { simulatorRun } from './commands/simulator.ts';
import {
  supplierList,
  supplierResume,
  supplierShow,
  supplierSuspend,
  supplierTrust,
} from './commands/supplier.ts';
import { tokenCreate, tokenList, tokenRevoke } from './commands/token.ts';
import { verifyRun } from './commands/verify.ts';
import {
  type Arguments,
  ChildFailed,
  type Command,
  InvalidUsage,
  type Option,
  type Result,
} from './definition.ts';

const commands: readonly Command[] = [
  serveRun,
  clientCreate,
  clientList,
  clientDeposit,
  clientCorrect,
  clientSetCredit,
  clientSuspend,
  clientResume,
  clientRules,
  tokenCreate,
  tokenList,
  tokenRevoke,
  catalogueImport,
  catalogueRemove,
  catalogueExport,
  supplierList,
  supplierShow,
  supplierSuspend,
  supplierResume,
  supplierTrust,
  // Before the command whose name begins their own.
  floatTopUp,
  floatCorrect,
  floatShow,
  routeList,
  routeSet,
  routeRemove,
  routeImport,
  routeExport,
  routeExplain,
  ...priceListCommands,
  purchaseList,
  purchaseShow,
  purchaseResolve,
  purchaseUnmatched,
  salesReport,
  ...invoiceCommands,
  settingsShow,
  settingsChange,
  alarmTest,
  adminCreate,
  adminList,
  adminDisable,
  adminPassword,
  secretsNewKey,
  secretsReseal,
  verifyRun,
  backupRun,
  // Before the command whose name is their prefix.
  restoreStatusShow,
  restoreAccept,
  restoreMark,
  restoreMoved,
  restoreRun,
  // Before the command whose name begins its own.
  moveUndo,
  moveRun,
  operatorList,
  operatorShow,
  operatorCheck,
  connectorNew,
  connectorCheck,
  simulatorRun,
  configShow,
  migrateRun,
];

const overview = (): string => {
  const width = Math.max(...commands.map((command) => command.name.length));
  const lines = commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return [
    'simgate: a gateway for selling mobile data packages and top-ups.',
    '',
    'Usage: simgate COMMAND [OPTIONS]',
    '',
    ...lines,
    '',
    'Run "simgate COMMAND --help" for details. DATA_DIR is the data directory (default: ./data).',
  ].join('\n');
};

const helpOf = ({ name, summary, operands = [], options: own }: Command): string => {
  const options = Object.entries<Option>({
    ...own,
    json: { about: 'Print the result as JSON.' },
  });
  const heads = options.map(([name, { value }]) => `--${name}${value ? ` ${value}` : ''}`);
  const width = Math.max(...heads.map((head) => head.length));
  return [
    `Usage: simgate ${name} ${[...operands, '[OPTIONS]'].join(' ')}`,
    '',
    summary,
    '',
    ...options.map(([, { about }], index) => `  ${(heads[index] ?? '').padEnd(width)}  ${about}`),
  ].join('\n');
};

const find = (words: readonly string[]): Command | undefined =>
  commands.find((command) => command.name.split(' ').every((word, index) => words[index] === word));

// No argument can hold this character.
const mark = '\0';

/** A negative number is an argument; otherwise it would be taken for an option. */
const markNegative = (word: string): string => (/^-\d/.test(word) ? mark + word : word);

const unmarked = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(unmarked);
  return typeof value === 'string' ? value.replace(mark, '') : value;
};

/** What is wrong with the options, in a sentence. */
const wrongOption = (cause: unknown, known: readonly string[]): string => {
  const message = cause instanceof Error ? cause.message : 'The options are not valid.';
  const [, option] = /^Unknown option '--?([^']+)'/.exec(message) ?? [];
  if (option === undefined) return message;
  const names = [...known, 'json', 'help'].map((name) => `--${name}`);
  return `There is no option --${option}.${didYouMean(`--${option}`, names)}`;
};

const readArguments = (
  { name: command, options: own = {} }: Command,
  words: readonly string[],
): Arguments => {
  const options = Object.entries(own).map(
    ([name, { value, many }]) =>
      [name, { type: value ? 'string' : 'boolean', multiple: many ?? false }] as const,
  );
  try {
    const { values, positionals } = parseArgs({
      args: words.slice(command.split(' ').length).map(markNegative),
      options: {
        ...Object.fromEntries(options),
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    });
    return {
      options: new Map(Object.entries(values).map(([name, value]) => [name, unmarked(value)])),
      operands: positionals.map((word) => word.replace(mark, '')),
    };
  } catch (cause) {
    throw new InvalidUsage(wrongOption(cause, Object.keys(own)));
  }
};

const isOptional = (operand: string): boolean => operand.startsWith('[');

const assertOperands = ({ operands: named = [] }: Command, operands: readonly string[]): void => {
  const needed = named.filter((operand) => !isOptional(operand));
  if (operands.length < needed.length) {
    throw new InvalidUsage(`Missing: ${needed.slice(operands.length).join(' ')}.`);
  }
  if (named.at(-1)?.endsWith('...') === true) return;
  if (operands.length > named.length) {
    throw new InvalidUsage(`Unexpected arguments: ${operands.slice(named.length).join(' ')}.`);
  }
};

const out = (text: string): boolean => process.stdout.write(text);
const err = (text: string): boolean => process.stderr.write(text);

const print = (result: Result | undefined, asJson: boolean): void => {
  if (result === undefined) return;
  const text = asJson ? JSON.stringify(result.data) : result.text;
  if (text !== '') out(`${text}\n`);
};

const run = async (command: Command, words: readonly string[]): Promise<number> => {
  const args = readArguments(command, words);
  if (args.options.get('help') === true) {
    out(`${helpOf(command)}\n`);
    return 0;
  }
  assertOperands(command, args.operands);
  const result = await command.run(args, { out, err });
  print(result, args.options.get('json') === true);
  return result?.ok === false ? 1 : 0;
};

/**
 * Runs one command and returns the exit status: 0, 1 if it failed, 2 for wrong usage, 3 if the database is
 * too new.
 */
export const runCommand = async (words: readonly string[]): Promise<number> => {
  const [first = '--help'] = words;
  if (['--help', '-h', 'help'].includes(first)) {
    out(`${overview()}\n`);
    return 0;
  }
  if (['--version', '-v'].includes(first)) {
    out(`${version()}\n`);
    return 0;
  }
  const command = find(words);
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (command === undefined && group.length > 0 && ['--help', '-h'].includes(words[1] ?? '')) {
    out(`${group.map(helpOf).join('\n\n')}\n`);
    return 0;
  }
  if (command === undefined) {
    const typed = words.filter((word) => !word.startsWith('-')).slice(0, 2);
    const names = commands.map(({ name }) => name);
    const meant = nearest(typed.join(' '), names) ?? nearest(first, names);
    const hint = meant === undefined ? '' : ` The nearest is "${meant}".`;
    err(`There is no command "${words.slice(0, 2).join(' ')}".${hint}\n\n${overview()}\n`);
    return 2;
  }
  try {
    return await run(command, words);
  } catch (error) {
    if (error instanceof InvalidUsage) {
      err(`${error.message}\n\n${helpOf(command)}\n`);
      return 2;
    }
    if (error instanceof UsageError || error instanceof AdminError) {
      err(`${error.message}\n`);
      return error instanceof UsageError ? error.exitStatus : 1;
    }
    if (error instanceof ChildFailed) return error.status;
    if (!isUnavailable(error) && !isRowLocked(error)) throw error;
    err('The database is unreachable, locked, full or read-only. Nothing was done.\n');
    return 1;
  }
};
