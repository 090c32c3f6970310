/** Decides which alerts are new since they were last looked at. Pure. */
import type { SeenAlert } from '../account-preferences.ts';

type Known = {
  readonly id: string;
  readonly count: number | null;
  readonly since: string | null;
};

type SeenAlerts = Readonly<Record<string, SeenAlert>>;

const seenOf = ({ count, since }: Known): SeenAlert => ({ count: count ?? 0, since: since ?? '' });

/** An alert is new if it was not there, has grown, or began again. */
export const unreadOf = <One extends Known>(
  alerts: readonly One[],
  seen: SeenAlerts,
): readonly One[] =>
  alerts.filter((alert) => {
    const before = seen[alert.id];
    const { count, since } = seenOf(alert);
    return before === undefined || count > before.count || since > before.since;
  });

/** What to remember once the alerts were looked at. Those that ended are forgotten, and are new if they return. */
export const seenAfter = (alerts: readonly Known[]): SeenAlerts =>
  Object.fromEntries(alerts.map((alert) => [alert.id, seenOf(alert)]));

/** What stays remembered until the next look: of the alerts that still exist. */
export const stillSeen = (alerts: readonly Known[], seen: SeenAlerts): SeenAlerts =>
  Object.fromEntries(
    alerts.flatMap(({ id }) => {
      const before = seen[id];
      return before === undefined ? [] : [[id, before] as const];
    }),
  );
