/** Opens a connection for tests as a gateway does: by checked settings, with checked answers. */
import { type Clock, systemClock } from '../../lib/clock.ts';
import { systemRandom, uuidV7 } from '../../lib/random.ts';
import { callWithin } from '../call.ts';
import type { Connection, Connector } from '../connector.ts';
import { checkedConnection } from '../contain.ts';
import { checkSettings, type Settings } from '../settings/check.ts';

/**
 * A gateway reports a refusal that blames no one, and takes it as the request's. In a test the call rejects:
 * otherwise its suites could not see it.
 */
const rejectUnblamed = (connection: Connection): Connection => {
  let unblamed = false;
  const checked = checkedConnection(connection, {
    onFault: (fault) => {
      unblamed ||= fault === 'unblamed';
    },
  });
  const asked = async <Outcome>(outcome: Promise<Outcome>): Promise<Outcome> => {
    const known = await outcome;
    if (!unblamed) return known;
    throw new Error('A refusal needs a "blame": "supplier", "subscriber" or "request".');
  };
  const { status } = checked;
  return {
    ...checked,
    buy: (order, context) => asked(checked.buy(order, context)),
    status: typeof status === 'function' ? (ref, context) => asked(status(ref, context)) : status,
  };
};

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
  return rejectUnblamed(connector.connect(checked.settings, context));
};
