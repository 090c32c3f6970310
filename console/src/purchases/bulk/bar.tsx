/** Offers what can be done with the selected purchases at once. */
import Button from '@mui/material/Button';
import { useState } from 'react';
import { AskIcon, DecideIcon } from '../../design/icons.tsx';
import { Toolbar } from '../../design/page/toolbar.tsx';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import type { Row } from '../columns.tsx';
import { needsDecision } from '../needs-decision.ts';
import { DecideMany } from './decide-many.tsx';
import { InquireMany } from './inquire-many.tsx';

type Action = 'decide' | 'inquire';

/** Whether the action is possible with a purchase; the gateway decides it again. */
export const canChoose =
  (action: Action) =>
  ({ state, disputed }: Row): boolean =>
    action === 'decide'
      ? needsDecision({ state, disputed })
      : state === 'submitted' || state === 'unknown';

export const BulkBar = ({
  action,
  rows,
  hidden,
  onClear,
}: {
  readonly action: Action;
  readonly rows: readonly Row[];
  /** Nothing can be selected. The dialog stays, and shows what was done with the last ones. */
  readonly hidden: boolean;
  readonly onClear: () => void;
}) => {
  const say = useText();
  const { count } = useFormat();
  // The rows of the dialog stay while the list is read again.
  const [acting, setActing] = useState<readonly Row[]>();
  const none = rows.length === 0;
  const close = (): void => {
    setActing(undefined);
    onClear();
  };
  const Many = action === 'decide' ? DecideMany : InquireMany;
  const bar = (
    <Toolbar
      label={say('purchases.many.rows')}
      start={<span role="status">{say('common.selected', { count: count(rows.length) })}</span>}
    >
      <Button size="small" disabled={none} onClick={onClear}>
        {say('common.selectNone')}
      </Button>
      <Button
        size="small"
        variant="outlined"
        startIcon={action === 'decide' ? <DecideIcon /> : <AskIcon />}
        disabled={none}
        onClick={() => setActing(rows)}
      >
        {say(action === 'decide' ? 'purchases.many.decide' : 'purchases.many.ask')}
      </Button>
    </Toolbar>
  );
  return (
    <>
      {hidden ? null : bar}
      {acting === undefined ? null : <Many rows={acting} onClose={close} />}
    </>
  );
};
