/** Turns a route on or off in its row. */
import Switch from '@mui/material/Switch';
import { useAct } from '../api/hooks.ts';
import { Badge } from '../design/data/badge.tsx';
import { sentenceOf, useText } from '../i18n/text.ts';
import { notify } from '../notifications.ts';
import { useDone } from '../parts/done.ts';
import { useMay } from '../session.tsx';
import type { Route } from './route.ts';
import { useRouteName } from './words.tsx';

/** Queries to invalidate after any change of routes. */
export const routeReads = ['listRoutes', 'explainRoutes', 'listOperators', 'getOperator'] as const;

type Props = { readonly route: Route };

const RouteSwitch = ({ route }: Props) => {
  const say = useText();
  const done = useDone();
  const name = useRouteName()(route);
  const act = useAct('changeRoute', { changes: routeReads });
  const shown = act.isPending ? act.variables.body.enabled === true : route.enabled;
  const change = (enabled: boolean): void => {
    // Not disabled during the request, which would lose the focus; a second click does nothing.
    if (act.isPending) return;
    act.mutate(
      { params: { route_id: String(route.id) }, body: { enabled } },
      {
        onSuccess: () => done(enabled ? 'routing.isOn' : 'routing.isOff', { name }),
        onError: (error) => notify('error', sentenceOf(say, error)),
      },
    );
  };
  return (
    <Switch
      size="small"
      checked={shown}
      onChange={({ target }) => change(target.checked)}
      slotProps={{
        input: { 'aria-label': say('routing.enable', { name }), 'aria-disabled': act.isPending },
      }}
    />
  );
};

/** A switch with the right to change routes, and text without it. */
export const Enabled = ({ route }: Props) => {
  const say = useText();
  if (useMay('routes')) return <RouteSwitch route={route} />;
  const { enabled } = route;
  return (
    <Badge
      tone={enabled ? 'good' : 'plain'}
      label={say(enabled ? 'catalogue.on' : 'catalogue.off')}
    />
  );
};
