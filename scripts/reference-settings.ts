/** Prints settings of the configuration schema as tables, one for each topic. */
import { describeSettings, type Setting } from '../src/config/origins.ts';

/** The settings of a topic: whole groups, or single ones. */
const topics: Readonly<Record<string, readonly string[]>> = {
  'settings: network': ['host', 'port', 'publicUrl', 'trustedProxies', 'http'],
  'settings: process': ['workers', 'instance', 'logLevel', 'demo'],
  'settings: database': ['dataDir', 'databaseUrl', 'database'],
  'settings: operators': [
    'operators',
    'suppliers',
    'connectors',
    'operatorUrl',
    'breaker',
    'routing',
    'routeHealth',
  ],
  'settings: numbers': ['mobile', 'numbers'],
  'settings: purchases': ['purchases'],
  'settings: offers': ['offers', 'vatPercent', 'personalOffers'],
  'settings: limits': ['limits', 'rateLimits'],
  'settings: webhooks': ['webhooks'],
  'settings: alarms': ['alarms'],
  'settings: admin': ['admin'],
  'settings: metrics': ['metrics'],
  'settings: secrets': ['secretsKey', 'oldSecretsKeys'],
};

const settings = describeSettings({}, new Map());

const topicOf = ({ name }: Setting): string | undefined => {
  const [group = ''] = name.split('.');
  return Object.keys(topics).find((topic) => topics[topic]?.includes(group));
};

/** Settings without a topic: the page would miss them. */
export const settingsWithoutTopic = (): readonly string[] =>
  settings.filter((one) => topicOf(one) === undefined).map(({ name }) => name);

export const settingTopics: readonly string[] = Object.keys(topics);

const variable = /^([A-Z][A-Z0-9_]+(?:=\w+)?(?:, [A-Z][A-Z0-9_]+)*): /;

const printDefault = (value: unknown): string =>
  value === null
    ? 'none'
    : `\`${JSON.stringify(value).replaceAll(',', ', ').replaceAll(':', ': ')}\``;

const row = ({ name, default: standard, description }: Setting): string => {
  const [, variables = ''] = variable.exec(description) ?? [];
  const names = variables === '' ? '' : variables.replaceAll(/[^, ]+/g, '`$&`');
  const meaning = description.replace(variable, '').replace(/\.$/, '');
  return `| \`${name}\` | ${names} | ${printDefault(standard)} | ${meaning} |`;
};

export const settingsTable = (topic: string): string | undefined => {
  if (!Object.hasOwn(topics, topic)) return undefined;
  return [
    '| setting | environment | default | meaning |',
    '|---|---|---|---|',
    ...settings.filter((one) => topicOf(one) === topic).map(row),
  ].join('\n');
};
