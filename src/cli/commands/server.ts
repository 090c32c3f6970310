/** Defines the server commands: serve, config, migrate. */
import {
  type Config,
  configFrom,
  mostWorkers,
  readConfig,
  readConfigSources,
} from '../../config/config.ts';
import { type Origins, originsOf } from '../../config/origins.ts';
import { openForCommand } from '../../db/open.ts';
import { systemClock } from '../../lib/clock.ts';
import { UsageError } from '../../lib/errors.ts';
import {
  type Arguments,
  ChildFailed,
  type Command,
  InvalidUsage,
  textOption,
} from '../definition.ts';

const workersOption = (args: Arguments): number | undefined => {
  const text = textOption(args, 'workers');
  if (text === undefined) return undefined;
  if (/^[1-9]\d?$/.test(text) && Number(text) <= mostWorkers) return Number(text);
  throw new InvalidUsage(
    `--workers must be a whole number from 1 to ${mostWorkers}, not "${text}".`,
  );
};

const oneFile =
  'SQLite supports one server process. Set DATABASE_URL to a PostgreSQL database for more.';

/** The configuration with the option's number of workers; refused if there can be only one. */
const withWorkers = (config: Config, args: Arguments): Config => {
  const asked = workersOption(args);
  const workers = asked ?? config.workers;
  if (workers === 1 || config.databaseUrl !== undefined) return { ...config, workers };
  if (asked === undefined) throw new UsageError(`workers must be 1: ${oneFile}`);
  throw new InvalidUsage(`--workers must be 1: ${oneFile}`);
};

const readSettings = (args: Arguments): { readonly config: Config; readonly origins: Origins } => {
  const given = readConfigSources();
  return { config: withWorkers(configFrom(given), args), origins: originsOf(given) };
};

export const serveRun: Command = {
  name: 'serve',
  summary: 'Run the gateway.',
  options: {
    workers: { value: 'N', about: 'The number of server processes on the port. Needs PostgreSQL.' },
  },
  // Each imports what it needs: most commands need no server code, and start in half the time without it;
  // neither does the primary of workers.
  run: async (args, { out }) => {
    const { default: cluster } = await import('node:cluster');
    if (cluster.isWorker) {
      const { serveAsWorker } = await import('../../workers/worker.ts');
      await serveAsWorker(() => readSettings(args), out);
      return undefined;
    }
    const settings = readSettings(args);
    if (settings.config.workers === 1) {
      const { serve } = await import('../../main.ts');
      await serve(settings, out);
      return undefined;
    }
    const { serveWithWorkers } = await import('../../workers/primary.ts');
    const status = await serveWithWorkers(settings.config);
    if (status !== 0) throw new ChildFailed(status);
    return undefined;
  },
};

export const configShow: Command = {
  name: 'config',
  summary: 'Show the current configuration, with secrets masked.',
  options: {
    check: { about: 'Check the configuration and the database as "serve" would. Changes nothing.' },
  },
  run: async (args) => {
    const config = readConfig();
    const { loadBuiltIn, loadConnectors } = await import('../../operators/connectors.ts');
    if (args.options.get('check') === true) {
      const { connectors, ...named } = await loadConnectors(config);
      const { checkStart } = await import('../../gateway/check-start.ts');
      return checkStart({ ...withWorkers(config, args), ...named }, connectors);
    }
    const { maskConfig } = await import('../../operators/masked-config.ts');
    // Where one cannot be loaded, what its settings mean is not known, and they are masked.
    const shown = maskConfig(
      config,
      await loadConnectors(config).catch(async () => ({
        ...config,
        connectors: await loadBuiltIn(),
      })),
    );
    return { data: shown, text: JSON.stringify(shown, null, 2) };
  },
};

export const migrateRun: Command = {
  name: 'migrate',
  summary: 'Migrate the database. A start does this too, unless database.migrate is off.',
  run: async (_args, { err }) => {
    const waits = (what: string): void => err(`${what}\n`);
    const database = await openForCommand(readConfig(), systemClock, { waits });
    await database.close();
    const { migrated } = database;
    const text =
      migrated.length === 0 ? 'The database is up to date.' : `Applied ${migrated.join(', ')}.`;
    return { data: { applied: migrated }, text };
  },
};
