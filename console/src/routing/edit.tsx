/** Creates a route or changes one in a dialog: typed, validated by the gateway, and saved once. */
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { ApiError } from '../api/client.ts';
import { useAct } from '../api/hooks.ts';
import { Dialog } from '../design/dialog/dialog.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { useDraft } from '../parts/use-draft.ts';
import { changedTerms, draftOf, faultsOf, termsOf } from './draft.ts';
import { RouteFields } from './fields.tsx';
import type { Route, TermName } from './route.ts';
import { routeReads } from './switch.tsx';
import { useRouteName } from './words.tsx';

const useTyped = (route: Route | undefined, error: unknown) => {
  const say = useText();
  const format = useFormat();
  const typed = useDraft(() => draftOf(route, format));
  const { before, draft, isTried } = typed;
  const faults = faultsOf(draft);
  return {
    ...typed,
    terms: termsOf(draft, format.zone),
    changed: changedTerms(termsOf(before, format.zone), termsOf(draft, format.zone)),
    isWrong: Object.keys(faults).length > 0,
    wrong: (name: TermName): string | undefined => {
      const fault = isTried ? faults[name] : undefined;
      if (fault !== undefined) return say(`common.${fault}`);
      return error instanceof ApiError ? error.fields[name]?.[0] : undefined;
    },
  };
};

export const EditRoute = ({
  route,
  onClose,
}: {
  /** Undefined for a new one. */
  readonly route: Route | undefined;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const done = useDone();
  const nameOf = useRouteName();
  const create = useAct('createRoute', { changes: routeReads });
  const change = useAct('changeRoute', { changes: routeReads });
  const saving = route === undefined ? create : change;
  const { error, isPending } = saving;
  const { draft, key, terms, changed, isWrong, tried, set, wrong } = useTyped(route, error);
  const isChanged = route === undefined || Object.keys(changed).length > 0;
  const finished = (text: 'routing.created' | 'routing.saved') => (): void => {
    done(text);
    onClose();
  };
  const save = (): void => {
    tried();
    if (isPending || isWrong || !isChanged) return;
    if (route === undefined) {
      create.mutate({ body: { key, ...terms } }, { onSuccess: finished('routing.created') });
    } else {
      const params = { route_id: String(route.id) };
      change.mutate({ params, body: changed }, { onSuccess: finished('routing.saved') });
    }
  };
  return (
    <Dialog
      wide
      title={
        route === undefined
          ? say('routing.create')
          : say('routing.editTitle', { name: nameOf(route) })
      }
      onClose={isPending ? undefined : onClose}
      onSubmit={save}
      actions={
        <>
          <Button onClick={onClose} disabled={isPending}>
            {say('common.cancel')}
          </Button>
          <Button type="submit" variant="contained" loading={isPending} disabled={!isChanged}>
            {say('common.save')}
          </Button>
        </>
      }
    >
      <RouteFields draft={draft} wrong={wrong} set={set} />
      <Typography variant="body2" color="textSecondary">
        {say('routing.liveText')}
      </Typography>
      <ErrorState error={error} />
    </Dialog>
  );
};
