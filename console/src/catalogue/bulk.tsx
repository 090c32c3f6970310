/** Applies an action to all selected products at once. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useAct } from '../api/hooks.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
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
  ids,
  onChoosePage,
  onChooseNone,
}: {
  readonly ids: readonly number[];
  readonly onChoosePage: () => void;
  readonly onChooseNone: () => void;
}) => {
  const say = useText();
  const { count } = useFormat();
  const [address] = useSearchParams();
  const [switching, setSwitching] = useState<boolean | undefined>();
  const none = ids.length === 0;
  return (
    <Box
      role="group"
      aria-label={say('catalogue.chosenProducts')}
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}
    >
      <Typography component="span" role="status">
        {say('catalogue.chosenCount', { count: count(ids.length) })}
      </Typography>
      <Button onClick={onChoosePage}>{say('catalogue.choosePage')}</Button>
      <Button onClick={onChooseNone} disabled={none}>
        {say('catalogue.chooseNone')}
      </Button>
      <Button variant="outlined" disabled={none} onClick={() => setSwitching(true)}>
        {say('catalogue.switchOn')}
      </Button>
      <Button variant="outlined" disabled={none} onClick={() => setSwitching(false)}>
        {say('catalogue.switchOff')}
      </Button>
      <Button variant="outlined" component={Link} to={pricesAddress(address, ids)}>
        {say('catalogue.prices')}
      </Button>
      {switching === undefined ? null : (
        <SwitchMany ids={ids} on={switching} onClose={() => setSwitching(undefined)} />
      )}
    </Box>
  );
};
