/** Serves alarms over HTTP: what is raised, the settings, and test messages. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answer } from '../../lib/openapi/answer.ts';
import type { NewId } from '../../lib/random.ts';
import { actorIn, type GuardDeps, visitIn } from '../access/guard.ts';
import { mayDo } from '../access/roles.ts';
import { transact } from '../audit/audit.ts';
import { guarded, refusals } from '../wire.ts';
import type { ChannelDeps } from './delivery/channels.ts';
import { sendTestMessages } from './delivery/test-message.ts';
import { type AlarmKind, costKinds } from './kinds.ts';
import type { AlarmSecrets } from './settings/secrets.ts';
import {
  type AlarmSettingsDeps,
  changeAlarmSettings,
  readAlarmSettings,
  rotateAlarmSecret,
} from './settings/settings.ts';
import type { Reach } from './settings/validate.ts';
import {
  AlarmChangeSchema,
  AlarmSecretSchema,
  AlarmSettingsSchema,
  alarmChangeFromWire,
  alarmSettingsToWire,
  ChangedAlarmSettingsSchema,
  exampleAlarmSettings,
  exampleChanged,
  exampleSecret,
} from './settings/wire.ts';
import { readAlarms, readChannels, readLatest } from './store.ts';
import {
  AlarmsSchema,
  AlarmTestSchema,
  alarmsToWire,
  exampleAlarms,
  exampleTests,
  testsToWire,
} from './wire.ts';

export type AlarmRouteDeps = GuardDeps & {
  readonly secrets: AlarmSecrets;
  readonly alarms: { readonly reach: Reach; readonly channels: ChannelDeps };
};

const tags = ['Settings'];
const shownChanges = 50;

const schemas = {
  list: {
    tags,
    operationId: 'listAlarms',
    summary: 'List alarms',
    description:
      'Returns the raised alarms, their last changes, and whether the channels work. Unlike alerts, they have delays, so that they do not flap.',
    response: { 200: answer(AlarmsSchema, 'The alarms.', exampleAlarms), ...refusals(...guarded) },
  },
  settings: {
    tags,
    operationId: 'getAlarmSettings',
    summary: 'Get the settings of alarms',
    description: 'Returns which alarms are sent, where to, and how often. Secrets are not shown.',
    response: {
      200: answer(AlarmSettingsSchema, 'The settings.', exampleAlarmSettings),
      ...refusals(...guarded),
    },
  },
  change: {
    tags,
    operationId: 'updateAlarmSettings',
    summary: 'Update the settings of alarms',
    description:
      'Updates the fields that you send. The first `webhook_url` creates a signing secret. Later changes keep it.',
    body: AlarmChangeSchema,
    response: {
      200: answer(ChangedAlarmSettingsSchema, 'The settings.', exampleChanged),
      ...refusals(...guarded, 'SECRETS_KEY_MISSING'),
    },
  },
  rotate: {
    tags,
    operationId: 'rotateAlarmSecret',
    summary: 'Rotate the signing secret of alarms',
    description: 'Creates a new signing secret for the webhook. The old one is no longer used.',
    response: {
      200: answer(AlarmSecretSchema, 'The new secret.', exampleSecret),
      ...refusals(...guarded, 'SECRETS_KEY_MISSING', 'ENDPOINT_NOT_FOUND'),
    },
  },
  test: {
    tags,
    operationId: 'testAlarms',
    summary: 'Send a test message',
    description: 'Sends a test message to every configured channel now, and waits for the results.',
    response: {
      200: answer(AlarmTestSchema, 'The results.', exampleTests),
      ...refusals(...guarded),
    },
  },
};

export const alarmRoutes =
  (deps: AlarmRouteDeps & { readonly newId: NewId }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, clock, alarms } = deps;
    const reading = { adminNeeds: 'read' } as const;
    const changing = { adminNeeds: 'settings' } as const;
    const act = <T>(
      actor: AlarmSettingsDeps['actor'],
      work: (acting: AlarmSettingsDeps) => Promise<T>,
    ): Promise<T> => transact(deps, (db) => work({ ...deps, db, actor, reach: alarms.reach }));

    app.get('/admin/api/alarms', { config: reading, schema: schemas.list }, async (request) => {
      const seesCosts = mayDo(visitIn(request).account.role, 'cost');
      const mayRead = ({ kind }: { readonly kind: AlarmKind }): boolean =>
        seesCosts || !costKinds.has(kind);
      return alarmsToWire({
        at: clock.now(),
        alarms: (await readAlarms(db)).filter(mayRead),
        changes: (await readLatest(db, shownChanges)).filter(mayRead),
        channels: await readChannels(db),
        settings: await readAlarmSettings(db),
      });
    });

    const settingsUrl = '/admin/api/alarms/settings';
    app.get(settingsUrl, { config: reading, schema: schemas.settings }, async () =>
      alarmSettingsToWire(await readAlarmSettings(db)),
    );

    app.patch(settingsUrl, { config: changing, schema: schemas.change }, async (request) => {
      const change = alarmChangeFromWire(request.body);
      const { after, webhookSecret } = await act(actorIn(request), (acting) =>
        changeAlarmSettings(acting, change),
      );
      return { settings: alarmSettingsToWire(after), webhook_secret: webhookSecret };
    });

    app.post(
      '/admin/api/alarms/webhook-secret',
      { config: changing, schema: schemas.rotate },
      async (request) => ({ webhook_secret: await act(actorIn(request), rotateAlarmSecret) }),
    );

    app.post('/admin/api/alarms/test', { config: changing, schema: schemas.test }, async () =>
      testsToWire(await sendTestMessages({ ...alarms.channels, newId: deps.newId })),
    );
  };
