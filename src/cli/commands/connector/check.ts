/** Defines the command that checks a connector: its declarations, and its tests with the shared suite. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Connector } from '../../../connector/connector.ts';
import { type Command, operand, type Result } from '../../definition.ts';
import { adviceFor, promiseWords, settingWords } from './describe.ts';
import { runTests, type Tested } from './run-tests.ts';

/** The test files beside a connector. */
const testsBeside = (file: string): string[] =>
  readdirSync(dirname(file))
    .filter((name) => /\.test\.[mc]?[jt]s$/.test(name))
    .map((name) => join(dirname(file), name));

/** A test of each suite that is never skipped. */
const suites = {
  connectorSuite: 'a success is done, and delivered exactly once',
  wireSuite: 'silence leaves an order unknown, sent once, and an inquiry too',
} as const;

const ranIn = ({ passed, failed }: Tested, connector: Connector, test: string): boolean =>
  [...passed, ...failed.map(({ name }) => name)].includes(`${connector.name}: ${test}`);

/** Why the connector is not fit to sell. */
const faultsOf = (connector: Connector, files: readonly string[], tested: Tested): string[] => {
  if (files.length === 0) {
    return [
      'There are no tests beside it: *.test.js with connectorSuite of simgate/connector-suite.',
    ];
  }
  return ranIn(tested, connector, suites.connectorSuite)
    ? []
    : [`The tests do not run connectorSuite under the name "${connector.name}".`];
};

const indent = (text: string): string => text.replaceAll('\n', '\n      ');

const report = (
  connector: Connector,
  tested: Tested,
  { faults, advice }: { readonly faults: readonly string[]; readonly advice: readonly string[] },
): string => {
  const { passed, skipped, failed } = tested;
  const count = `${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`;
  return [
    `Connector "${connector.name}", for version ${connector.connectorApi} of the connector API.`,
    'Settings:',
    ...settingWords(connector).map((line) => `  ${line}`),
    'Promises:',
    ...promiseWords(connector).map((line) => `  ${line}`),
    `Tests: ${count}.`,
    ...failed.map(({ name, why }) => `  ✖ ${name}\n      ${indent(why)}`),
    ...advice.map((line) => `Advice: ${line}`),
    ...faults.map((line) => `Missing: ${line}`),
    failed.length + faults.length === 0 ? 'It can be used.' : 'It must not be used yet.',
  ].join('\n');
};

export const connectorCheck: Command = {
  name: 'connector check',
  summary: 'Check a connector: load it, and run the tests beside it with the shared suite.',
  operands: ['FILE'],
  run: async (args): Promise<Result> => {
    const file = resolve(operand(args, 0));
    const { loadConnector } = await import('../../../operators/load-connector.ts');
    const connector = await loadConnector(`./${basename(file)}`, dirname(file));
    const files = testsBeside(file);
    const tested =
      files.length === 0 ? { passed: [], skipped: [], failed: [] } : await runTests(files);
    const faults = faultsOf(connector, files, tested);
    const advice = [
      ...adviceFor(connector),
      ...(ranIn(tested, connector, suites.wireSuite)
        ? []
        : ['The tests do not run wireSuite, which every connector that speaks HTTP should pass.']),
    ];
    const ok = tested.failed.length + faults.length === 0;
    return {
      ok,
      data: { ok, name: connector.name, api: connector.connectorApi, ...tested, faults, advice },
      text: report(connector, tested, { faults, advice }),
    };
  },
};
