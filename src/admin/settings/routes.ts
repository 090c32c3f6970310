/** Serves settings over HTTP: those of the console, and the configuration in force. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Setting } from '../../config/origins.ts';
import { answer } from '../../lib/openapi/answer.ts';
import { actorIn, type GuardDeps } from '../access/guard.ts';
import { guarded, orNull, refusals } from '../wire.ts';
import { readConsoleSettings, updateConsoleSettings } from './settings.ts';
import { databaseSize } from './store.ts';

export type SettingsRouteDeps = GuardDeps & {
  readonly version: string;
  /** The configuration in force, fit for a screen. */
  readonly configuration: readonly Setting[];
};

const tags = ['Settings'];

const fields = {
  company_name: Type.String({ maxLength: 100, description: 'The name at the top of every page.' }),
  low_balance_below: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'A client whose available balance is below this is shown as low.',
  }),
  time_zone: Type.String({
    maxLength: 64,
    description: 'The time zone of displayed times, as an IANA name.',
  }),
};

const example = { company_name: 'Example Mobile', low_balance_below: 500_000, time_zone: 'UTC' };

const ConsoleSchema = Type.Object(fields, {
  title: 'ConsoleSettings',
  description: 'Settings of the console.',
});

const SettingSchema = Type.Object(
  {
    name: Type.String({
      description: 'The name as in the configuration file, with dots for groups.',
    }),
    value: Type.Unknown({ description: 'The value in use; secrets are `***`.' }),
    default: Type.Unknown({ description: 'The default; null if there is none.' }),
    from: Type.Enum(['default', 'file', 'environment'], {
      description: 'Where it was set. `environment` includes options of the start command.',
    }),
    description: Type.String({ description: 'What it does.' }),
  },
  { title: 'Setting', description: 'A setting of the configuration.' },
);

const AllSchema = Type.Object(
  {
    console: ConsoleSchema,
    config: Type.Array(SettingSchema, { description: 'All settings of the configuration.' }),
    version: Type.String({ description: 'The version of Simgate.' }),
    database: Type.Object(
      {
        engine: Type.Enum(['sqlite', 'postgres'], { description: 'The database engine.' }),
        size_bytes: orNull(Type.Integer(), 'Its size in bytes; null if unknown.'),
      },
      { description: 'The database.' },
    ),
    node: Type.String({ description: 'The version of Node.js.' }),
  },
  { title: 'Settings', description: 'All settings.' },
);

const schemas = {
  get: {
    tags,
    operationId: 'getSettings',
    summary: 'Get the settings',
    description:
      'Returns the settings of the console and the configuration of this process, with secrets masked.',
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
    operationId: 'updateSettings',
    summary: 'Update settings of the console',
    description: 'Updates the fields that you send. The configuration cannot be changed here.',
    body: Type.Partial(Type.Object(fields), { additionalProperties: false, examples: [example] }),
    response: {
      200: answer(ConsoleSchema, 'The settings.', example),
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
      async (request) => updateConsoleSettings(deps, actorIn(request), request.body),
    );
  };
