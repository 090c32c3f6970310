/** Serves settings over HTTP: those of the console, and the configuration in force. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Setting } from '../../config/origins.ts';
import { answer } from '../../lib/openapi/answer.ts';
import type { CurrentSettings } from '../../settings/current.ts';
import { actorIn, type GuardDeps } from '../access/guard.ts';
import { afterCommit, transact } from '../audit/audit.ts';
import { guarded, orNull, refusals } from '../wire.ts';
import { readConsoleSettings, updateSettings } from './settings.ts';
import { databaseSize } from './store.ts';
import {
  CompanySchema,
  ConsoleSchema,
  changeable,
  changeFromWire,
  companyToWire,
  exampleChange,
  exampleCompany,
  exampleSettings,
  settingsToWire,
} from './wire.ts';

export type SettingsRouteDeps = GuardDeps & {
  readonly version: string;
  /** The configuration in force, fit for a screen. */
  readonly configuration: readonly Setting[];
  readonly settings: Pick<CurrentSettings, 'current' | 'reload'>;
};

const tags = ['Settings'];

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
  company: {
    tags,
    operationId: 'getCompany',
    summary: 'Get the company',
    description: 'Returns what every page shows, the sign-in page included.',
    response: { 200: answer(CompanySchema, 'The company.', exampleCompany) },
  },
  get: {
    tags,
    operationId: 'getSettings',
    summary: 'Get the settings',
    description:
      'Returns the settings of the console and the configuration of this process, with secrets masked.',
    response: {
      200: answer(AllSchema, 'The settings.', {
        console: exampleSettings,
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
    description:
      'Updates the fields that you send. The configuration cannot be changed here. A new time zone applies at once. On the day of the change, daily limits count from the earlier beginning of both days.',
    body: Type.Partial(Type.Object(changeable), {
      additionalProperties: false,
      examples: [exampleChange],
    }),
    response: {
      200: answer(ConsoleSchema, 'The settings.', exampleSettings),
      ...refusals(...guarded),
    },
  },
};

const url = '/admin/api/settings';
const companyUrl = '/admin/api/company';

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
      async (request) => {
        const actor = actorIn(request);
        const after = await transact(deps, (db) =>
          updateSettings({ ...deps, db, actor }, changeFromWire(request.body)),
        );
        await afterCommit(deps.settings.reload);
        return settingsToWire(after);
      },
    );

    const open = { config: { adminNeeds: 'none' } as const, schema: schemas.company };
    app.get(companyUrl, open, async () => companyToWire(deps.settings.current()));
  };
