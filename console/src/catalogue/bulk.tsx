/** Applies an action to all selected products at once. */
import Button from '@mui/material/Button';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useAct } from '../api/hooks.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { Toolbar } from '../design/page/toolbar.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { pricesAddress } from './filters.ts';
import { catalogueReads } from './sell.tsx';

const SwitchMany = ({
  ids,
  on,
  onClose,
}: {
  readonly ids: readonly number[];
  readonly on: boolean;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const done = useDone();
  const { count } = useFormat();
  const act = useAct('switchProducts', { changes: catalogueReads });
  const values = { count: count(ids.length) };
  return (
    <ConfirmDialog
      open
      danger={!on}
      title={say(on ? 'catalogue.switchOnTitle' : 'catalogue.switchOffTitle', values)}
      text={say(on ? 'catalogue.switchOnText' : 'catalogue.switchOffText')}
      confirm={say(on ? 'catalogue.switchOn' : 'catalogue.switchOff')}
      busy={act.isPending}
      error={act.error}
      onConfirm={() =>
        act.mutate(
          { body: { product_ids: ids, on } },
          {
            onSuccess: ({ changed }) => {
              done(on ? 'catalogue.switchedOn' : 'catalogue.switchedOff', {
                count: count(changed),
              });
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    />
  );
};

export const Bulk = ({
  counted,
  ids,
  onClear,
}: {
  /** How many products the list has, in words. */
  readonly counted: string;
  readonly ids: readonly number[];
  readonly onClear: () => void;
}) => {
  const say = useText();
  const { count } = useFormat();
  const [address] = useSearchParams();
  const [switching, setSwitching] = useState<boolean | undefined>();
  const isSome = ids.length > 0;
  return (
    <Toolbar
      label={say('catalogue.chosenProducts')}
      start={
        <>
          <span role="status">{counted}</span>
          {isSome ? (
            <span role="status">
              {' · '}
              <strong>{say('common.selected', { count: count(ids.length) })}</strong>
            </span>
          ) : null}
        </>
      }
    >
      {isSome ? (
        <>
          <Button size="small" onClick={onClear}>
            {say('common.selectNone')}
          </Button>
          <Button size="small" variant="outlined" onClick={() => setSwitching(true)}>
            {say('catalogue.switchOn')}
          </Button>
          <Button size="small" variant="outlined" onClick={() => setSwitching(false)}>
            {say('catalogue.switchOff')}
          </Button>
        </>
      ) : null}
      <Button size="small" variant="outlined" component={Link} to={pricesAddress(address, ids)}>
        {say('catalogue.prices')}
      </Button>
      {switching === undefined ? null : (
        <SwitchMany ids={ids} on={switching} onClose={() => setSwitching(undefined)} />
      )}
    </Toolbar>
  );
};
