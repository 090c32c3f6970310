/** Opens a connection for tests as a gateway does: by checked settings, with checked answers. */
import { type Clock, systemClock } from '../../lib/clock.ts';
import { systemRandom, uuidV7 } from '../../lib/random.ts';
import { callWithin } from '../call.ts';
import type { Connection, Connector } from '../connector.ts';
import { checkedConnection } from '../contain.ts';
import { checkSettings, type Settings } from '../settings/check.ts';

/** Throws if a gateway would not start: the settings are invalid, or `connect` throws. */
export const openConnection = (
  connector: Connector,
  settings: Settings,
  { clock = systemClock, operatorId = 1 }: { clock?: Clock; operatorId?: number } = {},
): Connection => {
  const checked = checkSettings(connector, settings);
  if (checked.kind === 'wrong') {
    throw new Error(`The settings of "${connector.name}" do not fit: ${checked.fault}.`);
  }
  const newId = uuidV7(clock, systemRandom);
  const context = { operatorId, clock, random: systemRandom, newId, call: callWithin(clock) };
  return checkedConnection(connector.connect(checked.settings, context));
};
