/** Asks for one action on several purchases, and shows how far it is and the result of each. */
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Dialog } from '../../design/dialog/dialog.tsx';
import { useText } from '../../i18n/text.ts';
import type { Row } from '../columns.tsx';
import type { Result } from './each.ts';
import { Progress } from './progress.tsx';
import { SelectedRows } from './rows.tsx';

export const ManyDialog = ({
  title,
  text,
  rows,
  cell,
  progress,
  busy,
  isOver,
  submit,
  onSubmit,
  onClose,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly rows: readonly Row[];
  readonly cell: (row: Row) => ReactNode;
  readonly progress: {
    readonly results: ReadonlyMap<string, Result<unknown>>;
    readonly of: number;
  };
  /** Until it ends, the dialog stays. */
  readonly busy: boolean;
  readonly isOver: boolean;
  /** The button that acts; it is gone when all is over. */
  readonly submit: ReactNode;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) => {
  const say = useText();
  return (
    <Dialog
      wide
      title={title}
      onClose={busy ? undefined : onClose}
      onSubmit={onSubmit}
      actions={
        <>
          <Button onClick={onClose} disabled={busy}>
            {say(isOver ? 'common.close' : 'common.cancel')}
          </Button>
          {isOver ? null : submit}
        </>
      }
    >
      <Typography color="textSecondary">{text}</Typography>
      {children}
      <Progress {...progress} isOver={isOver} />
      <SelectedRows rows={rows} cell={cell} />
    </Dialog>
  );
};
