/** Provides alarms for tests: instances on one database, and what they see. */
import { createMailSender } from '../../src/admin/alarms/delivery/smtp.ts';
import type { AlarmJobDeps } from '../../src/admin/alarms/job.ts';
import { type AlarmChange, changeAlarmSettings } from '../../src/admin/alarms/settings/settings.ts';
import type { AlertSources } from '../../src/admin/overview/alerts.ts';
import { readConfig } from '../../src/config/config.ts';
import { createSecrets } from '../../src/db/secrets/keys.ts';
import { makeKey } from '../../src/db/secrets/seal.ts';
import type { Db } from '../../src/db/types.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import { createAddressPolicy } from '../../src/webhooks/delivery/address.ts';
import { createSender } from '../../src/webhooks/delivery/send.ts';
import { cleanUpAfterTest } from './cleanup.ts';
import type { ManualClock } from './manual-clock.ts';

const config = readConfig({ SIMGATE_SECRETS_KEY: makeKey(systemRandom) });
const secrets = createSecrets(config, systemRandom);
const allowedNetworks = ['127.0.0.1'];
const permits = createAddressPolicy(allowedNetworks);

type Operator = AlertSources['operators'][number];
export type Health = Operator['health'];

/** What the overview would see: health by operator, and how many purchases need review. */
export const sourcesOf = (
  operators: Readonly<Record<number, Health>>,
  review = 0,
): AlertSources => ({
  live: { review, reviewNewestAt: null },
  low: undefined,
  credit: { usedUp: [], nearly: [] },
  recent: [],
  usual: [],
  operators: Object.entries(operators).map(([id, health]): Operator => {
    const names = { en: `Operator ${id}`, fa: `اپراتور ${id}` };
    return { id: Number(id), names, health, since: undefined };
  }),
});

/** An instance that sees what `seen` says, and sends to this machine. */
export const alarmInstance = (
  db: Db,
  clock: ManualClock,
  seen: { sources: AlertSources },
): AlarmJobDeps & { readonly running: () => boolean } => {
  const newId = uuidV7(clock, systemRandom);
  const sender = createSender({ clock, settings: { ...config.webhooks, allowedNetworks } });
  const mailSender = createMailSender({ clock, permits });
  const abort = async (): Promise<void> => {
    mailSender.close();
    await sender.close();
  };
  cleanUpAfterTest(abort);
  return {
    db,
    clock,
    databaseTime: async () => clock.now(),
    newId,
    random: systemRandom,
    retryLocked: (work) => work(),
    alertSources: async () => seen.sources,
    mobile: config.mobile,
    holder: newId(),
    secrets,
    sender,
    mailSender,
    publicUrl: 'https://gate.example',
    running: () => true,
    attempted: () => {},
    log: { error: () => {} },
    abort,
  };
};

/** Changes the settings as an owner does; returns the new signing secret, if there is one. */
export const setAlarms = async (
  db: Db,
  clock: ManualClock,
  change: AlarmChange,
): Promise<string | null> => {
  const deps = { clock, newId: uuidV7(clock, systemRandom), random: systemRandom, secrets };
  const actor = { accountId: null, name: 'owner', address: null };
  const { webhookSecret } = await db
    .transaction()
    .execute((db) => changeAlarmSettings({ ...deps, db, actor, reach: { permits } }, change));
  return webhookSecret;
};
