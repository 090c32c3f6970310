/** Serves settings over HTTP: those of the console, and the configuration in force. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Setting } from '../../config/origins.ts';
import { actorIn, type GuardDeps } from '../access/guard.ts';
import { answer, guarded, orNull, refusals } from '../wire.ts';
import { changeConsoleSettings, readConsoleSettings } from './settings.ts';
import { databaseSize } from './store.ts';

export type SettingsRouteDeps = GuardDeps & {
  readonly version: string;
  /** The configuration in force, fit for a screen. */
  readonly configuration: readonly Setting[];
};

const tags = ['Settings'];

const fields = {
  company_name: Type.String({ maxLength: 100, description: 'What pages show above all.' }),
  low_balance_below: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'A client whose available balance is below this is shown as low.',
  }),
  time_zone: Type.String({
    maxLength: 64,
    description: 'In which times are shown: a name of the IANA list.',
  }),
};

const example = { company_name: 'Example Mobile', low_balance_below: 500_000, time_zone: 'UTC' };

const ConsoleSchema = Type.Object(fields, { description: 'What is set in the console.' });

const SettingSchema = Type.Object({
  name: Type.String({ description: 'As in the file; a part of a group behind a dot.' }),
  value: Type.Unknown({ description: 'What is in force; a secret reads `***`.' }),
  default: Type.Unknown({ description: 'What would be without it; null: nothing.' }),
  from: Type.Enum(['default', 'file', 'environment'], {
    description:
      'Where it was set; `environment` also where the command that started the server said it.',
  }),
  description: Type.String({ description: 'What it is for.' }),
});

const AllSchema = Type.Object({
  console: ConsoleSchema,
  config: Type.Array(SettingSchema, { description: 'All settings of the configuration.' }),
  version: Type.String({ description: 'Of Simgate.' }),
  database: Type.Object(
    {
      engine: Type.Enum(['sqlite', 'postgres'], { description: 'Which one it is.' }),
      size_bytes: orNull(Type.Integer(), 'Its size in bytes; null if unknown.'),
    },
    { description: 'Where everything is kept.' },
  ),
  node: Type.String({ description: 'The version of Node.js.' }),
});

const schemas = {
  get: {
    tags,
    operationId: 'getSettings',
    summary: 'Get the settings',
    description:
      'Those of the console, and the configuration that this process was started with, secrets masked.',
    response: {
      200: answer(AllSchema, 'The settings.', {
        console: example,
        config: [
          {
            name: 'port',
            value: 8080,
            default: 3000,
            from: 'environment',
            description: 'PORT: the port to listen on; 0 takes a free one.',
          },
        ],
        version: '1.0.0',
        database: { engine: 'sqlite', size_bytes: 1_048_576 },
        node: 'v26.0.0',
      }),
      ...refusals(...guarded),
    },
  },
  change: {
    tags,
    operationId: 'changeSettings',
    summary: 'Change settings of the console',
    description: 'Changes what is sent. The configuration is not changed here.',
    body: Type.Partial(Type.Object(fields), { additionalProperties: false, examples: [example] }),
    response: {
      200: answer(ConsoleSchema, 'As they are now.', example),
      ...refusals(...guarded),
    },
  },
};

const url = '/admin/api/settings';

export const settingsRoutes =
  (deps: SettingsRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(url, { config: { adminNeeds: 'read' }, schema: schemas.get }, async () => {
      const { engine, bytes } = await databaseSize(deps.db);
      return {
        console: await readConsoleSettings(deps.db),
        config: [...deps.configuration],
        version: deps.version,
        database: { engine, size_bytes: bytes },
        node: process.version,
      };
    });

    app.patch(
      url,
      { config: { adminNeeds: 'settings' }, schema: schemas.change },
      async (request) => changeConsoleSettings(deps, actorIn(request), request.body),
    );
  };
