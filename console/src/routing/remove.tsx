/** Removes a route after confirmation. */
import { useAct } from '../api/hooks.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import type { Route } from './route.ts';
import { routeReads } from './switch.tsx';
import { useRouteName } from './words.tsx';

export const RemoveRoute = ({
  route,
  onClose,
}: {
  readonly route: Route;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const done = useDone();
  const name = useRouteName()(route);
  const remove = useAct('removeRoute', { changes: routeReads });
  const onSuccess = (): void => {
    done('routing.removed');
    onClose();
  };
  return (
    <ConfirmDialog
      open
      danger
      title={say('routing.removeTitle', { name })}
      text={say('routing.removeText')}
      confirm={say('routing.remove')}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { route_id: String(route.id) } }, { onSuccess })}
      onClose={onClose}
    />
  );
};
