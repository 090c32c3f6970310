/** Owns the commands about the server itself: serve, config, migrate. */
import { Type } from 'typebox';
import { systemClock } from '../lib/clock.ts';
import { readConfig } from '../lib/config.ts';
import { maskUrl } from '../lib/config-database.ts';
import { openForCommand } from '../lib/db-open.ts';
import { maskSettings } from '../operators/registry.ts';
import type { Command } from './contract.ts';

export const serveRun: Command = {
  name: 'serve',
  summary: 'Run the gateway.',
  operands: [],
  options: {},
  run: async (_args, { out }) => {
    // Most commands need nothing of what the server is made of, and start in half the time without it.
    const { serve } = await import('../main.ts');
    await serve(readConfig(), out);
    return undefined;
  },
};

// Of a connector that nobody knows, any setting may be a secret.
const unknown = { settings: Type.Object({}) };

export const configShow: Command = {
  name: 'config',
  summary: 'Show the configuration in force, secrets masked.',
  operands: [],
  options: {},
  run: async () => {
    const { connectors } = await import('../gateway.ts');
    const config = readConfig();
    const operators = config.operators.map((operator) => {
      const connector = connectors.find(({ name }) => name === operator.connector) ?? unknown;
      return { ...operator, settings: maskSettings(connector, operator.settings) };
    });
    const { databaseUrl: url, ...others } = config;
    const shown = {
      ...others,
      ...(url === undefined ? {} : { databaseUrl: maskUrl(url) }),
      operators,
    };
    return { data: shown, text: JSON.stringify(shown, null, 2) };
  },
};

export const migrateRun: Command = {
  name: 'migrate',
  summary: 'Bring the database up to date; the server does so too when it starts.',
  operands: [],
  options: {},
  run: async () => {
    const database = await openForCommand(readConfig(), systemClock);
    await database.close();
    const { migrated } = database;
    const text =
      migrated.length === 0 ? 'The database is up to date.' : `Applied ${migrated.join(', ')}.`;
    return { data: { applied: migrated }, text };
  },
};
